"""Games a view could be of, dealt by the kernel."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import PositionError
from triomino.kernel.loader import native, refusals, require
from triomino.kernel.state import State, load

if TYPE_CHECKING:
    from triomino.dice import Dice, Rng
    from triomino.kernel import _native
    from triomino.rules import Rules
    from triomino.view import View
    from triomino.worlds import Plan, Way

Found: TypeAlias = tuple[int, int, int, int, int, bool]
"""Index of a legal move, worlds, sums of wins, margins and squares of margins, solved."""

FEW_WORLDS: Final = 24
"""Where the kernel cannot deal by itself, a search has so many worlds, dealt in Python."""
FEWEST_WORLDS: Final = 2
"""And so many although the time is up."""

_WORD: Final = (1 << 64) - 1


class Sampler:
    """All games that a view could be of, ready to be sampled many times.

    Every consistent deal is equally likely, as :meth:`View.sample` says. What was seen is worked
    out once, in Python; dealing is the kernel's. Where counting racks does not tell all, which is
    rare, the view itself is sampled.
    """

    def __init__(self, view: View) -> None:
        require()
        self._view = view
        plan = view.worlds.plan()
        self._inner = None if plan is None else self._dealer(plan)

    @property
    def is_native(self) -> bool:
        """Whether the kernel deals by itself."""
        return self._inner is not None

    def sample(self, dice: Rng, count: int = 1) -> list[State]:
        """So many states; *dice* goes on as far as it was used."""
        if self._inner is None:
            return [State.of(self._view.sample(dice)) for _ in range(count)]
        states, dice.state = self._inner.sample(count, dice.state)
        return [State(self._view.rules, state) for state in states]

    def deal(self, dice: Dice, until: float | None) -> list[_native.State] | None:
        """Worlds for a search where the kernel cannot deal by itself; ``None`` where it can.

        Dealing them takes its time: at *until*, by ``perf_counter``, those that are there do.
        """
        if self._inner is not None:
            return None
        worlds: list[_native.State] = []
        while len(worlds) < FEW_WORLDS:
            worlds.append(State.of(self._view.sample(dice)).inner)
            if until is not None and len(worlds) >= FEWEST_WORLDS and perf_counter() > until:
                break
        return worlds

    def believe(self, rules: Rules) -> _native.Sampler | None:
        """The games in which the same happened by other *rules*, which may show more.

        ``None`` where it cannot have happened, and where the kernel does not deal by itself.
        """
        if self._inner is None:
            return None
        try:
            plan = self._view.worlds.under(rules).plan()
        except PositionError:
            return None
        return None if plan is None else self._dealer(plan)

    def search(
        self,
        limit: _native.SearchLimit,
        worlds: list[_native.State] | None,
        belief: _native.Sampler | None = None,
        trust: int = 0,
    ) -> list[Found]:
        """The candidates of the seat to move, the best first: :func:`triomino.kernel.search`.

        *worlds* are those of :meth:`deal`. In *trust* of 256 worlds the hidden tiles are dealt as
        *belief*, of :meth:`believe`, has it.
        """
        if self._inner is not None:
            return self._inner.search(limit, belief, trust)
        found: list[Found] = native().search_worlds(worlds, limit)
        return found

    @cached_property
    def _moment(self) -> _native.State:
        """What the view knows, with nothing in the pool and on the other racks."""
        view = self._view
        return load(
            view.rules,
            board=view.board.places,
            racks=[view.rack if seat == view.seat else () for seat in range(view.players)],
            pool=(),
            drawn=view.drawn,
            totals=view.totals,
            turn=view.turn,
            starter=view.starter,
            idle=view.idle_turns,
            latched=view.latched,
        ).inner

    def _dealer(self, plan: Plan) -> _native.Sampler:
        view = self._view
        ways = [_scaled(plan.ways.get(seat, ())) for seat in range(view.players)]
        groups = [(seat, _words(mask)) for seat, mask in plan.groups]
        with refusals():
            dealer: _native.Sampler = native().Sampler(
                self._moment, view.pool_size, _words(view.unseen), groups, ways
            )
        return dealer


def sample(view: View, dice: Rng, count: int = 1) -> list[State]:
    """States that *view* could be of, every consistent deal equally likely."""
    return Sampler(view).sample(dice, count)


def _scaled(ways: tuple[Way, ...]) -> list[tuple[int, list[int], list[int]]]:
    """The chances as 64-bit bounds; what is lost by that is less than one in 2**60."""
    total = sum(way.weight for way in ways)
    ends = accumulate(way.weight for way in ways)
    return [
        (max(0, (end << 64) // total - 1), list(way.left), list(way.most))
        for way, end in zip(ways, ends, strict=True)
    ]


def _words(mask: int) -> list[int]:
    return [mask & _WORD, mask >> 64]
