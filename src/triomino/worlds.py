"""Uniform sampling of the deals that are consistent with a view.

Every tile that another seat has held arrived in a *slot*: one per tile dealt and one per draw. A
deal says which tile was in which slot, and the order of the rest of the pool. The moves restrict
it: a tile that was laid came from a slot of its owner, and while a seat could not place, none of
its slots held a tile that fitted. Slots about which the same is known form a *class*.

For each seat, :class:`_Hand` counts exactly in how many ways the tiles it laid can have left its
classes. A sample draws one such history, fills the remaining slots tile by tile, and is accepted
with the probability that makes every consistent deal equally likely (rejection sampling).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.board import Board
from triomino.choices import proves_unable
from triomino.deal import Deal, card_rank, holder_of_highest, opening_tiles
from triomino.dice import Dice, choose, shuffle
from triomino.errors import PositionError
from triomino.game import Game
from triomino.ledger import Ledger
from triomino.moves import Draw, End, Keep, Place
from triomino.position import Position
from triomino.rules import AfterDrawPlay, NextStarter, Starter
from triomino.tile import SET_76, Tile, mask_of, tiles_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.game import Ply
    from triomino.moves import Move
    from triomino.rules import Rules, Seat
    from triomino.view import View

Counts: TypeAlias = int
"""How many slots of each class still hold their tile: seven bits each, the first class lowest.

An integer rather than a tuple, because it changes with every tile that arrives or leaves.
"""

_BITS: Final = 7
_MOST: Final = (1 << _BITS) - 1

_ALL: Final = mask_of(SET_76)


@dataclass(slots=True)
class _Class:
    """Slots of one seat about which the same is known, numbered in order of arrival."""

    slots: list[int]
    laid_before: int
    """How many tiles the seat had laid when the first of them arrived."""
    allowed: int = _ALL
    """The tiles they may hold now, as a mask."""
    gave: int = 0
    """Which of the tiles that the seat laid may have come from here, one bit each."""

    def is_like(self, later: _Class, unseen: int) -> bool:
        """Whether nothing seen distinguishes the slots of the two classes."""
        differs = (self.gave ^ later.gave) >> later.laid_before
        return not differs and not (self.allowed ^ later.allowed) & unseen


@dataclass(slots=True)
class _Laid:
    """A tile that left the hand: the classes it may have come from, and the ways before."""

    tile: Tile
    sources: list[int]
    arrived: list[int]
    before: dict[Counts, int]


class _Hand:
    """What is known about the tiles one seat held, and in how many ways that can have happened.

    Report every event in order, then call :meth:`settle`.
    """

    def __init__(self, dealt: range) -> None:
        self.dealt = dealt
        """The slots filled when the round began."""
        self.classes = [_Class([*dealt], 0)]
        self.ways: dict[Counts, int] = {}
        self.laid: list[_Laid] = []
        self._lays: list[tuple[Tile, int]] = []  # with the last slot that had arrived by then
        self._learned = True  # whether anything was learned since the last arrival

    def arrive(self, slot: int, *, alone: bool) -> None:
        """Report that a tile arrived in *slot*; *alone* gives it a class of its own."""
        if self._learned or alone:
            self.classes.append(_Class([], len(self._lays)))
        self.classes[-1].slots.append(slot)
        self._learned = False

    def holds_none_of(self, mask: int) -> None:
        """Report that none of the tiles in *mask* is in the hand now."""
        for kind in self.classes:
            kind.allowed &= ~mask
        self._learned = True

    def last_is_in(self, mask: int) -> None:
        """Report that the tile that arrived last is in *mask*."""
        self.classes[-1].allowed &= mask
        self._learned = True

    def lay(self, tile: Tile) -> None:
        """Report that a tile was laid; it came from any slot that may have held it."""
        bit = 1 << len(self._lays)
        for kind in self.classes:
            if kind.allowed & tile.bit:
                kind.gave |= bit
        slots = self.classes[-1].slots
        self._lays.append((tile, slots[-1] if slots else -1))

    def settle(self, unseen: int) -> None:
        """Merge equivalent classes and count the ways; *unseen* tiles may be in the hand now."""
        classes: list[_Class] = []
        for later in self.classes:
            like = next((kind for kind in classes if kind.is_like(later, unseen)), None)
            if like is None:
                classes.append(later)
            else:
                like.slots += later.slots
        self.classes = classes
        ways: dict[Counts, int] = {0: 1}
        arrived = [0] * len(classes)
        for number, (tile, last) in enumerate(self._lays):
            now = [bisect_right(kind.slots, last) for kind in classes]
            before = _arrive(ways, arrived, now)
            sources = [i for i, kind in enumerate(classes) if kind.gave >> number & 1]
            self.laid.append(_Laid(tile, sources, now, before))
            ways, arrived = {}, now
            shifts = [(i * _BITS, _one(i)) for i in sources]
            for counts, count in before.items():
                for shift, one in shifts:
                    held = counts >> shift & _MOST
                    if held:
                        ways[counts - one] = ways.get(counts - one, 0) + count * held
        self.ways = _arrive(ways, arrived, [len(kind.slots) for kind in classes])

    def trace(self, counts: Counts, dice: Dice) -> dict[int, Tile]:
        """Return the slots of the laid tiles in a random history that ends in *counts*."""
        arrived = [len(kind.slots) for kind in self.classes]
        steps: list[tuple[_Laid, int]] = []
        for laid in reversed(self.laid):
            counts -= _between(laid.arrived, arrived)
            arrived = laid.arrived
            earlier = {i: counts + _one(i) for i in laid.sources}
            source = choose(
                {i: laid.before.get(was, 0) * _held(was, i) for i, was in earlier.items()}, dice
            )
            steps.append((laid, source))
            counts = earlier[source]
        filled: dict[int, Tile] = {}
        for laid, source in reversed(steps):
            slots = self.classes[source].slots[: laid.arrived[source]]
            free = [slot for slot in slots if slot not in filled]
            filled[free[dice.randrange(len(free))]] = laid.tile
        return filled


def _one(i: int) -> Counts:
    """Return the counts of a single slot of class *i*."""
    return 1 << i * _BITS


def _held(counts: Counts, i: int) -> int:
    """Return how many slots of class *i* are counted."""
    return counts >> i * _BITS & _MOST


def _between(then: list[int], now: list[int]) -> Counts:
    """Return the slots that arrived in between."""
    return sum((b - a) * _one(i) for i, (a, b) in enumerate(zip(then, now, strict=True)) if a != b)


def _arrive(ways: dict[Counts, int], then: list[int], now: list[int]) -> dict[Counts, int]:
    """Return the same ways with the slots that arrived in between."""
    more = _between(then, now)
    return {counts + more: count for counts, count in ways.items()} if more else ways


@dataclass(frozen=True, slots=True)
class _Group:
    """A class of a seat, and the unseen tiles its slots may hold."""

    seat: Seat
    index: int
    mask: int


@dataclass(frozen=True, slots=True)
class Way:
    """One possible composition of a hidden rack: how many of its tiles belong to each group."""

    weight: int
    """How likely to propose it: its number of histories times the most ways to fill it."""
    left: tuple[int, ...]
    """By group."""
    most: tuple[int, ...]
    """By group, an upper bound on the choices for its first tile; one less for each further one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything needed to deal the hidden tiles elsewhere, as the native kernel does.

    Choose a way for each hidden seat, in proportion to its weight; fill the groups in order with
    unseen tiles they allow; and for each tile accept the try with probability choices / bound.
    """

    groups: tuple[tuple[Seat, int], ...]
    """The seat, and a mask of the tiles it may hold."""
    ways: dict[Seat, tuple[Way, ...]]


def _product(most: list[tuple[int, int, int]]) -> int:
    """Return an upper bound on the ways to fill all slots."""
    return prod(ways - nth for _, slots, ways in most for nth in range(slots))


class _BoardHistory:
    """The tiles that were playable after each placement; cheapest when asked in order."""

    def __init__(self, places: Sequence[Place], first: int) -> None:
        """Take all *places* in order; the *first* of them lay there when the round began."""
        self._places, self._first = places, first
        self._board: Board | None = None
        self._playable: dict[int, int] = {}

    def playable(self, laid: int) -> int:
        """Return the tiles that fitted when *laid* tiles were on the board, as a mask."""
        if laid not in self._playable:
            if self._board is None or len(self._board) > laid:
                self._board = Board.of(self._places[: self._first])
            for place in self._places[len(self._board) : laid]:
                self._board.lay(place)
            self._playable[laid] = self._board.playable
        return self._playable[laid]


class Worlds:
    """All games that are consistent with a view."""

    def __init__(self, view: View, table: _BoardHistory | None = None) -> None:
        if view.end is not None:
            raise PositionError("the round is over; there is nothing left to guess")
        self._view = view
        self._first = len(view.board) - _count_laid(view.plies)  # laid before the round began
        self._table = table or _BoardHistory(view.board.places, self._first)
        self._unseen = view.unseen
        self._draws: list[tuple[Seat, int | Tile]] = []  # the seat, and its slot or the tile
        self._hands = self._read_history()
        for hand in self._hands.values():
            hand.settle(self._unseen)
            if not hand.ways:
                raise PositionError("no deal agrees with this view")
        self._order = sorted(
            (
                _Group(seat, i, kind.allowed & self._unseen)
                for seat, hand in self._hands.items()
                for i, kind in enumerate(hand.classes)
            ),
            key=lambda group: group.mask.bit_count(),
        )
        self._most = {seat: self._fill_most(seat) for seat in self._hands}
        self._bounds = {
            seat: {counts: _product(most) for counts, most in found.items()}
            for seat, found in self._most.items()
        }
        self._options = {
            seat: {c: hand.ways[c] * bound for c, bound in self._bounds[seat].items()}
            for seat, hand in self._hands.items()
        }
        if not all(self._options.values()):
            raise PositionError("no deal agrees with this view")

    def under(self, rules: Rules) -> Worlds:
        """Return the worlds in which the same moves were made under other rules."""
        return Worlds(replace(self._view, rules=rules), self._table)

    # --- Evidence --------------------------------------------------------------------------------

    def _read_history(self) -> dict[Seat, _Hand]:
        view, start = self._view, self._view.start
        hands: dict[Seat, _Hand] = {}
        slot = 0
        for seat, size in enumerate(start.rack_sizes):
            if seat != view.seat:
                hands[seat] = _Hand(range(slot, slot + size))
                slot += size
        shown = mask_of(draw.tile for draw in view.start_draws)
        for hand in hands.values():
            hand.holds_none_of(shown)

        laid, drawn, pool_size = self._first, start.draws, start.pool_size
        alone = view.rules.may_keep or self._drawn_only
        for ply in view.plies:
            drew = isinstance(ply.move, Draw)
            owner = hands.get(ply.seat)
            placed = ply.move if isinstance(ply.move, Place) else None
            if owner is not None and placed is None:
                self._learn(owner, ply.move, laid, drawn, pool_size)
                if drew:
                    owner.arrive(slot, alone=alone)
                    self._draws.append((ply.seat, slot))
                    slot += 1
            elif ply.tile is not None:
                self._draws.append((ply.seat, ply.tile))
            if placed is not None:
                if not laid:
                    self._learn_opening(hands, ply.seat, placed.tile)
                if owner is not None:
                    owner.lay(placed.tile)
                laid += 1
            pool_size -= drew
            drawn = 0 if ply.passes_on else drawn + drew
        return hands

    @property
    def _drawn_only(self) -> bool:
        return self._view.rules.after_draw_play is AfterDrawPlay.DRAWN_ONLY

    def _learn(self, hand: _Hand, move: Move, laid: int, drawn: int, pool_size: int) -> None:
        rules, playable = self._view.rules, self._table.playable
        if proves_unable(rules, move, opening=not laid, drawn=drawn, pool_size=pool_size):
            if drawn and self._drawn_only:
                hand.last_is_in(~playable(laid))
            else:
                hand.holds_none_of(playable(laid))
        elif isinstance(move, Keep):
            hand.last_is_in(playable(laid))
        elif isinstance(move, End) and rules.may_keep:
            # If it had fitted, the turn would have had to end with a placement or keep.
            hand.last_is_in(~playable(laid))

    def _learn_opening(self, hands: dict[Seat, _Hand], seat: Seat, tile: Tile) -> None:
        """Learn from a prescribed opening tile that its owner held no better one."""
        rules = self._view.rules
        if rules.starter_free_choice:
            return
        if tile.points == 0 and rules.triple_zero_start is not None:
            return  # it may have been chosen over a higher one; see _starts_right
        better = mask_of(t for t in rules.tiles if card_rank(t) > card_rank(tile))
        if seat in hands:
            hands[seat].holds_none_of(better)
        if self._starts_by_hand and not rules.opening_draw:
            for hand in hands.values():
                hand.holds_none_of(better)

    @property
    def _starts_by_hand(self) -> bool:
        """Whether the starter was found by comparing all racks."""
        rules = self._view.rules
        return (
            self._view.start.dealt
            and rules.starter is Starter.HIGHEST_TRIPLE
            and rules.next_starter is NextStarter.SET_UP
        )

    # --- Sampling --------------------------------------------------------------------------------

    def _fill_most(self, seat: Seat) -> dict[Counts, list[tuple[int, int, int]]]:
        """Return upper bounds on the ways to fill the slots of a seat, by its final counts.

        For each class: its index in the order, its slots, and the bound for the first of them.
        All seats share one order of classes, the most restricted first. A slot has at most as many
        ways as it allows tiles, less the slots filled before it that can only take such tiles:
        exactly that many of its own seat, and the smallest possible number of the others.
        """
        own: list[tuple[int, int, int, list[int]]] = []
        for place, group in enumerate(self._order):
            if group.seat == seat:
                inside = [g for g in self._order[:place] if not g.mask & ~group.mask]
                others = sum(
                    self._least(other, [g.index for g in inside if g.seat == other])
                    for other in self._hands
                    if other != seat
                )
                mine = [g.index for g in inside if g.seat == seat]
                own.append((place, group.index, group.mask.bit_count() - others, mine))
        found = {}
        for counts in self._hands[seat].ways:
            most = [
                (place, _held(counts, i), allowed - sum(_held(counts, j) for j in mine))
                for place, i, allowed, mine in own
            ]
            if all(ways >= slots for _, slots, ways in most):
                found[counts] = most
        return found

    def _least(self, seat: Seat, indices: list[int]) -> int:
        """Return the smallest number of slots these classes of *seat* can have left."""
        return min(sum(_held(counts, i) for i in indices) for counts in self._hands[seat].ways)

    def plan(self) -> Plan | None:
        """Return where the hidden tiles may be, or ``None`` if counts of racks do not decide that.

        They do not if the start depends on the deal itself, or if another seat is in the middle of
        drawing.
        """
        view = self._view
        if view.turn in self._hands and view.draws:
            return None
        if not self._start_is_learned:
            return None
        ways = {}
        for seat in self._hands:
            rows = []
            for counts, most in self._most[seat].items():
                left, first = [0] * len(self._order), [0] * len(self._order)
                for place, slots, ways_of_first in most:
                    left[place], first[place] = slots, ways_of_first
                rows.append(Way(self._options[seat][counts], tuple(left), tuple(first)))
            ways[seat] = tuple(rows)
        groups = tuple((group.seat, group.mask) for group in self._order)
        return Plan(groups, ways)

    @property
    def _start_is_learned(self) -> bool:
        """Whether the hands already reflect everything the start reveals; see _starts_right."""
        view, rules = self._view, self._view.rules
        forced = not rules.starter_free_choice and not rules.opening_draw and view.start.dealt
        if not self._starts_by_hand and not forced:
            return True
        if rules.opening_draw or rules.starter_free_choice or rules.has_mirror_images:
            return False  # ties between mirror images depend on the order of the racks
        opening = next((ply.move for ply in view.plies if isinstance(ply.move, Place)), None)
        return opening is not None and (opening.tile.points > 0 or rules.triple_zero_start is None)

    def sample(self, dice: Dice) -> Game:
        """Return one of them, every consistent deal equally likely."""
        while True:
            slots = self._fill(dice)
            if slots is not None and self._starts_right(slots):
                return self._game(slots, dice)

    def _fill(self, dice: Dice) -> dict[int, Tile] | None:
        """Return a tile for every slot, or ``None`` if the proposal is rejected."""
        filled, chance, bound = self._propose(dice)
        accepted = choose({True: chance, False: bound - chance}, dice)
        return filled if accepted else None

    def _propose(self, dice: Dice) -> tuple[dict[int, Tile], int, int]:
        """Fill the slots one by one; return them with the number of ways and its upper bound.

        A proposal with more ways was less likely, so it must be accepted more often.
        """
        filled: dict[int, Tile] = {}
        free, chance, bound = self._unseen, 1, 1
        for seat, hand in self._hands.items():
            counts = choose(self._options[seat], dice)
            bound *= self._bounds[seat][counts]
            filled |= hand.trace(counts, dice)
        for group in self._order:
            for slot in self._hands[group.seat].classes[group.index].slots:
                if slot in filled:
                    continue
                fitting = tiles_in(group.mask & free)
                if not fitting:
                    return {}, 0, bound
                chance *= len(fitting)
                filled[slot] = fitting[dice.randrange(len(fitting))]
                free ^= filled[slot].bit
        return filled, chance, bound

    def _racks(self, slots: dict[int, Tile]) -> tuple[tuple[Tile, ...], ...]:
        """Return the racks as they were dealt."""
        start = self._view.start
        return tuple(
            tuple(slots[slot] for slot in self._hands[seat].dealt)
            if seat in self._hands
            else start.rack
            for seat in range(self._view.players)
        )

    def _starts_right(self, slots: dict[int, Tile]) -> bool:
        """Whether these racks make the starter start, and open with the tile it did."""
        view, rules = self._view, self._view.rules
        racks = self._racks(slots)
        if self._starts_by_hand and holder_of_highest(racks) != view.starter:
            return False
        if rules.starter_free_choice or rules.opening_draw or not view.start.dealt:
            return True
        opening = next((ply.move for ply in view.plies if isinstance(ply.move, Place)), None)
        return opening is None or opening.tile in opening_tiles(racks[view.starter], rules)

    def _game(self, slots: dict[int, Tile], dice: Dice) -> Game:
        view, start = self._view, self._view.start
        rest = tiles_in(self._unseen & ~mask_of(slots.values()))
        shuffle(rest, dice)
        drawn = [what if isinstance(what, Tile) else slots[what] for _, what in self._draws]
        racks, pool = self._racks(slots), (*drawn, *rest[: view.pool_size])
        if start.dealt:
            deal = Deal(racks, pool, view.starter, view.start_draws)
            ledger = Ledger.open(
                view.rules, view.players, totals=start.totals, latched=start.latched
            )
            game = Game(view.rules, deal, ledger)
        else:
            first = racks[view.starter]
            position = Position.of(
                racks,
                pool,
                rules=view.rules,
                board=view.board.places[: self._first],
                turn=view.starter,
                drawn=start.drawn or first[len(first) - start.draws :],
                scores=start.totals,
                latched=start.latched,
            )
            game = Game.at(position)
        tiles = iter(drawn)
        for ply in view.plies:
            game.apply(replace(ply, tile=next(tiles)) if isinstance(ply.move, Draw) else ply)
        return game


def _count_laid(plies: tuple[Ply, ...]) -> int:
    return sum(isinstance(ply.move, Place) for ply in plies)
