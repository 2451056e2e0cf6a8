"""The rules that a user's options ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triomino.errors import RulesError
from triomino.rules import Rules

if TYPE_CHECKING:
    from pathlib import Path


def rules_from(
    edition: str | None,
    file: Path | None = None,
    settings: list[str] | None = None,
    target: int | None = None,
) -> Rules:
    """Return the rules of an edition, changed by a TOML file, then by settings and a target."""
    rules = Rules.read(edition or "classic")
    if file is not None:
        rules = Rules.from_toml(_text(file), rules.edition)
        if edition not in (None, rules.edition):
            raise RulesError(f"--edition says {edition}, {file} says {rules.edition}")
    rules = rules.with_settings(settings or [])
    return rules if target is None else rules.with_changes({"target": target})


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise RulesError(f"{file} is not UTF-8 text: {error.reason}") from error
