"""Findings about the game: how much is luck, what the start and drawing are worth, how long it is.

``python -m benchmarks.findings`` plays the rounds, writes ``docs/findings.md`` and its pictures.
Rounds are kept in ``build/findings``: the same command resumes where it was stopped, and stronger
players (``--rollouts``) or more rounds make the page anew.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from benchmarks.findings.picture import Bar, bars
from benchmarks.findings.rounds import DRAWING, GAMES, Drawing, Equals, Players
from triomino.lab.process_pool import default_jobs
from triomino.lab.statistics import Z95, mean_interval, win_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.rules import Rules

Row = dict[str, Any]
KEPT: Final = Path("build/findings")
PAGE: Final = Path("docs/findings.md")
PICTURES: Final = Path("docs/pictures")
TEMPLATE: Final = Path(__file__).with_name("page.md")


def label(rules: Rules, players: int) -> str:
    """Return the name of a game in tables and pictures."""
    return f"{rules.edition}, {players} players"


def luck_share(rows: Sequence[Row]) -> tuple[float, float, float]:
    """Return the part of the variance of the result that luck explains, with its interval.

    The luck of a round is known with some noise. That does not bias its covariance with the result.
    """
    shared, whole = [], []
    for row in rows:
        fair = 1 / len(row["won"])
        shared.append(
            sum(luck * (won - fair) for luck, won in zip(row["luck"], row["won"], strict=True))
        )
        whole.append(sum((won - fair) ** 2 for won in row["won"]))
    if not any(whole):
        return 0.0, 0.0, 1.0  # nothing was decided
    share = sum(shared) / sum(whole)
    rest = sum((a - share * b) ** 2 for a, b in zip(shared, whole, strict=True)) ** 0.5
    half = Z95 * rest / sum(whole)
    return share, share - half, share + half


def start_rate(rows: Sequence[Row]) -> tuple[float, float, float]:
    """Return how often who starts wins, with its interval."""
    rates = [row["won"][row["starter"]] for row in rows]
    return fmean(rates), *win_interval(rates)


def figure(value: float, low: float, high: float, unit: str = "%") -> str:
    """Return a value with its interval as text."""
    if unit == "%":
        return f"{value:.1%} [{low:.1%}, {high:.1%}]".replace("%", " %")
    return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"


def games_table(found: Sequence[tuple[str, int, list[Row]]]) -> str:
    """Return length, luck and start by game as a table."""
    lines = [
        "| game | turns | tiles laid | drawn | somebody goes out | luck | who starts wins | fair |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, players, rows in found:
        lines.append(
            f"| {name} | {fmean(row['turns'] for row in rows):.0f} "
            f"| {fmean(row['placed'] for row in rows):.0f} "
            f"| {fmean(row['drawn'] for row in rows):.0f} "
            f"| {fmean(row['out'] for row in rows):.0%} | {figure(*luck_share(rows))} "
            f"| {figure(*start_rate(rows))} | {1 / players:.0%} |"
        )
    return "\n".join(lines)


def by_deal(rows: Sequence[Row], key: str) -> list[float]:
    """Return the mean of every deal: its games, one for each seat, are one cluster."""
    deals: dict[int, list[float]] = {}
    for row in rows:
        deals.setdefault(row["deal"], []).append(row[key])
    return [fmean(values) for values in deals.values()]


def drawing_table(found: Sequence[tuple[str, int, list[Row]]]) -> str:
    """Return what drawing on purpose is worth as a table."""
    lines = [
        "| `voluntary_draw` | players | draws on purpose in a round | wins | fair | margin |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, players, rows in found:
        wins, margins = by_deal(rows, "won"), by_deal(rows, "margin")
        lines.append(
            f"| `{name}` | {players} | {fmean(row['on_purpose'] for row in rows):.1f} "
            f"| {figure(fmean(wins), *win_interval(wins))} | {1 / players:.0%} "
            f"| {figure(fmean(margins), *mean_interval(margins), unit='')} |"
        )
    return "\n".join(lines)


def write(
    games: Sequence[tuple[str, int, list[Row]]],
    drawing: Sequence[tuple[str, int, list[Row]]],
    options: argparse.Namespace,
) -> None:
    """Write the page and its pictures."""
    luck = [Bar(name, *luck_share(rows)) for name, _, rows in games]
    turns = [
        Bar(name, fmean(own), *mean_interval(own))
        for name, own in ((name, [row["turns"] for row in rows]) for name, _, rows in games)
    ]
    start = [Bar(name, *start_rate(rows)) for name, players, rows in games if players == 2]
    wins = [
        Bar(f"{name}, {players} players", fmean(own), *win_interval(own))
        for name, players, own in ((*each[:2], by_deal(each[2], "won")) for each in drawing)
    ]
    for name, drawn in {
        "luck": bars("Variance of the result explained by luck", luck, most=1.0),
        "length": bars("Turns of a round", turns, most=80, percent=False),
        "start": bars("Rounds won by who starts, between two", start, most=1.0),
        "drawing": bars("Rounds won by one who draws on purpose", wins, most=1.0),
    }.items():
        (options.pictures / f"findings-{name}.svg").write_text(drawn, "utf-8")
    text = TEMPLATE.read_text("utf-8").format(
        rounds=options.rounds,
        duels=options.duels,
        rollouts=options.rollouts,
        strength=options.strength,
        games=games_table(games),
        drawing=drawing_table(drawing),
    )
    options.page.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="of every game")
    parser.add_argument("--duels", type=int, default=600, help="rounds for every way to draw")
    parser.add_argument("--rollouts", type=int, default=60, help="of a move")
    parser.add_argument("--strength", default="between hard and expert", help="told on the page")
    parser.add_argument("--keep", type=Path, default=KEPT, help="the folder of rounds")
    parser.add_argument("--jobs", type=int, default=default_jobs(), help="processes; all cores")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--pictures", type=Path, default=PICTURES)
    options = parser.parse_args()
    who = Players(options.rollouts)
    games = [
        (
            label(rules, players),
            players,
            Equals(rules, players, who).rows(options.rounds, options.keep, options.jobs),
        )
        for rules, players in GAMES
    ]
    drawing = [
        (name, players, Drawing(name, players, who).rows(options.duels, options.keep, options.jobs))
        for players in (2, 4)
        for name in DRAWING
    ]
    write(games, drawing, options)


if __name__ == "__main__":
    main()
