"""Nobody learns what its seat may not know: not from a tile's name, and not from anything else.

A script is played at a real server, with every byte kept that any client hears. Then tiles that a
client cannot see, and that no move depends on, change places; the same script is played again, and
that client has to hear the same bytes, until the tiles are shown at the end of the round.
"""

from __future__ import annotations

import json
import operator
import re
from base64 import urlsafe_b64encode
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sqlalchemy import select
from tools.services import Valkey

from tests.effort import WHOLE, long_only, some
from tests.server.harness import FakeClock, Served, Wire, in_loop, serving, table_of_two, until
from tests.server.push_service import Subscribed
from triomino.deal import Deal, deal
from triomino.dice import Rng
from triomino.errors import IllegalMove, TriominoError
from triomino.fair2 import device_commitment
from triomino.game import Game
from triomino.grid import ORIGIN
from triomino.match import Match, Player
from triomino.moves import Draw, Place, parse_move
from triomino.ratings import MATCHES_ON_BOARD, RatedMatch
from triomino.ratings import Seat as RatedSeat
from triomino.rules import EDITIONS, Rules
from triomino.server import snapshot
from triomino.server.credentials import digest
from triomino.server.host_key import new_host_key
from triomino.server.hub import Hub
from triomino.server.previews import sketch_of
from triomino.server.snapshot import Receiver
from triomino.server.table import Change, RefusedError, Table
from triomino.store.decency import DecencyStore
from triomino.store.people import PeopleStore
from triomino.store.person_secrets import Passkey, PersonSecretStore
from triomino.store.ratings import RatingStore
from triomino.store.schema import person_keys
from triomino.tile import Tile, tile_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from triomino.client import RemotePlayer
    from triomino.fair import Stream
    from triomino.game import Ply
    from triomino.moves import Move
    from triomino.protocol.api import Fairness
    from triomino.protocol.messages import Now, State, TurnInfo
    from triomino.rules import Seat
    from triomino.server.events import MovePlayed
    from triomino.store.decency import Report
    from triomino.store.people import PersonDevice

PLAYERS = {"classic": 3, "classic-hebrew": 2, "six-player": 4, "card": 3, "casual": 2}
NUMBERS = {"classic": 8, "classic-hebrew": 101, "six-player": 38, "card": 18, "casual": 296}
"""Of the scripts one with short rounds, in which everything happens that can be told."""
ROUNDS = 2
TABLE = "the-table"
START = 1_700_000_000.0


def rules_of(edition: str, players: int | None = None) -> Rules:
    """An edition, with small racks: when a round is over, most tiles are still hidden."""
    target = 5 if edition == "casual" else 5000
    racks = {str(players or PLAYERS[edition]): 5}
    return EDITIONS[edition].with_changes({"target": target, "racks": racks})


class LeakError(AssertionError):
    """A client was told what it may not know."""


# --- The script ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One thing that somebody does."""

    kind: str
    """``move``, ``undo`` (asked, agreed to by all), ``next``, ``probe``, ``again`` or ``look``."""
    seat: Seat = 0
    text: str = ""


@dataclass
class Script:
    """What is played, and how every round was dealt."""

    rules: Rules
    players: int
    deals: list[Deal] = field(default_factory=list)
    rounds: list[list[Step]] = field(default_factory=list)


def write_script(rules: Rules, players: int, number: int) -> Script:
    """Random play with draws, moves taken back, wrong moves, and people who come again."""
    dice = Random(f"{rules.edition} {number}")
    script = Script(rules, players)
    starter: Seat | None = None
    for round_number in range(ROUNDS):
        dealt_by = Rng.named("leak", rules.edition, number, round_number)
        start = deal(rules, players, dealt_by, starter)
        script.deals.append(start)
        game, steps = Game(rules, start), list[Step]()
        while not game.over:
            moves = game.legal_moves()
            places = [move for move in moves if isinstance(move, Place)]
            # Draws too, but few, so that many tiles are still hidden at the end.
            move: Move = dice.choice(places or moves)
            if Draw() in moves and dice.random() < 0.12:
                move = Draw()
            if dice.random() < 0.3:
                steps.append(Step("probe", game.turn, _wrong_move(game, dice)))
            steps.append(Step("move", game.turn, str(move)))
            seat = game.turn
            ends = game.play(move).end is not None
            if isinstance(move, Draw) and not ends and dice.random() < 0.3:
                steps += [Step("undo", seat), Step("move", seat, "draw")]
            if dice.random() < 0.1:
                steps.append(Step("again", dice.randrange(players)))
            if dice.random() < 0.1:
                steps.append(Step("look"))
        steps = [_with_hidden_tile(step, game, dice) for step in steps]
        match = Match(rules, [Player(str(n)) for n in range(players)], [game])
        starter = match.ledger.next_starter
        script.rounds.append([*steps, Step("next")])
    return script


def _wrong_move(game: Game, dice: Random) -> str:
    """A placement of some tile, where another lies or beside it."""
    cell = dice.choice(game.board.places).cell if game.board.laid else ORIGIN
    return str(Place(dice.choice([cell, *cell.neighbours]), (0, 0, 0)))


def _with_hidden_tile(step: Step, over: Game, dice: Random) -> Step:
    """A probe with a tile that is hidden to its seat until the round is over."""
    if step.kind != "probe":
        return step
    racks = [tile for seat, rack in enumerate(over.racks) if seat != step.seat for tile in rack]
    hidden = racks or list(over.pool)
    if not hidden:
        return Step("look")
    tile = dice.choice(hidden)
    return replace(step, text=str(Place(Place.parse(step.text).cell, tile.numbers)))


# --- Tiles that change places --------------------------------------------------------------------


def replay(script: Script, number: int, start: Deal) -> list[Any]:
    """What everybody sees of a round's moves when it was dealt so; raises if one is illegal."""
    game, seen = Game(script.rules, start), list[Any]()
    for step in script.rounds[number]:
        if step.kind == "move":
            turn = game.play(parse_move(step.text))
            over = turn.end is not None
            scores = () if over else turn.scores
            seen.append((turn.seat, turn.public.move, scores, turn.passes_on, over))
        elif step.kind == "undo":
            game.undo()
        elif step.kind == "probe":
            seen.append(game.why_not(parse_move(step.text)))
    return seen


def visible(script: Script, number: int, seats: tuple[Seat, ...]) -> set[Tile]:
    """The tiles that a client with these seats sees in a round, before all are shown."""
    game = Game(script.rules, script.deals[number])
    seen = {draw.tile for draw in game.start.start_draws}
    seen |= {tile for seat in seats for tile in game.racks[seat]}
    for step in script.rounds[number]:
        if step.kind == "move":
            turn = game.play(parse_move(step.text))
            if isinstance(turn.move, Place):
                seen.add(turn.move.tile)
            if turn.tile is not None and turn.seat in seats:
                seen.add(turn.tile)
        elif step.kind == "undo":
            game.undo()
    return seen


def exchange(script: Script, number: int, seats: tuple[Seat, ...], dice: Random) -> Deal:
    """The round dealt otherwise, in a way that a client with these seats cannot tell."""
    start = script.deals[number]
    expected, fixed = replay(script, number, start), visible(script, number, seats)
    free = [tile for tile in script.rules.tiles if tile not in fixed]
    where = dict(zip(free, free, strict=True))

    def dealt(places: dict[Tile, Tile]) -> Deal:
        racks = tuple(tuple(places.get(tile, tile) for tile in rack) for rack in start.racks)
        return replace(start, racks=racks, pool=tuple(places.get(t, t) for t in start.pool))

    def passes(places: dict[Tile, Tile]) -> bool:
        try:
            return replay(script, number, dealt(places)) == expected
        except IllegalMove:
            return False

    shuffled = dict(zip(free, dice.sample(free, len(free)), strict=True))
    if passes(shuffled):
        return dealt(shuffled)
    # Where a draw proves that nothing fitted, not every exchange will do: try them one by one.
    for _ in range(200):
        one, other = dice.sample(free, 2)
        tried = where | {one: where[other], other: where[one]}
        if passes(tried):
            where = tried
    return dealt(where)


# --- Playing it ----------------------------------------------------------------------------------


@dataclass
class Client:
    """Somebody at the table, and every byte it heard."""

    name: str
    seats: tuple[Seat, ...]
    secret: str | None
    stream: list[bytes] = field(default_factory=list)
    wire: Wire | None = None
    version: int = 0

    async def come(self, served: Served) -> None:
        """Come to the table, or come again with the version one has."""
        if self.wire is not None:
            await self.go()
        self.wire = await Wire.open(served.url)
        await self.wire.say(
            type="hello", table=TABLE, secret=self.secret, version=self.version or None
        )
        await self.wire.settle()

    async def go(self) -> None:
        """Go away; what was heard is kept."""
        assert self.wire is not None
        await self.wire.settle()
        await self.wire.close()
        self.stream += self.wire.heard
        self.wire = None

    async def say(self, **message: Any) -> dict[str, Any]:
        """Say something and hear whether it was done."""
        assert self.wire is not None
        answer = await self.wire.ask(**message)
        if answer["type"] == "ack":
            self.version = answer["version"]
        return answer


@dataclass
class Run:
    """A script that was played, with all that everybody heard."""

    script: Script
    deals: list[Deal]
    clients: list[Client]
    server_seed: str = ""
    first_version: int = 0
    known: dict[str, dict[int, set[Tile]]] = field(default_factory=dict)
    """For every client and version, the tiles that it may know then."""
    bodies: list[bytes] = field(default_factory=list)
    previews: list[tuple[bytes, object]] = field(default_factory=list)
    """Answers to requests without any secret."""

    has_order: bool = True
    """Whether it is known what is told together, and when: not from several servers."""

    def stream(self, name: str) -> list[bytes]:
        """What a client heard, commitments and signatures masked."""
        client = next(one for one in self.clients if one.name == name)
        heard = client.stream
        if not self.has_order:
            # Who came first, and how far the seeds were; tiles are dealt later.
            heard = [data for data in heard if not _WITHOUT_TILES.search(data)]
            heard = [_PRESENCE.sub(b"", data) for data in heard]
        return [masked(data) for data in heard]


_WITHOUT_TILES = re.compile(rb'^{"type":"presence"|"state":"open(ing)?"')
_PRESENCE = re.compile(rb',"here":\[[0-9,]*\]|,"spectators":[0-9]+|,"away":{[^}]*}')


def masked(data: bytes) -> bytes:
    """A message without the commitments and signatures, which are others at every table.

    That no seed is among them is for :func:`check_secrets`.
    """
    return re.sub(rb"[0-9a-f]{64,128}", b"*", data)


def seed_of(client: Client) -> str:
    """The seed that the device of a client commits to."""
    return digest(f"the seed of {client.name}")


class Playing:
    """Plays a script at a server."""

    def __init__(self, servers: list[Served], script: Script, deals: list[Deal]) -> None:
        self.servers, self.served, self.script = servers, servers[0], script
        players = script.players
        seats = [(f"seat {seat}", (seat,)) for seat in range(players)]
        own: list[tuple[str, tuple[Seat, ...]]] = [*seats, ("two seats", (0, players - 1))]
        clients = [Client(name, held, f"the secret of {name}") for name, held in own]
        clients.append(Client("a spectator", (), None))
        self.run = Run(script, deals, clients, has_order=len(servers) == 1)
        self.version = 0

    async def play(self, rounds: int) -> Run:
        """Set the table up, play so many rounds, and take the table away."""
        self.served.clock.at = START
        await self._set_up()
        for number in range(rounds):
            self._shadow(number)
            for step in self.script.rounds[number]:
                self.served.clock.at += 1
                if step.kind != "next" or number + 1 < rounds:
                    await self._do(step)
        for client in self.run.clients:
            await client.go()
        await self.served.events.delete(TABLE)
        for hub in self._hubs:
            opened = hub.tables[TABLE]
            hub.tables.drop(opened)
            hub.scheduler.schedule(opened)  # cancels its timer
        return self.run

    @property
    def _hubs(self) -> list[Hub]:
        """Those that have the table."""
        return [server.hub for server in self.servers if TABLE in server.hub.tables]

    async def _come(self, client: Client) -> None:
        """Let somebody come to one of the servers, always the same."""
        number = self.run.clients.index(client)
        await client.come(self.servers[number % len(self.servers)])
        if len(self.servers) > 1:
            await until(self._is_known_who_is_here)

    def _is_known_who_is_here(self) -> bool:
        """Whether all servers have heard who came and went, and have told it."""
        opened = [hub.tables[TABLE] for hub in self._hubs]
        told = [(sorted(one.here), one.spectators) for one in opened]
        return all(one == told[0] for one in [*told, *(one.told_presence for one in opened)])

    async def _agree(self, version: int) -> None:
        """Wait until all servers have heard of what was acknowledged."""
        for hub in self._hubs:
            table = hub.tables[TABLE].table
            await until(lambda table=table: table.version >= version)  # type: ignore[misc]

    async def _set_up(self) -> None:
        run, served, players = self.run, self.served, self.script.players
        host, *others = run.clients[:players]
        both = run.clients[players]
        body: dict[str, Any] = {
            "seats": [{"kind": "here", "name": "Ann"}] + [{"kind": "link"}] * (players - 1),
            "rules": self.script.rules.changes,
            "clock_seconds": 600,
            "listed": True,
        }
        await self._post(host, "", body)
        for seat, other in enumerate(others, 1):
            await self._post(other, f"/{TABLE}/seats", {"name": f"Player {seat}", "seat": seat})
        for seat, owner in ((0, host), (players - 1, others[-1])):
            link = await self._post(owner, f"/{TABLE}/seats/{seat}/links")
            await self._post(both, f"/{TABLE}/claims", {"secret": link["secret"]})
        server = (await served.get(f"/api/tables/{TABLE}")).json()["fair"]["commitment"]
        for client in run.clients[:-1]:
            commitment = device_commitment(TABLE, server, seed_of(client))
            await self._post(client, f"/{TABLE}/commitments", {"commitment": commitment})
        for client in run.clients:
            await self._come(client)
        await self._post(host, f"/{TABLE}/start")
        for client in run.clients[:-1]:
            await self._do(Step("look", 0))
            answer = await client.say(type="reveal", seed=seed_of(client))
            assert answer["type"] == "ack", answer
            await self._agree(answer["version"])
        table = (await served.hub.tables.open(TABLE)).table
        self.version = run.first_version = table.version
        run.server_seed = table.exchange.server_seed

    async def _post(self, client: Client, path: str, body: object = None) -> dict[str, Any]:
        answer = await self.served.http.post(
            f"/api/tables{path}", json=body, headers={"authorization": f"Bearer {client.secret}"}
        )
        assert answer.is_success, answer.text
        data: dict[str, Any] = answer.json()
        return data

    def _shadow(self, number: int) -> None:
        """A game of our own that says what everybody may know."""
        self.game = Game(self.script.rules, self.run.deals[number])
        shown = {draw.tile for draw in self.game.start.start_draws}
        self.knows = {
            client.name: shown | {tile for seat in client.seats for tile in self.game.racks[seat]}
            for client in self.run.clients
        }
        self._note_known()

    def _note_known(self) -> None:
        for name, tiles in self.knows.items():
            self.run.known.setdefault(name, {})[self.version] = set(tiles)

    def _happened(self) -> None:
        self.version += 1
        self._note_known()

    async def _do(self, step: Step) -> None:
        client = self.run.clients[step.seat]
        match step.kind:
            case "move":
                await self._move(client, step)
            case "undo":
                await self._undo(client, step)
            case "next":
                self.knows = {name: set(self.script.rules.tiles) for name in self.knows}
                await self._acked(client, type="next_round")
                self.version += 1
            case "probe":
                answer = await client.say(type="move", move=step.text, ply=self.ply, seat=step.seat)
                assert answer["type"] == "refused"
                # A spectator tries it, too.
                answer = await self.run.clients[-1].say(type="move", move=step.text, ply=self.ply)
                assert answer["code"] == "spectator"
            case "again":
                await self._come(client)
                await self._come(self.run.clients[-1])
            case "look":
                for path in ("", f"/{TABLE}", f"/{TABLE}/record"):
                    answer_ = await self.served.get(f"/api/tables{path}")
                    self.run.bodies.append(answer_.content)
                # What a messenger is told of the link, and what is painted of the table.
                preview = await self.served.get(f"/t/{TABLE}")
                table = (await self.served.hub.tables.open(TABLE)).table
                self.run.previews.append((preview.content, sketch_of(table)))

    async def _move(self, client: Client, step: Step) -> None:
        ply = self.game.play(parse_move(step.text))
        for one in self.run.clients:
            if isinstance(ply.move, Place):
                self.knows[one.name].add(ply.move.tile)
            if ply.tile is not None and ply.seat in one.seats:
                self.knows[one.name].add(ply.tile)
            if ply.end is not None:
                self.knows[one.name] |= set(self.script.rules.tiles)
        await self._acked(client, type="move", move=step.text, seat=step.seat)
        self._happened()

    async def _undo(self, client: Client, step: Step) -> None:
        self.game.undo()
        await self._acked(client, type="undo", seat=step.seat)
        self._happened()
        for seat, other in enumerate(self.run.clients[: self.script.players]):
            if seat != step.seat:
                await self._acked(other, type="answer_undo", agree=True, seat=seat)
                self._happened()

    @property
    def _table(self) -> Table:
        return self.served.hub.tables[TABLE].table

    @property
    def ply(self) -> int:
        return self._table.ply

    async def _acked(self, client: Client, **message: Any) -> None:
        if message["type"] == "answer_undo":
            assert self._table.undo is not None
            basis = {"request": self._table.undo.id}
        else:
            basis = {"ply": self.ply}
        answer = await client.say(**basis, **message)
        assert answer["type"] == "ack", (answer, message)
        await self._agree(answer["version"])


@contextmanager
def dealing(deals: list[Deal]) -> Iterator[None]:
    """Deal every round as it is wanted, the same at every server."""
    wanted, dealt = iter(deals), dict[bytes, Deal]()

    def deal_wanted(_: Rules, __: int, stream: Stream, *___: object) -> Deal:
        if stream._key not in dealt:
            dealt[stream._key] = next(wanted)
        return dealt[stream._key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("triomino.match.deal", deal_wanted)
        yield


async def play(
    served: Served | list[Served], script: Script, deals: list[Deal], rounds: int
) -> Run:
    """Play a script at a server, or with everybody at another one of several."""
    servers = served if isinstance(served, list) else [served]
    with dealing(deals):
        return await Playing(servers, script, deals).play(rounds)


# --- The two checks ------------------------------------------------------------------------------

_NUMBERS = re.compile(r"(?=([0-5])-([0-5])-([0-5]))")


def texts(value: object) -> Iterator[str]:
    """All text in a message, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


def tiles_in(message: object) -> set[Tile]:
    """All tiles that are named in a message."""
    return {
        tile_of((int(found[1]), int(found[2]), int(found[3])))
        for text in texts(message)
        for found in _NUMBERS.finditer(text)
    }


def check_names(run: Run) -> int:
    """No message names a tile that its receiver may not know; says how many were looked at."""
    looked = 0
    for client in run.clients:
        known, version = run.known[client.name], run.first_version
        for data in client.stream:
            message = json.loads(data)
            message.pop("past", None)  # rounds that are over are open
            version = message.get("version", version)
            if version < run.first_version:
                allowed: set[Tile] = set()
            else:
                allowed = known.get(version) or max(known.items())[1]
            if message["type"] == "refused":
                allowed = allowed | tiles_in(message["detail"].partition(":")[0])  # one's own words
            if hidden := tiles_in(message) - allowed:
                names = ", ".join(map(str, sorted(hidden)))
                raise LeakError(f"{client.name} was told of {names}: {data.decode()[:300]}")
            looked += 1
    for data in run.bodies:
        body = json.loads(data)
        if isinstance(body, dict):
            (body.get("standing") or {}).pop("places", None)  # the board is there for all to see
        if found := tiles_in(body):
            raise LeakError(f"an answer to a request names {found}")
    return looked


def check_secrets(run: Run, *, over: bool = False) -> None:
    """No seed before the end of the match, and never a secret of a device or its hash."""
    everything = b"\n".join([*run.bodies, *(data for one in run.clients for data in one.stream)])
    secrets = [one.secret for one in run.clients if one.secret is not None]
    forbidden = [*secrets, *map(digest, secrets)] + ([] if over else [run.server_seed])
    for text in forbidden:
        if text.encode() in everything:
            raise LeakError(f"{text} was told")
    seeds = [seed_of(one).encode() for one in run.clients[:-1]]
    for data in before_the_deal(run):
        if any(seed in data for seed in seeds):
            raise LeakError(f"a seed was told before the deal: {data.decode()[:300]}")


def before_the_deal(run: Run) -> Iterator[bytes]:
    """What was told while seeds were committed to and revealed."""
    for stream in (run.bodies, *(one.stream for one in run.clients)):
        dealt = next((n for n, data in enumerate(stream) if b'"signature":' in data), None)
        assert dealt, "nothing was told before the deal, or nothing after it"
        yield from stream[:dealt]


def is_shown(data: bytes, number: int) -> bool:
    """Whether this is the message that ends a round, counted from 0."""
    message = json.loads(data)
    ends = len(message.get("past", []))
    if (message.get("now") or {}).get("end"):
        return ends >= number or message["type"] == "moved"
    return False


def until_shown(stream: list[bytes], number: int) -> list[bytes]:
    """A stream up to the message that shows the tiles of a round."""
    ends = 0
    for index, data in enumerate(stream):
        if is_shown(data, number):
            if ends == number:
                return stream[:index]
            if json.loads(data)["type"] == "moved":
                ends += 1
    raise AssertionError("the round was never over")


def check_alike(base: Run, other: Run, name: str, number: int) -> int:
    """A client heard the same in both, until the tiles of that round were shown."""
    one = until_shown(base.stream(name), number)
    two = until_shown(other.stream(name), number)
    for first, second in zip(one, two, strict=False):
        if first != second:
            differ = map(operator.ne, first, second)
            start = max(0, next((i for i, other in enumerate(differ) if other), 0) - 100)
            parts = [data[start : start + 500].decode(errors="replace") for data in (first, second)]
            raise LeakError(f"{name} can tell the deals apart:\n{parts[0]}\n{parts[1]}")
    if len(one) != len(two):
        raise LeakError(f"{name} heard {len(one)} messages, and {len(two)}")
    if list(map(masked, base.bodies[: len(other.bodies)])) != list(map(masked, other.bodies)):
        raise LeakError("answers to requests differ")
    if base.previews[: len(other.previews)] != other.previews:
        raise LeakError("previews of the link differ")
    return len(one)


async def look_for_leaks(served: Served, edition: str) -> dict[str, int]:
    """Both checks for every client of an edition; says what was looked at."""
    script = write_script(rules_of(edition), PLAYERS[edition], NUMBERS[edition])
    base = await play(served, script, script.deals, ROUNDS)
    looked = {"messages": 0, "moved tiles": 0, "alike": 0}
    looked["messages"] = check_names(base)
    check_secrets(base)
    for index, client in enumerate(base.clients):
        number = index % ROUNDS  # which round is dealt otherwise
        start = exchange(script, number, client.seats, Random(index))
        deals = [*script.deals]
        moved = sum(
            one != two for one, two in zip(_flat(start), _flat(script.deals[number]), strict=True)
        )
        deals[number] = start
        other = await play(served, script, deals, number + 1)
        alike = check_alike(base, other, client.name, number)
        looked["alike"] += alike
        looked["moved tiles"] += moved
        assert moved >= 4, f"{client.name}: next to nothing changed places"
        assert alike > len([step for step in script.rounds[number] if step.kind == "move"])
        check_secrets(other)
    return looked


def _flat(start: Deal) -> list[Tile]:
    return [*(tile for rack in start.racks for tile in rack), *start.pool]


def leak_server(folder: Path, **more: Any) -> Any:
    return serving(folder, make_hub=_one_table, look_seconds=0, presence_seconds=0, **more)


def _one_table(*args: Any, **injected: Any) -> Any:
    """Tables that all have the same id, one after the other, and each a seed of its own."""
    return Hub(*args, **{**injected, "new_id": lambda: TABLE})


# --- The tests -----------------------------------------------------------------------------------


@in_loop
@pytest.mark.parametrize("edition", some([*EDITIONS], "classic", "six-player"))
async def test_nobody_is_told_what_it_may_not_know(tmp_path: Path, edition: str) -> None:
    async with leak_server(tmp_path) as served:
        looked = await look_for_leaks(served, edition)
        assert looked["messages"] > 200
        assert looked["alike"] > 200
        assert looked["moved tiles"] > 60


@asynccontextmanager
async def three_servers(folder: Path, database: str) -> AsyncIterator[list[Served]]:
    """Three servers with one clock on one database; everybody is at another one."""
    valkey, clock = Valkey(), FakeClock()
    try:
        valkey.start()
        async with AsyncExitStack() as stack:
            own = {"data": database, "bus": valkey.url, "clock": clock}
            yield [
                await stack.enter_async_context(leak_server(folder, number=number, **own))
                for number in range(3)
            ]
    finally:
        valkey.remove()


@in_loop
@pytest.mark.parametrize("edition", some([*EDITIONS], "classic"))
async def test_nobody_is_told_more_by_three_servers(
    tmp_path: Path, empty_postgres: str, edition: str
) -> None:
    """Whoever follows a table over the log tells its clients what they may know, and no more."""
    players, number = (PLAYERS[edition], NUMBERS[edition]) if WHOLE else (2, 0)
    script = write_script(rules_of(edition, players), players, number)
    async with three_servers(tmp_path, empty_postgres) as servers:
        base = await play(servers, script, script.deals, 1)
        told = [server.hub.cluster.gauges()["bus_notices_received"] for server in servers]
        assert min(told) > 10
        assert check_names(base) > 60
        check_secrets(base)
        for client in base.clients if WHOLE else base.clients[1:2]:
            start = exchange(script, 0, client.seats, Random(1))
            other = await play(servers, script, [start, *script.deals[1:]], 1)
            assert check_alike(base, other, client.name, 0) > 15
            check_secrets(other)


@long_only
@in_loop
async def test_a_deliberate_leak_of_three_servers_is_caught(
    tmp_path: Path, empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that names no tile, and is told by whoever follows."""
    script = write_script(rules_of("classic", 2), 2, 0)
    monkeypatch.setattr(Receiver, "now", points_for_sizes)
    async with three_servers(tmp_path, empty_postgres) as servers:
        base = await play(servers, script, script.deals, 1)
        check_names(base)
        start = exchange(script, 0, (1,), Random(1))
        other = await play(servers, script, [start, *script.deals[1:]], 1)
        with pytest.raises(LeakError, match="tell the deals apart"):
            check_alike(base, other, "seat 1", 0)


def test_the_scripts_have_everything_in_them() -> None:
    """A script without draws, or without moves taken back, would show nothing about them."""
    for edition, players in PLAYERS.items():
        script = write_script(rules_of(edition), players, NUMBERS[edition])
        for steps in script.rounds:
            kinds = {step.kind for step in steps}
            assert kinds >= {"move", "undo", "probe", "again", "look"}, (edition, kinds)
            assert sum(step.text == "draw" for step in steps) >= 5
            assert {step.seat for step in steps if step.kind == "move"} == set(range(players))


def test_every_edition_is_scripted() -> None:
    assert set(PLAYERS) == set(EDITIONS)


# --- People and the queue ------------------------------------------------------------------------


ASKED = (
    *("/api/me", "/api/me/data", "/api/me/games", "/api/me/games/pad/p1", "/api/me/marks"),
    *("/api/host", "/api/ratings", "/api/ratings/boards/classic", "/api/push"),
    *("/api/tables/table1", "/api/tables/table1/people", "/api/tables/table1/ratings"),
)
"""What everybody asks for; a route that tells something and is not asked is missed elsewhere."""
NOBODY = "http://127.0.0.1:9"
"""A push service that nobody runs."""


@dataclass
class House:
    """Ann and Ben at a table, Eve elsewhere; all that is private to Ben, and his reports."""

    served: Served
    table: str
    players: dict[str, RemotePlayer]
    key: str
    private: dict[str, str]
    """What nobody but Ben may hear, by what it is."""

    async def heard_by(self, name: str | None) -> str:
        """All that the requests about people and matches answer to somebody."""
        player = self.players.get(name or "")
        headers = {"authorization": f"Bearer {player.secret}"} if player else {}
        assert self.table == "table1"
        said = [(await self.served.get(path, headers=headers)).text for path in ASKED]
        wire = await self.served.wire(path="/ws/queue")
        secret = player.secret if player else None
        wish = {"edition": "casual", "players": 4, "name": name or "Nobody"}
        await wire.say(type="join", secret=secret, **wish)
        await wire.hear("waiting", "refused")
        await wire.say(type="leave")
        await wire.close()
        return "\n".join([*said, *(data.decode() for data in wire.heard)])

    async def told_to_host(self) -> str:
        """All that the host's page is told."""
        answer = await self.served.get("/api/host", headers={"x-host-key": self.key})
        assert answer.is_success
        return answer.text


@asynccontextmanager
async def a_house(folder: Path) -> AsyncIterator[House]:
    """A server where Ben has one of everything that is private."""
    async with serving(folder, open=True, push_services=NOBODY) as served:
        two, eve, phone = await table_of_two(served), served.player(), served.player()
        players = {"Ann": two.ann, "Ben": two.ben, "Eve": eve}
        ids = {}
        for name, player in players.items():
            await player.introduce()
            made = await player.request("PUT", "/api/me", {"name": name, "face": "tile1"})
            ids[name] = made["profile"]["id"]
        await phone.introduce()
        used = (await two.ben.request("POST", "/api/me/links"))["secret"]
        await phone.request("POST", "/api/me/joins", {"secret": used})
        private = {
            "device": str(two.ben.secret),
            "phone": str(phone.secret),
            "used link": used,
            "link": (await two.ben.request("POST", "/api/me/links"))["secret"],
            "phrase": (await two.ben.request("POST", "/api/me/phrase"))["phrase"],
        }
        private |= {f"digest of {what}": digest(text) for what, text in private.items()}
        await _give_passkey(served, ids["Ben"], private)
        await _give_address(served, two.ben, private)
        await _subscribe(two.ben, private)
        pad = {"at": 5, "data": {"rows": "the rows of Ben"}}
        await two.ben.request("PUT", "/api/me/games/pad/p1", pad)
        here, private["upload"] = f"/api/tables/{two.table}", "the rows of Ben"
        await two.ben.request("PUT", f"{here}/people/0/block")
        await two.ben.request("POST", f"{here}/reports", {"seat": 0, "reason": "cheating"})
        [report] = await served.hub.people.decency.reports()
        private |= {"report": report.id, "reason": '"cheating"', "mark": '"block"'}
        ratings = RatingStore(served.events)
        for number in range(MATCHES_ON_BOARD):
            seats = (RatedSeat(ids["Ann"], 1), RatedSeat(ids["Ben"], 2))
            await ratings.begin(f"t{number}", "classic", number)
            await ratings.settle(RatedMatch(f"t{number}", "classic", number, seats))
        key = await new_host_key(served.events, 1)
        yield House(served, two.table, players, key, private)


async def _give_passkey(served: Served, person: str, private: dict[str, str]) -> None:
    name, public = b"the credential of Ben", b"the public key of Ben"
    key = Passkey(digest(name.decode()), person, name, public, 0, 1)
    await served.hub.people.secrets.add_key(key)
    private |= {"passkey": key.id, "public key": public.hex()}
    for what, data in (("credential", name), ("public key in base64", public)):
        private[what] = urlsafe_b64encode(data).decode().rstrip("=")


async def _give_address(served: Served, player: RemotePlayer, private: dict[str, str]) -> None:
    private["address"] = digest("the network of Ben")
    await served.hub.people.store.note_address(digest(str(player.secret)), private["address"])


async def _subscribe(player: RemotePlayer, private: dict[str, str]) -> None:
    body = Subscribed("/browser-of-ben").body(NOBODY)
    await player.request("PUT", "/api/push", body)
    private |= {f"push {name}": body[name] for name in ("endpoint", "p256dh", "auth")}


def check_private(told: str, private: dict[str, str], to: str | None) -> None:
    """Nothing private is in what somebody was told."""
    for what, text in private.items():
        if text in told:
            raise LeakError(f"{to} was told the {what} of Ben")


@in_loop
async def test_nobody_hears_what_is_private_to_somebody_else(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        for name in ("Ann", "Eve", None):
            told = await house.heard_by(name)
            check_private(told, house.private, name)
            assert tiles_in(told) == set()
            if name is not None:
                assert f'"name":"{name}"' in told
                assert '"others":' in told  # from the queue
                assert '"rank":2' in told  # from the leaderboard
        own = await house.heard_by("Ben")
        assert tiles_in(own) == set()
        seen = {what for what, text in house.private.items() if text in own}
        assert seen == {
            "digest of device", "digest of phone", "passkey", "public key", "upload", "reason",
            "mark", "push endpoint", "push p256dh", "push auth",
        }  # fmt: skip


@in_loop
async def test_the_host_sees_people_but_nothing_that_opens_their_profiles(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        for kind in ("device", "address", "person"):
            ban = {"kind": kind, "hours": 1, "table": house.table, "seat": 1}
            headers = {"x-host-key": house.key}
            made = await house.served.http.post("/api/host/bans", json=ban, headers=headers)
            assert made.is_success, made.text
        told = await house.told_to_host()
        hidden = {what: text for what, text in house.private.items() if what not in FOR_HOSTS}
        check_private(told, hidden, "the host")
        assert tiles_in(told) == set()
        assert house.key not in told
        found = json.loads(told)
        [report] = found["reports"]
        ben = next(one["id"] for one in found["people"] if one["name"] == "Ben")
        assert ben not in report.values()  # who has reported it
        for one in found["bans"]:  # each can be lifted by what names it
            path = f"/api/host/bans/{one['kind']}/{one['subject']}"
            assert (await house.served.http.delete(path, headers=headers)).is_success
        assert json.loads(await house.told_to_host())["bans"] == []


FOR_HOSTS = ("report", "reason")


async def all_devices(store: PeopleStore, _: str) -> list[PersonDevice]:
    return [one for who in await store.latest(9) for one in await _devices_of(store, who.id)]


async def all_reports(store: DecencyStore, _: str) -> list[Report]:
    return await store.reports()


async def all_keys(store: PersonSecretStore, _: str) -> list[Passkey]:
    async with store._log.reading() as connection:
        rows = await connection.execute(select(person_keys))
        return [Passkey(**row) for row in rows.mappings()]


_devices_of = PeopleStore.devices_of


LEAKS_ABOUT_PEOPLE: list[tuple[object, str, Any, str]] = [
    (PeopleStore, "devices_of", all_devices, "digest of device"),
    (DecencyStore, "reports_by", all_reports, "reason"),
    (PersonSecretStore, "keys_of", all_keys, "passkey"),
]


@in_loop
async def test_a_deliberate_leak_about_people_is_caught(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        for where, method, broken, what in LEAKS_ABOUT_PEOPLE:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(where, method, broken)
                with pytest.raises(LeakError, match=what):
                    check_private(await house.heard_by("Ann"), house.private, "Ann")


# --- Deliberate leaks ----------------------------------------------------------------------------

_turn, _state, _now, _move, _fairness = (
    Receiver.turn,
    Receiver.state,
    Receiver.now,
    Table.move,
    snapshot.fairness,
)


def drawn_tiles_to_all(receiver: Receiver, ply: Ply, public: TurnInfo) -> TurnInfo:
    return _turn(Receiver(receiver.table, [ply.seat]), ply, public)


def racks_to_all(receiver: Receiver) -> dict[str, list[str]]:
    if receiver.table.match is None:
        return {}
    return {str(seat): list(map(str, rack)) for seat, rack in enumerate(receiver.table.game.racks)}


def choices_to_all(receiver: Receiver) -> Now:
    return _now(Receiver(receiver.table, [receiver.table.game.turn]))


def choices_to_spectators(receiver: Receiver) -> Now:
    return _now(receiver) if receiver.seats else choices_to_all(receiver)


def next_tile_in_options(receiver: Receiver, *args: Any) -> State:
    state = _state(receiver, *args)
    if receiver.table.match is not None and receiver.table.game.pool:
        state.options["theme"] = f"next-{receiver.table.game.pool[0]}"
    return state


def points_for_sizes(receiver: Receiver) -> Now:
    racks = receiver.table.game.racks
    return msgspec.structs.replace(
        _now(receiver), rack_sizes=[sum(tile.points for tile in rack) for rack in racks]
    )


def a_deadline_that_knows_the_pool(receiver: Receiver) -> Now:
    now, pool = _now(receiver), receiver.table.game.pool
    late = pool[0].points if pool else 0
    return msgspec.structs.replace(now, remaining=(now.remaining or 0) + late)


def a_refusal_that_knows_the_pool(
    table: Table, seat: Seat, text: str, at: int, *, by_bot: bool = False
) -> Change[MovePlayed]:
    try:
        return _move(table, seat, text, at, by_bot=by_bot)
    except IllegalMove as error:
        tile = getattr(parse_move(text), "tile", None)
        if tile in table.game.pool:
            raise RefusedError("not_held", "nobody holds this tile") from error
        raise


def the_seed(table: Table) -> Fairness:
    return msgspec.structs.replace(_fairness(table), server_seed=table.exchange.server_seed)


def the_seeds_of_devices(table: Table) -> Fairness:
    fair = _fairness(table)
    known = [*table.exchange.device_seeds, *[None] * 9]
    devices = [
        msgspec.structs.replace(one, seed=seed)
        for one, seed in zip(fair.devices, known, strict=False)
    ]
    return msgspec.structs.replace(fair, devices=devices)


LEAKS: dict[str, tuple[object, str, Any, bool]] = {
    # What leaks, where, and whether a name gives it away.
    "drawn tiles": (Receiver, "turn", drawn_tiles_to_all, True),
    "racks": (Receiver, "racks", racks_to_all, True),
    "choices": (Receiver, "now", choices_to_all, True),
    "choices to spectators": (Receiver, "now", choices_to_spectators, True),
    "the next tile": (Receiver, "state", next_tile_in_options, True),
    "points of racks": (Receiver, "now", points_for_sizes, False),
    "a deadline": (Receiver, "now", a_deadline_that_knows_the_pool, False),
    "a refusal": (Table, "move", a_refusal_that_knows_the_pool, False),
}


@in_loop
@pytest.mark.parametrize("leak", some([*LEAKS], *[*LEAKS][::3]))
async def test_a_deliberate_leak_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    """By names alone where a tile is named; and by the exchange of tiles in any case."""
    where, method, broken, is_named = LEAKS[leak]
    script = write_script(rules_of("classic", 2), 2, 0)
    async with leak_server(tmp_path) as served:
        monkeypatch.setattr(where, method, broken)
        base = await play(served, script, script.deals, 1)
        if is_named:
            with pytest.raises(LeakError, match="was told of"):
                check_names(base)
        else:
            check_names(base)  # it names no tile
        assert await _is_caught(served, base), "nobody could tell the deals apart"


async def _is_caught(served: Served, base: Run) -> bool:
    """Whether the exchange of tiles shows that some client is told too much."""
    for client in base.clients:
        start = exchange(base.script, 0, client.seats, Random(1))
        other = await play(served, base.script, [start, *base.deals[1:]], 1)
        try:
            check_alike(base, other, client.name, 0)
        except LeakError:
            return True
    return False


@in_loop
async def test_without_a_leak_nothing_is_caught(tmp_path: Path) -> None:
    """The same look at the same script: what is caught above is the leak."""
    script = write_script(rules_of("classic", 2), 2, 0)
    async with leak_server(tmp_path) as served:
        base = await play(served, script, script.deals, 1)
        check_names(base)
        assert not await _is_caught(served, base)


@in_loop
async def test_a_seed_that_is_told_too_early_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write_script(rules_of("classic", 2), 2, 0)
    async with leak_server(tmp_path) as served:
        check_secrets(await play(served, script, script.deals, 1))
        monkeypatch.setattr("triomino.server.snapshot.fairness", the_seed)
        run = await play(served, script, script.deals, 1)
        with pytest.raises(LeakError, match=run.server_seed):
            check_secrets(run)
        monkeypatch.setattr("triomino.server.snapshot.fairness", the_seeds_of_devices)
        run = await play(served, script, script.deals, 1)
        with pytest.raises(LeakError, match="before the deal"):
            check_secrets(run)


@in_loop
async def test_the_seed_is_told_with_the_end_of_the_match(tmp_path: Path) -> None:
    """And secrets of devices are not told even then."""
    rules = rules_of("classic", 2).with_changes({"target": None})  # one round is the match
    script = write_script(rules, 2, 0)
    script.rounds[0] = [step for step in script.rounds[0] if step.kind != "next"]
    async with leak_server(tmp_path) as served:
        run = await play(served, script, script.deals, 1)
        check_secrets(run, over=True)
        messages = [json.loads(data) for data in run.clients[-1].stream]
        assert any(message.get("state") == "finished" for message in messages)
        for message in messages:
            if message["type"] == "state":
                over = message["state"] == "finished"
                assert message["fair"].get("server_seed") == (run.server_seed if over else None)


def test_a_permuted_round_is_no_other_round_to_who_cannot_see_it() -> None:
    """The exchange itself: the seat sees the same, and tiles did change places."""
    for edition, players in PLAYERS.items():
        script = write_script(rules_of(edition), players, NUMBERS[edition])
        start = exchange(script, 0, (0,), Random(3))
        assert start.racks[0] == script.deals[0].racks[0]
        assert sorted(_flat(start)) == sorted(_flat(script.deals[0]))
        assert start != script.deals[0]
        assert replay(script, 0, start) == replay(script, 0, script.deals[0])
        wrong = replace(start, racks=(start.racks[1], start.racks[0], *start.racks[2:]))
        with pytest.raises(TriominoError):
            replay(script, 0, wrong)
