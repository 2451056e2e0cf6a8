"""Reading and writing whole matches as plain data: ``triomino-record/2``; version 1 is read.

Reading replays every move through the rules, so a record that can be read is a legal match.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from triomino.deal import Deal, StartDraw, deal, draw_for_start, holder_of_highest
from triomino.errors import RecordError
from triomino.fair import ALGORITHM, Seeds
from triomino.fair2 import ALGORITHM_2, FairSeat, Opening, SharedSeeds, check_hex, rules_digest
from triomino.game import Game, Ply, RoundEnd
from triomino.ledger import EndReason
from triomino.legacy import bot_1, rules_1
from triomino.match import Match, Player
from triomino.moves import parse_move
from triomino.notation import texts, tiles
from triomino.reading import Node, load_json, read_version, shown
from triomino.rules import Json, Rules, Seat, Starter
from triomino.tile import MASKS, Tile, mask_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from triomino.fair2 import AnySeeds

RECORD_FORMAT: Final = "triomino-record/2"
RECORD_FORMAT_1: Final = "triomino-record/1"


# --- Writing -------------------------------------------------------------------------------------


def record_of(match: Match) -> Json:
    """Return the match as plain data; an unfinished one can be resumed from it."""
    record: Json = {
        "format": RECORD_FORMAT,
        "rules": match.rules.to_json(),
        "players": [
            {"name": player.name} | ({"bot": player.bot} if player.bot else {})
            for player in match.players
        ],
    }
    if match.seeds is not None:
        record["fair"] = _fair(match.seeds)
    totals = [game.start_totals for game in match.rounds[1:]] + [match.scores]
    record["rounds"] = [
        _round(game, total) for game, total in zip(match.rounds, totals, strict=True)
    ]
    if match.over and replace(match.ledger, most_rounds=None).is_over:
        # A match that was agreed to end after some rounds is unfinished by its rules.
        record["result"] = {"scores": list(match.scores), "winners": list(match.winners)}
    return record


def _fair(seeds: AnySeeds) -> Json:
    if isinstance(seeds, Seeds):
        return {
            "algorithm": ALGORITHM,
            "commitment": seeds.commitment,
            "server_seed": seeds.server,
            "player_seeds": list(seeds.players),
        }
    opening = seeds.opening
    return {
        "algorithm": ALGORITHM_2,
        "table": opening.table,
        "commitment": opening.server,
        "server_seed": seeds.server,
        "public_key": opening.key,
        "seats": [
            {"devices": list(seat.devices)} if seat.bot is None else {"bot": seat.bot}
            for seat in opening.seats
        ],
        "devices": [
            {"commitment": commitment, "seed": seed}
            for commitment, seed in zip(opening.devices, seeds.seeds, strict=True)
        ],
        "opening_signature": seeds.opening_signature,
        "signature": seeds.signature,
    }


def _round(game: Game, totals: Iterable[int]) -> Json:
    start = game.start
    out: Json = {
        "starter": game.starter,
        "start_draws": [{"seat": draw.seat, "tile": str(draw.tile)} for draw in start.start_draws],
        "racks": [texts(rack) for rack in start.racks],
        "pool": texts(start.pool),
        "turns": [_ply(ply) for ply in game.plies],
    }
    if game.end is not None:
        out["end"] = _end(game.end, game.players)
        out["scores"] = list(totals)
    return out


def _ply(ply: Ply) -> Json:
    out: Json = {"seat": ply.seat, "move": str(ply.move)}
    if ply.tile is not None:
        out["tile"] = str(ply.tile)
    out["points"] = ply.points
    if ply.bonus is not None:
        out["bonus"] = ply.bonus.value
    return out


def _end(end: RoundEnd, players: int) -> Json:
    return {
        "reason": end.reason.value,
        "seats": list(end.seats),
        "points": list(end.points(players)),
    }


def write_record(match: Match) -> str:
    """Return the match as one line of JSON; equal matches give equal text."""
    return json.dumps(record_of(match), ensure_ascii=False)


# --- Reading -------------------------------------------------------------------------------------


def read_record(text: str | bytes) -> Match:
    """Read a match from JSON text, replaying every move and comparing every number.

    Raises :class:`RecordError` with the place and the reason of the first error.
    """
    return match_from(load_json(text))


def match_from(data: object) -> Match:
    """Read a match from plain data; see :func:`read_record`."""
    node = data if isinstance(data, Node) else Node(data)
    table = node.table("format rules players rounds", "fair result")
    version_1 = read_version(table["format"], RECORD_FORMAT, RECORD_FORMAT_1)
    rules = table["rules"].read(rules_1 if version_1 else Rules.from_json, table["rules"].value)
    players = [_read_player(item) for item in table["players"].items()]
    if version_1:
        players = [Player(one.name, one.bot and bot_1(one.bot)) for one in players]
    table["players"].read(rules.check_players, len(players))
    seeds = _read_fair(table["fair"], table["rules"], players) if "fair" in table else None
    match = _read_rounds(table, rules, players, seeds)
    _check_result(table, match, node)
    return match


def _read_player(node: Node) -> Player:
    table = node.table("name", "bot")
    names = {key: table[key].text() for key in ("name", "bot") if key in table}
    for key, name in names.items():
        if not name.strip() or len(name) > 80 or not name.isprintable():
            raise table[key].error("a name has 1 to 80 printable characters")
    return Player(**names)


def _read_fair(node: Node, rules: Node, players: list[Player]) -> AnySeeds:
    if not isinstance(node.value, dict):
        raise node.error(f"an object is needed, not {shown(node.value)}")
    if "algorithm" not in node.value:
        raise node.error("'algorithm' is missing")
    algorithm = node.at("algorithm")
    if algorithm.value == ALGORITHM_2:
        return _read_shared_seeds(node, rules, players)
    if algorithm.value != ALGORITHM:
        raise algorithm.error(f"{ALGORITHM!r} or {ALGORITHM_2!r} is needed")
    return _read_seeds(node, len(players))


_FAIR_2: Final = (
    "algorithm table commitment server_seed public_key seats devices opening_signature signature"
)


def _read_shared_seeds(node: Node, rules: Node, players: list[Player]) -> SharedSeeds:
    table = node.table(_FAIR_2)
    seats = tuple(_read_fair_seat(item) for item in table["seats"].items())
    bots = [seat.bot for seat in seats]
    if bots != [player.bot for player in players]:
        raise table["seats"].error("they are not the people and bots of 'players'")
    devices = [item.table("commitment seed") for item in table["devices"].items()]
    opening = node.read(
        Opening,
        table=table["table"].text(),
        key=_read_hex(table["public_key"], 64, "a public key"),
        server=_read_hex(table["commitment"], 64, "a commitment"),
        rules=rules_digest(rules.value),
        seats=seats,
        devices=tuple(_read_hex(one["commitment"], 64, "a commitment") for one in devices),
    )
    seeds: list[str | None] = []
    for number, one in enumerate(devices):
        seed = None
        if one["seed"].value is not None:
            seed = _read_hex(one["seed"], 64, "a seed")
            if why := opening.why_not_seed(number, seed):
                raise one["seed"].error(why)
        seeds.append(seed)
    signatures = [
        _read_hex(table[name], 128, "a signature") for name in ("opening_signature", "signature")
    ]
    server = _read_hex(table["server_seed"], 64, "a server seed")
    return table["commitment"].read(SharedSeeds, opening, server, tuple(seeds), *signatures)


def _read_fair_seat(node: Node) -> FairSeat:
    table = node.table("", "devices bot")
    if ("devices" in table) == ("bot" in table):
        raise node.error("a seat has either 'devices' or a 'bot'")
    if "bot" in table:
        return node.read(FairSeat, bot=table["bot"].text())
    return node.read(FairSeat, tuple(one.number(0, 99) for one in table["devices"].items()))


def _read_hex(node: Node, digits: int, what: str) -> str:
    return node.read(check_hex, node.text(), digits, what)


def _read_seeds(node: Node, players: int) -> Seeds:
    table = node.table("algorithm commitment server_seed player_seeds")
    theirs = tuple(item.text() for item in table["player_seeds"].items())
    if len(theirs) != players:
        raise table["player_seeds"].error(f"{len(theirs)} seeds for {players} players")
    seeds = node.read(Seeds, table["server_seed"].text(), theirs)
    if table["commitment"].text() != seeds.commitment:
        raise table["commitment"].error("it is not the commitment of this server seed")
    return seeds


def _read_rounds(
    record: Mapping[str, Node], rules: Rules, players: list[Player], seeds: AnySeeds | None
) -> Match:
    node = record["rounds"]
    match: Match | None = None
    for item in node.items():
        if match is not None and not match.game.over:
            raise item.error("the round before it is not over")
        if match is not None and match.over:
            raise item.error("the match was over before it")
        settled = None if match is None else match.ledger.next_starter
        start = _read_deal(item, rules, len(players), settled)
        if match is None:
            match = Match(rules, players, [Game(rules, start)], seeds)
        else:
            match.rounds.append(Game(rules, start, match.ledger.next_round()))
        _read_play(item, match, record.get("result"))
    if match is None:
        raise node.error("a match has at least one round")
    return match


_ROUND_KEYS: Final = ("starter racks pool turns", "start_draws end scores")


def _read_deal(node: Node, rules: Rules, players: int, settled: Seat | None) -> Deal:
    table = node.table(*_ROUND_KEYS)
    racks = tuple(tiles(item) for item in table["racks"].items())
    pool = tiles(table["pool"])
    size = rules.racks[players]
    if len(racks) != players or any(len(rack) != size for rack in racks):
        raise table["racks"].error(f"{players} racks with {size} tiles each are needed")
    dealt = [*pool, *(tile for rack in racks for tile in rack)]
    for tile in dealt:
        if dealt.count(tile) > 1:
            raise node.error(f"tile {tile} was dealt twice")
    if mask_of(dealt) != MASKS[rules.tile_set]:
        raise node.error(f"racks and pool are not the {rules.tile_set} tiles of the set")
    draws = (
        tuple(_read_draw(item, players, pool) for item in table["start_draws"].items())
        if ("start_draws" in table)
        else ()
    )
    starter = _starter(table, rules, racks, draws, settled)
    table["starter"].must_be(starter)
    return Deal(racks, pool, starter, draws)


def _read_draw(node: Node, players: int, pool: tuple[Tile, ...]) -> StartDraw:
    table = node.table("seat tile")
    tile = table["tile"].parsed(Tile.parse)
    if tile not in pool:
        raise table["tile"].error(f"{tile} went back to the pool, but is not in it")
    return StartDraw(table["seat"].number(0, players - 1), tile)


def _starter(
    table: Mapping[str, Node],
    rules: Rules,
    racks: tuple[tuple[Tile, ...], ...],
    draws: tuple[StartDraw, ...],
    settled: Seat | None,
) -> Seat:
    """Return who starts by the rules, having checked the draws in the record against them."""
    if settled is not None or rules.starter is Starter.HIGHEST_TRIPLE:
        if draws:
            raise table["start_draws"].error("nobody draws for the start of this round")
        return holder_of_highest(racks) if settled is None else settled
    left = list(draws)

    def take(needed: int) -> list[Tile]:
        if len(left) < needed:
            place = table["start_draws"] if "start_draws" in table else table["starter"]
            raise place.error("the draw for the start is not decided")
        drawn, left[:needed] = left[:needed], []
        return [draw.tile for draw in drawn]

    starter, expected = draw_for_start(rules, len(racks), take)
    if left:
        raise table["start_draws"].error("the draw for the start goes on after it was decided")
    if expected != draws:
        raise table["start_draws"].error("the wrong seats drew for the start")
    return starter


def _read_play(node: Node, match: Match, result: Node | None) -> None:
    table, game = node.table(*_ROUND_KEYS), match.game
    for item in table["turns"].items():
        _read_ply(item, game)
    if "end" in table and not game.over:
        reason = table["end"].table("reason seats points")["reason"]
        if reason.value != EndReason.ABANDONED:
            raise reason.error("the round is not over by the rules")
        game.abandon(_who_gave_up(game, result))
    if game.end is None:
        if "scores" in table:
            raise table["scores"].error("the round is not over, so it has no scores yet")
        return
    for key in ("end", "scores"):
        if key not in table:
            raise node.error(f"the round is over, but {key!r} is missing")
    end = table["end"].table("reason seats points")
    for key, value in _end(game.end, game.players).items():
        end[key].must_be(value)
    table["scores"].must_be(list(match.scores))


def _who_gave_up(game: Game, result: Node | None) -> Seat | None:
    """Work out who gave up: a record does not name that seat, but it has the winners."""
    claimed = result.value.get("winners") if result and isinstance(result.value, dict) else None
    for seat in range(game.players):
        if list(game.ledger.abandon(seat).winners) == claimed:
            return seat
    return None


def _read_ply(node: Node, game: Game) -> None:
    table = node.table("seat move points", "tile bonus")
    if game.over:
        raise node.error("the round was over before it")
    table["seat"].must_be(game.turn)
    move = table["move"].parsed(parse_move)
    ply = table["move"].read(game.check, move)
    expected = _ply(ply)
    for key in ("tile", "bonus"):
        if key in table and key not in expected:
            raise table[key].error(f"this move has no {key}")
        if key in expected and key not in table:
            raise node.error(f"{key!r} is missing; the rules give {expected[key]!r}")
    for key in ("tile", "points", "bonus"):
        if key in table:
            table[key].must_be(expected[key])
    game.apply(ply)


def _check_result(table: Mapping[str, Node], match: Match, node: Node) -> None:
    if "result" not in table:
        if match.over:
            raise node.error("the match is over, but 'result' is missing")
        return
    result = table["result"].table("scores winners")
    if not match.over:
        raise table["result"].error("the match is not over by the rules")
    result["scores"].must_be(list(match.scores))
    result["winners"].must_be(list(match.winners))


# --- Checking the deals --------------------------------------------------------------------------


def verify_deals(match: Match) -> None:
    """Deal every round again from the seeds; raises :class:`RecordError` if one differs."""
    if match.seeds is None:
        raise RecordError("fair", "the record carries no seeds, so its deals cannot be verified")
    before: Game | None = None
    for index, game in enumerate(match.rounds):
        settled = None if before is None else before.ledger.next_starter
        fresh = deal(match.rules, len(match.players), match.seeds.round(index + 1), settled)
        for name in ("racks", "start_draws", "starter", "pool"):
            if getattr(fresh, name) != getattr(game.start, name):
                raise RecordError(f"rounds[{index}].{name}", "the seeds deal something else")
        before = game


def read_records(lines: Iterable[str | bytes]) -> Iterator[Match]:
    """Iterate over the matches of JSON Lines; blank lines are skipped, errors name the line."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield read_record(line)
        except RecordError as error:
            place = f"line {number}" + (f", {error.place}" if error.place else "")
            raise RecordError(place, error.reason) from error
