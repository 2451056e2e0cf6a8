"""``triomino puzzles``: make, check and show the puzzles of a year."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from triomino.cli.options import AsJson, Seed
from triomino.errors import TriominoError
from triomino.puzzles import DAYS, Puzzle, Year, read_year
from triomino.puzzles.judge import DEEP, why_wrong
from triomino.puzzles.make import Maker
from triomino.puzzles.year import arranged
from triomino.render.text import board_text
from triomino.terminal.output import console, print_json, progress

PuzzleFile = Annotated[
    Path | None, typer.Option("--file", help="A file that make wrote, not the one that ships.")
]


def make(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write them.")],
    *,
    seed: Seed = 1,
    games: Annotated[int, typer.Option("--games", min=1, metavar="N", help="Games to play.")] = 100,
    days: Annotated[
        int, typer.Option("--days", min=1, metavar="N", help="At most so many.")
    ] = DAYS,
) -> None:
    """Find puzzles in games between bots, and write a year of them.

    The same seed and the same number of games give the same bytes on every machine. A game takes
    half a second and gives a puzzle every fourth time. An interrupt writes what was found.

        triomino puzzles make mine.json --seed 7 --games 50
    """
    found: list[Puzzle] = []
    maker = Maker(seed)
    try:
        with progress() as bar:
            task = bar.add_task("games", total=games)
            for number in range(games):
                found += [one for one in maker.puzzles(number) if not any(why_wrong(one))]
                bar.advance(task)
    except KeyboardInterrupt:
        if not found:
            raise typer.Exit(130) from None
    if not found:
        raise TriominoError(f"no puzzle in {games} games; more --games may find some")
    year = arranged(found, days)
    out.write_text(year.to_text(), encoding="utf-8")
    print(f"{len(year.puzzles)} of {len(found)} puzzles written to {out}")


def check(
    *,
    file: PuzzleFile = None,
    rollouts: Annotated[
        int, typer.Option("--rollouts", min=200, help="How deep to search.")
    ] = DEEP,
    every: Annotated[
        int, typer.Option("--every", min=1, metavar="N", help="Only every Nth puzzle.")
    ] = 1,
    seed: Seed = 2,
) -> None:
    """Judge every puzzle anew, and fail on a wrong, ambiguous or ugly one.

    Wrong: another move wins more often, an answer is not legal, or nobody sees why. Ambiguous: a
    second move wins nearly as often. Ugly: the board does not fit a phone, there is too much to
    think about, or nothing to choose.
    """
    puzzles = _year(file).puzzles
    wrong = 0
    boards: dict[object, int] = {}
    with progress() as bar:
        task = bar.add_task("puzzles", total=len(puzzles[::every]))
        for number in range(0, len(puzzles), every):
            puzzle = puzzles[number]
            complaints = list(why_wrong(puzzle, rollouts, seed))
            first = boards.setdefault((puzzle.position.board, puzzle.position.racks[0]), number)
            if first != number:
                complaints.append(f"the same as puzzle {first + 1}")
            for complaint in complaints:
                print(f"puzzle {number + 1} ({puzzle.kind}, level {puzzle.level}): {complaint}")
            wrong += bool(complaints)
            bar.advance(task)
    checked = len(puzzles[::every])
    if wrong:
        raise TriominoError(f"{wrong} of {checked} puzzles must not be shown")
    print(f"{checked} puzzles are right")


def show(
    *,
    file: PuzzleFile = None,
    day: Annotated[
        str | None, typer.Option("--day", metavar="DATE", help="Like 2026-12-24; else today.")
    ] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Tell the best move, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the puzzle of a day, or all of them in short.

    With --json all puzzles of the file are printed, an object for each.
    """
    year = _year(file)
    if as_json:
        for puzzle in year.puzzles:
            print_json(puzzle.to_json())
        return
    try:
        wanted = datetime.now().astimezone().date() if day is None else date.fromisoformat(day)
    except ValueError:
        raise TriominoError(f"--day: {day!r} is no date like 2026-12-24") from None
    puzzle = year.of(wanted)
    view = puzzle.view
    console().print(board_text(puzzle.position.as_board()))
    print(f"{puzzle.kind}, level {puzzle.level}; your tiles: {' '.join(map(str, view.rack))}")
    print(
        f"points {json.dumps(list(view.totals))}, {view.rack_sizes[1]} tiles beside you,"
        f" {view.pool_size} in the pool"
    )
    if solution:
        best, second = puzzle.answers[:2]
        print(f"{best.move} wins {best.win} %, {second.move} {second.win} %")


def _year(file: Path | None) -> Year:
    return read_year() if file is None else Year.from_text(file.read_text(encoding="utf-8"))
