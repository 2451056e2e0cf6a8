"""The checks of the analysis and the findings: that they run, and that they can fail."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.analysis import __main__ as truth
from benchmarks.analysis.checks import calibration_bins, luck_means, rank_correlation, standings
from benchmarks.analysis.fit import fit
from benchmarks.analysis.pool_bots import pool_bot
from benchmarks.analysis.rounds import Kind, Row, rows
from benchmarks.deals import dealt
from benchmarks.findings import __main__ as findings

from triomino import CLASSIC, View
from triomino.analysis.calibration import DATA, Calibration
from triomino.analysis.chances import Judged
from triomino.bots import GreedyBot
from triomino.dice import Rng
from triomino.moves import Draw, Place

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    Array = np.ndarray[Any, np.dtype[np.float64]]

PLAIN = {"any": Calibration()}
STRENGTH = {"champion": 1.0, "hard": 0.5, "easy": 0.0}


def made_up(number: int, luck: float = 0.0) -> Row:
    """A round of three positions: chances that come true, draws that change them either way."""
    dice = Rng.named("made up", number)

    def even() -> float:
        return dice.randrange(1 << 20) / (1 << 20)

    bots = tuple(sorted(STRENGTH)[dice.randrange(3)] for _ in range(2))
    share = 0.2 + 0.6 * even()
    later = min(0.99, max(0.01, share + luck + (0.1 if even() < 0.5 else -0.1)))
    both = [np.array([part, 1 - part]) for part in (share, share, later)]
    result = np.array([1.0, 0.0]) if even() < later else np.array([0.0, 1.0])
    judged = Judged(
        both[0], (*both, result), (1.0, 0.9, 0.5, 0.4), (None, both[1], None), over=True
    )
    lost = tuple(0.3 - 0.2 * STRENGTH[bot] + 0.1 * (even() - 0.5) for bot in bots)
    return Row(number, "classic", bots, number % 2, judged, lost, (0.01, 0.01), (9, 9))


ROUNDS = [made_up(number) for number in range(1, 1000)]


def test_chances_that_come_true_pass_and_others_fail() -> None:
    chart = fit(ROUNDS)
    assert not any(one.fails for one in calibration_bins(ROUNDS, chart))
    bold = {"any": Calibration(slope=4.0)}
    assert any(one.fails for one in calibration_bins(ROUNDS, bold))


def test_luck_with_a_mean_is_found() -> None:
    means, rest = luck_means(ROUNDS, PLAIN, STRENGTH)
    assert rest < 1e-9
    assert all(abs(one.z) < truth.DIFFERS for one in means)
    lucky = [made_up(number, luck=0.02) for number in range(1, 1000)]
    assert max(one.z for one in luck_means(lucky, PLAIN, STRENGTH)[0]) > truth.DIFFERS


def test_blame_that_ranks_the_wrong_way_round_is_found() -> None:
    strong: list[Row] = []
    for row in ROUNDS:
        ahead = STRENGTH[row.bots[0]] - STRENGTH[row.bots[1]]
        if ahead:
            won = (
                np.array([1.0, 0.0]) if (ahead > 0) == bool(row.number % 7) else np.array([0, 1.0])
            )
            judged = replace(row.judged, shares=(*row.judged.shares[:-1], won))
            strong.append(replace(row, judged=judged))
    ranked, wrong = standings(strong)
    assert [one.bot for one in ranked] == ["champion", "hard", "easy"]
    assert wrong == []
    blamed = [replace(row, lost=tuple(-each for each in row.lost)) for row in strong]
    assert len(standings(blamed)[1]) == 3
    assert rank_correlation(ranked) == 1
    assert rank_correlation(standings(blamed)[0]) == -1


def called(main: Callable[[], None], *words: object) -> object:
    """Call a program with these words; return its exit code."""
    before, sys.argv = sys.argv, ["program", *map(str, words)]
    try:
        main()
    except SystemExit as end:
        return end.code
    finally:
        sys.argv = before
    return 0


def test_the_command_plays_fits_checks_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chart, picture = tmp_path / "chart.json", tmp_path / "chart.svg"
    size = ("--rounds", 5, "--others", 2, "--pool", 4, "--jobs", 1, "--keep", tmp_path)
    code = called(truth.main, *size, "--chart", chart, "--fit", "--svg", picture)
    told = capsys.readouterr().out
    # So few rounds prove nothing; but a sum that is not zero would be an error.
    assert code in {True, False}
    assert "does not sum to zero" not in told
    assert "champion against itself" in told
    assert picture.read_text("utf-8").startswith("<svg")
    assert set(truth.stored(chart)) == {"any"}
    kept = (tmp_path / "classic.jsonl").read_bytes()
    again = rows(5, tmp_path, Kind.CLASSIC)
    assert (tmp_path / "classic.jsonl").read_bytes() == kept
    assert [row.number for row in again] == list(range(1, 6))
    # What was cut off is played again, as it was.
    (tmp_path / "classic.jsonl").write_bytes(kept[:-40])
    rows(5, tmp_path, Kind.CLASSIC)
    assert (tmp_path / "classic.jsonl").read_bytes() == kept


def test_opponents_of_the_pool_play_as_they_do_there() -> None:
    """The blocker lays elsewhere than greedy for a reason; the hoarder draws on purpose."""
    drew = other = 0
    for number in range(1, 13):
        game = dealt(CLASSIC, 2, number)
        bots = [pool_bot("hoarder", Rng(1)), pool_bot("blocker", Rng(1))]
        while not game.over:
            view = View.of(game, game.turn)
            move, greedy = bots[game.turn].choose(view), GreedyBot().choose(view)
            drew += move == Draw() and isinstance(greedy, Place)
            other += isinstance(move, Place) and move != greedy
            game.play(move)
    assert drew > 10
    assert other > 20


def test_the_stored_map_is_one() -> None:
    charts = truth.stored(DATA)
    assert {"any", "classic/2"} <= set(charts)
    for chart in charts.values():
        assert 0 < chart.slope < 3
        assert 0 < chart.slope + chart.slope_left < 3
        assert chart.strengths["champion"] > chart.strengths["beginner"]


def test_the_findings_are_written(tmp_path: Path) -> None:
    size = ("--rounds", 1, "--duels", 2, "--rollouts", 10, "--jobs", 1)
    where = ("--keep", tmp_path / "kept", "--page", tmp_path / "page.md", "--pictures", tmp_path)
    assert called(findings.main, *size, *where) == 0
    page = (tmp_path / "page.md").read_text("utf-8")
    for text in ("10 rollouts a move", "| casual, 4 players |", "| `never` | 4 | 0.0 |"):
        assert text in page
    drawn = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert drawn == [f"findings-{name}.svg" for name in ("drawing", "length", "luck", "start")]
