"""The game as a tree with explicit chance: deals, draws for the start, and draws from the pool.

This is what exact methods and OpenSpiel work with. A node is a history; nodes that a seat cannot
tell apart have the same information state.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Final

from triomino.deal import Deal, StartDraw, holder_of_highest
from triomino.env.actions import ActionSpace
from triomino.errors import TriominoError
from triomino.game import Game
from triomino.kernel.state import State, load
from triomino.rules import Starter, StartRedraw
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.dice import Dice
    from triomino.rules import Rules, Seat
    from triomino.tile import Tile

CHANCE: Final = -1
TERMINAL: Final = -4
DRAW: Final = 0
"""The action that draws a tile."""
START_DRAWS: Final = 48
"""The draws for the start that a tensor shows: eight laps of six players, all but one tied."""
_MOST_TRIES: Final = 100_000


@dataclass(frozen=True)
class Variant:
    """What is played: rules, the number of players, the tiles dealt, and who starts.

    *tiles* is the whole set unless given. *starter* is found by the rules unless given. *hands* are
    the racks of all seats, which everybody then knows; chance has only the pool left.
    """

    rules: Rules
    players: int = 2
    tiles: tuple[Tile, ...] = ()
    starter: Seat | None = None
    hands: tuple[tuple[Tile, ...], ...] = ()

    def __post_init__(self) -> None:
        self.rules.check_players(self.players)
        if self.hands:
            self._check_hands()
        if len(self.dealt) < self.players * self.rules.racks[self.players]:
            raise TriominoError("these are too few tiles for the racks")
        if self.starter is not None and not 0 <= self.starter < self.players:
            raise TriominoError(f"there is no seat {self.starter}")
        if self.draws_for_start:
            self._check_pool()

    def _check_hands(self) -> None:
        size, held = self.rules.racks[self.players], [tile for hand in self.hands for tile in hand]
        if len(self.hands) != self.players or any(len(hand) != size for hand in self.hands):
            raise TriominoError(f"{self.players} hands of {size} tiles are needed")
        if len(set(held)) < len(held) or not set(held) <= set(self.dealt):
            raise TriominoError("a tile of a hand is one of those in play, and in one hand only")

    def _check_pool(self) -> None:
        pool = len(self.dealt) - self.players * self.rules.racks[self.players]
        if pool < self.players or len({tile.points for tile in self.dealt}) < 2:
            raise TriominoError("these are too few tiles for the draw for the start")

    @cached_property
    def space(self) -> ActionSpace:
        """The actions of the players."""
        return ActionSpace(self.rules)

    @property
    def dealt(self) -> tuple[Tile, ...]:
        """The tiles in play, in ascending order."""
        return tuple(sorted(self.tiles)) or self.rules.tiles

    @property
    def draws_for_start(self) -> bool:
        """Whether tiles are drawn to find who starts."""
        return self.starter is None and self.rules.starter is Starter.DRAW_HIGH

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """The tiles in play as their index in the set: the outcomes of chance."""
        return tuple(self.rules.tiles.index(tile) for tile in self.dealt)

    @cached_property
    def chosen(self) -> tuple[list[int], ...]:
        """The hands, if they are chosen, as ascending indices."""
        return tuple(sorted(map(self.rules.tiles.index, hand)) for hand in self.hands)

    @property
    def longest(self) -> int:
        """An upper bound of the moves in a round."""
        tiles = len(self.dealt)
        return 3 * tiles + (tiles + 1) * self.players

    @property
    def most_points(self) -> int:
        """An upper bound of what a seat can lead by, or be behind."""
        rules, tiles = self.rules, len(self.dealt)
        bonus = max(rules.bridge_bonus, *rules.hexagon_bonuses, rules.triple_zero_start or 0)
        each = 15 + bonus + rules.draw_cost + rules.no_play_extra + rules.empty_pool_penalty
        return tiles * (each + 15) * 2 + rules.out_bonus + rules.triple_start_bonus

    def root(self) -> Node:
        """Return the node before the deal."""
        return Node(self)


class Node:
    """A history of chance and moves. Outcomes of chance are tiles, as their index in the set.

    Racks are dealt seat by seat, each in ascending order, so that every rack is dealt in one way
    only; all racks are equally likely.
    """

    __slots__ = ("_deck", "_drawing", "_node_pool", "_seats", "_shown", "log", "racks", "start",
                 "starter", "state", "variant")  # fmt: skip

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.racks: list[list[int]] = [[] for _ in range(variant.players)]
        """The racks as dealt."""
        self.start: list[tuple[Seat, int]] = []
        """The draws for the start."""
        self.starter: Seat | None = variant.starter
        self.state: State | None = None
        """The position, once all is dealt."""
        self.log: list[tuple[Seat, int, int]] = []
        """Every move: seat, action, and the tile that was drawn or -1."""
        self._deck = list(variant.indices)  # not dealt yet; then the pool, ascending
        self._seats = list(range(variant.players))  # who draws for the start
        self._shown: list[tuple[Seat, int]] = []  # in the current lap of that
        self._node_pool: list[int] = []  # what can be drawn for the start
        self._drawing = False  # whether a seat has decided to draw

    def copy(self) -> Node:
        """Return an independent copy."""
        other = Node.__new__(Node)
        other.variant, other.starter, other._drawing = self.variant, self.starter, self._drawing
        other.racks = self.racks if self.state else [rack.copy() for rack in self.racks]
        other.start = self.start if self.state else self.start.copy()
        other.log, other._deck = self.log.copy(), self._deck.copy()
        other._seats, other._shown = self._seats, self._shown.copy()
        other._node_pool = self._node_pool.copy()
        other.state = None if self.state is None else self.state.copy()
        return other

    def __copy__(self) -> Node:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Node:
        return self.copy()

    # --- Who is to move --------------------------------------------------------------------------

    @property
    def player(self) -> int:
        """The seat to move, ``CHANCE`` or ``TERMINAL``."""
        if self.state is None or self._drawing:
            return CHANCE
        return self.state.turn if self.state.legal_actions() else TERMINAL

    @property
    def is_drawing(self) -> bool:
        """Whether a seat has decided to draw, and chance is to say which tile."""
        return self._drawing

    def legal_actions(self) -> list[int]:
        """Return the actions of the seat to move; empty at a chance node and at the end."""
        if self.state is None or self._drawing:
            return []
        return self.state.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        if self.state is not None:
            return [(tile, 1 / len(self._deck)) for tile in self._deck]
        rack = self._next_rack()
        if rack is None:
            return [(tile, 1 / len(self._node_pool)) for tile in self._node_pool]
        if self.variant.chosen:
            return [(self.variant.chosen[self._next_seat()][len(rack)], 1.0)]
        need = self.variant.rules.racks[self.variant.players] - len(rack)
        later = [tile for tile in self._deck if not rack or tile > rack[-1]]
        ways = comb(len(later), need)
        chances = (comb(len(later) - i - 1, need - 1) / ways for i in range(len(later)))
        return [(tile, p) for tile, p in zip(later, chances, strict=True) if p > 0]

    def _next_seat(self) -> Seat:
        size = self.variant.rules.racks[self.variant.players]
        return sum(len(rack) == size for rack in self.racks)

    def _next_rack(self) -> list[int] | None:
        size = self.variant.rules.racks[self.variant.players]
        return next((rack for rack in self.racks if len(rack) < size), None)

    # --- Moving ----------------------------------------------------------------------------------

    def apply(self, action: int) -> None:
        """Carry out an outcome of chance or a legal action."""
        if self.state is None:
            self._deal(action)
        elif self._drawing:
            self._draw(self.state, action)
        elif action == DRAW:
            if DRAW not in self.state.legal_actions():
                raise TriominoError("drawing is not legal now")
            self._drawing = True
        else:
            seat = self.state.turn
            self.state.play_action(action)
            self.log.append((seat, action, -1))

    def _draw(self, state: State, tile: int) -> None:
        if tile not in self._deck:
            raise TriominoError("this tile is not in the pool")
        seat = state.turn
        state.put_next(self.variant.rules.tiles[tile])
        state.play_action(DRAW)
        self._deck.remove(tile)
        self._drawing = False
        self.log.append((seat, DRAW, tile))

    def _deal(self, tile: int) -> None:
        rack = self._next_rack()
        if rack is None:
            self._show(tile)
            return
        if tile not in self._deck:
            raise TriominoError("this tile is dealt already")
        if self.variant.chosen and tile != self.chance_outcomes()[0][0]:
            raise TriominoError("the hands are chosen otherwise")
        rack.append(tile)
        self._deck.remove(tile)
        if self._next_rack() is None:
            if self.variant.draws_for_start:
                self._node_pool = self._deck.copy()
            else:
                self._begin()

    def _show(self, tile: int) -> None:
        """A seat draws a tile for the start, for all to see."""
        if tile not in self._node_pool:
            raise TriominoError("this tile is not in the pool")
        seat = self._seats[len(self._shown)]
        self._shown.append((seat, tile))
        self.start.append((seat, tile))
        self._node_pool.remove(tile)
        if len(self._shown) < len(self._seats):
            return
        tiles = self.variant.rules.tiles
        best = max(tiles[shown].points for _, shown in self._shown)
        tied = [seat for seat, shown in self._shown if tiles[shown].points == best]
        self._shown = []
        if len(tied) == 1:
            self.starter = tied[0]
            self._begin()
            return
        if self.variant.rules.start_redraw is StartRedraw.TIED_HIGHEST:
            self._seats = tied
        if len(self._seats) > len(self._node_pool):
            self._node_pool = self._deck.copy()

    def _begin(self) -> None:
        variant = self.variant
        tiles = variant.rules.tiles
        racks = [[tiles[tile] for tile in rack] for rack in self.racks]
        if self.starter is None:
            self.starter = holder_of_highest(racks)
        self.state = load(
            variant.rules,
            board=(),
            racks=racks,
            pool=[tiles[tile] for tile in self._deck],
            drawn=(),
            totals=[0] * variant.players,
            turn=self.starter,
            starter=self.starter,
            idle=0,
            latched=False,
        )

    # --- Results and information -----------------------------------------------------------------

    def returns(self) -> list[float]:
        """Return by seat its score minus the mean of the others; together they are 0."""
        if self.state is None:
            return [0.0] * self.variant.players
        totals = self.state.totals
        return margins(totals)

    def information_state(self, seat: Seat) -> str:
        """Return all that a seat has seen so far, as text: it forgets nothing.

        That is the draws for the start, its rack as dealt, the tiles it drew, and every move.
        """
        start = " ".join(f"{who}:{tile}" for who, tile in self.start)
        rack = " ".join(map(str, self.racks[seat]))
        moves = " ".join(
            f"{who}:{action}+{tile}" if who == seat and tile >= 0 else f"{who}:{action}"
            for who, action, tile in self.log
        )
        drawing = " drawing" if self._drawing else ""
        return f"seat {seat} | start {start} | rack {rack} | moves {moves}{drawing}"

    def history(self) -> list[int]:
        """Return every outcome of chance and every action since the root."""
        out = [tile for rack in self.racks for tile in rack] + [tile for _, tile in self.start]
        for _, action, tile in self.log:
            out += [action] if tile < 0 else [action, tile]
        return [*out, DRAW] if self._drawing else out

    def game(self) -> Game:
        """Return the same round in Python, with all its moves."""
        if self.state is None or self.starter is None:
            raise TriominoError("the tiles are not dealt yet")
        tiles = self.variant.rules.tiles
        drawn = [tile for _, _, tile in self.log if tile >= 0]
        pool = (*drawn, *self._deck)
        game = Game(
            self.variant.rules,
            Deal(
                tuple(tuple(tiles[tile] for tile in rack) for rack in self.racks),
                tuple(tiles[tile] for tile in pool),
                self.starter,
                tuple(StartDraw(seat, tiles[tile]) for seat, tile in self.start),
            ),
        )
        for _, action, _ in self.log:
            game.play(self.variant.space.decode(game.board, action))
        return game

    def resample(self, seat: Seat, dice: Dice) -> Node:
        """Return a node with the same information state of *seat*, all deals equally likely."""
        if self.state is None:
            raise TriominoError("the tiles are not dealt yet")
        if self.player == TERMINAL:
            raise TriominoError("the round is over")
        if self.variant.chosen:
            return self._resample_draws(seat, dice)
        node = self.variant.root()
        for outcome in self._outcomes(View.of(self.game(), seat).sample(dice)):
            node.apply(outcome)
        if self._drawing:
            node.apply(DRAW)
        return node

    def _resample_draws(self, seat: Seat, dice: Dice) -> Node:
        """With known hands: draw what the others drew anew, until all moves are legal."""
        for _ in range(_MOST_TRIES):
            node = self.variant.root()
            for outcome in (*(t for rack in self.racks for t in rack), *(t for _, t in self.start)):
                node.apply(outcome)
            if all(node._retrace(move, seat, dice) for move in self.log):
                if self._drawing:
                    node.apply(DRAW)
                return node
        raise TriominoError("no other draws were found that explain the moves")

    def _retrace(self, move: tuple[Seat, int, int], seat: Seat, dice: Dice) -> bool:
        """Repeat a move, with a draw of another seat at random; return whether it was legal."""
        who, action, tile = move
        if self.player != who or action not in self.legal_actions():
            return False
        self.apply(action)
        if tile >= 0:
            if who != seat:
                tile = self._deck[dice.randrange(len(self._deck))]
            if tile not in self._deck:
                return False
            self.apply(tile)
        return True

    def _outcomes(self, game: Game) -> Iterable[int]:
        """The history of a node that is this game: chance and moves."""
        tiles = self.variant.rules.tiles
        for rack in game.start.racks:
            yield from sorted(tiles.index(tile) for tile in rack)
        yield from (tile for _, tile in self.start)
        plies = iter(game.plies)
        for _, action, _ in self.log:
            yield action
            drawn = next(plies).tile
            if drawn is not None:
                yield tiles.index(drawn)


def recall_shapes(variant: Variant) -> dict[str, tuple[int, ...]]:
    """Return the arrays that hold an information state, with their shapes.

    ``rack`` is as it was dealt. Rows of ``start`` are seat and tile; those of ``moves`` are seat,
    kind (draw, keep, end, pass, placement), tile and rank of a placement, and the tile that the
    seat itself drew. All count from 1, and 0 means none.
    """
    return {
        "player": (variant.players,),
        "rack": (len(variant.rules.tiles),),
        "start": (START_DRAWS, 2),
        "moves": (variant.longest, 5),
        "drawing": (1,),
    }


def margins(totals: Iterable[int]) -> list[float]:
    """Return by seat its total minus the mean of the others.

    >>> margins([10, 4])
    [6.0, -6.0]
    """
    scores = list(totals)
    others = len(scores) - 1
    return [score - (sum(scores) - score) / others for score in scores]
