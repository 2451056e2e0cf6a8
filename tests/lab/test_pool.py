"""The pool of opponents, and contests in the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from benchmarks.bots.pool import FOLDER, table

from triomino import CLASSIC, EDITIONS
from triomino.errors import TriominoError
from triomino.kernel import Policy
from triomino.kernel.contest import Contestant, contest
from triomino.kernel.search import Effort
from triomino.lab.pool import PART, Pairing, play, read_opponent, read_pool

if TYPE_CHECKING:
    from pathlib import Path

EXPLOITERS = {"exploiter-alone", "exploiter-searching"}
NAMES = {"blocker", "champion-before", "greedy", "hoarder", "one-reply"} | EXPLOITERS


def test_the_pool_holds_its_opponents() -> None:
    pool = read_pool(FOLDER)
    assert {one.name for one in pool} >= NAMES
    for opponent in pool:
        assert opponent.about.endswith(".")
        made = contest(CLASSIC, 2, (opponent.contestant, Contestant()), seed=1, count=2)
        assert set(made.won.tolist()) <= {0.0, 0.5, 1.0}


def test_a_file_that_is_no_opponent_is_refused(tmp_path: Path) -> None:
    for text in ("", "about = 1\nhurry = true", 'about = "x"\npolicy = "nobody"', "about = ["):
        path = tmp_path / "wrong.toml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(TriominoError, match="wrong"):
            read_opponent(path)
    with pytest.raises(TriominoError, match="no opponents"):
        read_pool(tmp_path / "nowhere")


def test_results_are_kept_and_not_played_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    blocker = read_opponent(FOLDER / "blocker.toml")
    pairing = Pairing(CLASSIC, 2, Contestant(), blocker, 7)
    lines = [[*play(pairing, 2 * PART, kept=kept)][-1].line(pairing) for _ in range(2)]
    assert lines[0] == lines[1]
    assert len(kept.read_text().splitlines()) == 2
    assert lines[0]["rounds"] == 4 * PART
    low, high = lines[0]["won_95"]
    assert low <= lines[0]["won"] <= high
    assert "**worst**" in table(lines)


@pytest.mark.parametrize(("edition", "players"), [("classic", 2), ("six-player", 5), ("card", 3)])
def test_games_depend_on_their_number_alone(edition: str, players: int) -> None:
    pair = (Contestant(Policy.BLOCKER), Contestant(Policy.HOARDER))
    rules = EDITIONS[edition]
    whole = contest(rules, players, pair, seed=3, count=30)
    tail = contest(rules, players, pair, seed=3, first=20, count=10, threads=2)
    assert np.array_equal(whole.won[20:], tail.won)
    assert np.array_equal(whole.margin[20:], tail.margin)


def test_a_player_against_itself_wins_its_fair_share() -> None:
    for players in (2, 3):
        made = contest(CLASSIC, players, (Contestant(), Contestant()), seed=1, count=60 * players)
        # Greedy play depends on the deal alone, so the seats of a deal share one win exactly.
        assert np.allclose(made.won.reshape(-1, players).sum(axis=1), 1, atol=1e-5)


def test_a_search_keeps_its_processor_time() -> None:
    for judges in (False, True):
        thinker = Contestant(effort=Effort(milliseconds=2, judges=judges))
        made = contest(CLASSIC, 2, (thinker, Contestant()), seed=1, count=20)
        moves, late = made.moves[:, 0].sum(), made.late[:, 0].sum()
        assert late <= 0.01 * moves
        assert made.nanoseconds[:, 0].sum() < 2.2e6 * moves


def test_who_sees_more_wins_more() -> None:
    effort = Effort(rollouts=30, judges=True)
    players = (
        Contestant(effort=effort),
        Contestant(effort=effort, sees_racks=True),
        Contestant(effort=effort, sees_all=True),
    )
    made = [contest(CLASSIC, 3, (one, Contestant()), seed=2, count=90) for one in players]
    won = [float(each.won.mean()) for each in made]
    assert won == sorted(set(won))
