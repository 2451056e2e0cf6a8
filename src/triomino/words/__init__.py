"""The texts of the page and the terminal: one catalogue per language.

A text may contain ``{name}`` and ``{n, plural, one {# tile} other {# tiles}}``, with the plural
forms of its language and ``=0`` for an exact number. A text missing from a language falls back to
English.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from triomino.errors import TriominoError, nearest
from triomino.packages import require_packages

require_packages("triomino.words", "babel")

from babel import Locale
from babel.numbers import format_decimal

from triomino.words.message import Plural, Slot, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triomino.words.message import Message

FOLDER: Final = Path(__file__).parent
ENGLISH: Final = "en"
NOT_A_LANGUAGE: Final = frozenset({"same"})
"""Files that are no catalogue: same.json lists the texts that rightly equal the English ones."""
ALIASES: Final = {"no": "nb", "nn": "nb", "iw": "he"}
"""Other codes for languages that have a catalogue."""
LOCALES: Final = {"pt": "pt_PT"}
"""The locale of a language, where Babel would default to that of another country."""
CARD: Final = ".card"
"""The suffix of keys whose texts say card, hand and stack."""

Value: TypeAlias = int | str


class LanguageError(TriominoError):
    """A language without a catalogue."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, English first."""
    found = {path.stem for path in FOLDER.glob("*.json")} - NOT_A_LANGUAGE - {ENGLISH}
    return (ENGLISH, *sorted(found))


@cache
def texts(language: str) -> dict[str, str]:
    """Return the catalogue of a language, texts by key."""
    found = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return {str(key): str(text) for key, text in found.items()}


def variant(key: str, *, cards: bool) -> str:
    """Return the key of the text to use: for a game with cards, the variant if there is one.

    >>> variant("rules.draw.must", cards=True), variant("rules.draw.free", cards=True)
    ('rules.draw.must.card', 'rules.draw.free')
    """
    return key + CARD if cards and key + CARD in texts(ENGLISH) else key


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language; with *cards*, in the variants for a game with cards.

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
        """Return the same language with or without the variants for cards."""
        return replace(self, cards=cards)

    def has(self, key: str) -> bool:
        """Whether there is a text with this key."""
        return key in texts(ENGLISH)

    def say(self, key: str, **values: Value) -> str:
        """Return the text of a key with its values filled in."""
        key = variant(key, cards=self.cards)
        own = texts(self.language).get(key)
        if own is not None:
            return self._write(parse(own), values, self.language)
        return self._write(parse(texts(ENGLISH)[key]), values, ENGLISH)

    def number(self, value: int) -> str:
        """Return a number in the format of the language, with a hyphen as the minus sign."""
        text = format_decimal(abs(value), locale=_locale(self.language))
        # A number without a sign needs no isolation.
        return self.isolated(f"-{text}") if value < 0 else text

    def signed(self, points: int) -> str:
        """Return points with their sign, in the format of the language."""
        sign = "-" if points < 0 else "+"
        return self.isolated(sign + format_decimal(abs(points), locale=_locale(self.language)))

    def isolated(self, text: str) -> str:
        """Return text marked to keep its own direction, whatever surrounds it.

        Otherwise a minus sign would move to the other side of its number in right-to-left text.
        """
        if not self.right_to_left or not text:
            return text
        first = _FIRST_STRONG if any(map(_is_right_to_left, text)) else _LEFT_TO_RIGHT
        return f"{first}{text}{_POP}"

    def listed(self, items: list[str]) -> str:
        """Return items joined as in a sentence.

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


# Unicode isolates, which delimit text of another direction.
_LEFT_TO_RIGHT, _FIRST_STRONG, _POP = "\u2066", "\u2068", "\u2069"


def _is_right_to_left(letter: str) -> bool:
    return "\u0590" <= letter <= "\u08ff"


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(LOCALES.get(language, language))


# --- Choosing a language -------------------------------------------------------------------------


def language_named(name: str) -> str:
    """Return the catalogue for a name such as ``de``, ``pt-BR`` or ``nb_NO.UTF-8``.

    >>> language_named("EN_us.UTF-8")
    'en'
    """
    found = _known(name)
    if found is None:
        raise LanguageError(f"no such language {name!r}; {nearest(name.lower(), languages())}")
    return found


def language_of_shell(environment: Mapping[str, str]) -> str:
    """Return the language of a shell environment, as gettext reads it, or English.

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
    """Return the language of a locale's name, if it has a catalogue."""
    base = name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()
    base = ALIASES.get(base, base)
    return base if base in languages() else None
