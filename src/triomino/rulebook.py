"""The rules of a game, line by line, made from its data: text and data cannot disagree.

A line is the key of a text and the numbers in it; the texts stand in the catalogues of
``triomino.words``, one for each language. Every number is a field of :class:`Rules` or counted
from its tiles.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.moves import Place
from triomino.rules import (
    EDITIONS,
    AfterDrawPlay,
    Blocked,
    BlockedTie,
    BlockedWhen,
    DrawObligation,
    EmptyPoolPass,
    ExtraWhen,
    Json,
    MatchTie,
    NextStarter,
    PlacementSum,
    Racks,
    Rules,
    Starter,
    StartRedraw,
    TargetLatch,
    TargetTest,
    TileSet,
    VoluntaryDraw,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Value: TypeAlias = int | str
"""A number, or a tile or a list of numbers as it is written."""

TOURNAMENT: Final = 400
"""The usual target of the editions that have none of their own."""


@dataclass(frozen=True, slots=True)
class Line:
    """One statement: the key of its text and what is filled in."""

    key: str
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A name, whose title is a text too, what stands under it, and what is drawn there."""

    name: str
    lines: tuple[Line, ...]
    figures: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The key of the heading."""
        return f"rules.chapter.{self.name}"


@dataclass(frozen=True, slots=True)
class Change:
    """A field that differs from the edition."""

    name: str
    value: str
    edition_value: str
    matters: bool
    """Whether the text says anything else because of it."""


def rulebook(rules: Rules) -> list[Chapter]:
    """The whole rules, chapter by chapter; what does not exist in them has no chapter."""
    written = ((name, tuple(write(rules))) for name, write in CHAPTERS.items())
    return [Chapter(name, lines, FIGURED.get(name, ())) for name, lines in written if lines]


def speaks_of_cards(rules: Rules) -> bool:
    """Whether the texts of these rules say card, hand and stack for tile, rack and pool."""
    return rules.edition == "card"


def deals(rules: Rules) -> list[tuple[int, int, int]]:
    """Players, tiles for each, and what is left in the pool."""
    return [
        (players, size, len(rules.tiles) - players * size) for players, size in rules.racks.items()
    ]


def plain(rules: Rules) -> Json:
    """Every field as plain data, in its order."""
    return {item.name: _plain(getattr(rules, item.name)) for item in fields(rules)}


def changes(rules: Rules) -> list[Change]:
    """Every field that differs from the edition."""
    base, book = EDITIONS[rules.edition], (rulebook(rules), deals(rules))
    out = []
    for item in fields(rules):
        value, usual = getattr(rules, item.name), getattr(base, item.name)
        if value != usual:
            without = replace(rules, **{item.name: usual})
            matters = (rulebook(without), deals(without)) != book
            out.append(Change(item.name, shown(value), shown(usual), matters))
    return out


def shown(value: object) -> str:
    """A value as TOML, for a file of house rules.

    >>> shown((50, 60, 70)), shown(None), shown(True)
    ('[50, 60, 70]', '"none"', 'true')
    """
    value = _plain(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {item}" for key, item in value.items()) + "}"
    return json.dumps("none" if value is None else value)


def _plain(value: object) -> object:
    if isinstance(value, Racks):
        return {str(players): size for players, size in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return value.value if isinstance(value, StrEnum) else value


def _line(key: str, **values: Value) -> Line:
    return Line(f"rules.{key}", values)


# --- Before the first tile -----------------------------------------------------------------------


def aim(rules: Rules) -> Iterator[Line]:
    """What it is about, in a breath."""
    if not rules.scoring:
        yield _line("aim.free")
    elif rules.placement_sum is PlacementSum.ALL:
        yield _line("aim.points")
    else:
        yield _line("aim.bonus")
    counts = list(rules.racks)
    if counts == list(range(counts[0], counts[-1] + 1)) and len(counts) > 1:
        yield _line("players.range", least=counts[0], most=counts[-1])
    else:
        yield _line("players.list", counts=", ".join(map(str, counts)))


def the_tiles(rules: Rules) -> Iterator[Line]:
    """What lies in the box."""
    tiles = rules.tiles
    triples = sum(tile.is_triple for tile in tiles)
    doubles = sum(len(set(tile.numbers)) == 2 for tile in tiles)
    yield _line("tiles.count", count=len(tiles), highest=max(max(tile.numbers) for tile in tiles))
    different = len(tiles) - triples - doubles
    yield _line("tiles.kinds", triples=triples, doubles=doubles, different=different)
    match rules.tile_set:
        case TileSet.SET_56:
            yield _line("tiles.set56")
        case TileSet.SET_76:
            yield _line("tiles.set76")
    yield _line("tiles.value", most=max(tile.points for tile in tiles))
    yield _line("tiles.face")
    if rules.scoring:
        yield _line("tiles.paper")


def dealing(_: Rules) -> Iterator[Line]:
    """How a round is set up; the numbers are a table of their own."""
    yield _line("deal.mix")
    yield _line("deal.take")
    yield _line("deal.rest")


def who_starts(rules: Rules) -> Iterator[Line]:
    """The first player of each round."""
    match rules.starter:
        case Starter.DRAW_HIGH:
            yield _line("start.draw")
            match rules.start_redraw:
                case StartRedraw.TIED_HIGHEST:
                    yield _line("start.tied")
                case StartRedraw.ALL:
                    yield _line("start.tiedAll")
            yield _line("start.back")
        case Starter.HIGHEST_TRIPLE:
            triples = sorted(tile for tile in rules.tiles if tile.is_triple)
            yield _line("start.triple", high=str(triples[-1]), low=str(triples[0]))
            yield _line("start.noTriple")
    match rules.next_starter:
        case NextStarter.SET_UP:
            yield _line("next.setUp")
        case NextStarter.ROTATE_LEFT:
            yield _line("next.left")
        case NextStarter.ROUND_WINNER:
            yield _line("next.winner")


_ZERO: Final = "0-0-0"


def the_opening(rules: Rules) -> Iterator[Line]:
    """The first tile of a round."""
    if rules.starter_free_choice:
        yield _line("opening.free")
    else:
        yield _line("opening.forced")
        if rules.triple_zero_start is not None:
            yield _line("opening.zero", zero=_ZERO)
    yield _line("opening.where")
    yield _line("opening.draw" if rules.opening_draw else "opening.noDraw")
    if not rules.scoring:
        return
    worth = rules.placement_sum is not PlacementSum.NONE
    yield _line("opening.sum" if worth else "opening.noSum")
    if rules.triple_start_bonus:
        yield _line("opening.more" if worth else "opening.bonus", bonus=rules.triple_start_bonus)
    if rules.triple_zero_start is not None:
        yield _line("opening.zeroPoints", zero=_ZERO, points=rules.triple_zero_start)


def laying(_: Rules) -> Iterator[Line]:
    """What fits."""
    yield _line("lay.turns")
    yield _line("lay.side")
    yield _line("lay.corners")
    yield _line("lay.stays")


# --- Points --------------------------------------------------------------------------------------


def points(rules: Rules) -> Iterator[Line]:
    """What a tile brings by itself, and how low one can fall."""
    if not rules.scoring:
        yield _line("points.free")
        return
    match rules.placement_sum:
        case PlacementSum.ALL:
            yield _line("points.all")
        case PlacementSum.STARTER_ONLY:
            yield _line("points.opening")
        case PlacementSum.NONE:
            yield _line("points.bonus")
    if _can_lose(rules):
        yield _line("points.floor" if rules.floor_at_zero else "points.minus")


def bridges(rules: Rules) -> Iterator[Line]:
    """What a bridge is, and what it brings."""
    if rules.scoring:
        yield _line(f"bridge.{rules.bridge_rule}")
        yield _line("bridge.points", points=rules.bridge_bonus)


def hexagons(rules: Rules) -> Iterator[Line]:
    """What a hexagon is, and what one, two and three of them bring."""
    if rules.scoring:
        yield _line("hexagon.what")
        for name, bonus in zip(("one", "two", "three"), rules.hexagon_bonuses, strict=True):
            yield _line(f"hexagon.{name}", points=bonus)
        yield _line("hexagon.only")


def _can_lose(rules: Rules) -> bool:
    """Whether anything takes points away."""
    costs = rules.draw_cost or rules.no_play_extra or rules.empty_pool_penalty
    settled = Blocked.SUBTRACT_OWN, Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN
    return bool(costs) or rules.blocked in settled


# --- The turn ------------------------------------------------------------------------------------


def drawing(rules: Rules) -> Iterator[Line]:
    """What one does who cannot place, or does not want to."""
    yield _line("draw.must")
    yield _by_choice(rules)
    if rules.draw_ends_turn:
        yield _line("draw.ends")
        if rules.scoring:
            # Where drawing ends the turn, the only tile of it is the last one too.
            price = rules.draw_cost + (rules.no_play_extra if rules.max_draws == 1 else 0)
            yield _line("draw.cost", cost=price) if price else _line("draw.free")
        return
    yield _going_on(rules)
    match rules.after_draw_play:
        case AfterDrawPlay.ANY:
            yield _line("draw.afterAny")
        case AfterDrawPlay.DRAWN_ONLY:
            yield _line("draw.afterDrawn")
    must = rules.must_place_after_last_draw
    if rules.may_keep:
        yield _line("draw.keepNotLast" if must else "draw.keep")
    if must:
        yield _line("draw.mustPlace")
    else:
        yield _line("draw.over" if rules.may_keep else "draw.mayEnd")
    if rules.scoring:
        yield from _prices(rules)


def _by_choice(rules: Rules) -> Line:
    several = rules.max_draws > 1 and not rules.draw_ends_turn
    match rules.voluntary_draw:
        case VoluntaryDraw.NEVER:
            return _line("draw.never")
        case VoluntaryDraw.ALWAYS if several:
            return _line("draw.always")
        case VoluntaryDraw.FIRST_ONLY if several:
            return _line("draw.firstOnly")
        case _:
            return _line("draw.once")


def _going_on(rules: Rules) -> Line:
    if rules.max_draws == 1:
        return _line("draw.single")
    match rules.draw_obligation:
        case DrawObligation.UNTIL_PLAYABLE_OR_MAX:
            return _line("draw.goOn", most=rules.max_draws)
        case DrawObligation.ONE_THEN_OPTIONAL:
            return _line("draw.optional", most=rules.max_draws)


def _prices(rules: Rules) -> Iterator[Line]:
    cost, extra, most = rules.draw_cost, rules.no_play_extra, rules.max_draws
    yield _line("draw.cost", cost=cost) if cost else _line("draw.free")
    if not extra:
        yield _line("draw.noExtra")
        return
    key = {ExtraWhen.IF_UNPLACED: "draw.extra", ExtraWhen.ON_LAST_DRAW: "draw.extraLast"}
    total = most * cost + extra
    yield _line(key[rules.no_play_extra_when], most=most, extra=extra, total=total)


def passing(rules: Rules) -> Iterator[Line]:
    """What happens when there is nothing left to draw."""
    match rules.empty_pool_pass:
        case EmptyPoolPass.ONLY_IF_UNABLE:
            yield _line("pass.unable")
        case EmptyPoolPass.VOLUNTARY:
            yield _line("pass.voluntary")
    if not rules.scoring:
        return
    if rules.empty_pool_penalty:
        yield _line("pass.cost", points=rules.empty_pool_penalty)
    else:
        yield _line("pass.free")
    if rules.draw_cost and not rules.draw_ends_turn:
        yield _line("pass.paid")


# --- Endings -------------------------------------------------------------------------------------


def going_out(rules: Rules) -> Iterator[Line]:
    """The usual end of a round."""
    yield _line("out.what")
    if not rules.scoring:
        yield _line("out.wins")
        return
    match rules.out_bonus, rules.out_takes_opponents:
        case 0, False:
            yield _line("out.nothing")
        case 0, True:
            yield _line("out.others")
        case bonus, False:
            yield _line("out.bonus", bonus=bonus)
        case bonus, True:
            yield _line("out.both", bonus=bonus)
    yield _line("out.keep")


_LOWEST: Final = (
    Blocked.LOWEST_TAKES_OTHERS,
    Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN,
    Blocked.LOWEST_TAKES_DIFFERENCES,
)


def blocked(rules: Rules) -> Iterator[Line]:
    """A round in which nobody can go on."""
    yield _line("blocked.lap" if rules.plays_the_lap else "blocked.empty")
    if rules.blocked_when is BlockedWhen.ALL_PASS:
        yield _line("blocked.allPass")
    lowest = rules.blocked in _LOWEST
    fewest = lowest and rules.blocked_tie is BlockedTie.FEWEST_TILES
    if rules.scoring:
        yield _line(f"blocked.{rules.blocked}")
        if lowest or rules.blocked is Blocked.FEWEST_TILES_TAKES_OTHERS:
            by_count = rules.blocked_tie is BlockedTie.FEWEST_TILES
            tie = BlockedTie.EACH if by_count and not lowest else rules.blocked_tie
            yield _line(f"blocked.tie.{tie}")
    elif lowest:
        yield _line("blocked.free.lowestFewest" if fewest else "blocked.free.lowest")
    elif rules.blocked is Blocked.SUBTRACT_OWN:
        yield _line("blocked.free.shared")
    else:
        yield _line("blocked.free.fewest")


def winning(rules: Rules) -> Iterator[Line]:
    """One round, or several."""
    if rules.target is None:
        yield _line("win.single")
        if rules.scoring:
            yield _single_winner(rules)
    yield _series(rules)
    yield from _last_round(rules)
    match rules.match_tie:
        case MatchTie.SHARED:
            yield _line("win.shared")
        case _:
            yield _line("win.extra")


def _single_winner(rules: Rules) -> Line:
    if not rules.wins_by_ending:
        return _line("win.single.total")
    if rules.blocked is Blocked.SUBTRACT_OWN:
        return _line("win.single.endingTotal")
    return _line("win.single.ending")


def _series(rules: Rules) -> Line:
    target = rules.target
    if not rules.scoring:
        return _line("win.targetFree", target=target) if target else _line("win.agreeFree")
    if target is not None:
        return _line("win.target", target=target)
    if rules.wins_by_ending:
        return _line("win.agreeCard")
    return _line("win.agree", target=TOURNAMENT)


def _last_round(rules: Rules) -> Iterator[Line]:
    test = {TargetTest.EXCEED: "exceed", TargetTest.REACH: "reach"}[rules.target_test]
    if not rules.scoring:
        yield _line(f"win.free.{test}")
        yield _line("win.most")
        return
    yield _line("win.add")
    match rules.target_latch:
        case TargetLatch.ANY_MOMENT:
            yield _line(f"win.anyMoment.{test}")
        case TargetLatch.ROUND_END:
            yield _line(f"win.roundEnd.{test}")
    yield _line("win.highest")


CHAPTERS: Final[dict[str, Callable[[Rules], Iterator[Line]]]] = {
    "aim": aim,
    "tiles": the_tiles,
    "deal": dealing,
    "start": who_starts,
    "opening": the_opening,
    "lay": laying,
    "points": points,
    "bridge": bridges,
    "hexagon": hexagons,
    "draw": drawing,
    "pass": passing,
    "out": going_out,
    "blocked": blocked,
    "win": winning,
}


# --- Figures -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A board and a tile laid on it, rightly or wrongly."""

    board: tuple[Place, ...]
    place: Place


def _figure(board: str, place: str) -> Figure:
    return Figure(tuple(map(Place.parse, board.split())), Place.parse(place))


FIGURES: Final = {
    "first": _figure("", "U(0,0)=1-3-4"),
    "match": _figure("U(0,0)=1-3-4", "D(-1,0)=1-2-3"),
    "next": _figure("U(0,0)=1-3-4 D(-1,0)=1-2-3", "U(-1,1)=2-2-3"),
    "wrongSide": _figure("U(0,0)=1-3-4", "D(-1,0)=1-2-2"),
    "wrongCorner": _figure(
        "D(-1,0)=1-4-5 U(-1,0)=4-4-1 D(-1,-1)=1-4-1 U(0,-1)=1-1-0 D(0,-1)=0-1-5", "U(0,0)=1-5-1"
    ),
    "wrongTouch": _figure("U(0,0)=1-3-4", "U(-1,1)=2-2-3"),
    "bridge": _figure(
        "D(0,-1)=4-4-4 U(0,-1)=5-4-4 D(-1,-1)=5-5-4 U(-1,0)=5-0-4 D(-2,0)=5-0-0 U(-2,1)=0-0-0"
        " D(-2,1)=0-0-1 U(-1,1)=0-1-3",
        "U(0,0)=4-3-4",
    ),
    "hexagon": _figure(
        "D(-1,0)=1-4-5 U(-1,0)=4-4-1 D(-1,-1)=1-4-1 U(0,-1)=1-1-0 D(0,-1)=0-1-5", "U(0,0)=1-5-5"
    ),
    "double_hexagon": _figure(
        "D(0,0)=5-4-4 U(0,1)=4-1-4 D(-1,1)=4-0-1 U(-1,1)=4-0-4 D(-1,0)=3-4-4 U(-1,0)=3-4-3"
        " D(-1,-1)=3-3-3 U(0,-1)=3-3-0 D(0,-1)=0-3-5",
        "U(0,0)=3-4-5",
    ),
    "triple_hexagon": _figure(
        "D(0,0)=3-1-2 U(0,1)=1-1-2 D(-1,1)=1-0-1 U(-1,1)=5-0-1 D(-1,0)=1-5-1 U(-1,0)=5-5-1"
        " D(-1,-1)=4-5-1 U(0,-1)=4-1-3 D(0,-1)=3-1-3 U(1,-1)=3-3-3 D(1,-1)=3-3-2 U(1,0)=3-2-2",
        "U(0,0)=1-1-3",
    ),
}
"""What is drawn in the book: the printed scores 8, 6 and 7, three ways to be wrong, and the
printed 51, 61, 72 and 75."""

FIGURED: Final[dict[str, tuple[str, ...]]] = {
    "lay": ("first", "match", "next", "wrongSide", "wrongCorner", "wrongTouch"),
    "bridge": ("bridge",),
    "hexagon": ("hexagon", "double_hexagon", "triple_hexagon"),
}
"""Which chapter shows which of them."""
