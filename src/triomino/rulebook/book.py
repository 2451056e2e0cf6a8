"""The rule book of any rules, and how they differ from their edition."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from triomino.rulebook.chapters import CHAPTERS
from triomino.rulebook.figures import FIGURED
from triomino.rulebook.lines import Chapter
from triomino.rules import EDITIONS, plain_value

if TYPE_CHECKING:
    from triomino.rules import Rules


@dataclass(frozen=True, slots=True)
class Change:
    """A field that differs from the edition."""

    name: str
    value: str
    edition_value: str
    matters: bool
    """Whether it changes the text of the rule book."""


def rulebook(rules: Rules) -> list[Chapter]:
    """Return the rules chapter by chapter; chapters that do not apply are left out."""
    written = ((name, tuple(write(rules))) for name, write in CHAPTERS.items())
    return [Chapter(name, lines, FIGURED.get(name, ())) for name, lines in written if lines]


def deals(rules: Rules) -> list[tuple[int, int, int]]:
    """Return a row per number of players: players, tiles each, tiles left in the pool."""
    return [
        (players, size, len(rules.tiles) - players * size) for players, size in rules.racks.items()
    ]


def changes(rules: Rules) -> list[Change]:
    """Return every field that differs from the edition."""
    base, book = EDITIONS[rules.edition], _content(rules)
    out = []
    for item in fields(rules):
        value, usual = getattr(rules, item.name), getattr(base, item.name)
        if value != usual:
            matters = _content(replace(rules, **{item.name: usual})) != book
            out.append(Change(item.name, shown(value), shown(usual), matters))
    return out


def _content(rules: Rules) -> tuple[list[Chapter], list[tuple[int, int, int]], bool]:
    """Return everything the text depends on: lines, the table of deals, tiles or cards."""
    return rulebook(rules), deals(rules), rules.speaks_of_cards


def shown(value: object) -> str:
    """Return a value as TOML, for a house-rule file.

    >>> shown((50, 60, 70)), shown(None), shown(True)
    ('[50, 60, 70]', '"none"', 'true')
    """
    value = plain_value(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {item}" for key, item in value.items()) + "}"
    return json.dumps("none" if value is None else value)
