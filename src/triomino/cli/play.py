"""``triomino play``: a match in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triomino.cli.options import (
    Edition,
    Language,
    RulesFile,
    Settings,
    Target,
)
from triomino.terminal.console import Terminal
from triomino.terminal.language import words_for
from triomino.terminal.lobby import PlayOptions
from triomino.terminal.sitting import sit

Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; bots fill the seats.")
]
Seats = Annotated[str | None, typer.Option("--seats", help='Who plays, like "Ann,bot:hard,Ben".')]
Seed = Annotated[
    int | None,
    typer.Option("--seed", help="The same seed gives the same deals; random by default."),
]
SaveFile = Annotated[
    Path | None, typer.Option("--save", help="Save the match there, not in the data folder.")
]
ResumeFile = Annotated[Path | None, typer.Option("--resume", help="Continue a saved match.")]
Plain = Annotated[
    bool, typer.Option("--plain", help="Lines only: no colour, no drawing, no clearing.")
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain characters.")]


def play(
    *,
    edition: Edition = None,
    players: Players = None,
    seats: Seats = None,
    target: Target = None,
    rules: RulesFile = None,
    settings: Settings = None,
    seed: Seed = None,
    save: SaveFile = None,
    resume: ResumeFile = None,
    language: Language = None,
    plain: Plain = False,
    ascii_only: Ascii = False,
) -> None:
    """Play a match in this terminal, against bots or with friends at one screen.

    Without options it asks who plays and what, and offers to continue an unfinished match.
    Every move is saved; Ctrl-C loses nothing.

    For example:

        triomino play --edition card --players 3

        triomino play --seats "Ann,bot:hard,Ben" --target 400
    """
    options = PlayOptions(
        edition=edition,
        players=players,
        seats=seats,
        target=target,
        rules=rules,
        settings=settings,
        seed=seed,
        save=save,
        resume=resume,
        language=language,
    )
    # What is written from right to left is read in lines; a drawing would be turned round.
    plain = plain or words_for(language).right_to_left
    code = sit(options, Terminal(plain=plain, ascii_only=ascii_only))
    if code:
        raise typer.Exit(code)
