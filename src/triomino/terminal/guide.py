"""The parts of the printed rule book beside the rules proper, and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.columns import Columns
from rich.text import Text

from triomino.board import Board
from triomino.render.text import board_text, rack_text
from triomino.rulebook import FIGURES, RACK_FIGURES, guide
from triomino.scoring import Reason, placement_scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from triomino.moves import Place
    from triomino.rulebook import Answer, ScoreRow, WorkedSum
    from triomino.rules import Rules
    from triomino.words import Words

MARK: Final = "*"
"""What marks a line that differs from the edition."""


def print_heading(screen: Console, heading: str) -> None:
    """Print a heading after an empty line."""
    screen.print()
    screen.print(Text(heading, style="bold"))


def print_line(screen: Console, paragraph: str, *, marked: bool = False) -> None:
    """Print a paragraph as an item of a list, marked if it differs from the edition."""
    style = "yellow" if marked else ""
    for number, line in enumerate(Text(paragraph).wrap(screen, screen.width - 2)):
        mark = "  " if number else f"{MARK} " if marked else "- "
        screen.print(Text(mark + line.plain.rstrip(), style=style))


# --- Before and after the rules proper -----------------------------------------------------------


def print_summary(screen: Console, rules: Rules, usual: Rules, words: Words) -> None:
    """Print the game in one minute and the table of points."""
    own, base = guide(rules), guide(usual)
    print_heading(screen, words.say("rules.chapter.minute"))
    for line in own.minute:
        print_line(screen, words.say(line.key, **line.values), marked=line not in base.minute)
    print_heading(screen, words.say("rules.chapter.glance"))
    if not own.scores:
        print_line(screen, words.say("rules.points.free"))
    for row in own.scores:
        print_line(screen, _row(row, words), marked=row not in base.scores)


def print_guide(screen: Console, rules: Rules, words: Words) -> None:
    """Print questions, worked sums, near misses, advice and what the leaflet says."""
    own = guide(rules)
    print_heading(screen, words.say("rules.chapter.may"))
    for answer in own.answers:
        _print_answer(screen, answer, rules, words)
    if own.sums:
        print_heading(screen, words.say("rules.chapter.sums"))
        for one in own.sums:
            print_line(screen, words.say(one.line.key, **one.line.values))
            screen.print(Text(f"  {words.isolated(_worked(one))}"))
    print_heading(screen, words.say("rules.chapter.misses"))
    print_figures(screen, own.misses, rules, words)
    for name, lines in (("well", own.advice), ("leaflet", own.leaflet)):
        print_heading(screen, words.say(f"rules.chapter.{name}"))
        for line in lines:
            print_line(screen, words.say(line.key, **line.values))


def _row(row: ScoreRow, words: Words) -> str:
    worth = words.say(row.worth) if row.points is None else words.signed(row.points)
    return f"{words.say(row.line.key, **row.line.values)}: {worth}"


def _print_answer(screen: Console, answer: Answer, rules: Rules, words: Words) -> None:
    said = words.say(answer.line.key, **answer.line.values)
    source = words.say(f"rules.source.{answer.source}")
    print_line(screen, f"{words.say(answer.question)} {said} ({source})")
    figure = RACK_FIGURES.get(answer.figure)
    if figure is None:
        print_figures(screen, [answer.figure], rules, words)
    else:
        drawn = figure.rack[len(figure.rack) - figure.drawn :]
        board = board_text(Board.of(figure.board), color=False).plain
        rack = rack_text(figure.rack, width=screen.width, marked=drawn, color=False).plain
        _print_drawing(screen, f"{board}\n\n{rack}", words)


def _worked(one: WorkedSum) -> str:
    """Return the arithmetic of a sum; a score of nothing is left out."""
    signs = " ".join(f"{'-' if part < 0 else '+'} {abs(part)}" for part in one.parts)
    added = f"{one.start} {signs}" if one.start else signs.removeprefix("+ ")
    return f"+{added}" if added == str(one.total) else f"{added} = {one.total}"


# --- Figures -------------------------------------------------------------------------------------


def print_figures(screen: Console, names: Iterable[str], rules: Rules, words: Words) -> None:
    """Draw figures side by side; the last tile is marked, a wrong one has a cross."""
    drawn = []
    for name in names:
        board, place = Board.of(FIGURES[name].board), FIGURES[name].place
        below = [words.say(f"rules.figure.{name}")]
        if board.why_not(place) is None:
            below.append(words.isolated(added_up(board, place, rules)))
            board.lay(place)
            picture = board_text(board, width=screen.width, last=place, color=False)
        else:
            picture = board_text(board, width=screen.width, wrong=place, color=False)
        drawn.append((picture.plain.rstrip(), [*filter(None, below), ""]))
    if not drawn:
        return
    screen.print()
    if words.right_to_left:
        for plain, below in drawn:
            _print_drawing(screen, plain, words)
            for line in below:
                screen.print(Text(line))
        return
    figures = [Text("\n".join([plain, *below])) for plain, below in drawn]
    screen.print(Columns(figures, padding=(0, 4)))


def _print_drawing(screen: Console, plain: str, words: Words) -> None:
    """Print a drawing; every line of it keeps its direction in any language."""
    for line in plain.split("\n"):
        screen.print(Text(words.isolated(line.rstrip())), soft_wrap=True)
    screen.print()


def added_up(board: Board, place: Place, rules: Rules) -> str:
    """Return the points of a placement as a sum; empty where it scores nothing.

    >>> from triomino import CLASSIC, Place
    >>> added_up(Board(), Place.parse("U(0,0)=1-3-4"), CLASSIC)
    '1 + 3 + 4 = 8'
    """
    scores = [*placement_scores(board, 0, place, rules)]
    parts: list[int] = []
    for score in scores:
        parts += place.numbers if score.reason is Reason.TILE else (score.points,)
    total = sum(score.points for score in scores)
    if len(parts) > 1:
        return f"{' + '.join(map(str, parts))} = {total}"
    return f"+{total}" if total else ""
