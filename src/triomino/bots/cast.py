"""The cast: the names that bots play under. A name says nothing about the level of its bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triomino.dice import shuffle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.dice import Dice

CAST: Final = {
    "Milo": "מילו",
    "Mika": "מיקה",
    "Noor": "נור",
    "Juno": "ג׳ונו",
    "Vega": "וגה",
    "Tao": "טאו",
    "Lumi": "לומי",
    "Ravi": "ראווי",
    "Zoe": "זואי",
    "Kai": "קאי",
    "Iris": "איריס",
    "Bram": "בראם",
}
"""The names in the Latin letters of most languages, with their form in Hebrew letters."""

_MEMBERS: Final = {
    form.casefold(): name for name, hebrew in CAST.items() for form in (name, hebrew)
}


def cast_member(name: str) -> str | None:
    """Return who of the cast is called *name*, in any case or letters; ``None`` if nobody is.

    >>> cast_member("milo"), cast_member("מילו"), cast_member("Ann")
    ('Milo', 'Milo', None)
    """
    return _MEMBERS.get(name.casefold())


def localized(name: str, language: str) -> str:
    """Return a name of the cast as a language writes it; any other name is returned unchanged.

    >>> localized("Milo", "de"), localized("Milo", "he")
    ('Milo', 'מילו')
    """
    return CAST.get(name, name) if language == "he" else name


def free_names(taken: Iterable[str]) -> list[str]:
    """Return the names of the cast that differ from all *taken* ones.

    >>> free_names(["Ann", "mika", *list(CAST)[3:]])
    ['Milo', 'Noor']
    """
    members = {cast_member(name) for name in taken}
    return [name for name in CAST if name not in members]


def random_names(count: int, taken: Iterable[str], dice: Dice) -> list[str]:
    """Return *count* different names of the cast that differ from all *taken* ones."""
    names = free_names(taken)
    shuffle(names, dice)
    return names[:count]
