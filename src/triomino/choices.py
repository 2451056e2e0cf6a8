"""One player's turn: what may be done now, what it costs, and what it shows the others.

Everything here follows from the board, one rack and public sizes, so a game and a view of it
answer alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, assert_never

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


@dataclass(slots=True)
class Choices:
    """What a player can do at one moment of a turn."""

    rules: Rules
    board: Board
    seat: Seat
    rack: Sequence[Tile]
    drawn: Sequence[Tile]
    """The tiles drawn in this turn; they are on the rack too."""
    pool_size: int
    candidates: int = field(init=False)
    """The tiles that may be placed now, if they fit, as a mask."""
    _able: bool | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.candidates = self._candidates()

    def _candidates(self) -> int:
        if not self.board.laid and not self.rules.starter_free_choice:
            return mask_of(opening_tiles(self.rack, self.rules))
        if self.drawn and self.rules.after_draw_play is AfterDrawPlay.DRAWN_ONLY:
            return self.drawn[-1].bit
        return mask_of(self.rack)

    @property
    def is_able(self) -> bool:
        """Whether some tile the player may place now has a place."""
        if self._able is None:
            self._able = bool(self.board.playable & self.candidates)
        return self._able

    @property
    def last_drawn_fits(self) -> bool:
        """Whether the tile just drawn has a place."""
        return bool(self.drawn) and bool(self.board.playable & self.drawn[-1].bit)

    def legal_moves(self) -> list[Move]:
        """Every legal move: placements by cell row by row and by tile, then draw, keep, end, pass.

        The order depends on the position alone.
        """
        moves: list[Move] = [*self.board.placements(self.candidates)]
        self._able = bool(moves)
        if self._why_not_draw() is None:
            moves.append(Draw())
        if self._why_not_keep() is None:
            moves.append(Keep())
        if self._why_not_end() is None:
            moves.append(End())
        if self._why_not_pass() is None:
            moves.append(Pass())
        return moves

    # --- Why not? --------------------------------------------------------------------------------

    def why_not(self, move: Move) -> Why | None:
        """The reason *move* cannot be played now, or ``None`` if it can."""
        match move:
            case Place():
                return self._why_not_place(move)
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
        # All cells of an empty board are alike, so a round opens on the same one.
        if opening and place.cell != ORIGIN:
            return Why.NOT_THE_START_CELL
        return self.board.why_not(place)

    def _why_not_draw(self) -> Why | None:
        rules, count, opening = self.rules, len(self.drawn), not self.board.laid
        if opening and not rules.opening_draw:
            return Why.MUST_OPEN
        if not self.pool_size:
            return Why.POOL_EMPTY
        if count >= rules.max_draws:
            return Why.NO_MORE_DRAWS
        # An opening draw is voluntary by its nature, and has its own switch.
        if opening or may_draw_though_able(rules, count) or not self.is_able:
            return None
        return self._must_place

    def _why_not_pass(self) -> Why | None:
        rules, count = self.rules, len(self.drawn)
        if not self.board.laid:
            return Why.MUST_OPEN
        if count >= rules.max_draws:
            return Why.MUST_END
        if self.pool_size:
            optional = rules.draw_obligation is DrawObligation.ONE_THEN_OPTIONAL and count > 0
            if optional and not self.is_able:
                return None
            return self._must_place if self.is_able else Why.MUST_DRAW
        if rules.empty_pool_pass is EmptyPoolPass.VOLUNTARY or not self.is_able:
            return None
        return Why.MUST_PLACE

    def _why_not_end(self) -> Why | None:
        rules = self.rules
        if not self.board.laid:
            return Why.MUST_OPEN
        if len(self.drawn) < rules.max_draws:
            if self._why_not_draw() is None:
                return Why.MUST_DRAW
            return self._must_place if self.is_able else Why.MUST_PASS
        if rules.must_place_after_last_draw and self.is_able:
            return Why.MUST_PLACE
        if rules.may_keep and self.last_drawn_fits:
            return Why.MUST_PLACE_OR_KEEP
        return None

    def _why_not_keep(self) -> Why | None:
        rules = self.rules
        if not self.board.laid:
            return Why.MUST_OPEN
        if not rules.may_keep or not self.last_drawn_fits:
            return Why.NOTHING_TO_KEEP
        if rules.must_place_after_last_draw and len(self.drawn) >= rules.max_draws:
            return Why.MUST_PLACE
        return None

    @property
    def _must_place(self) -> Why:
        return Why.MUST_PLACE if self._why_not_keep() else Why.MUST_PLACE_OR_KEEP

    # --- What does it cost? ----------------------------------------------------------------------

    def scores(self, move: Move) -> list[Score]:
        """What *move*, which is legal, wins or costs its player by itself; no floor, no ending."""
        seat, rules, count = self.seat, self.rules, len(self.drawn)
        match move:
            case Place():
                return [*placement_scores(self.board, seat, move, rules)]
            case Draw():
                scores = [*draw_scores(seat, count + 1, rules)]
                if rules.draw_ends_turn:
                    scores += unplaced_scores(seat, count + 1, rules)
                return scores
            case Pass():
                return [] if self.pool_size else [*empty_pool_scores(seat, rules)]
            case End() | Keep():
                return [*unplaced_scores(seat, count, rules)]
            case _:
                assert_never(move)


def may_draw_though_able(rules: Rules, count: int) -> bool:
    """Whether one who can place may draw all the same, having drawn *count* in this turn."""
    match rules.voluntary_draw:
        case VoluntaryDraw.ALWAYS:
            return True
        case VoluntaryDraw.FIRST_ONLY:
            return count == 0
        case VoluntaryDraw.NEVER:
            return False


def proves_unable(rules: Rules, move: Move, *, opening: bool, drawn: int, pool_size: int) -> bool:
    """Whether *move* is legal only for one who could not place: a pass, or a forced draw."""
    match move:
        case Draw():
            return not opening and not may_draw_though_able(rules, drawn)
        case Pass():
            return pool_size > 0 or rules.empty_pool_pass is EmptyPoolPass.ONLY_IF_UNABLE
        case End():
            return rules.must_place_after_last_draw
        case Place() | Keep():
            return False
        case _:
            assert_never(move)
