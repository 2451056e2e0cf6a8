"""Two bots against each other: the same deals, the seats exchanged, honest intervals."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from triomino import EDITIONS, read_record
from triomino.lab.arena import Contest, Deal, Standing, play_deal, run_arena
from triomino.lab.arena_file import ArenaFile
from triomino.lab.statistics import FIRST_LOOK, Sprt, mean_interval, win_interval

if TYPE_CHECKING:
    from pathlib import Path

SEATS = [(edition, players) for edition, rules in EDITIONS.items() for players in rules.racks]


def contest(edition: str = "classic", players: int = 2, **changes: object) -> Contest:
    rules = EDITIONS[edition].with_changes({"target": None})
    return Contest(rules, ("greedy", "random"), players, 7, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("edition", "players"), SEATS)
def test_every_seat_in_turn_with_the_same_deal(edition: str, players: int) -> None:
    deal = play_deal(contest(edition, players, with_records=True), 3)
    records = [json.loads(text) for text in deal.records]
    assert len(deal.results) == len(records) == players
    for seat, record in enumerate(records):
        bots = [player["bot"] for player in record["players"]]
        assert [other for other, bot in enumerate(bots) if bot == "greedy"] == [seat]
        assert record["fair"] == records[0]["fair"]
        assert record["rounds"][0]["racks"] == records[0]["rounds"][0]["racks"]
        assert record["rounds"][0]["pool"] == records[0]["rounds"][0]["pool"]
    for seat, (record, result) in enumerate(zip(records, deal.results, strict=True)):
        match = read_record(json.dumps(record))
        share = Fraction(seat in match.winners, len(match.winners))
        assert result.wins == (share, 1 - share)
        others = [score for other, score in enumerate(match.scores) if other != seat]
        assert result.margins[0] == pytest.approx(match.scores[seat] - fmean(others))
        # The margins of all seats add up to nothing.
        assert result.margins[0] + (players - 1) * result.margins[1] == pytest.approx(0)


def test_a_deal_is_decided_by_its_number() -> None:
    one, again = play_deal(contest(), 5), play_deal(contest(), 5)
    assert one.results == again.results
    assert one.moves == again.moves
    assert play_deal(contest(), 6).results != one.results


def test_a_bot_against_itself_is_even() -> None:
    twins = Contest(EDITIONS["classic"], ("greedy", "greedy"), 2, 1)
    standing = Standing(twins)
    for number in range(1, 11):
        standing.add(play_deal(twins, number))
    # With the seats exchanged it plays the same game twice and wins half of it.
    for line in standing.lines():
        assert line["games"] == 20
        assert (line["wins"], line["win_rate"], line["mean_margin"]) == (10, 0.5, 0)


def test_the_lines_mirror_each_other() -> None:
    standing = Standing(contest("six-player", 3))
    for number in range(1, 9):
        standing.add(play_deal(standing.contest, number))
    first, second = standing.lines()
    assert first["games"] == second["games"] == 24
    assert first["wins"] + second["wins"] == pytest.approx(24)
    low, high = first["win_rate_95"]
    assert second["win_rate_95"] == pytest.approx([1 - high, 1 - low])
    assert second["mean_margin"] == pytest.approx(-first["mean_margin"] / 2, abs=0.001)
    assert low <= first["win_rate"] <= high
    assert first["margin_95"][0] < first["mean_margin"] < first["margin_95"][1]


# --- Intervals -----------------------------------------------------------------------------------


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """Games of one deal go together here: who counts them as independent is too sure."""
    chance = random.Random(5)
    inside = margins = 0
    runs, deals = 1000, 60
    for _ in range(runs):
        rates, means = [], []
        for _ in range(deals):
            luck = chance.random()
            # Both games of a deal are decided by the same luck in two cases of three.
            games = [(luck if chance.random() < 2 / 3 else chance.random()) < 0.7 for _ in "ab"]
            rates.append(fmean(games))
            means.append(20 * luck)
        low, high = win_interval(rates)
        inside += low <= 0.7 <= high
        down, up = mean_interval(means)
        margins += down <= 10 <= up
    assert 0.93 * runs <= inside <= 0.975 * runs
    assert 0.93 * runs <= margins <= 0.97 * runs


@pytest.mark.parametrize(
    ("degrees", "point"), [(3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_few_deals_have_the_wide_interval_of_student(degrees: int, point: float) -> None:
    half = degrees // 2 + 1
    values = [0.0] * half + [1.0] * (degrees + 1 - half)
    mean = fmean(values)
    deviation = (sum((value - mean) ** 2 for value in values) / degrees / len(values)) ** 0.5
    low, high = mean_interval(values)
    assert (high - low) / 2 / deviation == pytest.approx(point, rel=0.012)
    assert low + high == pytest.approx(2 * mean)


def test_one_deal_has_an_interval_too() -> None:
    assert mean_interval([3.0]) == (3.0, 3.0)
    low, high = win_interval([1.0])
    assert 0 < low < 0.5
    assert high == 1


# --- The sequential test -------------------------------------------------------------------------


@pytest.mark.parametrize(("truth", "wanted"), [(0.5, 0.5), (0.55, 0.55), (0.62, 0.55), (0.4, 0.5)])
def test_the_sequential_test_is_seldom_wrong(truth: float, wanted: float) -> None:
    chance, test = random.Random(11), Sprt(0.5, 0.55)
    right, lengths = 0, []
    runs = 60
    for _ in range(runs):
        rates: list[float] = []
        while (decided := test.decide(rates)) is None:
            rates.append(fmean([chance.random() < truth, chance.random() < truth]))
        right += decided == wanted
        lengths.append(len(rates))
    assert right >= 0.85 * runs
    # A clear case is decided sooner than a close one.
    assert fmean(lengths) < (150 if truth in (0.62, 0.4) else 500)


def test_the_sequential_test_does_not_decide_on_a_few_deals() -> None:
    test = Sprt(0.5, 0.55)
    assert test.decide([1.0] * (FIRST_LOOK - 1)) is None
    assert test.decide([1.0] * 100) == 0.55
    assert test.decide([0.0] * 100) == 0.5


# --- Running it from Python ----------------------------------------------------------------------


def test_an_arena_reports_every_deal_and_goes_on_from_its_file(tmp_path: Path) -> None:
    asked, seen = contest(), []
    path = tmp_path / "arena.jsonl"
    with ArenaFile(path, asked) as file:
        run_arena(asked, 2, file=file, processes=1)
    with ArenaFile(path, asked) as file:
        result = run_arena(
            asked,
            4,
            file=file,
            processes=1,
            on_deal=lambda deal, standing: seen.append((deal.number, standing.games)),
        )
    assert seen == [(1, 2), (2, 4), (3, 6), (4, 8)]
    assert (result.decision, result.interrupted) == (None, False)
    assert result.standing.rates == run_arena(asked, 4, processes=1).standing.rates
    assert len(path.read_text("utf-8").splitlines()) == 5


def test_an_arena_stops_when_its_test_has_decided() -> None:
    result = run_arena(contest(), 400, test=Sprt(0.1, 0.2), processes=1)
    assert result.decision == 0.2
    assert len(result.standing.rates) == FIRST_LOOK


def test_an_interrupted_arena_keeps_whole_deals() -> None:
    def interrupt(deal: Deal, _: Standing) -> None:
        if deal.number == 2:
            raise KeyboardInterrupt

    result = run_arena(contest(), 5, processes=1, on_deal=interrupt)
    assert result.interrupted
    assert result.standing.games == 4


def test_an_arena_interrupted_before_the_first_deal_has_no_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> Deal:
        raise KeyboardInterrupt

    monkeypatch.setattr("triomino.lab.arena.play_deal", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_arena(contest(), 5, processes=1)
