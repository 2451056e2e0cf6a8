"""The score sheet of a match, printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich import box
from rich.table import Table
from rich.text import Text

from triomino.ledger import EndReason
from triomino.terminal.output import NARROW, console
from triomino.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triomino.game import Game, Ply, RoundEnd
    from triomino.match import Match
    from triomino.rules import Seat
    from triomino.scoring import Score


_ENGLISH: Final = Words()


def print_sheet(match: Match, number: int = 1) -> None:
    """Print the match, round by round, to standard output."""
    screen = console()
    names = [player.name for player in match.players]
    rules, goal = match.rules, match.rules.target
    house = [name for name in rules.changes if name not in ("edition", "target")]
    said = [rules.edition, "a single round" if goal is None else f"to {goal}"]
    screen.print(Text(f"Match {number}: {' · '.join([*said, *house])}", style="bold"))
    layout = _Layout.of(names, screen.width)
    if layout.numbered:
        for seat, name in enumerate(names):
            screen.print(Text(f"  {seat + 1} {name}"))
    totals = [game.start_totals for game in match.rounds[1:]] + [match.scores]
    for index, (game, after) in enumerate(zip(match.rounds, totals, strict=True), 1):
        screen.print(_round(game, index, names, after, layout))
        if game.end is not None:
            screen.print(_end_line(game.end, names))
    screen.print(_result(match, names))
    screen.print()


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout that fits: reasons beside the moves or after them, a column per player or one."""

    narrow: bool
    numbered: bool
    together: bool

    @classmethod
    def of(cls, names: list[str], width: int) -> _Layout:
        narrow = width < NARROW
        room = width - (30 if narrow else 50)
        return cls(
            narrow=narrow,
            numbered=sum(max(4, len(name)) + 1 for name in names) > room,
            together=5 * len(names) > room,
        )

    def table(self, title: str, names: list[str]) -> Table:
        table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0), title=Text(title))
        table.title_justify, table.title_style = "left", ""
        table.add_column("#", justify="right", style="dim")
        table.add_column("move", overflow="fold")
        if not self.narrow:
            table.add_column("points", overflow="fold")
        heads = [str(seat + 1) for seat in range(len(names))] if self.numbered else names
        for head in ["who", "has"] if self.together else heads:
            table.add_column(Text(head), justify="right", overflow="fold")
        return table

    def add(self, table: Table, said: tuple[str, str, str], *, seat: Seat, total: int) -> None:
        """Add a line: what *seat* did, why it counts, and its total after it."""
        first, move, why = said
        texts = [Text(f"{move} {why}".strip())] if self.narrow else [Text(move), Text(why)]
        cells = [""] * (len(table.columns) - 1 - len(texts))
        if self.together:
            cells = [str(seat + 1), _signed(total)]
        else:
            cells[seat] = _signed(total)
        table.add_row(first, *texts, *cells)


def _round(
    game: Game, number: int, names: list[str], after: tuple[int, ...], layout: _Layout
) -> Table:
    drew = [draw for draw in game.start.start_draws if draw.seat == game.starter]
    why = f" (drew {drew[-1].tile})" if drew else ""
    table = layout.table(f"Round {number}: {names[game.starter]} starts{why}", names)
    totals = list(game.start_totals)
    for index, ply in enumerate(game.plies, 1):
        totals[ply.seat] += ply.points
        said = str(index), _move(ply), _why(ply.scores)
        layout.add(table, said, seat=ply.seat, total=totals[ply.seat])
    if game.end is not None:
        table.add_section()
        for seat in range(len(names)):
            own = [score for score in game.end.scores if score.seat == seat]
            totals[seat] += sum(score.points for score in own)
            if own:
                said = "", _ending(game.end, seat), _why(own)
                layout.add(table, said, seat=seat, total=totals[seat])
        for seat, total in enumerate(after):
            # Where no points are kept, a series counts the rounds won.
            if total != totals[seat]:
                layout.add(table, ("", "wins the round", ""), seat=seat, total=total)
    return table


def _move(ply: Ply) -> str:
    return str(ply.move) if ply.tile is None else f"{ply.move} {ply.tile}"


def _why(scores: Iterable[Score]) -> str:
    said = [f"{_ENGLISH.say(f'reason.{score.reason}')} {score.points:+d}" for score in scores]
    return ", ".join(said).replace("-", "−")


def _signed(total: int) -> str:
    return str(total).replace("-", "−")


def _ending(end: RoundEnd, seat: Seat) -> str:
    return "goes out" if end.reason is EndReason.OUT and seat in end.seats else end.reason.value


def _end_line(end: RoundEnd, names: list[str]) -> Text:
    who = _ENGLISH.listed([names[seat] for seat in end.seats])
    match end.reason:
        case EndReason.OUT:
            return Text(f"{who} went out.")
        case EndReason.BLOCKED:
            return Text(f"Blocked; {who} did best." if who else "Blocked: nobody could go on.")
        case EndReason.ABANDONED:
            return Text("Given up.")


def _result(match: Match, names: list[str]) -> Text:
    scores = " : ".join(map(_signed, match.scores))
    if not match.over:
        return Text(f"Not finished; it stands {scores}.", style="bold")
    who = _ENGLISH.listed([names[seat] for seat in match.winners])
    if not who:
        return Text(f"Nobody won; it stood {scores}.", style="bold")
    verb = "wins" if len(match.winners) == 1 else "share the win"
    return Text(f"{who} {verb}, {scores}.", style="bold")
