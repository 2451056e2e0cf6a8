"""Matches in the kernel are those of the bots in Python, move for move."""

from __future__ import annotations

import pytest

from tests.agreement.walk import house_rules
from triomino import CASUAL, CLASSIC, EDITIONS, Match, Rng, Rules, Seeds
from triomino.bots import simulate_match
from triomino.bots.simulation import bot_players
from triomino.kernel import KernelError, match_moves, matches
from triomino.scoring import HEXAGONS, Reason


def compare(rules: Rules, bots: list[str], seed: int, number: int) -> None:
    match = simulate_match(rules, bots, seed, number)
    moves = match_moves(rules, bots, seed, number)
    assert moves == [[turn.move for turn in game.plies] for game in match.rounds]
    played = matches(rules, bots, seed, number, 1)
    turns = [turn for game in match.rounds for turn in game.plies]
    assert tuple(played.scores[0]) == match.scores
    assert played.winners[0] == sum(1 << seat for seat in match.winners)
    assert played.rounds_turns[0].tolist() == [
        len(match.rounds),
        sum(turn.passes_on for turn in turns),
    ]
    for seat in range(len(bots)):
        made = [turn.bonus for turn in turns if turn.seat == seat]
        assert played.bridges[0, seat] == made.count(Reason.BRIDGE)
        assert played.hexagons[0, seat] == sum(made.count(reason) for reason in HEXAGONS)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("bots", [["greedy", "random"], ["random", "random", "greedy"]])
def test_every_edition(edition: str, bots: list[str]) -> None:
    compare(EDITIONS[edition], bots, seed=7, number=1)


@pytest.mark.parametrize(
    ("rules", "changes"),
    [
        (CLASSIC, {"target": 150, "next_starter": "round_winner", "match_tie": "extra_round"}),
        (CLASSIC, {"target": 150, "next_starter": "rotate_left", "start_redraw": "all"}),
        (CLASSIC, {"starter_free_choice": False, "tile_set": "76", "opening_draw": True}),
        (CASUAL, {"target": 3}),
        (CASUAL, {"target": 2, "next_starter": "round_winner", "match_tie": "extra_round"}),
    ],
)
def test_matches_of_several_rounds(rules: Rules, changes: dict[str, object]) -> None:
    for number in (1, 2):
        compare(rules.with_changes(changes), ["greedy", "random"], seed=-3, number=number)


@pytest.mark.parametrize(
    ("tile_set", "size"),
    [("4", 1), ("10", 2), ("11", 2), ("20", 4), ("24", 5), ("35", 8), ("45", 9)],
)
def test_matches_with_small_sets(tile_set: str, size: int) -> None:
    rules = CLASSIC.with_changes({"tile_set": tile_set, "racks": {2: size}, "target": 40})
    for number in (1, 2, 3):
        compare(rules, ["greedy", "random"], seed=4, number=number)


def test_house_rules() -> None:
    for seed in range(25):
        rules = house_rules(Rng.named("matches", seed))
        players = next(iter(rules.racks))
        compare(rules, (["greedy", "random"] * 3)[:players], seed, number=seed + 1)


def test_threads_change_nothing() -> None:
    one = matches(CLASSIC, ["greedy", "random"], 1, 1, 200, threads=1)
    four = matches(CLASSIC, ["greedy", "random"], 1, 1, 200, threads=4)
    assert one.scores.tolist() == four.scores.tolist()
    assert one.winners.tolist() == four.winners.tolist()


def test_other_bots_are_refused() -> None:
    with pytest.raises(KernelError, match="clever"):
        matches(CLASSIC, ["clever", "random"], 1, 1, 1)


def test_who_starts_is_drawn_as_in_python() -> None:
    """Four draw, and often two of them are equal: the first move is that of the right seat."""
    bots = ["greedy"] * 4
    for number in range(1, 60):
        first = match_moves(CLASSIC, bots, 5, number)[0][0]
        seeds = Seeds.named(4, "simulate", 5, number)
        Match.start(CLASSIC, bot_players(bots), seeds).game.check(first)
