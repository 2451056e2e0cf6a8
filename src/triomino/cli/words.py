"""What the table says, in English: every sentence for people is made here.

Keyed by :class:`Why` and :class:`Reason`, so that a new one cannot be forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

from triomino.errors import Why
from triomino.game import EndReason
from triomino.moves import Draw, End, Keep, Move, Pass, Place
from triomino.rules import (
    Blocked,
    ExtraWhen,
    NextStarter,
    PlacementSum,
    Rules,
    Seat,
    Starter,
    TargetTest,
    VoluntaryDraw,
)
from triomino.scoring import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triomino.cli.menu import Menu, Option, Other
    from triomino.deal import StartDraw
    from triomino.game import Game, Turn
    from triomino.match import Match, Player
    from triomino.tile import Tile

YOU: Final = "You"
"""The name of a person who gave none; sentences about it are in the second person."""

WHY: Final[dict[Why, str]] = {
    Why.NOT_IN_SET: "There is no such tile in this set.",
    Why.ALREADY_LAID: "That tile lies on the board already.",
    Why.OCCUPIED: "There is a tile on that place already.",
    Why.NO_SHARED_EDGE: "That place is not beside a tile: a side must touch one.",
    Why.CORNER_MISMATCH: "It does not fit there: a corner would show another number.",
    Why.NOT_HELD: "That tile is not on your rack.",
    Why.NOT_THE_OPENING_TILE: "You must open with your highest triple or card.",
    Why.NOT_THE_START_CELL: "The first tile goes to U(0,0); all places are alike.",
    Why.NOT_THE_DRAWN_TILE: "After a draw only the tile just drawn may be placed.",
    Why.MUST_OPEN: "The first tile must be laid now.",
    Why.MUST_PLACE: "You can place a tile, so you must.",
    Why.MUST_DRAW: "Draw a tile first.",
    Why.MUST_PASS: "The pool is empty: pass instead.",
    Why.MUST_END: "You have drawn all you may: end the turn instead.",
    Why.MUST_PLACE_OR_KEEP: "The tile you drew fits: place it or keep it.",
    Why.POOL_EMPTY: "The pool is empty: there is nothing to draw.",
    Why.NO_MORE_DRAWS: "You have drawn all you may in this turn.",
    Why.NOTHING_TO_KEEP: "There is nothing to keep: that is for a drawn tile that fits.",
    Why.ROUND_OVER: "The round is over.",
}

REASON: Final[dict[Reason, str]] = {
    Reason.TILE: "tile",
    Reason.START: "start",
    Reason.BRIDGE: "bridge",
    Reason.HEXAGON: "hexagon",
    Reason.DOUBLE_HEXAGON: "double hexagon",
    Reason.TRIPLE_HEXAGON: "triple hexagon",
    Reason.DRAW: "draw",
    Reason.NO_PLAY: "nothing placed",
    Reason.EMPTY_POOL: "empty pool",
    Reason.OUT: "going out",
    Reason.OTHERS_LEFT: "the others' tiles",
    Reason.OWN_LEFT: "own tiles",
}


# --- Small words ---------------------------------------------------------------------------------


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "tile"), counted(3, "tile")
    ('1 tile', '3 tiles')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(items: Sequence[str]) -> str:
    """Items as a sentence has them.

    >>> listed(["Ann", "Ben", "Cleo"])
    'Ann, Ben and Cleo'
    """
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def signed(points: int) -> str:
    """Points won or lost; nothing where there are none, with a space before."""
    return f" {points:+d}" if points else ""


def does(name: str, verb: str, yours: str | None = None) -> str:
    """A name and its verb: *yours* is the form after "You", else *verb* without its s.

    >>> does("Ann", "draws"), does("You", "draws"), does("You", "has", "have")
    ('Ann draws', 'You draw', 'You have')
    """
    if name != YOU:
        return f"{name} {verb}"
    return f"{name} {verb.removesuffix('s') if yours is None else yours}"


def owner(name: str) -> str:
    """Whose something is.

    >>> owner("Ann"), owner("You")
    ("Ann's", 'Your')
    """
    return "Your" if name == YOU else f"{name}'s"


def values(tiles: Iterable[Tile]) -> int:
    """What tiles are worth together."""
    return sum(tile.points for tile in tiles)


# --- What can be done ----------------------------------------------------------------------------


def gain(option: Option) -> str:
    """What a placement brings: ``+51 bridge``, or nothing."""
    words = [f"{option.points:+d}"] if option.points else []
    if option.bonus:
        words.append(REASON[option.bonus])
    if option.goes_out:
        words.append("and out")
    return " ".join(words)


def offer(option: Option) -> str:
    """A placement as it is offered: ``7 +51 bridge``."""
    return f"{option.label} {gain(option)}".rstrip()


def key(move: Move) -> str:
    """The letter one types for a move."""
    return str(move)[0]


def other(item: Other, menu: Menu, game: Game) -> str:
    """Anything but a placement, with its price."""
    price = signed(item.points)
    match item.move:
        case Draw():
            if game.rules.draw_ends_turn:
                return f"draw{price} (ends the turn)"
            return f"draw{price} ({menu.draws_left} left)"
        case Pass():
            return f"pass{price}"
        case End():
            return f"end the turn{price}"
        case Keep():
            return f"keep {game.drawn[-1]}{price}"
        case Place():
            raise AssertionError(item)
        case _:
            assert_never(item.move)


def advice(menu: Menu) -> str:
    """What to do, in a few words."""
    if menu.opening:
        return "Lay the first tile: type its number."
    if menu.is_able:
        return "Type the number of a place."
    if menu.forced is None:
        return "None of your tiles fits."
    return f"None of your tiles fits: press Enter to {menu.forced}."


def cut(above: int, below: int) -> str:
    """What is said where a board is too high for its window."""
    sides = [f"{above} lines above"] * (above > 0) + [f"{below} below"] * (below > 0)
    return f"{', '.join(sides)}: type board"


def sure(move: Move, menu: Menu) -> str:
    """The question before something that gives a placement away."""
    best, price = menu.best, signed(menu.price(move))
    can = f"You can play {best.place.tile} ({offer(best)}). " if best else ""
    return f"{can}{str(move).capitalize()}{price} all the same? y or n"


def which_tile(options: Sequence[Option]) -> str:
    """The question where several tiles fit one place."""
    found = ", ".join(f"{item.letter} {item.place.tile} {gain(item)}".rstrip() for item in options)
    return f"Which tile on {options[0].number}? {found}"


def which_place(options: Sequence[Option]) -> str:
    """The question where one tile fits several places."""
    found = ", ".join(map(offer, options))
    return f"Where does {options[0].place.tile} go? {found}"


# --- What happened -------------------------------------------------------------------------------


def turns_of(turns: Iterable[Turn]) -> Iterator[list[Turn]]:
    """The moves in bundles, each all that one player did before the next."""
    bundle: list[Turn] = []
    for turn in turns:
        bundle.append(turn)
        if turn.passes_on:
            yield bundle
            bundle = []
    if bundle:
        yield bundle


def told(bundle: Sequence[Turn], name: str, *, own: bool) -> str:
    """What a player did, in one line; *own* names the tiles drawn.

    ``Greedy: draws a tile -5, then 3-4-4, bridge +51``.
    """
    draws = [turn for turn in bundle if isinstance(turn.move, Draw)]
    said = []
    if draws:
        what = (
            listed([str(turn.tile) for turn in draws])
            if own
            else "a tile"
            if len(draws) == 1
            else f"{len(draws)} tiles"
        )
        verb = "draw" if name == YOU else "draws"
        said.append(f"{verb} {what}{signed(sum(turn.points for turn in draws))}")
    last = bundle[-1]
    if last not in draws:
        done = _done(last, name)
        said.append(f"then {done}" if draws and isinstance(last.move, Place) else done)
    return f"{name}: {', '.join(said)}"


def _done(turn: Turn, name: str) -> str:
    verb = "" if name == YOU else "s"
    match turn.move:
        case Place() as place:
            bonus = f", {REASON[turn.bonus]}" if turn.bonus else ""
            out = turn.end is not None and turn.end.reason is EndReason.OUT
            return f"{place.tile}{bonus}{signed(turn.points)}{', out!' if out else ''}"
        case Pass():
            passes = "pass" if name == YOU else "passes"
            return f"{passes}{signed(turn.points)}"
        case End():
            return f"place{verb} nothing{signed(turn.points)}"
        case Keep():
            return f"keep{verb} it{signed(turn.points)}"
        case Draw():
            raise AssertionError(turn)
        case _:
            assert_never(turn.move)


def start(match: Match) -> list[str]:
    """How the running round began: who drew what, and who starts."""
    game, names = match.game, [player.name for player in match.players]
    starts = does(names[game.starter], "starts")
    settled = len(match.rounds) > 1 and match.rules.next_starter is not NextStarter.SET_UP
    if settled and match.rules.next_starter is NextStarter.ROTATE_LEFT:
        return [f"{starts}: it goes round."]
    if settled:
        return [f"{starts}: the last round was {_whose(names[game.starter])}."]
    if match.rules.starter is Starter.HIGHEST_TRIPLE:
        triple = any(tile.is_triple for rack in game.start.racks for tile in rack)
        return [f"{starts}: the highest {'triple' if triple else 'card'}."]
    if not game.start.start_draws:
        return [f"{starts}."]
    lines: list[str] = []
    for draws in _rounds_of_draws(game.start.start_draws):
        shown = ", ".join(
            f"{names[draw.seat]} ({draw.tile} = {draw.tile.points})" for draw in draws
        )
        lines.append(f"{'A tie, again' if lines else 'Draw for the start'}: {shown}.")
    lines[-1] += f" {starts}."
    return lines


def _whose(name: str) -> str:
    return "yours" if name == YOU else owner(name)


def _rounds_of_draws(draws: Sequence[StartDraw]) -> list[list[StartDraw]]:
    """The draws for the start, tie by tie: a seat that comes again begins anew."""
    out: list[list[StartDraw]] = [[]]
    for draw in draws:
        if out[-1] and draw.seat <= out[-1][-1].seat:
            out.append([])
        out[-1].append(draw)
    return out


def news(match: Match, since_seat: Seat | None, *, knows: Seat | None) -> list[str]:
    """What happened since a seat's last turn, that turn included; else since the deal.

    The tiles that *knows* drew are named; before others, let it be ``None``.
    """
    game = match.game
    bundles = [*turns_of(game.turns)]
    own = [index for index, bundle in enumerate(bundles) if bundle[0].seat == since_seat]
    since = own[-1] if own else 0
    lines = [] if own else start(match)
    at = sum(map(len, bundles[:since]))
    latched = _latched_at(game)
    for bundle in bundles[since:]:
        seat = bundle[0].seat
        lines.append(told(bundle, match.players[seat].name, own=seat == knows))
        if latched is not None and at <= latched < at + len(bundle):
            lines.append(last_round(match.rules))
        at += len(bundle)
    return lines


def last_round(rules: Rules) -> str:
    """What is said when the target is met."""
    verb = "passed" if rules.target_test is TargetTest.EXCEED else "reached"
    return f"{rules.target} is {verb}: this is the last round!"


def _latched_at(game: Game) -> int | None:
    """The move with which the target was met in this round, before its settlement."""
    if game.start_latched or not game.latched:
        return None
    totals = list(game.start_totals)
    for index, turn in enumerate(game.turns):
        for score in turn.scores:
            totals[score.seat] += score.points
            if game.rules.reached(totals[score.seat]):
                return index
    return None


def round_title(match: Match) -> str:
    """Which round it is, to what, and what is left to draw."""
    rules, game = match.rules, match.game
    parts = [f"Round {len(match.rounds)}"]
    if rules.target is not None:
        parts.append(f"to {rules.target}" + ("" if rules.scoring else " rounds won"))
        if game.latched:
            parts.append("last round!")
    return ", ".join([*parts, f"pool {len(game.pool)}"])


def standings(match: Match) -> list[str]:
    """How each player stands: points and tiles; the first says what the number is."""
    keeps = match.rules.scoring or match.rules.target is not None
    out = []
    for seat, player in enumerate(match.players):
        points = f": {match.scores[seat]}" if keeps else ""
        tiles = len(match.game.racks[seat])
        count = counted(tiles, "tile") if seat == 0 else tiles
        out.append(f"{player.name}{points} ({count})")
    return out


# --- Endings -------------------------------------------------------------------------------------


def round_over(match: Match) -> list[str]:
    """The end of a round, line by line: who went out, what was left, the settlement."""
    game, end = match.game, match.game.end
    if end is None:
        return []
    names = [player.name for player in match.players]
    match end.reason:
        case EndReason.OUT:
            lines = [f"{does(names[end.seats[0]], 'goes', 'go')} out."]
        case EndReason.BLOCKED if game.pool:
            lines = ["Everybody passed: the round is blocked."]
        case EndReason.BLOCKED:
            lines = ["The pool is empty and nobody can place: the round is blocked."]
        case EndReason.ABANDONED:
            return ["The match was given up."]
    for seat, rack in enumerate(game.racks):
        if rack:
            tiles = " ".join(map(str, sorted(rack)))
            worth = f" = {values(rack)}" if match.rules.scoring else f" ({len(rack)})"
            lines.append(f"  {does(names[seat], 'keeps')} {tiles}{worth}")
    lines += [
        f"  {names[score.seat]}: {REASON[score.reason]}{signed(score.points) or ' 0'}"
        for score in end.scores
    ]
    return lines


def totals(match: Match) -> str:
    """The standings in one line."""
    scores = match.scores
    if not match.rules.scoring and match.rules.target is None:
        return ""
    what = "Totals" if match.rules.scoring else "Rounds won"
    shown = ", ".join(
        f"{player.name}: {total}" for player, total in zip(match.players, scores, strict=True)
    )
    return f"{what}. {shown}."


def round_won(match: Match) -> str:
    """Who won the round, and how it goes on."""
    names = [match.players[seat].name for seat in match.game.winners]
    line = f"The round goes to {listed([_object(name) for name in names])}."
    if match.is_last_round:
        line += " A tie at the top: one more round decides."
    return line


def _object(name: str) -> str:
    return "you" if name == YOU else name


def match_won(match: Match) -> str:
    """Who won the match; a shared victory names everybody."""
    winners = match.winners
    if not winners:
        return "Nobody wins."
    names = [match.players[seat].name for seat in winners]
    best = {match.scores[seat] for seat in winners}
    points = ""
    # By these rules points may belong to others: they are in the line above.
    if match.rules.scoring and not (match.rules.target is None and match.rules.wins_by_ending):
        points = f" with {counted(best.pop(), 'point')}" + (" each" if len(names) > 1 else "")
    elif match.rules.target is not None:
        points = f" with {counted(best.pop(), 'round')}" + (" each" if len(names) > 1 else "")
    if len(names) == 1:
        return f"{does(names[0], 'wins')}{points}!"
    return f"{listed(names)} share the victory{points}!"


# --- The score sheet -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the score sheet: what a seat did, why it scored, and its total after it."""

    seat: Seat
    what: str
    total: int


def sheet(game: Game) -> list[Entry]:
    """All that counted in a round, with running totals. Tiles drawn are not named."""
    totals = list(game.start_totals)
    out = []
    for bundle in turns_of(game.turns):
        seat = bundle[0].seat
        totals[seat] += sum(turn.points for turn in bundle)
        out.append(Entry(seat, _written(bundle), totals[seat]))
    for score in game.end.scores if game.end is not None else ():
        totals[score.seat] += score.points
        what_else = f"{REASON[score.reason]}{signed(score.points) or ' 0'}"
        out.append(Entry(score.seat, what_else, totals[score.seat]))
    return out


def _written(bundle: Sequence[Turn]) -> str:
    """What is written down of a turn: its draws, then its move with every reason."""
    draws = [turn for turn in bundle if isinstance(turn.move, Draw)]
    out = []
    if draws:
        count = "draw" if len(draws) == 1 else f"{len(draws)} draws"
        out.append(f"{count}{signed(sum(turn.points for turn in draws))}")
    last = bundle[-1]
    if last not in draws:
        move = last.move.tile if isinstance(last.move, Place) else last.move
        scores = [f"{REASON[score.reason]}{signed(score.points) or ' 0'}" for score in last.scores]
        out.append(f"{move}{': ' if scores else ''}{', '.join(scores)}")
    return ", ".join(out)


# --- Rules and help ------------------------------------------------------------------------------


def rules_in_short(rules: Rules) -> list[str]:
    """The rules that are played, in a few lines."""
    lines = ["Lay one tile a turn, side to side with another; numbers that meet must be equal."]
    if rules.scoring:
        one, two, three = rules.hexagon_bonuses
        sums = {
            PlacementSum.ALL: "A tile scores the sum of its numbers.",
            PlacementSum.STARTER_ONLY: "Only the first tile scores the sum of its numbers.",
            PlacementSum.NONE: "The numbers themselves score nothing.",
        }
        lines.append(
            f"{sums[rules.placement_sum]} Bridge (a side and the corner across touch)"
            f" +{rules.bridge_bonus}, hexagon +{one}, two at once +{two}, three +{three}."
        )
    lines.append(_drawing(rules))
    lines.append(_ending(rules))
    if rules.target is not None:
        what = "points" if rules.scoring else "rounds won"
        more = "more than " if rules.target_test is TargetTest.EXCEED else ""
        lines.append(
            f"Rounds are played until somebody has {more}{rules.target} {what}; most wins."
        )
    return lines


def _drawing(rules: Rules) -> str:
    free = rules.voluntary_draw is not VoluntaryDraw.NEVER
    who = "If you cannot or do not want to place" if free else "If you cannot place"
    if rules.draw_ends_turn:
        return f"{who}, draw a tile, and your turn is over."
    cost = f" at {rules.draw_cost} points each" if rules.scoring and rules.draw_cost else ""
    line = f"{who}, draw up to {counted(rules.max_draws, 'tile')}{cost}."
    if rules.scoring and rules.no_play_extra:
        on_last = rules.no_play_extra_when is ExtraWhen.ON_LAST_DRAW
        when = "The last of them costs" if on_last else "If you still place nothing, that costs"
        line += f" {when} {rules.no_play_extra} more."
    if rules.may_keep:
        line += " A drawn tile that fits may be kept instead."
    return line


_BLOCKED: Final = {
    Blocked.SUBTRACT_OWN: "everybody loses what is left on the own rack",
    Blocked.LOWEST_TAKES_OTHERS: "the lowest rack takes the points of the others",
    Blocked.FEWEST_TILES: "the fewest tiles win",
    Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN: "the lowest rack takes the others' points less its own",
    Blocked.LOWEST_TAKES_DIFFERENCES: "the lowest rack takes the differences to the others",
    Blocked.FEWEST_TILES_TAKES_OTHERS: "the fewest tiles take the points of the others",
}


def _ending(rules: Rules) -> str:
    gains = [f"+{rules.out_bonus}"] if rules.scoring and rules.out_bonus else []
    if rules.scoring and rules.out_takes_opponents:
        gains.append("the points left on the other racks")
    out = f"gets {listed(gains)}" if gains else "wins the round"
    return (
        f"Whoever lays the last tile {out}. If the pool is empty and nobody can place,"
        f" {_BLOCKED[rules.blocked]}."
    )


HELP: Final = (
    ("7", "lay the tile that fits on place 7"),
    ("7b", "the second tile, where several fit there"),
    ("1-3-4", "lay this tile (134 will do)"),
    ("D(-1,0)=1-2-3", "the same in full: cell, then its numbers"),
    ("d", "draw a tile"),
    ("p", "pass"),
    ("e", "end the turn after the last draw"),
    ("k", "keep a drawn tile that fits"),
    ("u", "undo: take your last move back"),
    ("sheet", "the score sheet"),
    ("board", "the board"),
    ("rack", "your tiles"),
    ("rules", "the rules in short"),
    ("s", "save now (every move is saved anyway)"),
    ("q", "save and leave"),
)


LEGEND: Final = "A star marks the last tile on the board, and on your rack a tile that fits."


def players(people: Sequence[Player]) -> str:
    """Who plays, in a sentence."""
    return listed([player.name for player in people])
