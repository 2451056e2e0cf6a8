"""What one player may do at some point of a turn, what it costs, and what it reveals.

Everything here depends only on the board, one rack and public sizes, so a game and a view of it
give the same answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, assert_never

from triomino.deal import opening_tiles
from triomino.errors import Why
from triomino.grid import ORIGIN
from triomino.moves import Draw, End, Keep, Move, Pass, Place
from triomino.rules import (
    AfterDrawPlay,
    DrawObligation,
    EmptyPoolPass,
    Rules,
    Seat,
    VoluntaryDraw,
)
from triomino.scoring import (
    Score,
    draw_scores,
    empty_pool_scores,
    placement_scores,
    unplaced_scores,
)
from triomino.tile import MASKS, Tile, mask_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.board import Board

# A module constant, because looking up an enum member takes longer than a call.
_DRAWN_ONLY: Final = AfterDrawPlay.DRAWN_ONLY


@dataclass(frozen=True, slots=True)
class Stage:
    """A point in a turn: everything that decides which moves other than placements are legal."""

    rules: Rules
    opening: bool
    """Whether the board is empty."""
    drawn: int
    """The number of tiles drawn in this turn."""
    has_pool: bool
    """Whether there is a tile left to draw."""
    can_place: bool
    """Whether a tile that the player may place now fits somewhere."""
    last_fits: bool
    """Whether the tile just drawn fits somewhere."""

    def moves(self) -> tuple[Move, ...]:
        """Return the legal moves other than placements."""
        every = (Draw(), Keep(), End(), Pass())
        return tuple(move for move in every if self.why_not(move) is None)

    def why_not(self, move: Draw | Keep | End | Pass) -> Why | None:
        """Return the reason *move* is not legal, or ``None`` if it is."""
        match move:
            case Draw():
                return self._why_not_draw()
            case Pass():
                return self._why_not_pass()
            case End():
                return self._why_not_end()
            case Keep():
                return self._why_not_keep()
            case _:
                assert_never(move)

    def _why_not_draw(self) -> Why | None:
        rules = self.rules
        if self.opening and not rules.opening_draw:
            return Why.MUST_OPEN
        if not self.has_pool:
            return Why.POOL_EMPTY
        if self.drawn >= rules.max_draws:
            return Why.NO_MORE_DRAWS
        # An opening draw is always voluntary, and has a rule of its own.
        if self.opening or allows_voluntary_draw(rules, self.drawn) or not self.can_place:
            return None
        return self._must_place()

    def _why_not_pass(self) -> Why | None:
        rules = self.rules
        if self.opening:
            return Why.MUST_OPEN
        if self.drawn >= rules.max_draws:
            return Why.MUST_END
        if self.has_pool:
            optional = rules.draw_obligation is DrawObligation.ONE_THEN_OPTIONAL and self.drawn > 0
            if optional and not self.can_place:
                return None
            return self._must_place() if self.can_place else Why.MUST_DRAW
        if rules.empty_pool_pass is EmptyPoolPass.VOLUNTARY or not self.can_place:
            return None
        return Why.MUST_PLACE

    def _why_not_end(self) -> Why | None:
        rules = self.rules
        if self.opening:
            return Why.MUST_OPEN
        if self.drawn < rules.max_draws:
            if self._why_not_draw() is None:
                return Why.MUST_DRAW
            return self._must_place() if self.can_place else Why.MUST_PASS
        if rules.must_place_after_last_draw and self.can_place:
            return Why.MUST_PLACE
        if rules.may_keep and self.last_fits:
            return Why.MUST_PLACE_OR_KEEP
        return None

    def _why_not_keep(self) -> Why | None:
        rules = self.rules
        if self.opening:
            return Why.MUST_OPEN
        if not rules.may_keep or not self.last_fits:
            return Why.NOTHING_TO_KEEP
        if rules.must_place_after_last_draw and self.drawn >= rules.max_draws:
            return Why.MUST_PLACE
        return None

    def _must_place(self) -> Why:
        return Why.MUST_PLACE if self._why_not_keep() else Why.MUST_PLACE_OR_KEEP


class OtherMoves(dict[tuple[bool, int, bool, bool, bool], tuple[Move, ...]]):
    """The legal moves other than placements, keyed by the fields of :class:`Stage` but its rules.

    Every round passes through the same few stages, so each is worked out only once.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __missing__(self, stage: tuple[bool, int, bool, bool, bool]) -> tuple[Move, ...]:
        self[stage] = moves = Stage(self._rules, *stage).moves()
        return moves


@lru_cache(maxsize=64)
def other_moves(rules: Rules) -> OtherMoves:
    """Return the table for *rules*: the same object while they are in use."""
    return OtherMoves(rules)


class Choices:
    """The moves open to a player at one point of a turn."""

    __slots__ = (
        "_before",
        "_listed",
        "_others",
        "_places",
        "board",
        "candidates",
        "drawn",
        "pool_size",
        "rack",
        "rules",
        "seat",
    )

    def __init__(  # noqa: PLR0917 - called on every move; keywords would cost time
        self,
        rules: Rules,
        board: Board,
        seat: Seat,
        rack: Sequence[Tile],
        drawn: Sequence[Tile],
        pool_size: int,
        *,
        held: int | None = None,
        others: OtherMoves | None = None,
        before: list[Place] | None = None,
    ) -> None:
        """The last three arguments save work if the caller has them.

        *held* is the rack as a mask, *others* the table of the rules, and *before* the placements
        that were legal before the last draw.
        """
        self.rules = rules
        self.board = board
        self.seat = seat
        self.rack = rack
        self.drawn = drawn
        """The tiles drawn in this turn; they are also on the rack."""
        self.pool_size = pool_size
        self._others = other_moves(rules) if others is None else others
        self._listed: list[Move] | None = None
        self._places: list[Place] | None = None
        self._before = before
        self.candidates: int
        """The tiles that may be placed now wherever they fit, as a mask."""
        if not (board.laid or rules.starter_free_choice):
            self.candidates = mask_of(opening_tiles(rack, rules))
        elif drawn and rules.after_draw_play is _DRAWN_ONLY:
            self.candidates = drawn[-1].bit
        else:
            self.candidates = mask_of(rack) if held is None else held

    @property
    def is_able(self) -> bool:
        """Whether a tile that the player may place now fits somewhere."""
        return bool(self.board.playable & self.candidates)

    @property
    def last_drawn_fits(self) -> bool:
        """Whether the tile just drawn fits somewhere."""
        return bool(self.drawn) and bool(self.board.playable & self.drawn[-1].bit)

    def legal_moves(self) -> list[Move]:
        """Return every legal move: placements by cell and tile, then draw, keep, end and pass.

        The order depends on the position alone.
        """
        if self._listed is None:
            places = self.places
            self._listed = [*places, *self._others[self._stage(bool(places))]]
        return self._listed.copy()

    @property
    def places(self) -> list[Place]:
        """Every legal placement, by cell and tile. Do not modify the list."""
        if self._places is None:
            before, board = self._before, self.board
            if before is None:
                self._places = board.placements(self.candidates)
            elif new := board.placements(self.drawn[-1].bit):
                self._places = sorted([*before, *new], key=_cell_and_tile)
            else:
                self._places = before
        return self._places

    @property
    def places_kept(self) -> list[Place] | None:
        """The placements that stay legal if this player draws, or ``None`` if not listed yet."""
        drawn_only = self.rules.after_draw_play is _DRAWN_ONLY
        return None if drawn_only or not self.board.laid else self._places

    def _stage(self, can_place: bool) -> tuple[bool, int, bool, bool, bool]:
        last_fits = self.rules.may_keep and self.last_drawn_fits
        return not self.board.laid, len(self.drawn), self.pool_size > 0, can_place, last_fits

    def why_not(self, move: Move) -> Why | None:
        """Return the reason *move* cannot be played now, or ``None`` if it can."""
        for listed in self._listed or ():
            if listed is move:  # most moves come from the list
                return None
        if isinstance(move, Place):
            return self._why_not_place(move)
        return Stage(self.rules, *self._stage(self.is_able)).why_not(move)

    def _why_not_place(self, place: Place) -> Why | None:
        bit, opening = place.tile.bit, not self.board.laid
        if not bit & self.candidates:
            if not bit & MASKS[self.rules.tile_set]:
                return Why.NOT_IN_SET
            if bit & self.board.laid:
                return Why.ALREADY_LAID
            if not bit & mask_of(self.rack):
                return Why.NOT_HELD
            return Why.NOT_THE_OPENING_TILE if opening else Why.NOT_THE_DRAWN_TILE
        # All cells of an empty board are equivalent, so every round opens on the same one.
        if opening and place.cell != ORIGIN:
            return Why.NOT_THE_START_CELL
        return self.board.why_not(place)

    # --- Scores ----------------------------------------------------------------------------------

    def scores(self, move: Move) -> list[Score]:
        """Return what *move*, which must be legal, scores by itself: no floor, no settlement."""
        match move:
            case Place():
                return placement_scores(self.board, self.seat, move, self.rules)
            case Draw():
                count = len(self.drawn) + 1
                scores = draw_scores(self.seat, count, self.rules)
                if self.rules.draw_ends_turn:
                    scores += unplaced_scores(self.seat, count, self.rules)
                return scores
            case Pass():
                return [] if self.pool_size else [*empty_pool_scores(self.seat, self.rules)]
            case End() | Keep():
                return unplaced_scores(self.seat, len(self.drawn), self.rules)
            case _:
                assert_never(move)


def _cell_and_tile(place: Place) -> tuple[int, int]:
    return place.cell.key, place.tile.bit


def allows_voluntary_draw(rules: Rules, count: int) -> bool:
    """Whether a player who can place may draw, having drawn *count* tiles in this turn."""
    match rules.voluntary_draw:
        case VoluntaryDraw.ALWAYS:
            return True
        case VoluntaryDraw.FIRST_ONLY:
            return count == 0
        case VoluntaryDraw.NEVER:
            return False


def proves_unable(rules: Rules, move: Move, *, opening: bool, drawn: int, pool_size: int) -> bool:
    """Whether *move* is legal only for a player who cannot place, and so reveals that."""
    match move:
        case Draw():
            return not opening and not allows_voluntary_draw(rules, drawn)
        case Pass():
            return pool_size > 0 or rules.empty_pool_pass is EmptyPoolPass.ONLY_IF_UNABLE
        case End():
            return rules.must_place_after_last_draw
        case Place() | Keep():
            return False
        case _:
            assert_never(move)
