"""Sample the games that a view allows."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from time import thread_time
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import PositionError, TriominoError
from triomino.kernel.loader import native, refusals, require
from triomino.kernel.state import State, load, move_kind

if TYPE_CHECKING:
    from triomino.dice import Dice, Rng
    from triomino.kernel import _native
    from triomino.rules import Rules
    from triomino.view import View
    from triomino.worlds import Plan, Way

Found: TypeAlias = tuple[int, int, int, int, int, bool]
"""Index of a legal move, worlds, sums of wins, margins and squared margins, solved exactly."""

FEW_WORLDS: Final = 24
"""The number of worlds for a search where the kernel cannot sample and Python does."""
FEWEST_WORLDS: Final = 2
"""The least number of worlds, even if time is up."""

_WORD: Final = (1 << 64) - 1


class Sampler:
    """Samples the games that a view allows; every consistent deal is equally likely.

    The constraints are worked out once, in Python; the kernel then samples. In the rare cases that
    the kernel's plan cannot express, :meth:`View.sample` is used instead.
    """

    def __init__(self, view: View) -> None:
        require()
        self._view = view
        plan = view.worlds.plan()
        self._inner = None if plan is None else self._build(plan)

    @property
    def is_native(self) -> bool:
        """Whether the kernel can sample this view itself."""
        return self._inner is not None

    def sample(self, dice: Rng, count: int = 1) -> list[State]:
        """Return *count* sampled states; *dice* advances."""
        if self._inner is None:
            return [State.of(self._view.sample(dice)) for _ in range(count)]
        states, dice.state = self._inner.sample(count, dice.state)
        return [State(self._view.rules, state) for state in states]

    def infer(self, dice: Rng, count: int = 1) -> list[State]:
        """Return *count* states as the search guesses them; *dice* advances.

        Each move by which others drew while able to place, or placed something other than the most
        points, makes a game 16 times less likely. Each state differs from the one before in a few
        steps. Only for the seat to move, and where :attr:`is_native` is true.
        """
        if self._inner is None or self._view.seat != self._view.turn:
            raise TriominoError("the kernel cannot guess the tiles of this view")
        events = [(ply.seat, move_kind(ply.move)) for ply in self._view.plies]
        with refusals():
            states, dice.state = self._inner.infer(count, dice.state, events)
        return [State(self._view.rules, state) for state in states]

    def deal(self, dice: Dice, until: float | None) -> list[_native.State] | None:
        """Return worlds for a search, or ``None`` if the kernel can sample them itself.

        Stops at *until*, a time of ``thread_time``, with at least ``FEWEST_WORLDS``.
        """
        if self._inner is not None:
            return None
        worlds: list[_native.State] = []
        while len(worlds) < FEW_WORLDS:
            worlds.append(State.of(self._view.sample(dice)).inner)
            if until is not None and len(worlds) >= FEWEST_WORLDS and thread_time() > until:
                break
        return worlds

    def under(self, rules: Rules) -> _native.Sampler | None:
        """Return a sampler of the games in which the same moves were made under *rules*.

        ``None`` if they are impossible then, or if the kernel cannot sample.
        """
        if self._inner is None:
            return None
        try:
            plan = self._view.worlds.under(rules).plan()
        except PositionError:
            return None
        return None if plan is None else self._build(plan)

    def search(
        self,
        limit: _native.SearchLimit,
        worlds: list[_native.State] | None,
        belief: _native.Sampler | None = None,
        forced_draw_prior: int = 0,
    ) -> list[Found]:
        """Return the candidates of the seat to move, best first: see :func:`search`.

        *worlds* come from :meth:`deal`. With probability ``forced_draw_prior / 256`` the hidden
        tiles of a world are sampled from *belief*, which comes from :meth:`under`.
        """
        if self._inner is not None:
            return self._inner.search(limit, belief, forced_draw_prior)
        found: list[Found] = native().search_worlds(worlds, limit)
        return found

    @cached_property
    def _known(self) -> _native.State:
        """The position as the view knows it, with an empty pool and empty racks of the others."""
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

    def _build(self, plan: Plan) -> _native.Sampler:
        view = self._view
        ways = [_scaled(plan.ways.get(seat, ())) for seat in range(view.players)]
        groups = [(seat, _words(mask)) for seat, mask in plan.groups]
        with refusals():
            sampler: _native.Sampler = native().Sampler(
                self._known, view.pool_size, _words(view.unseen), groups, ways
            )
        return sampler


def sample(view: View, dice: Rng, count: int = 1) -> list[State]:
    """Return sampled states that *view* allows, every consistent deal equally likely."""
    return Sampler(view).sample(dice, count)


def _scaled(ways: tuple[Way, ...]) -> list[tuple[int, list[int], list[int]]]:
    """Scale the weights to cumulative 64-bit bounds; the rounding error is below 2**-60."""
    total = sum(way.weight for way in ways)
    ends = accumulate(way.weight for way in ways)
    return [
        (max(0, (end << 64) // total - 1), list(way.left), list(way.most))
        for way, end in zip(ways, ends, strict=True)
    ]


def _words(mask: int) -> list[int]:
    return [mask & _WORD, mask >> 64]
