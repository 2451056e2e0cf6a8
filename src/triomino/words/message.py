"""A parser for the part of ICU message syntax that the catalogues use: slots and plurals."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

_TOKEN: Final = re.compile(r"[{}]|[^{}]+")
_PLURAL: Final = re.compile(r"\s*(\w+)\s*,\s*plural\s*,\s*")
_CASE: Final = re.compile(r"\s*(\w+|=\d+)\s*")
NUMBER: Final = "#"
"""The placeholder for the number inside a plural."""


class MessageError(ValueError):
    """A text with unbalanced braces or invalid plural forms."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder for a value."""

    name: str


@dataclass(frozen=True, slots=True)
class Plural:
    """Texts by the plural form of a number, or by the number itself."""

    name: str
    cases: tuple[tuple[str, Message], ...]

    def chosen(self, count: int, form: str) -> Message:
        """Return the text for a number whose plural form in its language is *form*."""
        known = dict(self.cases)
        return known.get(f"={count}") or known.get(form) or known["other"]


Message: TypeAlias = tuple[str | Slot | Plural, ...]


@cache
def parse(text: str) -> Message:
    """Parse a text; unlike in ICU, an apostrophe has no special meaning.

    >>> parse("{n, plural, one {# tile} other {# tiles}}: {sum}")[1:]
    (': ', Slot(name='sum'))
    """
    tokens = _TOKEN.findall(text)
    message, rest = _message(tokens, 0, text, inside=False)
    if rest != len(tokens):
        raise MessageError(f"{text!r}: a brace too many")
    return message


def _message(tokens: list[str], at: int, text: str, *, inside: bool) -> tuple[Message, int]:
    """Parse up to the closing brace of this message; return the parts and its position."""
    parts: list[str | Slot | Plural] = []
    while at < len(tokens) and tokens[at] != "}":
        if tokens[at] == "{":
            part, at = _braces(tokens, at + 1, text)
            parts.append(part)
        else:
            parts += _literal(tokens[at], inside=inside)
            at += 1
    return tuple(parts), at


def _literal(text: str, *, inside: bool) -> list[str | Slot | Plural]:
    if not inside:
        return [text]
    pieces: list[str | Slot | Plural] = []
    for number, piece in enumerate(text.split(NUMBER)):
        pieces += [Slot(NUMBER)] * (number > 0) + ([piece] if piece else [])
    return pieces


def _braces(tokens: list[str], at: int, text: str) -> tuple[Slot | Plural, int]:
    """Parse a slot or plural after its opening brace; return it and the position after it."""
    head = tokens[at] if at < len(tokens) else ""
    if head.isidentifier():
        _expect(tokens, at + 1, "}", text)
        return Slot(head), at + 2
    found = _PLURAL.match(head)
    if found is None:
        raise MessageError(f"{text!r}: {head!r} is neither a name nor a plural")
    cases: list[tuple[str, Message]] = []
    word = head[found.end() :]
    at += 1
    while True:
        case = _CASE.fullmatch(word)
        if case is None:
            raise MessageError(f"{text!r}: {word!r} is no plural form")
        _expect(tokens, at, "{", text)
        message, at = _message(tokens, at + 1, text, inside=True)
        _expect(tokens, at, "}", text)
        cases.append((case[1], message))
        word = tokens[at + 1] if at + 1 < len(tokens) else ""
        at += 2
        if word.isspace() and at < len(tokens) and tokens[at] == "}":
            word, at = "}", at + 1
        if word == "}":
            break
    if "other" not in dict(cases):
        raise MessageError(f"{text!r}: the plural form 'other' is missing")
    return Plural(found[1], tuple(cases)), at


def _expect(tokens: list[str], at: int, token: str, text: str) -> None:
    if at >= len(tokens) or tokens[at] != token:
        raise MessageError(f"{text!r}: a {token!r} is missing")
