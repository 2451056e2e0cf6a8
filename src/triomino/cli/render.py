"""``triomino render``: a position as a drawing or as text."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from triomino.cli.options import (
    RecordNumber,
    RoundNumber,
    SnapshotFile,
    TurnNumber,
)
from triomino.errors import TriominoError
from triomino.terminal.output import console
from triomino.terminal.snapshot import read_snapshot, snapshot_svg, snapshot_text


class Format(StrEnum):
    """The kind of output."""

    SVG = "svg"
    TEXT = "text"


class ThemeName(StrEnum):
    """The colours of a drawing."""

    NIGHT = "night"
    DAY = "day"


Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where it goes: out.svg, out.txt, or - for standard output.",
    ),
]
FormatName = Annotated[
    Format | None,
    typer.Option("--format", help="Without it, the name of the output decides."),
]
Theme = Annotated[ThemeName, typer.Option("--theme", help="For a drawing.")]
Width = Annotated[
    int | None,
    typer.Option(
        "--width", min=20, max=20_000, metavar="N", help="Pixels of a drawing, columns of text."
    ),
]


def render(
    file: SnapshotFile,
    *,
    output: Output = Path("-"),
    form: FormatName = None,
    theme: Theme = ThemeName.NIGHT,
    record: RecordNumber = None,
    round_number: RoundNumber = None,
    turn: TurnNumber = None,
    width: Width = None,
) -> None:
    """Draw a position, or a moment of a recorded match.

    A record holds everything, so all racks are shown.

    For example:

        triomino render position.json -o board.svg --theme day

        triomino render out.jsonl --record 3 --round 1 --turn 20
    """
    kind = form or _guess(output)
    snapshot = read_snapshot(file, record, round_number, turn)
    if kind is Format.SVG:
        _write(output, snapshot_svg(snapshot, theme, width))
    elif output == Path("-"):
        screen = console()
        shown = snapshot_text(snapshot, width or screen.width, color=screen.is_terminal)
        screen.print(shown, soft_wrap=True)
    else:
        _write(output, snapshot_text(snapshot, width or 80, color=False).plain + "\n")


def _guess(output: Path) -> Format:
    """Return the format that the name of the output asks for."""
    if output == Path("-"):
        return Format.TEXT
    known = {".svg": Format.SVG, ".txt": Format.TEXT}
    if output.suffix.lower() not in known:
        raise TriominoError(f"{output}: name it .svg or .txt, or say --format svg or text")
    return known[output.suffix.lower()]


def _write(output: Path, content: str) -> None:
    if output == Path("-"):
        sys.stdout.write(content)
    else:
        output.write_bytes(content.encode())
