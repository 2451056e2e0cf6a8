"""Random rounds played in Python and in the kernel at once, compared at every step.

``python -m tests.agreement.walk --positions 200000`` compares so many positions over all editions,
player counts and random house rules, and stops at the first difference, which it prints as a record
that ``triomino replay`` reads.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import TYPE_CHECKING, get_type_hints

from triomino import EDITIONS, Game, Match, Place, Player, Rng, Rules, Seeds, TriominoError, perft
from triomino.deal import deal
from triomino.kernel import KernelError, State
from triomino.record import write_record
from triomino.rules import NOT_BUILT
from triomino.tile import mask_of

if TYPE_CHECKING:
    from triomino import Dice, Move


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
    while True:
        # Some fields, or all of them: many choices matter only together.
        chosen = [names[dice.randrange(len(names))] for _ in range(1 + dice.randrange(8))]
        if not dice.randrange(3):
            chosen = names
        changes = {name: _value(name, fields[name], dice) for name in chosen}
        try:
            return base.with_changes(changes)
        except TriominoError:
            continue  # too many tiles for the set


def _value(name: str, kind: object, dice: Dice) -> object:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        values = [value for value in kind if value not in NOT_BUILT]
        return values[dice.randrange(len(values))]
    if kind is bool:
        return bool(dice.randrange(2))
    match name:
        case "racks":
            return {players: 1 + dice.randrange(14) for players in range(2, 7)}
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
        game, data = self.game, state.inner.dump()
        self._expect("turn", game.turn, data["turn"])
        self._expect("totals", game.totals, data["totals"])
        self._expect("latched", game.latched, data["latched"])
        self._expect("idle turns", game.idle_turns, data["idle"])
        end = state.end
        self._expect("end", game.end and game.end.reason, end and end.reason)
        if game.end and end:
            self._expect("end seats", game.end.seats, end.seats)
            return
        then, now = game.position, state.position
        self._expect("board", then.board, now.board)
        self._expect("racks", [*map(mask_of, game.racks)], [mask_of(r or ()) for r in now.racks])
        self._expect("pool", then.pool, now.pool)
        self._expect("drawn", then.drawn, now.drawn)

    def _expect(self, what: str, python: object, kernel: object) -> None:
        if python != kernel:
            raise self._difference(f"{what}: Python {python}, kernel {kernel}")

    def _difference(self, what: str) -> DifferenceError:
        return DifferenceError(what, write_record(self.match))


def _ends(weights: list[int]) -> list[int]:
    return [sum(weights[: i + 1]) for i in range(len(weights))]


def walk(positions: int, first: int = 0) -> tuple[int, int, int]:
    """Compare at least so many positions; how many, in how many rounds, and how many trees."""
    done = rounds = trees = 0
    while done < positions:
        seed = first + rounds
        dice = Rng.named("agreement", seed)
        rules = house_rules(dice)
        counts = list(rules.racks)
        round_ = Walk(rules, counts[dice.randrange(len(counts))], seed, portable=seed % 3 == 0)
        round_.run(most=max(1, positions - done))
        done, rounds, trees = done + round_.positions, rounds + 1, trees + round_.trees
    return done, rounds, trees


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    start = perf_counter()
    try:
        done, rounds, trees = walk(given.positions, given.first)
    except DifferenceError as error:
        sys.exit(f"Python and the kernel differ: {error}")
    spent = perf_counter() - start
    print(f"{done} positions of {rounds} rounds and {trees} trees agree ({spent:.0f} s)")


if __name__ == "__main__":
    main()
