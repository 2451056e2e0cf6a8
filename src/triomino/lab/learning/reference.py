"""The network in plain Python, from the rules as Python has them: what the kernel must equal."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Final

import numpy as np

from triomino.board import Board
from triomino.lab.learning.model import (
    BUCKETS,
    CHANCES,
    FEATURES,
    GROUPS,
    HEADS,
    HIDDEN,
    HIDDEN_ONE,
    MAGIC,
    ONE,
    UNITS,
    bucket,
    group,
)
from triomino.moves import Draw, Keep, Place
from triomino.rules import AfterDrawPlay as After
from triomino.rules import (
    Blocked,
    BlockedTie,
    BlockedWhen,
    BridgeRule,
    DrawObligation,
    EmptyPoolPass,
    ExtraWhen,
    PlacementSum,
    VoluntaryDraw,
)
from triomino.scoring import Reason, bonus_of, bonus_points
from triomino.tile import SET_76, mask_of, tile_of, tiles_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from enum import StrEnum

    from numpy.typing import NDArray

    from triomino.game import Game
    from triomino.rules import Rules, Seat

_MOST_PLAYERS: Final = 6
_MOST_LEAD: Final = 400
_MARGIN_POINTS: Final = 6400  # 100 points in 1/64
_OUT_BITS: Final = 20
_STEP_BITS: Final = _OUT_BITS - 5


# --- What everybody may conclude -----------------------------------------------------------------


@dataclass
class Knowledge:
    """By seat, tiles it did not have when it last drew or passed, and how many came later."""

    lacks: list[int]
    fresh: list[int]

    @classmethod
    def of(cls, game: Game) -> Knowledge:
        """Conclude from every move so far, taking each draw for a forced one."""
        known = cls([0] * game.players, [0] * game.players)
        board = Board(mask_of(game.rules.tiles))
        forced_pass = game.rules.empty_pool_pass is not EmptyPoolPass.VOLUNTARY
        for ply in game.plies:
            seat, move = ply.seat, ply.move
            if isinstance(move, Place):
                if known.fresh[seat] and move.tile.bit & known.lacks[seat]:
                    known.fresh[seat] -= 1
                board.lay(move)
            elif isinstance(move, Draw):
                known.note_unable(seat, board)
                known.fresh[seat] += 1
            elif not isinstance(move, Keep) and (forced_pass or str(move) != "pass"):
                known.note_unable(seat, board)
        return known

    def note_unable(self, seat: Seat, board: Board) -> None:
        """Conclude that a seat has no tile that fits now."""
        if not len(board):
            return
        before = 0 if self.fresh[seat] else self.lacks[seat]
        self.lacks[seat] = before | board.playable
        self.fresh[seat] = 0


# --- Features ------------------------------------------------------------------------------------


def features(game: Game, seat: Seat, *, pending: bool = False) -> NDArray[np.int64]:
    """Return the features of a round as *seat* knows it.

    With *pending* the last tile drawn has not been looked at yet.
    """
    return np.array(_Features(game, seat, pending=pending).all(), np.int64)


@dataclass
class _Features:
    game: Game
    seat: Seat
    pending: bool
    mine: int = 0
    unseen: int = 0
    fits: int = 0
    numbers: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        racks = self.game.racks
        own = list(racks[self.seat])
        hidden = [tile for at, rack in enumerate(racks) if at != self.seat for tile in rack]
        hidden += self.game.pool
        if self.pending:
            hidden.append(own.pop())
        self.mine, self.unseen = mask_of(own), mask_of(hidden)
        self.fits = self.game.board.playable
        self.known = Knowledge.of(self.game)
        self.bridges = self.hexagons = 0
        self.bonuses: list[tuple[int, int]] = []
        self.pairs = [0] * 36
        self._look_around()

    def _look_around(self) -> None:
        """Find the pairs of open edges, and the bonuses that one tile alone would make."""
        game, board = self.game, self.game.board
        for cell in board.open_cells:
            corners = board.corners(cell.key)
            if None in corners:
                at = corners.index(None)
                first, second = corners[(at + 1) % 3], corners[(at + 2) % 3]
                self.pairs[(first or 0) * 6 + (second or 0)] += 1
                continue
            bit = tile_of(corners).bit
            bonus = bonus_of(board, cell, game.rules)
            points = bonus_points(bonus, game.rules) if bonus and game.rules.scoring else 0
            if not points:
                continue
            if bonus is Reason.BRIDGE:
                self.bridges |= bit
            else:
                self.hexagons |= bit
            self.bonuses.append((bit, points))

    def all(self) -> list[int]:
        sets = (
            self.mine,
            self.mine & self.fits,
            self.mine & self.bridges,
            self.mine & self.hexagons,
        )
        others = (self.unseen, self.unseen & self.fits, self.unseen & self.bridges)
        last = (self.unseen & self.hexagons, self.unseen & self.known.lacks[self._after(1)])
        tiles = [int(bool(mask & tile.bit)) for mask in (*sets, *others, *last) for tile in SET_76]
        self._count()
        self._compare()
        self._expect()
        return [*tiles, *self.numbers, *rule_features(self.game.rules, self.game.players)]

    def _after(self, step: int) -> Seat:
        return (self.seat + step) % self.game.players

    def _steps(self) -> Iterable[Seat | None]:
        """The seats after this one; ``None`` for those there are not."""
        return [
            self._after(step) if step < self.game.players else None
            for step in range(1, _MOST_PLAYERS)
        ]

    def _count(self) -> None:
        game, fitting = self.game, (self.mine & self.fits).bit_count()
        mine = [points for bit, points in self.bonuses if bit & self.mine]
        unseen = [points for bit, points in self.bonuses if bit & self.unseen]
        draws = len(game.drawn)
        self.numbers += [
            self.mine.bit_count(),
            _pips(self.mine),
            fitting,
            int(not fitting),
            min(max(mine, default=0), 255),
            min(sum(mine), 255),
            self.unseen.bit_count(),
            _pips(self.unseen),
            (self.unseen & self.fits).bit_count(),
            min(sum(unseen), 1023),
            (self.unseen & (self.bridges | self.hexagons)).bit_count(),
            len(game.pool) + self.pending,
            len(game.board),
            len(game.board.open_cells),
            int(self.pending),
            draws,
            int(draws > 0 and game.turn == self.seat),
            game.idle_turns,
        ]

    def _compare(self) -> None:
        game = self.game
        others = [seat for seat in self._steps() if seat is not None]
        least = min(len(game.racks[seat]) for seat in others)
        ahead = {seat: self.ahead_of(seat) for seat in others}
        pool, mine = len(game.pool) + self.pending, self.mine.bit_count()
        self.numbers += [0 if seat is None else len(game.racks[seat]) for seat in self._steps()]
        self.numbers += [int(game.turn == seat) for seat in (self.seat, *self._steps())]
        self.numbers += [0 if seat is None else ahead[seat] for seat in self._steps()]
        self.numbers += [self.lead()]
        self.numbers += [int(pool <= most) for most in (0, 1, 2, 4, 8, 16, 24)]
        self.numbers += [int(mine <= most) for most in (1, 2, 3, 4, 6, 8, 12, 16)]
        self.numbers += [int(least <= most) for most in (1, 2, 3, 4, 6, 8, 12)]
        self.numbers += self.pairs

    def _expect(self) -> None:
        unseen = self.unseen.bit_count()
        fitting = (self.unseen & self.fits).bit_count()
        dangers = [(bit, points) for bit, points in self.bonuses if bit & self.unseen]
        for seat in self._steps():
            if seat is None:
                self.numbers += [0, 0]
                continue
            fresh, old = self.known.fresh[seat], self.unseen & ~self.known.lacks[seat]
            tiles, count = old.bit_count(), max(0, len(self.game.racks[seat]) - fresh)
            likely = sum(points for bit, points in dangers if bit & old)
            every = sum(points for _, points in dangers)
            self.numbers += [
                16 * count * (old & self.fits).bit_count() // max(1, tiles)
                + 16 * fresh * fitting // max(1, unseen),
                count * likely // max(1, tiles) + fresh * every // max(1, unseen),
            ]
        following = self._after(1)
        lacking = self.unseen & self.known.lacks[following]
        self.numbers += [self.known.fresh[following], lacking.bit_count()]

    def ahead_of(self, other: Seat) -> int:
        """By how much the seat leads another, as the winner of the round is found."""
        totals, before = self.game.totals, self.game.start_totals
        points = totals[self.seat] - totals[other]
        if self.game.rules.target is not None:
            points -= before[self.seat] - before[other]
        return max(-_MOST_LEAD, min(_MOST_LEAD, points))

    def lead(self) -> int:
        return min(self.ahead_of(seat) for seat in self._steps() if seat is not None)


def _pips(mask: int) -> int:
    return sum(tile.points for tile in tiles_in(mask))


def rule_features(rules: Rules, players: int) -> list[int]:
    """Return the features that are the same throughout a round."""

    def choice(kind: type[StrEnum], value: StrEnum) -> list[int]:
        return [int(member is value) for member in kind]

    values = [
        int(rules.has_mirror_images),
        len(rules.tiles),
        *(int(players == count) for count in range(2, 7)),
        rules.racks[players],
        int(rules.scoring),
        *choice(PlacementSum, rules.placement_sum),
        *choice(BridgeRule, rules.bridge_rule),
        rules.bridge_bonus,
        *rules.hexagon_bonuses,
        rules.draw_cost,
        min(rules.max_draws, 10),
        int(rules.draw_ends_turn),
        rules.no_play_extra,
        int(rules.no_play_extra_when is ExtraWhen.ON_LAST_DRAW),
        *choice(VoluntaryDraw, rules.voluntary_draw),
        int(rules.after_draw_play is After.DRAWN_ONLY),
        int(rules.must_place_after_last_draw),
        int(rules.may_keep),
        int(rules.draw_obligation is DrawObligation.ONE_THEN_OPTIONAL),
        int(rules.empty_pool_pass is EmptyPoolPass.VOLUNTARY),
        rules.empty_pool_penalty,
        rules.out_bonus,
        int(rules.out_takes_opponents),
        *choice(Blocked, rules.blocked),
        *choice(BlockedTie, rules.blocked_tie),
        int(rules.blocked_when is BlockedWhen.ALL_PASS),
        int(rules.floor_at_zero),
        int(rules.wins_by_ending),
    ]
    return [max(-255, min(255, value)) for value in values]


# --- The network ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weights:
    """The whole numbers of a file of weights, in its order."""

    input: NDArray[np.int64]
    input_bias: NDArray[np.int64]
    hidden: NDArray[np.int64]
    hidden_bias: NDArray[np.int64]
    head: NDArray[np.int64]
    head_bias: NDArray[np.int64]
    chance: NDArray[np.int64]

    @classmethod
    def read(cls, file: bytes) -> Weights:
        """Read the bytes of a file of weights."""
        shapes = [(GROUPS, FEATURES, UNITS), (GROUPS, UNITS)]
        shapes += [(BUCKETS, HIDDEN, UNITS), (BUCKETS, HIDDEN)]
        shapes += [(BUCKETS, HEADS, HIDDEN), (BUCKETS, HEADS), (CHANCES,)]
        at, parts = len(MAGIC), []
        for item, shape in zip(fields(cls), shapes, strict=True):
            wide = item.name.endswith("bias") or item.name == "chance"
            count = int(np.prod(shape))
            numbers = np.frombuffer(file, "<i4" if wide else "<i2", count, at)
            at += numbers.nbytes
            parts.append(numbers.astype(np.int64).reshape(shape))
        return cls(*parts)

    def judge(self, game: Game, seat: Seat, *, pending: bool = False) -> tuple[int, int]:
        """Return what :func:`triomino.kernel.network.judge` returns."""
        seen = _Features(game, seat, pending=pending)
        values = np.array(seen.all(), np.int64)
        which = bucket(game.rules, game.players)
        first = group(which)
        active = np.clip(values @ self.input[first] + self.input_bias[first], 0, ONE)
        under = self.hidden[which] @ active + self.hidden_bias[which]
        level = np.clip(under // HIDDEN_ONE, 0, ONE)
        out = [int(number) for number in self.head[which] @ level + self.head_bias[which]]
        margin = out[0] * _MARGIN_POINTS >> _OUT_BITS
        return margin, self._chance(out[1] + (out[2] * seen.lead() >> 6))

    def _chance(self, logit: int) -> int:
        """Return the logistic function, interpolated."""
        least = -(CHANCES // 2 << _STEP_BITS)
        at = max(least, min(-least - 1, logit)) - least
        step, part = at >> _STEP_BITS, at & ((1 << _STEP_BITS) - 1)
        low, high = int(self.chance[step]), int(self.chance[step + 1])
        return low + ((high - low) * part >> _STEP_BITS)
