"""Bots by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.bots.plain import GreedyBot, RandomBot
from triomino.errors import TriominoError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.bots.base import Bot
    from triomino.dice import Dice

BOTS: Final[dict[str, Callable[[Dice], Bot]]] = {
    "random": RandomBot,
    "greedy": lambda _: GreedyBot(),
}


def make_bot(name: str, dice: Dice) -> Bot:
    """The bot of that name; what it leaves to chance it takes from *dice*.

    >>> from triomino.dice import Rng
    >>> make_bot("greedy", Rng(1)).name
    'greedy'
    """
    if name not in BOTS:
        raise TriominoError(f"unknown bot {name!r}; {nearest(name, BOTS)}")
    return BOTS[name](dice)
