"""Typed lines, parsed without looking at the game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, TypeAlias

from triomino.errors import NotationError
from triomino.moves import Place
from triomino.terminal.menu import LETTERS
from triomino.tile import Tile


class Word(StrEnum):
    """The commands that are words; the value is the long form."""

    DRAW = "draw"
    PASS = "pass"  # noqa: S105 - no password
    END = "end"
    KEEP = "keep"
    UNDO = "undo"
    SAVE = "save"
    SHEET = "sheet"
    RACK = "rack"
    BOARD = "board"
    RULES = "rules"
    HELP = "help"
    QUIT = "quit"


_SHORT: Final = {
    "d": Word.DRAW,
    "p": Word.PASS,
    "e": Word.END,
    "k": Word.KEEP,
    "u": Word.UNDO,
    "back": Word.UNDO,
    "s": Word.SAVE,
    "score": Word.SHEET,
    "scores": Word.SHEET,
    "hand": Word.RACK,
    "tiles": Word.RACK,
    "rule": Word.RULES,
    "h": Word.HELP,
    "?": Word.HELP,
    "q": Word.QUIT,
    "exit": Word.QUIT,
    "bye": Word.QUIT,
}
WORDS: Final = {word.value: word for word in Word} | _SHORT

_NUMBER = re.compile(rf"#?([0-9]{{1,2}}) ?([{LETTERS}]?)")
_TILE = re.compile(r"([0-5])[- ]?([0-5])[- ]?([0-5])")


@dataclass(frozen=True, slots=True)
class Numbered:
    """The number of a place, with a letter if several tiles fit it."""

    number: int
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Lettered:
    """A letter alone: the answer to "which of these tiles?"."""

    letter: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """An unknown command: what was typed, the key of a help text, and a close match."""

    typed: str
    text: str
    word: str = ""


Command: TypeAlias = Word | Numbered | Lettered | Tile | Place | Unclear


def read_command(line: str) -> Command:
    """Parse one line that is not blank.

    >>> read_command("7b"), read_command("4-1-3"), read_command(" Draw ")
    (Numbered(number=7, letter='b'), Tile(1, 3, 4), <Word.DRAW: 'draw'>)
    """
    text = " ".join(line.split()).lower()
    if text in WORDS:
        return WORDS[text]
    if found := _NUMBER.fullmatch(text):
        return Numbered(int(found[1]), found[2])
    if text in LETTERS:
        return Lettered(text)
    if found := _TILE.fullmatch(text):
        return Tile(*map(int, found.groups()))
    if "=" in text:
        try:
            return Place.parse(text.replace(" ", "").upper())
        except NotationError:
            return Unclear(_short(line), "unread")
    near = get_close_matches(text, [word for word in WORDS if len(word) > 2], n=1)
    return Unclear(_short(line), "near", near[0]) if near else Unclear(_short(line), "unknown")


def _short(line: str) -> str:
    typed = "".join(letter if letter.isprintable() else "?" for letter in line.strip())
    return typed if len(typed) <= 20 else typed[:19] + "…"
