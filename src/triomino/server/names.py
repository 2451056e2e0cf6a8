"""Which names strangers may be shown: readable ones, without the words that a host refuses."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from triomino.server.table import FORMER, RefusedError, clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LONGEST: Final = 24
"""Characters of the name of a profile."""

MOST_MARKS: Final = 2
"""Accents on one letter; more of them run into the lines above and below."""

_ALIKE: Final = str.maketrans(
    # Digits and signs that stand for letters, and letters of other scripts that look like Latin.
    "013457@$!|аеорсухкмтвнiіїјѕԁһαβεικνορτυχωο",
    "oieasta" + "siiaeopcyxkmtbhiiijsdhabeiknoptuxwo",
)
_SIMILAR: Final = str.maketrans("l", "i")
"""Letters that differ in words, but hardly in names: Pau1, PauI and Paul."""
_LOOKALIKE_SCRIPTS: Final = ("LATIN", "CYRILLIC", "GREEK")


def skeleton(text: str) -> str:
    """A text without case, accents, spaces and disguises, to look for words in it.

    >>> skeleton("B.á D-w 0 r d")
    'badword'
    """
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_ALIKE)
    letters = [char for char in plain if unicodedata.category(char)[0] == "L"]
    # A letter that is repeated for fun counts once.
    return "".join(
        char for number, char in enumerate(letters) if not number or letters[number - 1] != char
    )


def outline(name: str) -> str:
    """A name by how it looks: two with the same outline may be taken for each other.

    >>> outline("Pau1") == outline("PAUL"), outline("Ann 2") == outline("Ann")
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", name).casefold().translate(_ALIKE).translate(_SIMILAR)
    return "".join(char for char in plain if unicodedata.category(char)[0] in "LN")


def told_apart(names: Iterable[str | None]) -> list[str | None]:
    """The names, none of which looks like an earlier one: the second Ann is "Ann 2".

    >>> told_apart(["Ann", None, "ANN", "Ann 2"])
    ['Ann', None, 'ANN 3', 'Ann 2']
    """
    names = list(names)
    given = {outline(name) for name in names if name}
    used: set[str] = set()
    different: list[str | None] = []
    for name in names:
        chosen, number = name, 2
        while chosen and outline(chosen) in (used if chosen == name else used | given):
            chosen = f"{str(name)[:36]} {number}"
            number += 1
        if chosen:
            used.add(outline(chosen))
        different.append(chosen)
    return different


@lru_cache(maxsize=4)
def _refused_words(file: Path, stamp: int) -> tuple[str, ...]:  # noqa: ARG001 - rereads a new list
    lines = file.read_text("utf-8").splitlines()
    words = (line.partition("#")[0].strip() for line in lines)
    return tuple(filter(None, map(skeleton, words)))


def refused_words(file: Path | None) -> tuple[str, ...]:
    """The words of a host's list, one in a line; what follows a ``#`` is a comment."""
    return () if file is None else _refused_words(file, file.stat().st_mtime_ns)


def decent_name(name: str, refused: Iterable[str] = ()) -> str:
    """Return the name of a profile, tidied up; raise if strangers should not be shown it."""
    text = clean_name(name)
    if len(text) > LONGEST:
        raise RefusedError("refused_name", f"a name has at most {LONGEST} characters")
    marks = 0
    for char in unicodedata.normalize("NFD", text):
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks > MOST_MARKS:
            raise RefusedError("refused_name", "there are too many accents on one letter")
    for word in text.split():
        if len({script for char in word if (script := _script(char))}) > 1:
            raise RefusedError("refused_name", "letters of two scripts in one word look alike")
    plain = skeleton(text)
    if plain.startswith(skeleton(FORMER)) or any(word in plain for word in refused):
        raise RefusedError("refused_name", "this name is not possible here; please choose another")
    return text


def _script(char: str) -> str | None:
    """Which of the scripts that look alike a letter belongs to."""
    name = unicodedata.name(char, "")
    return next((script for script in _LOOKALIKE_SCRIPTS if name.startswith(script)), None)
