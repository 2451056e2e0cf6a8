"""The chapters of the rule book: the meaning of :class:`Rules`, statement by statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.rulebook.lines import Line, Value
from triomino.rules import (
    AfterDrawPlay,
    Blocked,
    BlockedTie,
    BlockedWhen,
    DrawObligation,
    EmptyPoolPass,
    ExtraWhen,
    MatchTie,
    NextStarter,
    PlacementSum,
    Rules,
    Starter,
    StartRedraw,
    TargetLatch,
    TargetTest,
    VoluntaryDraw,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOURNAMENT: Final = 400
"""The usual target of editions that do not name one."""
_TARGET: Final = {TargetTest.EXCEED: "exceed", TargetTest.REACH: "reach"}


def line(key: str, **values: Value) -> Line:
    """Return a line, given its key without the prefix ``rules.``."""
    return Line(f"rules.{key}", values)


# --- Before the first tile -----------------------------------------------------------------------


def aim(rules: Rules) -> Iterator[Line]:
    """The aim of the game, and the number of players."""
    if not rules.scoring:
        yield line("aim.free")
    elif rules.placement_sum is PlacementSum.ALL:
        yield line("aim.points")
    else:
        yield line("aim.bonus")
    if rules.scoring and rules.target is not None:
        yield line(f"aim.{_TARGET[rules.target_test]}", target=rules.target)
    if rules.scoring and not (rules.wins_by_ending and rules.target is None):
        yield line("aim.highest")
    counts = list(rules.racks)
    if counts == list(range(counts[0], counts[-1] + 1)) and len(counts) > 1:
        yield line("players.range", least=counts[0], most=counts[-1])
    else:
        yield line("players.list", counts=", ".join(map(str, counts)))


def the_tiles(rules: Rules) -> Iterator[Line]:
    """What is in the box."""
    tiles = rules.tiles
    triples = sum(tile.is_triple for tile in tiles)
    doubles = sum(len(set(tile.numbers)) == 2 for tile in tiles)
    yield line("tiles.count", count=len(tiles), highest=max(max(tile.numbers) for tile in tiles))
    different = len(tiles) - triples - doubles
    yield line("tiles.kinds", triples=triples, doubles=doubles, different=different)
    yield line("tiles.set76" if rules.has_mirror_images else "tiles.set56")
    yield line("tiles.value", most=max(tile.points for tile in tiles))
    yield line("tiles.face")
    if rules.scoring:
        yield line("tiles.paper")


def dealing(_: Rules) -> Iterator[Line]:
    """How a round is dealt; the numbers are in a table of their own."""
    yield line("deal.mix")
    yield line("deal.take")
    yield line("deal.rest")


def who_starts(rules: Rules) -> Iterator[Line]:
    """The starter of each round."""
    match rules.starter:
        case Starter.DRAW_HIGH:
            yield line("start.draw")
            match rules.start_redraw:
                case StartRedraw.TIED_HIGHEST:
                    yield line("start.tied")
                case StartRedraw.ALL:
                    yield line("start.tiedAll")
            yield line("start.back")
        case Starter.HIGHEST_TRIPLE:
            triples = sorted(tile for tile in rules.tiles if tile.is_triple)
            yield line("start.triple", high=str(triples[-1]), low=str(triples[0]))
            yield line("start.noTriple")
    match rules.next_starter:
        case NextStarter.SET_UP:
            yield line("next.setUp")
        case NextStarter.ROTATE_LEFT:
            yield line("next.left")
        case NextStarter.ROUND_WINNER:
            yield line("next.winner")


_ZERO: Final = "0-0-0"


def the_opening(rules: Rules) -> Iterator[Line]:
    """The first tile of a round."""
    if rules.starter_free_choice:
        yield line("opening.free")
    else:
        yield line("opening.forced")
        if rules.triple_zero_start is not None:
            yield line("opening.zero", zero=_ZERO)
    yield line("opening.where")
    yield line("opening.draw" if rules.opening_draw else "opening.noDraw")
    if not rules.scoring:
        return
    worth = rules.placement_sum is not PlacementSum.NONE
    yield line("opening.sum" if worth else "opening.noSum")
    if rules.triple_start_bonus:
        yield line("opening.more" if worth else "opening.bonus", bonus=rules.triple_start_bonus)
    if rules.triple_zero_start is not None:
        yield line("opening.zeroPoints", zero=_ZERO, points=rules.triple_zero_start)


def laying(_: Rules) -> Iterator[Line]:
    """Where a tile may be laid."""
    yield line("lay.turns")
    yield line("lay.side")
    yield line("lay.corners")
    yield line("lay.stays")


# --- Points --------------------------------------------------------------------------------------


def points(rules: Rules) -> Iterator[Line]:
    """What a tile scores by itself, and whether totals can be negative."""
    if not rules.scoring:
        yield line("points.free")
        return
    match rules.placement_sum:
        case PlacementSum.ALL:
            yield line("points.all")
        case PlacementSum.STARTER_ONLY:
            yield line("points.opening")
        case PlacementSum.NONE:
            yield line("points.bonus")
    if _can_lose(rules):
        yield line("points.floor" if rules.floor_at_zero else "points.minus")


def bridges(rules: Rules) -> Iterator[Line]:
    """What a bridge is, and what it scores."""
    if rules.scoring:
        yield line(f"bridge.{rules.bridge_rule}")
        yield line("bridge.points", points=rules.bridge_bonus)


def hexagons(rules: Rules) -> Iterator[Line]:
    """What a hexagon is, and what one, two and three at once score."""
    if rules.scoring:
        yield line("hexagon.what")
        for name, bonus in zip(("one", "two", "three"), rules.hexagon_bonuses, strict=True):
            yield line(f"hexagon.{name}", points=bonus)
        yield line("hexagon.only")


def _can_lose(rules: Rules) -> bool:
    """Whether anything takes points away."""
    costs = rules.draw_cost or rules.no_play_extra or rules.empty_pool_penalty
    settled = Blocked.SUBTRACT_OWN, Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN
    return bool(costs) or rules.blocked in settled


# --- The turn ------------------------------------------------------------------------------------


def drawing(rules: Rules) -> Iterator[Line]:
    """Drawing, by players who cannot place or prefer not to."""
    yield line("draw.must")
    yield from _by_choice(rules)
    if rules.draw_ends_turn:
        yield line("draw.ends")
        if rules.scoring:
            # If drawing ends the turn, the first draw is also the last.
            price = rules.draw_cost + (rules.no_play_extra if rules.max_draws == 1 else 0)
            yield line("draw.cost", cost=price) if price else line("draw.free")
        return
    if _draws_only_if_unable(rules):
        yield _then_playing(rules)
        if not _pays_for_nothing_placed(rules):
            yield line("draw.over")
    else:
        yield _going_on(rules)
        yield from _playing_on(rules)
    if rules.scoring:
        yield from _prices(rules)


def _several(rules: Rules) -> bool:
    """Whether a turn can have more than one draw."""
    return rules.max_draws > 1 and not rules.draw_ends_turn


def _draws_only_if_unable(rules: Rules) -> bool:
    """Whether after a draw a player who can place must do so, and any other must draw again."""
    return (
        _several(rules)
        and rules.voluntary_draw is not VoluntaryDraw.ALWAYS
        and rules.draw_obligation is DrawObligation.UNTIL_PLAYABLE_OR_MAX
        and rules.must_place_after_last_draw
        and not rules.may_keep
    )


def _pays_for_nothing_placed(rules: Rules) -> bool:
    """Whether the line about the penalty also says how such a turn ends."""
    due = rules.no_play_extra_when is ExtraWhen.IF_UNPLACED
    return rules.scoring and due and rules.no_play_extra > 0


def _by_choice(rules: Rules) -> Iterator[Line]:
    match rules.voluntary_draw:
        case VoluntaryDraw.NEVER:
            yield line("draw.never")
        case VoluntaryDraw.ALWAYS if _several(rules):
            yield line("draw.always")
            yield line("draw.alwaysLeads")
        case VoluntaryDraw.FIRST_ONLY if _several(rules) and not _draws_only_if_unable(rules):
            yield line("draw.firstOnly")
        case _:
            yield line("draw.once")


def _then_playing(rules: Rules) -> Line:
    match rules.after_draw_play:
        case AfterDrawPlay.ANY:
            return line("draw.thenPlay", most=rules.max_draws)
        case AfterDrawPlay.DRAWN_ONLY:
            return line("draw.thenPlayDrawn", most=rules.max_draws)


def _going_on(rules: Rules) -> Line:
    if rules.max_draws == 1:
        return line("draw.single")
    match rules.draw_obligation:
        case DrawObligation.UNTIL_PLAYABLE_OR_MAX:
            return line("draw.goOn", most=rules.max_draws)
        case DrawObligation.ONE_THEN_OPTIONAL:
            return line("draw.optional", most=rules.max_draws)


def _playing_on(rules: Rules) -> Iterator[Line]:
    """What a player may do with a drawn tile, and after the last draw."""
    match rules.after_draw_play:
        case AfterDrawPlay.ANY:
            yield line("draw.afterAny")
        case AfterDrawPlay.DRAWN_ONLY:
            yield line("draw.afterDrawn")
    must = rules.must_place_after_last_draw
    if rules.may_keep:
        yield line("draw.keepNotLast" if must else "draw.keep")
    if must:
        yield line("draw.mustPlace")
    else:
        yield line("draw.over" if rules.may_keep else "draw.mayEnd")


def _prices(rules: Rules) -> Iterator[Line]:
    cost, extra, most = rules.draw_cost, rules.no_play_extra, rules.max_draws
    yield line("draw.cost", cost=cost) if cost else line("draw.free")
    if not extra:
        yield line("draw.noExtra")
        return
    unplaced = "draw.extraOver" if _draws_only_if_unable(rules) else "draw.extra"
    key = {ExtraWhen.IF_UNPLACED: unplaced, ExtraWhen.ON_LAST_DRAW: "draw.extraLast"}
    total = most * cost + extra
    yield line(key[rules.no_play_extra_when], most=most, extra=extra, total=total)


def passing(rules: Rules) -> Iterator[Line]:
    """Passing, once the pool is empty."""
    match rules.empty_pool_pass:
        case EmptyPoolPass.ONLY_IF_UNABLE:
            yield line("pass.unable")
        case EmptyPoolPass.VOLUNTARY:
            yield line("pass.voluntary")
    if not rules.scoring:
        return
    if rules.empty_pool_penalty:
        yield line("pass.cost", points=rules.empty_pool_penalty)
    else:
        yield line("pass.free")
    if rules.draw_cost and not rules.draw_ends_turn:
        yield line("pass.paid")


# --- Endings -------------------------------------------------------------------------------------


def going_out(rules: Rules) -> Iterator[Line]:
    """Going out, the usual end of a round."""
    yield line("out.what")
    if not rules.scoring:
        yield line("out.wins")
        return
    match rules.out_bonus, rules.out_takes_opponents:
        case 0, False:
            yield line("out.nothing")
        case 0, True:
            yield line("out.others")
        case bonus, False:
            yield line("out.bonus", bonus=bonus)
        case bonus, True:
            yield line("out.both", bonus=bonus)
    yield line("out.keep")


_LOWEST: Final = (
    Blocked.LOWEST_TAKES_OTHERS,
    Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN,
    Blocked.LOWEST_TAKES_DIFFERENCES,
)


def blocked(rules: Rules) -> Iterator[Line]:
    """A blocked round, in which nobody can play."""
    yield line("blocked.lap" if rules.plays_out_passes else "blocked.empty")
    if rules.blocked_when is BlockedWhen.ALL_PASS:
        yield line("blocked.allPass")
    lowest = rules.blocked in _LOWEST
    fewest = lowest and rules.blocked_tie is BlockedTie.FEWEST_TILES
    if rules.scoring:
        yield line(f"blocked.{rules.blocked}")
        if lowest or rules.blocked is Blocked.FEWEST_TILES_TAKES_OTHERS:
            by_count = rules.blocked_tie is BlockedTie.FEWEST_TILES
            tie = BlockedTie.EACH if by_count and not lowest else rules.blocked_tie
            yield line(f"blocked.tie.{tie}")
    elif lowest:
        yield line("blocked.free.lowestFewest" if fewest else "blocked.free.lowest")
    elif rules.blocked is Blocked.SUBTRACT_OWN:
        yield line("blocked.free.shared")
    else:
        yield line("blocked.free.fewest")


def winning(rules: Rules) -> Iterator[Line]:
    """Who wins a round and a match."""
    if rules.target is None:
        yield line("win.single")
        if rules.scoring:
            yield _single_winner(rules)
    yield _series(rules)
    if rules.target is not None and rules.scoring:
        yield _round_winner(rules)
    yield from _last_round(rules)
    match rules.match_tie:
        case MatchTie.SHARED:
            yield line("win.shared")
        case _:
            yield line("win.extra")


def _single_winner(rules: Rules) -> Line:
    if not rules.wins_by_ending:
        return line("win.single.total")
    if rules.blocked is Blocked.SUBTRACT_OWN:
        return line("win.single.endingTotal")
    return line("win.single.ending")


def _round_winner(rules: Rules) -> Line:
    """Who wins one round of a match."""
    if not rules.wins_by_ending:
        return line("win.round.points")
    if rules.blocked is Blocked.SUBTRACT_OWN:
        return line("win.round.endingPoints")
    return line("win.round.ending")


def _series(rules: Rules) -> Line:
    target = rules.target
    if not rules.scoring:
        return line("win.targetFree", target=target) if target else line("win.agreeFree")
    if target is not None:
        return line("win.target", target=target)
    if rules.wins_by_ending:
        return line("win.agreeCard")
    return line("win.agree", target=TOURNAMENT)


def _last_round(rules: Rules) -> Iterator[Line]:
    test = _TARGET[rules.target_test]
    if not rules.scoring:
        yield line(f"win.free.{test}")
        yield line("win.most")
        return
    yield line("win.add")
    match rules.target_latch:
        case TargetLatch.ANY_MOMENT:
            yield line(f"win.anyMoment.{test}")
        case TargetLatch.ROUND_END:
            yield line(f"win.roundEnd.{test}")
    yield line("win.highest")


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
