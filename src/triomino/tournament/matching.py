"""As many pairs as possible in a graph: Edmonds' algorithm, which shrinks odd circles."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Matching:
    """A matching among *players*; ``joined`` says who may be paired with whom."""

    def __init__(
        self,
        players: Iterable[int],
        joined: Callable[[int, int], bool],
        mate: dict[int, int] | None = None,
    ) -> None:
        self.players = list(players)
        self._joined = joined
        self.mate = dict(mate or {})
        """Both ways: ``mate[mate[a]] == a``."""

    @property
    def size(self) -> int:
        """The number of pairs."""
        return len(self.mate) // 2

    def grow(self) -> Matching:
        """Make it as large as possible, and return it."""
        for player in self.players:
            if player not in self.mate:
                self._augment(player)
        return self

    def without(self, *gone: int) -> Matching:
        """The largest matching of the others, given that this one is the largest of all."""
        rest = [player for player in self.players if player not in gone]
        left = {
            one: other for one, other in self.mate.items() if one not in gone and other not in gone
        }
        return Matching(rest, self._joined, left).grow()

    def _augment(self, root: int) -> None:
        """Find a path from *root* to another free player, and swap its pairs."""
        search = _Search(root, self.players, self.mate)
        while search.queue:
            at = search.queue.popleft()
            for to in self.players:
                if search.base[at] == search.base[to] or self.mate.get(at) == to:
                    continue
                if self._joined(at, to) and search.step(at, to):
                    return


class _Search:
    """A search from one free player; ``base`` says as whom a player of a shrunk circle counts."""

    def __init__(self, root: int, players: list[int], mate: dict[int, int]) -> None:
        self._root, self._players, self._mate = root, players, mate
        self.base = {player: player for player in players}
        self._parent: dict[int, int] = {}
        self._seen = {root}
        self.queue = deque([root])

    def step(self, at: int, to: int) -> bool:
        """Follow an edge; return whether it ended at a free player."""
        mate, parent = self._mate, self._parent
        if to == self._root or (to in mate and mate[to] in parent):
            self._shrink(at, to)
        elif to not in parent:
            parent[to] = at
            if to not in mate:
                self._swap(to)
                return True
            self._seen.add(mate[to])
            self.queue.append(mate[to])
        return False

    def _shrink(self, one: int, other: int) -> None:
        """Treat the odd circle that an edge closes as one player."""
        top = self._meeting(one, other)
        circle = self._mark(one, top, other) | self._mark(other, top, one)
        for player in self._players:
            if self.base[player] in circle:
                self.base[player] = top
                if player not in self._seen:
                    self._seen.add(player)
                    self.queue.append(player)

    def _meeting(self, one: int, other: int) -> int:
        """Where the ways of two players back to the root meet."""
        way: set[int] = set()
        at = self.base[one]
        while True:
            way.add(at)
            if at == self.base[self._root]:
                break
            at = self.base[self._parent[self._mate[at]]]
        at = self.base[other]
        while at not in way:
            at = self.base[self._parent[self._mate[at]]]
        return at

    def _mark(self, at: int, top: int, child: int) -> set[int]:
        """Turn the way from *at* up to *top* around, so that it leads to *child*; return it."""
        circle: set[int] = set()
        while self.base[at] != top:
            circle |= {self.base[at], self.base[self._mate[at]]}
            self._parent[at] = child
            child = self._mate[at]
            at = self._parent[child]
        return circle

    def _swap(self, end: int) -> None:
        at: int | None = end
        while at is not None:
            before = self._parent[at]
            following = self._mate.get(before)
            self._mate[at], self._mate[before] = before, at
            at = following
