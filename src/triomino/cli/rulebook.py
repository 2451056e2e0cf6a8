"""The rules of a game in words, made from its data: text and data cannot disagree.

A chapter is a function that yields short paragraphs; every number in them is a field of
:class:`~triomino.rules.Rules` or counted from its tiles. Another language is another set of these
functions.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from triomino.rules import (
    EDITIONS,
    AfterDrawPlay,
    Blocked,
    BlockedTie,
    BlockedWhen,
    BridgeRule,
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


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading and what stands under it."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A field that differs from the edition."""

    name: str
    value: str
    edition_value: str
    matters: bool
    """Whether the text above says anything else because of it."""


def rulebook(rules: Rules) -> list[Chapter]:
    """The whole rules, chapter by chapter."""
    return [Chapter(title, tuple(write(rules))) for title, write in CHAPTERS.items()]


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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _points(number: int) -> str:
    return _count(number, "point")


# --- Before the first tile -----------------------------------------------------------------------


def the_tiles(rules: Rules) -> Iterator[str]:
    """What lies in the box."""
    tiles = rules.tiles
    triples = sum(tile.is_triple for tile in tiles)
    doubles = sum(len(set(tile.numbers)) == 2 for tile in tiles)
    highest = max(max(tile.numbers) for tile in tiles)
    match rules.tile_set:
        case TileSet.SET_56:
            which = "Read clockwise from the smallest, the numbers of a tile never go down."
        case TileSet.SET_76:
            which = (
                "Every triangle of these numbers is there, and with three different numbers"
                " its mirror image too."
            )
    yield (
        f"{len(tiles)} triangles, no two alike, each with a number from 0 to {highest} in every"
        f" corner: {triples} triples with one number three times, {doubles} with one number twice,"
        f" and {len(tiles) - triples - doubles} with three different numbers. {which}"
    )
    yield (
        f"The value of a tile is the sum of its three numbers, 0 to {3 * highest}. A tile may be"
        " turned in any way, but it has no second face."
    )


def dealing(_: Rules) -> Iterator[str]:
    """How a round is set up; the numbers are a table of their own."""
    yield (
        "All tiles are mixed face down. Everyone takes a rack full of them and shows it to nobody;"
        " the others are the pool."
    )


def who_starts(rules: Rules) -> Iterator[str]:
    """The first player of each round."""
    match rules.starter:
        case Starter.DRAW_HIGH:
            again = {
                StartRedraw.TIED_HIGHEST: "those who share it draw again",
                StartRedraw.ALL: "everyone draws again",
            }[rules.start_redraw]
            yield (
                "Everyone draws one tile from the pool, and the highest value starts. If several"
                f" have the highest, {again}. Then all these tiles go back and the pool is mixed."
            )
        case Starter.HIGHEST_TRIPLE:
            yield (
                "Whoever was dealt the highest triple starts. If nobody has a triple, it is"
                " whoever has the tile of the highest value; of equal values the one with the"
                " higher number, from the highest down."
            )
    match rules.next_starter:
        case NextStarter.SET_UP:
            yield "Every round finds its first player anew in this way."
        case NextStarter.ROTATE_LEFT:
            yield "The next round is started by the player to the left, and so on round the table."
        case NextStarter.ROUND_WINNER:
            yield (
                "The next round is started by the winner of the last; of several, by the one who"
                " comes first after the player who started it."
            )


def the_opening(rules: Rules) -> Iterator[str]:
    """The first tile of a round."""
    if rules.starter_free_choice:
        choice = "The first player lays any tile of the rack"
    else:
        choice = (
            "The first player must lay the highest triple of the rack or, without one, the tile of"
            " the highest value"
        )
        if rules.triple_zero_start is not None:
            choice += "; with 0-0-0 beside a higher triple there is a choice between the two"
    if rules.opening_draw:
        yield f"{choice}, or draws first, as in any later turn."
    else:
        yield f"{choice}. Drawing instead is not possible."
    if rules.scoring:
        yield " ".join(_opening_points(rules))


def _opening_points(rules: Rules) -> Iterator[str]:
    worth = rules.placement_sum is not PlacementSum.NONE
    yield "It scores its value." if worth else "It does not score its value."
    if rules.triple_start_bonus:
        yield f"A triple brings {_points(rules.triple_start_bonus)}{' more' if worth else ''}."
    if rules.triple_zero_start is not None:
        yield f"0-0-0 brings {_points(rules.triple_zero_start)} in all."


def laying_tiles(_: Rules) -> Iterator[str]:
    """What fits."""
    yield "The turn goes round clockwise, and nobody lays more than one tile in a turn."
    yield (
        "A tile is laid with a whole side against a whole side of a tile on the table, so that"
        " the two numbers at each end of that side are the same. If a corner meets further"
        " tiles, all numbers that meet there must be the same. What lies stays where it is."
    )


# --- Points --------------------------------------------------------------------------------------

_BRIDGES: Final = {
    BridgeRule.STRICT: (
        "A bridge is a tile with one side against another tile and its two other sides free,"
        " whose corner across from that side meets a number on the table."
    ),
    BridgeRule.ONE_FREE_SIDE: (
        "A bridge is a tile that meets a number with every corner while at least one of its sides"
        " stays free."
    ),
    BridgeRule.THREE_CORNERS: (
        "A bridge is a tile that meets a number with every corner, however many of its sides lie"
        " against others."
    ),
    BridgeRule.APEX_CONTACT: (
        "A bridge is a tile with a side against another tile, whose corner across from that side"
        " touches a tile that lies against none of its sides."
    ),
}


def points(rules: Rules) -> Iterator[str]:
    """What a tile brings."""
    if not rules.scoring:
        yield "No points are written down: it only matters who gets rid of the tiles."
        return
    match rules.placement_sum:
        case PlacementSum.ALL:
            yield "Every tile laid scores its value."
        case PlacementSum.STARTER_ONLY:
            yield "After the opening a tile does not score its value, only what it completes."
        case PlacementSum.NONE:
            yield "A tile does not score its value, only what it completes."
    yield f"{_BRIDGES[rules.bridge_rule]} It brings {_points(rules.bridge_bonus)}."
    one, two, three = rules.hexagon_bonuses
    yield (
        "A hexagon is complete when six tiles lie round one point. The tile that completes it"
        f" brings {_points(one)}; one that completes two at once brings {two}, and three at once"
        f" {three}. A tile that completes a hexagon is not paid as a bridge."
    )
    if not _can_lose(rules):
        return
    if rules.floor_at_zero:
        yield "Nobody's total falls below zero: what would take it lower takes it to zero."
    else:
        yield "A total may fall below zero."


def _can_lose(rules: Rules) -> bool:
    """Whether anything takes points away."""
    costs = rules.draw_cost or rules.no_play_extra or rules.empty_pool_penalty
    settled = Blocked.SUBTRACT_OWN, Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN
    return bool(costs) or rules.blocked in settled


# --- The turn ------------------------------------------------------------------------------------


def drawing(rules: Rules) -> Iterator[str]:
    """What one does who cannot place, or does not want to."""
    if rules.draw_ends_turn:
        yield f"{_who_draws(rules, several=False)} The turn is over with it, even if the tile fits."
        if rules.scoring:
            price = _single_price(rules)
            yield f"A tile drawn costs {_points(price)}." if price else "Drawing costs nothing."
        return
    yield _who_draws(rules, several=rules.max_draws > 1)
    if rules.max_draws > 1:
        yield _going_on(rules)
    else:
        yield "A turn has one draw at most, and only while there is a pool."
    if rules.after_draw_play is AfterDrawPlay.ANY:
        yield "After drawing, any tile of the rack may be laid."
    else:
        yield "After drawing, only the tile just drawn may be laid, none that was there before."
    if rules.may_keep:
        last = rules.must_place_after_last_draw
        yield (
            "If the tile just drawn fits, it may be kept instead, which ends the turn"
            f"{'; but not after the last draw allowed' if last else ''}."
        )
    yield _after_the_last(rules)
    if rules.scoring:
        yield from _prices(rules)


def _who_draws(rules: Rules, *, several: bool) -> str:
    must = "A player who cannot lay a tile must draw one from the pool."
    match rules.voluntary_draw:
        case VoluntaryDraw.NEVER:
            return f"{must} A player who can lay one may not draw."
        case VoluntaryDraw.ALWAYS:
            more = ", and again after each draw" if several else ""
            return f"{must} A player who can lay one may draw all the same{more}."
        case VoluntaryDraw.FIRST_ONLY:
            more = ", but only the first tile of a turn" if several else ", once in a turn"
            return f"{must} A player who can lay one may draw all the same{more}."


def _going_on(rules: Rules) -> str:
    most = f"{_count(rules.max_draws, 'tile')} in one turn"
    match rules.draw_obligation:
        case DrawObligation.UNTIL_PLAYABLE_OR_MAX:
            return (
                f"While nothing can be laid and the pool lasts, drawing goes on, up to {most}."
                " Until then the turn cannot be ended without laying a tile."
            )
        case DrawObligation.ONE_THEN_OPTIONAL:
            return (
                f"Up to {most} may be drawn while the pool lasts. A player who still cannot lay a"
                " tile may pass after any of them, at no further price."
            )


def _after_the_last(rules: Rules) -> str:
    last = "After the last draw allowed" if rules.max_draws > 1 else "After it"
    if rules.must_place_after_last_draw:
        return f"{last} a player who can lay a tile must; one who cannot ends the turn."
    if rules.may_keep:
        return f"{last} a tile that does not fit stays on the rack and the turn is over."
    return f"{last} the turn may be ended without laying a tile, even if one fits."


def _prices(rules: Rules) -> Iterator[str]:
    if rules.draw_cost:
        yield f"Every tile drawn costs {_points(rules.draw_cost)} at once."
    else:
        yield "Drawing costs nothing."
    if not rules.no_play_extra:
        yield "A turn that ends without a tile laid costs nothing more."
        return
    extra, most = rules.no_play_extra, rules.max_draws
    total = most * rules.draw_cost + extra
    match rules.no_play_extra_when:
        case ExtraWhen.IF_UNPLACED:
            yield (
                f"A player who has drawn {_count(most, 'tile')} in a turn and lays none pays"
                f" {_points(extra)} more: {total} in all."
            )
        case ExtraWhen.ON_LAST_DRAW:
            which = f"The last of {most} tiles drawn in a turn" if most > 1 else "The tile drawn"
            yield (
                f"{which} costs {_points(extra)} more at once, whether a tile is laid then or not:"
                f" {total} in all."
            )


def _single_price(rules: Rules) -> int:
    """What the one tile costs where drawing ends the turn."""
    return rules.draw_cost + (rules.no_play_extra if rules.max_draws == 1 else 0)


def passing(rules: Rules) -> Iterator[str]:
    """What happens when there is nothing left to draw."""
    match rules.empty_pool_pass:
        case EmptyPoolPass.ONLY_IF_UNABLE:
            yield (
                "Once the pool is empty, a player who cannot lay a tile passes; one who can must"
                " lay it."
            )
        case EmptyPoolPass.VOLUNTARY:
            yield "Once the pool is empty, anyone may pass, even with a tile that fits."
    if not rules.scoring:
        return
    if rules.empty_pool_penalty:
        price = f"Passing then costs {_points(rules.empty_pool_penalty)}"
    else:
        price = "Passing costs nothing"
    paid = rules.draw_cost and not rules.draw_ends_turn
    kept = "; what was paid for tiles drawn earlier in the turn stays paid" if paid else ""
    yield f"{price}{kept}."


# --- Endings -------------------------------------------------------------------------------------


def going_out(rules: Rules) -> Iterator[str]:
    """The usual end of a round."""
    yield "Whoever lays the last tile of a rack goes out, and the round is over at once."
    if not rules.scoring:
        yield "The round is won by going out."
        return
    parts = []
    if rules.out_bonus:
        parts.append(_points(rules.out_bonus))
    if rules.out_takes_opponents:
        parts.append("the values of all tiles left on the other racks")
    if parts:
        yield f"Going out brings {' and '.join(parts)}. The others lose nothing."
    else:
        yield "Going out brings no points of its own. The others lose nothing."


def blocked(rules: Rules) -> Iterator[str]:
    """A round in which nobody can go on."""
    lap = rules.empty_pool_penalty > 0 or rules.empty_pool_pass is EmptyPoolPass.VOLUNTARY
    if lap:
        yield "A round is blocked when the pool is empty and all players in a row have passed."
    else:
        yield "A round is blocked as soon as the pool is empty and nobody can lay a tile."
    if rules.blocked_when is BlockedWhen.ALL_PASS:
        yield (
            "It is blocked too when all players in a row have ended a turn without laying a tile,"
            " whatever the pool still holds."
        )
    yield " ".join(_settlement(rules) if rules.scoring else _blocked_without_points(rules))


_LOWEST: Final = (
    Blocked.LOWEST_TAKES_OTHERS,
    Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN,
    Blocked.LOWEST_TAKES_DIFFERENCES,
)


def _blocked_without_points(rules: Rules) -> Iterator[str]:
    if rules.blocked in _LOWEST:
        yield "It is won by the rack with the lowest total value;"
        if rules.blocked_tie is BlockedTie.FEWEST_TILES:
            yield "of equal ones by the fewest tiles, and then it is shared."
        else:
            yield "equal ones share it."
    elif rules.blocked is Blocked.SUBTRACT_OWN:
        yield "Then all players share it."
    else:
        yield "It is won by the fewest tiles on a rack; equal racks share it."


def _settlement(rules: Rules) -> Iterator[str]:
    match rules.blocked:
        case Blocked.SUBTRACT_OWN:
            yield "Everyone loses the value of the tiles left on their own rack."
            return
        case Blocked.FEWEST_TILES:
            yield "No points change; the fewest tiles on a rack did best."
            return
        case Blocked.LOWEST_TAKES_OTHERS:
            yield "The rack with the lowest total value takes the values of all other racks."
        case Blocked.LOWEST_TAKES_OTHERS_MINUS_OWN:
            yield (
                "The rack with the lowest total value takes the values of all other racks, less"
                " its own."
            )
        case Blocked.LOWEST_TAKES_DIFFERENCES:
            yield (
                "The rack with the lowest total value takes from every other rack the difference"
                " between the two."
            )
        case Blocked.FEWEST_TILES_TAKES_OTHERS:
            yield "The rack with the fewest tiles takes the values of all other racks."
    yield "The others lose nothing."
    yield _tie(rules)


def _tie(rules: Rules) -> str:
    match rules.blocked_tie:
        case BlockedTie.LOSERS_ONLY:
            return "If several are equal, each takes only from those who are not among them."
        case BlockedTie.NONE:
            return "If several are equal, nobody takes anything."
        case BlockedTie.FEWEST_TILES if rules.blocked in _LOWEST:
            return (
                "If several are equal, those of them with the fewest tiles count; if that leaves"
                " several, each takes from all but itself."
            )
        case _:
            return "If several are equal, each takes from all but itself."


def the_match(rules: Rules) -> Iterator[str]:
    """One round, or several."""
    if rules.target is None:
        yield f"The match is one round. {_single_winner(rules)}"
        yield f"A longer match needs a target. {_last_round(rules)} {_series_winner(rules)}"
    else:
        add = ", and their points add up" if rules.scoring else ""
        yield f"Rounds are played, each dealt anew{add}. {_last_round(rules)}"
        yield _series_winner(rules)
    match rules.match_tie:
        case MatchTie.SHARED:
            yield "Players who are equal in front share the win."
        case _:
            yield "If several are equal in front, further rounds are played until one leads alone."


def _single_winner(rules: Rules) -> str:
    if not rules.scoring:
        return "Whoever wins it has won."
    if rules.wins_by_ending:
        if rules.blocked is Blocked.SUBTRACT_OWN:
            return "It is won by going out; when it is blocked, by the highest total."
        return (
            "It is won by going out or, when it is blocked, by the rack that did best, whatever"
            " the points."
        )
    return "It is won by the highest total, which need not be the player who went out."


def _last_round(rules: Rules) -> str:
    goal = "the target" if rules.target is None else str(rules.target)
    more = rules.target_test is TargetTest.EXCEED
    if not rules.scoring:
        verb = "won more rounds than" if more else "won as many rounds as"
        if rules.target is not None:
            rounds = _count(rules.target, "round")
            return f"The match ends when somebody has won {'more than ' if more else ''}{rounds}."
        return f"The match ends when somebody has {verb} {goal} says."
    amount = f"more than {goal}" if more else f"{goal} or more"
    match rules.target_latch:
        case TargetLatch.ANY_MOMENT:
            return (
                f"The round in which somebody has {amount}, at any moment of it, is the last, even"
                " if the total falls again; it is played to its end."
            )
        case TargetLatch.ROUND_END:
            return f"After each round the totals are looked at: with {amount} it was the last."


def _series_winner(rules: Rules) -> str:
    if not rules.scoring:
        return "Most rounds won wins the match."
    return "The highest total wins the match, whoever got there first."


CHAPTERS: Final[dict[str, Callable[[Rules], Iterator[str]]]] = {
    "The tiles": the_tiles,
    "Dealing": dealing,
    "Who starts": who_starts,
    "The opening": the_opening,
    "Laying tiles": laying_tiles,
    "Points": points,
    "Drawing": drawing,
    "Passing": passing,
    "Going out": going_out,
    "A blocked round": blocked,
    "The match": the_match,
}
