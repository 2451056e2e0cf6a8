"""Bots by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.bots.levels import EFFORTS, OVERLOOKED, HumanBot, SearchBot
from triomino.bots.plain import GreedyBot, RandomBot
from triomino.errors import TriominoError, nearest
from triomino.kernel import why_missing

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.bots.base import Bot
    from triomino.dice import Dice


def _search_bot(name: str) -> Callable[[Dice], Bot]:
    return lambda dice: SearchBot(dice, name, EFFORTS[name], OVERLOOKED.get(name, 0))


BOTS: Final[dict[str, Callable[[Dice], Bot]]] = {
    "random": RandomBot,
    "beginner": lambda dice: HumanBot(
        dice, "beginner", overlooks=226, misses_bonus=160, hasty=True
    ),
    "easy": lambda dice: HumanBot(dice, "easy", overlooks=24, misses_bonus=32, plans=True),
    "greedy": lambda _: GreedyBot(),
    **{name: _search_bot(name) for name in EFFORTS},
}
"""Factories of all bots by name, weakest first."""

LEVELS: Final = ("beginner", "easy", "medium", "hard", "expert", "champion")
"""The bots that people choose from, weakest first; the others are baselines."""

LOST_OF_TEN: Final = {"easy": 3, "medium": 4, "hard": 4, "expert": 4, "champion": 4}
"""Rounds of ten that a level loses to the level below in the classic game of two. Measured, and
shown to people who choose an opponent, because this game has much luck."""


def why_not_bot(name: str) -> str | None:
    """Return why a bot cannot play here, or ``None`` if it can.

    >>> why_not_bot("gredy")
    "unknown bot 'gredy'; did you mean 'greedy'?"
    """
    if name not in BOTS:
        return f"unknown bot {name!r}; {nearest(name, BOTS)}"
    why = why_missing()
    if name in EFFORTS and why is not None:
        return f"{name} needs the native kernel: {why}"
    return None


def make_bot(name: str, dice: Dice) -> Bot:
    """Return the bot of that name, with *dice* for its random choices.

    >>> from triomino.dice import Rng
    >>> make_bot("greedy", Rng(1)).name
    'greedy'
    """
    why = why_not_bot(name)
    if why is not None:
        raise TriominoError(why)
    return BOTS[name](dice)
