"""A guide beside the rules: the game in a minute, a table of points, advice and sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.board import Board
from triomino.rulebook.chapters import TOURNAMENT, going_out, line
from triomino.rulebook.figures import FIGURES
from triomino.rulebook.questions import Answer, answers
from triomino.rulebook.sums import WorkedSum, worked_sums
from triomino.rules import (
    EDITIONS,
    BridgeRule,
    ExtraWhen,
    PlacementSum,
    Rules,
    VoluntaryDraw,
)
from triomino.scoring import LEAST_TILES, Reason, bonus_of, bonus_points

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.rulebook.lines import Line


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of the table of points: what scores, how much, and a figure of it."""

    line: Line
    points: int | None
    """The points, or ``None`` where a text says what it is worth."""
    worth: str
    """The key of that text, or empty."""
    figure: str


@dataclass(frozen=True, slots=True)
class Guide:
    """Everything beside the rules proper that helps to play by them."""

    minute: tuple[Line, ...]
    scores: tuple[ScoreRow, ...]
    answers: tuple[Answer, ...]
    sums: tuple[WorkedSum, ...]
    misses: tuple[str, ...]
    """The names of the figures of near misses."""
    advice: tuple[Line, ...]
    leaflet: tuple[Line, ...]


def guide(rules: Rules) -> Guide:
    """Return the guide to *rules*."""
    return Guide(
        tuple(_minute(rules)),
        tuple(_scores(rules)) if rules.scoring else (),
        tuple(answers(rules)),
        tuple(worked_sums(rules)),
        tuple(name for name in MISSES if _is_miss(name, rules)),
        tuple(_advice(rules)),
        tuple(_leaflet(rules)),
    )


# --- In one minute -------------------------------------------------------------------------------


def _minute(rules: Rules) -> Iterator[Line]:
    """Five lines."""
    yield line(f"minute.{rules.starter}")
    yield line("minute.lay")
    if rules.scoring:
        one, two, three = rules.hexagon_bonuses
        key = f"minute.scores.{rules.placement_sum}"
        yield line(key, bridge=rules.bridge_bonus, one=one, two=two, three=three)
    else:
        yield line("points.free")
    cost = rules.draw_cost if rules.scoring else 0
    if rules.draw_ends_turn:
        yield line("minute.draw.ends", cost=cost)
    else:
        choice = rules.voluntary_draw is not VoluntaryDraw.NEVER
        yield line(
            "minute.draw.choice" if choice else "minute.draw.must", most=rules.max_draws, cost=cost
        )
    # What going out is worth, or that it wins.
    yield [*going_out(rules)][1]


# --- Scoring at a glance -------------------------------------------------------------------------


def _scores(rules: Rules) -> Iterator[ScoreRow]:
    if rules.placement_sum is PlacementSum.ALL:
        yield _worth("glance.sum", "glance.value", "match")
    elif rules.placement_sum is PlacementSum.STARTER_ONLY:
        yield _worth("figure.first", "glance.value", "first")
    if rules.triple_start_bonus:
        yield _row("glance.triple", rules.triple_start_bonus, "triple")
    if rules.triple_zero_start is not None:
        yield _row("glance.zero", rules.triple_zero_start, "zero", zero="0-0-0")
    for bonus in LEAST_TILES:
        yield _row(f"figure.{bonus}", bonus_points(bonus, rules), bonus.value)
    if rules.draw_cost:
        yield _row("glance.draw", -rules.draw_cost, "drawOne")
    if rules.no_play_extra and not rules.draw_ends_turn:
        last = rules.no_play_extra_when is ExtraWhen.ON_LAST_DRAW
        key = "glance.extraLast" if last else "glance.extra"
        yield _row(key, -rules.no_play_extra, "drawMost", count=rules.max_draws)
    if rules.empty_pool_penalty:
        yield _row("chapter.pass", -rules.empty_pool_penalty, "unable")
    if rules.out_bonus:
        yield _row("chapter.out", rules.out_bonus, "out")
    if rules.out_takes_opponents:
        yield _worth("glance.others", "glance.value", "out")
    yield _worth("chapter.blocked", f"glance.blocked.{rules.blocked}", "unable")


def _row(key: str, points: int, figure: str, **values: int | str) -> ScoreRow:
    return ScoreRow(line(key, **values), points, "", figure)


def _worth(key: str, worth: str, figure: str) -> ScoreRow:
    return ScoreRow(line(key), None, f"rules.{worth}", figure)


# --- Near misses ---------------------------------------------------------------------------------

MISSES: Final = ("missTip", "missEnd", "missSides", "missFive")


def _is_miss(name: str, rules: Rules) -> bool:
    """Whether a figure is wrong, or a bonus that is none under these rules."""
    figure = FIGURES[name]
    board = Board.of(figure.board)
    if board.why_not(figure.place) is not None:
        return True
    return rules.scoring and bonus_of(board, figure.place.cell, rules) is None


# --- Playing well --------------------------------------------------------------------------------


def fitting(rules: Rules) -> dict[tuple[int, int], int]:
    """Return how many tiles of the whole set fit an open side, by its two numbers.

    >>> fitting(EDITIONS["classic"])[5, 0], fitting(EDITIONS["classic"])[0, 5]
    (2, 6)
    """
    numbers = range(max(max(tile.numbers) for tile in rules.tiles) + 1)
    sides = [
        {(tile.numbers[i], tile.numbers[(i + 1) % 3]) for i in range(3)} for tile in rules.tiles
    ]
    # Seen from the other side, the two numbers are read the other way round.
    return {(p, q): sum((q, p) in side for side in sides) for p in numbers for q in numbers}


def _advice(rules: Rules) -> Iterator[Line]:
    yield line("well.unique")
    counts = fitting(rules).values()
    least, most = min(counts), max(counts)
    if least == most:
        yield line("well.fitSame", count=most)
    else:
        yield line("well.fit", least=least, most=most)
    yield line("well.own")
    if rules.scoring:
        early = {str(bonus): LEAST_TILES[bonus] for bonus in (Reason.HEXAGON, Reason.BRIDGE)}
        yield line("well.early", **early)
        yield line("well.open")
        if rules.voluntary_draw is not VoluntaryDraw.NEVER and not rules.draw_ends_turn:
            yield line("well.draw")
    yield line("well.high" if rules.scoring else "well.many")


# --- What the leaflet says besides ---------------------------------------------------------------

_LEAFLETS: Final = {
    "classic": "classic",
    "classic-hebrew": "hebrew",
    "six-player": "six",
    "card": "hand",
    "casual": "free",
}
_RACKS: Final = {"classic": 4, "classic-hebrew": 4, "six-player": 6, "casual": 4}
"""How many racks are in the box."""
_ROUNDS: Final = {"classic": (2, 3), "classic-hebrew": (2, 3), "six-player": (2, 3)}
"""How many rounds the usual target takes, as printed."""


def _leaflet(rules: Rules) -> Iterator[Line]:
    edition = rules.edition
    base = EDITIONS[edition]
    yield line(f"leaflet.{_LEAFLETS[edition]}")
    if edition in _RACKS and not rules.speaks_of_cards:
        yield line("leaflet.racks", count=_RACKS[edition])
    if edition in _ROUNDS:
        least, most = _ROUNDS[edition]
        yield line("leaflet.rounds", target=TOURNAMENT, least=least, most=most)
    if edition == "classic-hebrew":
        one, two, three = base.hexagon_bonuses
        cost = base.draw_cost
        yield line(
            "leaflet.table",
            bridge=base.bridge_bonus,
            one=one,
            two=two,
            three=three,
            cost=-cost,
            most=-(base.max_draws * cost + base.no_play_extra),
        )
    yield from _readings(rules)


def _readings(rules: Rules) -> Iterator[Line]:
    """Return what is not printed, as far as these rules still do it."""
    edition, count = rules.edition, len(rules.tiles)
    if rules.tile_set == EDITIONS[edition].tile_set:
        key = {"six-player": "set76", "card": "deck"}.get(edition, "set56")
        yield line(f"leaflet.reading.{key}", count=count)
    if edition == "card" and rules.placement_sum is PlacementSum.STARTER_ONLY:
        yield line("leaflet.reading.cards")
    if edition == "casual" and not rules.scoring and rules.blocked is EDITIONS[edition].blocked:
        yield line("leaflet.reading.blocked")
    if edition == "classic-hebrew" and rules.bridge_rule is BridgeRule.STRICT:
        yield line("leaflet.reading.bridge")
    if rules.match_tie is EDITIONS[edition].match_tie:
        yield line("leaflet.reading.ties")
