"""Random rounds played in Python and in the kernel at once, compared at every step.

``python -m tests.agreement.walk --positions 200000`` compares so many positions over all editions,
player counts, tile sets and random house rules, a third of them by each of the two ways to draw,
and stops at the first difference, which it prints as a record that ``triomino replay`` reads. With
``--drawing always`` all rounds are played in that way.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from triomino import EDITIONS, Game, Match, Place, Player, Rng, Rules, Seeds, perft
from triomino.deal import deal
from triomino.kernel import KernelError, State
from triomino.kernel.state import index_of, tuple_of
from triomino.ledger import EndReason
from triomino.record import write_record
from triomino.rules import NOT_BUILT, Starter
from triomino.tile import TILE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino import Dice, Move, Tile

DRAWING: Final[dict[str, dict[str, object]]] = {
    "first_only": {"voluntary_draw": "first_only", "must_place_after_last_draw": True},
    "always": {"voluntary_draw": "always", "must_place_after_last_draw": False},
}
"""What one who can place may do instead: as the editions have it now, and as they had it first."""
LARGE_SETS: Final = ("56", "76")
_ENDINGS: Final = (None, EndReason.OUT, EndReason.BLOCKED)


class DifferenceError(Exception):
    """Where Python and the kernel part; ``record`` is the match up to there."""

    def __init__(self, what: str, record: str) -> None:
        super().__init__(f"{what}\n{record}")
        self.what, self.record = what, record


def house_rules(dice: Dice) -> Rules:
    """An edition, mostly with some of its fields changed to any value that is built."""
    base = EDITIONS[sorted(EDITIONS)[dice.randrange(len(EDITIONS))]]
    if not dice.randrange(4):
        return base
    fields = get_type_hints(Rules)
    names = sorted(set(fields) - {"edition"})
    # Some fields, or all of them: many choices matter only together.
    chosen = [names[dice.randrange(len(names))] for _ in range(1 + dice.randrange(8))]
    if not dice.randrange(3):
        chosen = names
    changes = {name: _value(name, fields[name], dice) for name in chosen if name != "racks"}
    if {"racks", "tile_set", "starter"} & set(chosen):
        tile_set = changes.get("tile_set", base.tile_set)
        draws = changes.get("starter", base.starter) is Starter.DRAW_HIGH
        changes["racks"] = racks_for(str(tile_set), dice, draws=draws)
    return base.with_changes(changes)


def racks_for(tile_set: str, dice: Dice, *, draws: bool = True) -> dict[int, int]:
    """Racks of any size that a set has tiles for, and for the draw for the start."""
    tiles = TILE_SETS[tile_set]
    alike = max(Counter(tile.points for tile in tiles).values())
    racks = {}
    for players in range(2, 7):
        most = (len(tiles) - (players + alike - 1 if draws else 0)) // players
        if most > 0:
            racks[players] = 1 + dice.randrange(min(14, most))
    return racks


def _value(name: str, kind: object, dice: Dice) -> object:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        values = [value for value in kind if value not in NOT_BUILT]
        return values[dice.randrange(len(values))]
    if kind is bool:
        return bool(dice.randrange(2))
    match name:
        case "hexagon_bonuses":
            return [dice.randrange(120) for _ in range(3)]
        case "max_draws":
            return 1 + dice.randrange(6)
        case "target":
            return None if dice.randrange(3) else 1 + dice.randrange(60)
        case "triple_zero_start":
            return None if dice.randrange(2) else dice.randrange(60)
    return dice.randrange(60) if dice.randrange(3) else 0


@dataclass
class Walk:
    """One round in both, and what was compared."""

    rules: Rules
    players: int
    seed: int
    portable: bool = False
    positions: int = 0
    trees: int = 0

    def run(self, most: int) -> None:
        """Play to the end, or for so many positions; raises :class:`DifferenceError`."""
        seeds = Seeds.named(self.players, "agreement", self.seed)
        self.game = Game(self.rules, deal(self.rules, self.players, seeds.round(1)))
        names = [Player(name) for name in "ABCDEF"[: self.players]]
        self.match = Match(self.rules, names, [self.game], seeds)
        dice = Rng.named("walk", self.seed)
        state = self._loaded()
        # Some rounds draw often, some hardly: both ends of a pool are to be seen. Some crowd the
        # board: bridges and hexagons are rare where tiles are laid at random.
        draws, crowds = (1, 1, 3, 9)[dice.randrange(4)], not dice.randrange(3)
        while not self.game.over and self.positions < most:
            moves = self._compare(state)
            if not dice.randrange(40):
                self._compare_trees(state)
            if not dice.randrange(10):
                self._compare_round_trip(state)
                state = self._loaded()
            weights = [self._weight(move, crowds) or draws for move in moves]
            number = dice.randrange(sum(weights))
            move = next(m for m, end in zip(moves, _ends(weights), strict=True) if number < end)
            turn = self.game.play(move)
            self._expect("bonus", turn.bonus if self.rules.scoring else None, state.play(move))
            self._compare_after(state)
        if self.game.over:
            self._expect("moves at the end", [], state.legal_moves())
            self._compare_after(self._loaded())

    def _weight(self, move: Move, crowds: bool) -> int:
        if not isinstance(move, Place):
            return 0
        known = sum(number is not None for number in self.game.board.corners(move.cell.key))
        return 20 if crowds and known == 3 else 1

    def _loaded(self) -> State:
        try:
            return State.of(self.game, portable=self.portable)
        except KernelError as error:
            raise self._difference(f"refused: {error}") from None

    def _compare(self, state: State) -> list[Move]:
        self.positions += 1
        moves = self.game.legal_moves()
        self._expect("legal moves", list(map(str, moves)), list(map(str, state.legal_moves())))
        choices = self.game.choices
        for move in moves:
            points = sum(score.points for score in choices.scores(move))
            self._expect(f"points of {move}", points, state.points(move))
        return moves

    def _compare_trees(self, state: State) -> None:
        self.trees += 1
        depth = 3 if len(self.game.legal_moves()) < 6 else 2
        self._expect(f"perft {depth}", perft(self.game, depth), state.perft(depth))

    def _compare_after(self, state: State) -> None:
        kernel = state.inner.dump()
        for name, python in self._dump().items():
            self._expect(name, python, kernel.pop(name))
        self._expect("fields", {}, kernel)

    def _dump(self) -> dict[str, Any]:
        """The game as the kernel tells a state."""
        game, end = self.game, self.game.end
        return {
            "board": [tuple_of(place) for place in game.board.places],
            "racks": [
                _numbers(sorted(set(rack) - set(game.drawn)))
                + (_numbers(game.drawn) if seat == game.turn else [])
                for seat, rack in enumerate(game.racks)
            ],
            "pool": _numbers(game.pool),
            "drawn": _numbers(game.drawn),
            "totals": game.totals,
            "turn": game.turn,
            "starter": game.starter,
            "idle": game.idle_turns,
            "latched": game.latched,
            "ending": _ENDINGS.index(end and end.reason),
            "end_seats": sum(1 << seat for seat in end.seats) if end else 0,
        }

    def _compare_round_trip(self, state: State) -> None:
        """A game made of a state makes the same state, but for who opened."""
        then, again = state.inner.dump(), State.of(state.game()).inner.dump()
        for name in sorted(set(then) - {"starter"}):
            self._expect(f"{name} of a game of a state", then[name], again[name])

    def _expect(self, what: str, python: object, kernel: object) -> None:
        if python != kernel:
            raise self._difference(f"{what}: Python {python}, kernel {kernel}")

    def _difference(self, what: str) -> DifferenceError:
        return DifferenceError(what, write_record(self.match))


def _ends(weights: list[int]) -> list[int]:
    return [sum(weights[: i + 1]) for i in range(len(weights))]


def _numbers(tiles: Iterable[Tile]) -> list[int]:
    return [index_of(tile) for tile in tiles]


@dataclass
class Compared:
    """How much was found to agree."""

    rounds: int = 0
    trees: int = 0
    positions_by_drawing: Counter[str] = field(default_factory=Counter)
    """By the keys of ``DRAWING``, or what the house rules have: other."""
    positions_by_set: Counter[str] = field(default_factory=Counter)

    @property
    def positions(self) -> int:
        """In all."""
        return self.positions_by_drawing.total()

    @property
    def in_small_sets(self) -> int:
        """Of those, by sets for study."""
        return self.positions - sum(self.positions_by_set[name] for name in LARGE_SETS)

    def add(self, round_: Walk) -> None:
        """Count a round."""
        rules = round_.rules
        self.rounds += 1
        self.trees += round_.trees
        self.positions_by_drawing[drawing_of(rules)] += round_.positions
        self.positions_by_set[rules.tile_set] += round_.positions


def drawing_of(rules: Rules) -> str:
    """Which of the two ways to draw these rules have, if any."""
    for name, changes in DRAWING.items():
        if all(getattr(rules, field_name) == value for field_name, value in changes.items()):
            return name
    return "other"


def walk(positions: int, first: int = 0, drawing: str | None = None) -> Compared:
    """Compare at least so many positions, by one way to draw or by all."""
    done = Compared()
    while done.positions < positions:
        seed = first + done.rounds
        dice = Rng.named("agreement", seed)
        rules = house_rules(dice)
        forced = drawing or ("first_only", "always", None)[dice.randrange(3)]
        if forced:
            rules = rules.with_changes(DRAWING[forced])
        counts = list(rules.racks)
        players = counts[dice.randrange(len(counts))]
        round_ = Walk(rules, players, seed, portable=not dice.randrange(3))
        round_.run(most=max(1, positions - done.positions))
        done.add(round_)
    return done


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--drawing", choices=DRAWING, help="else both, and others")
    given = parser.parse_args()
    start = perf_counter()
    try:
        done = walk(given.positions, given.first, given.drawing)
    except DifferenceError as error:
        sys.exit(f"Python and the kernel differ: {error}")
    spent = perf_counter() - start
    ways = ", ".join(f"{count} {name}" for name, count in done.positions_by_drawing.most_common())
    print(
        f"{done.positions} positions of {done.rounds} rounds and {done.trees} trees agree"
        f" ({spent:.0f} s): {ways}; {done.in_small_sets} in small sets"
    )


if __name__ == "__main__":
    main()
