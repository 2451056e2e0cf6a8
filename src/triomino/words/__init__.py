"""One catalogue of texts per language, read by the page and by the terminal.

A text may hold ``{name}`` and ``{n, plural, one {# tile} other {# tiles}}``, with the plural forms
of its language and ``=0`` for an exact number. What a language lacks is said in English.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from babel import Locale
from babel.numbers import format_decimal

from triomino.errors import TriominoError, nearest
from triomino.words.message import Plural, Slot, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triomino.words.message import Message

FOLDER: Final = Path(__file__).parent
ENGLISH: Final = "en"
NOT_A_LANGUAGE: Final = frozenset({"same"})
"""A file beside the catalogues: which texts are meant to be as in English."""
ALIASES: Final = {"no": "nb", "nn": "nb", "iw": "he"}
"""Other names of languages that we have."""
LOCALES: Final = {"pt": "pt_PT"}
"""What the name of a language means here, where it could mean another country's."""
CARD: Final = ".card"
"""How the key of a text ends that speaks of cards, hand and stack."""

Value: TypeAlias = int | str


class LanguageError(TriominoError):
    """A language that there is no catalogue for."""


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are catalogues for, English first."""
    found = {path.stem for path in FOLDER.glob("*.json")} - NOT_A_LANGUAGE - {ENGLISH}
    return (ENGLISH, *sorted(found))


@cache
def texts(language: str) -> dict[str, str]:
    """The catalogue of a language as it is written."""
    found = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return {str(key): str(text) for key, text in found.items()}


def variant(key: str, *, cards: bool) -> str:
    """The key of the text to use: its own for a game with cards, where there is one.

    >>> variant("rules.draw.must", cards=True), variant("rules.draw.free", cards=True)
    ('rules.draw.must.card', 'rules.draw.free')
    """
    return key + CARD if cards and key + CARD in texts(ENGLISH) else key


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language; with *cards*, those that speak of cards where there are such.

    >>> Words("en").say("cli.ofTiles", count=1), Words("en", cards=True).say("cli.ofTiles", count=3)
    ('1 tile', '3 cards')
    """

    language: str = ENGLISH
    cards: bool = False

    @property
    def right_to_left(self) -> bool:
        """Whether the language is written from right to left."""
        return bool(_locale(self.language).text_direction == "rtl")

    def of_cards(self, cards: bool) -> Words:
        """The same language, with or without the words for cards."""
        return replace(self, cards=cards)

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return key in texts(ENGLISH)

    def say(self, key: str, **values: Value) -> str:
        """The text of a key with its values."""
        key = variant(key, cards=self.cards)
        own = texts(self.language).get(key)
        if own is not None:
            return self._write(parse(own), values, self.language)
        return self._write(parse(texts(ENGLISH)[key]), values, ENGLISH)

    def number(self, value: int) -> str:
        """A number as the language writes it, with a hyphen for a minus, as terminals have it."""
        text = format_decimal(abs(value), locale=_locale(self.language))
        # A number without a sign keeps its order by itself.
        return self.isolated(f"-{text}") if value < 0 else text

    def signed(self, points: int) -> str:
        """Points won or lost, with their sign."""
        sign = "-" if points < 0 else "+"
        return self.isolated(sign + format_decimal(abs(points), locale=_locale(self.language)))

    def isolated(self, text: str) -> str:
        """A text that reads in its own direction, whatever stands round it.

        Without it a minus would change its side in a line from right to left.
        """
        if not self.right_to_left or not text:
            return text
        first = _FIRST_STRONG if any(map(_is_right_to_left, text)) else _LEFT_TO_RIGHT
        return f"{first}{text}{_POP}"

    def listed(self, items: list[str]) -> str:
        """Items as a sentence has them.

        >>> Words("en").listed(["Ann", "Ben", "Cleo"])
        'Ann, Ben and Cleo'
        """
        if len(items) < 2:
            return "".join(items)
        return self.say("cli.list.and", first=", ".join(items[:-1]), last=items[-1])

    def _write(self, message: Message, values: Mapping[str, Value], language: str) -> str:
        return "".join(self._part(part, values, language) for part in message)

    def _part(self, part: str | Slot | Plural, values: Mapping[str, Value], language: str) -> str:
        match part:
            case str():
                return part
            case Slot(name):
                value = values[name]
                return self.number(value) if isinstance(value, int) else self.isolated(value)
            case Plural(name):
                count = int(values[name])
                form = _locale(language).plural_form(count)
                chosen = part.chosen(count, form)
                return self._write(chosen, {**values, "#": count}, language)


# Marks of Unicode that say where text of another direction begins and ends.
_LEFT_TO_RIGHT, _FIRST_STRONG, _POP = "\u2066", "\u2068", "\u2069"


def _is_right_to_left(letter: str) -> bool:
    return "\u0590" <= letter <= "\u08ff"


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(LOCALES.get(language, language))


# --- Which language ------------------------------------------------------------------------------


def language_named(name: str) -> str:
    """The catalogue for a language by its name, as ``de``, ``pt-BR`` or ``nb_NO.UTF-8``.

    >>> language_named("EN_us.UTF-8")
    'en'
    """
    found = _known(name)
    if found is None:
        raise LanguageError(f"no such language {name!r}; {nearest(name.lower(), languages())}")
    return found


def language_of_shell(environment: Mapping[str, str]) -> str:
    """The language that a shell asks for, as gettext reads it; English where we have none.

    >>> language_of_shell({"LANG": "xx_YY.UTF-8"})
    'en'
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "C")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return ENGLISH
    wanted = [*environment.get("LANGUAGE", "").split(":"), locale]
    return next((found for name in wanted if (found := _known(name))), ENGLISH)


def _known(name: str) -> str | None:
    """The language of a locale's name, where there is a catalogue for it."""
    base = name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()
    base = ALIASES.get(base, base)
    return base if base in languages() else None
