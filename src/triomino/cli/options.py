"""Options that several commands share, as types for Typer."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from triomino.rules import EDITIONS


def _editions(start: str) -> list[str]:
    """The names of editions that complete what was typed."""
    return [name for name in EDITIONS if name.startswith(start)]


def _languages(start: str) -> list[str]:
    """The codes of languages that complete what was typed."""
    codes = import_module("triomino.words").languages()
    return sorted(code for code in codes if code.startswith(start))


Edition = Annotated[
    str | None,
    typer.Option(
        "--edition",
        "-e",
        autocompletion=_editions,
        help="classic (the default), classic-hebrew, six-player, card or casual.",
    ),
]
RulesFile = Annotated[
    Path | None,
    typer.Option("--rules", help="House rules: a TOML file with fields of the rules."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="One house rule, like bridge_rule=three_corners; repeatable."),
]
Target = Annotated[
    int | None,
    typer.Option("--target", help="Play to this many points (casual: rounds won)."),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        autocompletion=_languages,
        help="Language, like de or pt; by default that of the shell.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: a JSON object per line.")]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", help="Deals and bots follow from it alone.")
]
Records = Annotated[
    Path | None,
    typer.Option(
        "--records", help="Write the matches there, a record per line; - is standard output."
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="auto|ADDRESS",
        help="Let a Ray cluster do the work; needs triomino[ray].",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, metavar="N", help="Processes; without it, one for each core."
    ),
]
SnapshotFile = Annotated[
    Path,
    typer.Argument(
        metavar="INPUT",
        help="A position, or records; - is standard input.",
        show_default=False,
    ),
]
RecordNumber = Annotated[
    int | None, typer.Option("--record", min=1, metavar="N", help="Which record of several.")
]
RoundNumber = Annotated[
    int | None,
    typer.Option("--round", min=1, metavar="N", help="Which round; by default the last."),
]
TurnNumber = Annotated[
    int | None,
    typer.Option(
        "--turn",
        min=0,
        metavar="N",
        help="After how many entries of the round's turns; else after the last. 0 is the deal.",
    ),
]
RecordFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="Records, a match per line; - is standard input.",
        show_default=False,
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        "--data", help="The database: a file, a folder or a URL; by default in your data folder."
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="Settings: a TOML file with any of their names.")
]
ServerSettings = Annotated[
    list[str] | None,
    typer.Option("--set", help="One setting, like keep_finished=90; repeatable."),
]
