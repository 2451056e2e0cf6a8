"""Rounds to a target: what is carried over, who starts, when it ends, who wins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import random_match, random_plies
from tests.strategies import house_rules
from triomino import (
    CARD,
    CASUAL,
    CLASSIC,
    Game,
    Match,
    Place,
    Player,
    Position,
    Rng,
    Rules,
    RulesError,
    Seeds,
    Tile,
    TriominoError,
)
from triomino.ledger import EndReason, meets_target
from triomino.rules import MatchTie

if TYPE_CHECKING:
    from collections.abc import Sequence

PLAYERS = [Player("Ann"), Player("Ben")]


def last_tile(rules: Rules, scores: Sequence[int], other: str = "4-4-4") -> Match:
    """Seat 0 can go out with 1-5-5 for 11 points and 25, and what *other* is worth."""
    position = Position.of(
        [[Tile.parse("1-5-5")], [Tile.parse(other)]],
        [Tile.parse("2-2-2")],
        rules=rules,
        board=[Place.parse("U(0,0)=5-5-5")],
        scores=scores,
    )
    return Match(rules, PLAYERS, [Game.at(position)], Seeds.named(2, "match"))


def go_out(match: Match) -> None:
    match.play(Place.parse("D(-1,0)=5-1-5"))


@given(house_rules(), st.integers(0, 1000))
@settings(max_examples=25)
def test_totals_are_carried_over_and_the_match_ends_when_the_rules_say(
    rules: Rules, seed: int
) -> None:
    target = 120 if rules.scoring else 2
    rules = rules.with_changes({"target": target, "match_tie": "shared"})
    if rules.scoring and rules.out_bonus + rules.bridge_bonus < 20:
        return  # points may come too slowly to reach a target
    players = min(rules.racks)
    match = random_match_for(rules, players, seed)
    if match is None:
        return
    for before, after in zip(match.rounds, match.rounds[1:], strict=False):
        assert list(after.start_totals) == before.totals
        assert not before.latched
        assert not any(meets_target(rules, total) for total in before.totals)
    met = any(meets_target(rules, total) for total in match.scores)
    assert match.game.latched or met
    assert match.winners == tuple(
        seat for seat, total in enumerate(match.scores) if total == max(match.scores)
    )


def random_match_for(rules: Rules, players: int, seed: int) -> Match | None:
    """A match of at most 40 rounds, or nothing: some house rules never bring the points."""
    seats = [Player(name) for name in "ABCDEF"[:players]]
    match = Match.start(rules, seats, Seeds.named(players, "law", seed))
    dice = Rng(seed)
    for _ in range(40):
        for _ in random_plies(match.game, dice):
            pass
        if match.over:
            return match
        match.next_round()
    return None


def test_a_single_round_is_a_match() -> None:
    match = last_tile(CLASSIC, [0, 0])
    assert match.is_last_round
    assert (match.over, match.winners) == (False, ())
    go_out(match)
    assert (match.over, match.winners, match.scores) == (True, (0,), (48, 0))
    with pytest.raises(TriominoError, match="the match is over"):
        match.next_round()


def test_a_round_must_be_over_before_the_next() -> None:
    match = last_tile(CLASSIC.with_changes({"target": 400}), [0, 0])
    with pytest.raises(TriominoError, match="not over yet"):
        match.next_round()


def test_the_starter_is_drawn_anew_rotates_or_is_the_winner() -> None:
    for rule, starters in (("rotate_left", {1}), ("round_winner", {0}), ("set_up", {0, 1})):
        seen = set()
        for seed in range(12):
            rules = CLASSIC.with_changes({"target": 400, "next_starter": rule})
            match = last_tile(rules, [0, 0])
            match.seeds = Seeds.named(2, seed)
            go_out(match)
            game = match.next_round()
            seen.add(game.starter)
            assert bool(game.start.start_draws) == (rule == "set_up")
        assert seen == starters


def test_of_several_round_winners_the_first_after_the_starter_begins() -> None:
    rules = CLASSIC.with_changes({"target": 400, "next_starter": "round_winner"})
    match = last_tile(rules, [0, 0])
    go_out(match)
    assert match.ledger.next_starter == 0
    behind = match.scores[0] - match.scores[1]
    running = replace(match.ledger, end=None).adjusted(1, behind)  # a tie, by hand
    tied = running.close(EndReason.OUT, (0,))
    assert tied.end is not None
    assert tied.end.winners == (0, 1)
    assert tied.next_starter == 1


def test_a_tie_can_ask_for_another_round() -> None:
    rules = CLASSIC.with_changes({"match_tie": "extra_round"})
    match = last_tile(rules, [42, 90])
    go_out(match)
    assert (match.scores, match.over, match.winners) == ((90, 90), False, ())
    game = match.next_round()
    assert tuple(game.start_totals) == (90, 90)
    shared = last_tile(CLASSIC.with_changes({"match_tie": MatchTie.SHARED}), [42, 90])
    go_out(shared)
    assert (shared.over, shared.winners) == (True, (0, 1))


def test_an_extra_round_of_a_target_match_is_the_last_again() -> None:
    rules = CLASSIC.with_changes({"match_tie": "extra_round", "target": 80})
    match = last_tile(rules, [42, 90])
    go_out(match)
    assert not match.over
    match.next_round()
    assert match.is_last_round


def test_casual_rounds_count_rounds_won() -> None:
    match = random_match(CASUAL.with_changes({"target": 3}), 2, seed=5)
    assert max(match.scores) == 3
    assert len(match.rounds) >= 3
    won = [sum(seat in game.winners for game in match.rounds) for seat in (0, 1)]
    assert list(match.scores) == won
    for game in match.rounds:
        assert game.points == tuple(int(seat in game.winners) for seat in (0, 1))


def test_a_single_card_game_goes_to_the_empty_hand_whatever_the_points() -> None:
    alone = CARD.with_changes({"target": None})
    match = last_tile(alone, [0, 150])
    go_out(match)
    assert (match.scores, match.winners) == ((37, 150), (0,))
    to_target = last_tile(CARD.with_changes({"target": 100}), [0, 150])
    go_out(to_target)
    assert to_target.winners == (1,)


def test_giving_up_leaves_the_match_to_the_best_of_the_others() -> None:
    match = last_tile(CLASSIC, [10, 5])
    match.abandon(0)
    assert (match.over, match.winners, match.scores) == (True, (1,), (10, 5))
    everybody = last_tile(CLASSIC, [10, 5])
    everybody.abandon()
    assert (everybody.over, everybody.winners) == (True, ())


def test_a_match_takes_back_moves_of_the_running_round() -> None:
    match = Match.start(CLASSIC, PLAYERS, Seeds.named(2, "undo"))
    first = match.game.legal_moves()[0]
    match.play(first)
    match.undo()
    assert match.game.plies == []


def test_the_number_of_players_is_held() -> None:
    with pytest.raises(RulesError, match="player count"):
        Match.start(CLASSIC, [Player("Ann")])
    with pytest.raises(TriominoError, match="at least one round"):
        Match(CLASSIC, PLAYERS, [])


def test_fresh_seeds_are_secret_chance() -> None:
    one, two = Match.start(CLASSIC, PLAYERS), Match.start(CLASSIC, PLAYERS)
    assert one.seeds is not None
    assert two.seeds is not None
    assert one.seeds.server != two.seeds.server
