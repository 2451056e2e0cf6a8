"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triomino.rules import Rules

Edition = Annotated[
    str,
    typer.Option(
        "--edition",
        "-e",
        help="classic, classic-hebrew, six-player, card or casual.",
        show_default=True,
    ),
]
RulesFile = Annotated[
    Path | None,
    typer.Option("--rules", help="House rules: a TOML file with fields of the rules."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", help="One house rule, like [b]bridge_rule=three_corners[/b]; repeatable."
    ),
]
Target = Annotated[
    int | None,
    typer.Option("--target", help="Play to so many points (casual: rounds won)."),
]


def rules_from(
    edition: str | None,
    file: Path | None = None,
    settings: list[str] | None = None,
    target: int | None = None,
) -> Rules:
    """The rules that the shared options ask for; a later one changes an earlier one."""
    name = edition or "classic"
    rules = Rules.read(name) if file is None else Rules.from_toml(file.read_text("utf-8"), name)
    rules = rules.with_settings(settings or [])
    return rules if target is None else rules.with_changes({"target": target})
