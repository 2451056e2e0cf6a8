"""Exact values of small variants by CFR+: ``python -m triomino.env.exact`` prints the table.

The whole tree is built once, as arrays; an iteration of CFR+ then visits its decisions from the
root to the leaves and back. How far a pair of strategies is from equilibrium is its NashConv: the
sum of what each player could gain by a best response.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from triomino.env.tree import CHANCE, TERMINAL, Variant
from triomino.errors import TriominoError
from triomino.rules import EDITIONS
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from triomino.env.tree import Node

MOST_NODES: Final = 5_000_000


def _variant(edition: str, tiles: str) -> Variant:
    """Two tiles each, and nobody draws for the start: so few tiles would not suffice."""
    changes = {"tile_set": "10", "racks": {2: 2}, "starter": "highest_triple", "target": None}
    rules = EDITIONS[edition].with_changes(changes)
    return Variant(rules, 2, tuple(map(Tile.parse, tiles.split())), starter=0)


_FOUR: Final = "0-0-0 0-0-1 0-1-1 1-1-1"
_FIVE: Final = f"{_FOUR} 0-0-2"
_SIX: Final = "0-0-0 0-0-1 0-1-1 0-0-2 0-1-2 0-2-2"
VARIANTS: Final[dict[str, Variant]] = {
    "four": _variant("classic", _FOUR),
    "five": _variant("classic", _FIVE),
    "five-card": _variant("card", _FIVE),
    "six": _variant("classic", _SIX),
}
"""Variants of two that can be solved, by name: two tiles each, and seat 0 starts."""


@dataclass
class Tree:
    """A game tree of two as arrays; children come after their parents.

    The children of a node are consecutive. A decision's information set has one entry for each of
    its actions in the tables of regrets and strategies.
    """

    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    children: NDArray[np.int32]
    player: NDArray[np.int8]
    chance: NDArray[np.float64]
    """The probability of the step to a node, if chance takes it, else 1."""
    entry: NDArray[np.int32]
    """The index of the step to a node in the tables, or -1."""
    value: NDArray[np.float64]
    """The return of seat 0 at the leaves."""
    depth: NDArray[np.int32]
    set_first: NDArray[np.int32]
    """By information set, its first entry."""
    set_player: NDArray[np.int8]
    infostates: list[str] = field(default_factory=list)

    @property
    def nodes(self) -> int:
        """The number of histories, chance and leaves included."""
        return len(self.parent)

    @property
    def information_sets(self) -> int:
        """The number of information sets of both players."""
        return len(self.set_player)


class _Builder:
    """Collects the nodes of a tree breadth first."""

    def __init__(self, variant: Variant) -> None:
        if variant.players != 2:
            raise TriominoError("exact values are for two players")
        if variant.draws_for_start:
            raise TriominoError("the draw for the start has no end; settle who starts")
        self.waiting: list[Node] = [variant.root()]
        self.columns: dict[str, list[float]] = {
            name: [] for name in ("parent", "first", "children", "player", "value", "depth")
        }
        self.chance, self.entry = [1.0], [-1]
        self.parent, self.depth = [-1], [0]
        self.sets: dict[str, int] = {}
        self.set_first: list[int] = []
        self.set_player: list[int] = []
        self.entries = 0

    def build(self) -> Tree:
        columns = self.columns
        at = 0
        while at < len(self.waiting):
            node, self.waiting[at] = self.waiting[at], None  # type: ignore[call-overload]
            player = node.player
            columns["first"].append(len(self.waiting))
            columns["player"].append(player)
            columns["value"].append(node.returns()[0] if player == TERMINAL else 0.0)
            steps = self._steps(node, player)
            columns["children"].append(len(steps))
            for action, chance, entry in steps:
                child = node.copy()
                child.apply(action)
                self.waiting.append(child)
                self.parent.append(at)
                self.depth.append(self.depth[at] + 1)
                self.chance.append(chance)
                self.entry.append(entry)
            if len(self.waiting) > MOST_NODES:
                raise TriominoError(f"the tree has more than {MOST_NODES} nodes")
            at += 1
        return Tree(
            parent=np.array(self.parent, np.int32),
            first_child=np.array(columns["first"], np.int32),
            children=np.array(columns["children"], np.int32),
            player=np.array(columns["player"], np.int8),
            chance=np.array(self.chance),
            entry=np.array(self.entry, np.int32),
            value=np.array(columns["value"]),
            depth=np.array(self.depth, np.int32),
            set_first=np.array([*self.set_first, self.entries], np.int32),
            set_player=np.array(self.set_player, np.int8),
            infostates=list(self.sets),
        )

    def _steps(self, node: Node, player: int) -> list[tuple[int, float, int]]:
        if player == TERMINAL:
            return []
        if player == CHANCE:
            return [(tile, chance, -1) for tile, chance in node.chance_outcomes()]
        actions = node.legal_actions()
        key = node.information_state(player)
        if key not in self.sets:
            self.sets[key] = len(self.set_first)
            self.set_first.append(self.entries)
            self.set_player.append(player)
            self.entries += len(actions)
        first = self.set_first[self.sets[key]]
        return [(action, 1.0, first + i) for i, action in enumerate(actions)]


def build_tree(variant: Variant) -> Tree:
    """Return the whole tree of a variant of two."""
    return _Builder(variant).build()


class Solver:
    """CFR+ with alternating updates and linear averaging."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        size = int(tree.set_first[-1])
        self.regrets, self.sums = np.zeros(size), np.zeros(size)
        self.iterations = 0
        self._set_of = np.repeat(np.arange(tree.information_sets), np.diff(tree.set_first))
        self._owner = tree.set_player[self._set_of] if size else np.zeros(0, np.int8)
        order = np.argsort(tree.depth, kind="stable")
        ends = np.flatnonzero(np.diff(tree.depth[order])) + 1
        self._levels = np.split(order, ends)[1:]  # without the root

    def run(self, iterations: int) -> None:
        """Play so many iterations."""
        for _ in range(iterations):
            self.iterations += 1
            for player in (0, 1):
                self._update(player)

    def _update(self, player: int) -> None:
        tree, policy = self.tree, self._policy(self.regrets)
        own, others = self._reaches(policy, player)
        values = self._values(policy)
        sign = 1.0 if player == 0 else -1.0
        decided = np.flatnonzero(tree.entry >= 0)
        mine = decided[self._owner[tree.entry[decided]] == player]
        gains = sign * (values[mine] - values[tree.parent[mine]]) * others[tree.parent[mine]]
        np.add.at(self.regrets, tree.entry[mine], gains)
        np.maximum(self.regrets, 0, out=self.regrets)
        # Every history of an information set has the same reach of its own player.
        reach = np.zeros(len(self.sums))
        reach[tree.entry[mine]] = own[tree.parent[mine]]
        self.sums += self.iterations * reach * policy * (self._owner == player)

    def _policy(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        tree = self.tree
        totals = np.zeros(tree.information_sets)
        np.add.at(totals, self._set_of, weights)
        sizes = np.diff(tree.set_first)
        even = 1.0 / sizes[self._set_of]
        total = totals[self._set_of]
        return np.where(total > 0, weights / np.where(total > 0, total, 1), even)

    def average(self) -> NDArray[np.float64]:
        """Return the average strategy, by entry."""
        return self._policy(self.sums)

    def _steps(self, policy: NDArray[np.float64]) -> NDArray[np.float64]:
        tree = self.tree
        taken = policy[np.maximum(tree.entry, 0)] if len(policy) else np.ones(tree.nodes)
        return np.where(tree.entry >= 0, taken, tree.chance)

    def _reaches(
        self, policy: NDArray[np.float64], player: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The probability that *player*, and that all others, play to each node."""
        tree, steps = self.tree, self._steps(policy)
        decided = tree.entry >= 0
        owner = np.full(tree.nodes, -1, np.int8)
        owner[decided] = self._owner[tree.entry[decided]]
        own = np.where(owner == player, steps, 1.0)
        rest = np.where(owner == player, 1.0, steps)
        for level in self._levels:
            own[level] *= own[tree.parent[level]]
            rest[level] *= rest[tree.parent[level]]
        return own, rest

    def _values(self, policy: NDArray[np.float64]) -> NDArray[np.float64]:
        """The return of seat 0 from each node on."""
        tree, steps = self.tree, self._steps(policy)
        values = tree.value.copy()
        for level in reversed(self._levels):
            np.add.at(values, tree.parent[level], steps[level] * values[level])
        return values

    def value(self) -> float:
        """Return what seat 0 wins on average by the average strategies."""
        return float(self._values(self.average())[0])

    def best_response(self, player: int) -> float:
        """Return the most that *player* can win against the average strategy of the other."""
        tree, policy = self.tree, self.average()
        _, others = self._reaches(policy, player)
        steps = self._steps(policy)
        sign = 1.0 if player == 0 else -1.0
        values = sign * tree.value
        best = np.zeros(len(policy))
        for level in reversed(self._levels):
            parents = tree.parent[level]
            own = tree.player[parents] == player
            rest = level[~own]
            np.add.at(values, tree.parent[rest], steps[rest] * values[rest])
            mine = level[own]
            if not len(mine):
                continue
            # All histories of an information set have the same depth: they have seen the same.
            np.add.at(best, tree.entry[mine], others[mine] * values[mine])
            chosen = self._chosen(best, np.unique(self._set_of[tree.entry[mine]]))
            picked = mine[np.isin(tree.entry[mine], chosen)]
            values[tree.parent[picked]] = values[picked]
        return float(values[0])

    def _chosen(self, best: NDArray[np.float64], sets: Iterable[int]) -> list[int]:
        first = self.tree.set_first
        return [int(first[s] + np.argmax(best[first[s] : first[s + 1]])) for s in sets]

    def nash_conv(self) -> float:
        """Return what both could gain by best responses; 0 in equilibrium."""
        return self.best_response(0) + self.best_response(1)


@dataclass(frozen=True)
class Exact:
    """A row of the table."""

    name: str
    nodes: int
    information_sets: int
    value: float
    nash_conv: float
    iterations: int
    seconds: float


def solve(name: str, iterations: int = 1000) -> Exact:
    """Return the values of one of the ``VARIANTS``."""
    start = perf_counter()
    tree = build_tree(VARIANTS[name])
    solver = Solver(tree)
    solver.run(iterations)
    return Exact(
        name,
        tree.nodes,
        tree.information_sets,
        solver.value(),
        solver.nash_conv(),
        iterations,
        perf_counter() - start,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Exact values of small variants by CFR+.")
    parser.add_argument("names", nargs="*", default=list(VARIANTS), help="by default all")
    parser.add_argument("--iterations", type=int, default=1000)
    given = parser.parse_args()
    print("| variant | nodes | information sets | value | NashConv | seconds |")
    print("|---|---|---|---|---|---|")
    for name in given.names:
        row = solve(name, given.iterations)
        print(
            f"| {row.name} | {row.nodes:,} | {row.information_sets:,} | {row.value:.4f}"
            f" | {row.nash_conv:.4f} | {row.seconds:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
