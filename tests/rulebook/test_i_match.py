"""10.I: matches to a target."""

from __future__ import annotations

import pytest

from tests.rulebook.boards import game_at, play, rules_of
from triomino import EndReason, Match, Player, Seeds, TriominoError

ONE, TWO, THREE = "D(-1,0)=5-1-5", "D(0,0)=5-5-2", "D(0,-1)=3-5-5"
PLAYERS = (Player("A"), Player("B"))


def match_at(
    rules: str,
    racks: str,
    pool: str = "",
    *,
    scores: tuple[int, int],
    latched: bool = False,
) -> Match:
    """A match whose running round has come to this point."""
    game = game_at(rules, racks, pool, scores=scores, latched=latched)
    return Match(rules_of(rules), PLAYERS, [game], Seeds.named(2, "rule book"))


def out(match: Match) -> None:
    """The first player goes out with 1-5-5."""
    play(match.game, ONE)
    assert match.game.end is not None
    assert match.game.end.reason is EndReason.OUT


def check_over(match: Match, scores: tuple[int, int], winners: tuple[int, ...]) -> None:
    assert match.over
    assert match.scores == scores
    assert match.winners == winners
    with pytest.raises(TriominoError, match="over"):
        match.next_round()
    assert len(match.rounds) == 1


def check_goes_on(match: Match, scores: tuple[int, int]) -> None:
    """The match is not decided: another round is dealt from the start, the scores are kept."""
    assert not match.over
    assert match.winners == ()
    game = match.next_round()
    assert match.game is game
    assert len(match.rounds) == 2
    assert match.scores == tuple(game.totals) == scores
    assert game.is_opening
    assert not game.over
    assert not game.latched
    assert [len(rack) for rack in game.racks] == [9, 9]
    assert len(game.pool) == 38
    everything = [tile for part in (*game.racks, game.pool) for tile in part]
    assert sorted(everything) == sorted(game.rules.tiles)


@pytest.mark.parametrize(("before", "after", "last"), [(389, 400, False), (390, 401, True)])
def test_tv_78_classic_the_target_must_be_exceeded(before: int, after: int, last: bool) -> None:
    match = match_at("classic target=400", "1-5-5 0-0-1", "2-2-2", scores=(before, 0))
    assert not match.is_last_round
    play(match.game, ONE)
    assert match.scores == (after, 0)
    assert match.game.latched is match.is_last_round is last
    # The round is played to its normal end.
    assert not match.game.over
    assert not match.over


@pytest.mark.parametrize(("before", "after", "last"), [(388, 399, False), (389, 400, True)])
def test_tv_79_hebrew_reaching_the_target_suffices(before: int, after: int, last: bool) -> None:
    match = match_at("classic-hebrew target=400", "1-5-5 0-0-1", "2-2-2", scores=(before, 0))
    assert not match.is_last_round
    play(match.game, ONE)
    assert match.scores == (after, 0)
    assert match.game.latched is match.is_last_round is last
    assert not match.over


def crossed_and_fallen_back(rules: str) -> Match:
    """A goes from 390 to 401 and back to 391; then B goes out."""
    match = match_at(rules, "1-5-5 0-0-1 0-0-2 / 2-5-5 3-5-5", "2-2-2 2-2-3", scores=(390, 0))
    steps = [
        (ONE, (401, 0)),
        (TWO, (401, 12)),
        ("draw", (396, 12)),
        ("draw", (391, 12)),
        ("pass", (391, 12)),
        (THREE, (391, 66)),
    ]
    for move, scores in steps:
        assert not match.game.over
        play(match.game, move)
        assert match.scores == scores
    assert match.game.over
    return match


def test_tv_80_the_target_once_exceeded_stays_exceeded() -> None:
    match = crossed_and_fallen_back("classic target=400")
    assert match.game.latched
    check_over(match, (391, 66), (0,))


def test_tv_80_not_so_when_it_is_tested_at_the_end() -> None:
    match = crossed_and_fallen_back("classic target=400 target_latch=round_end")
    assert not match.is_last_round
    check_goes_on(match, (391, 66))


def test_tv_81_the_award_for_going_out_counts() -> None:
    match = match_at("classic target=400", "1-5-5 / 4-4-4 4-4-5", "2-2-2", scores=(350, 390))
    out(match)
    check_over(match, (411, 390), (0,))


def test_tv_82_the_highest_total_wins_not_who_crossed_first() -> None:
    match = match_at(
        "classic target=400", "1-5-5 / 4-4-4", "2-2-2", scores=(372, 405), latched=True
    )
    assert match.is_last_round
    assert not match.over
    out(match)
    check_over(match, (420, 405), (0,))


def test_tv_83_a_new_round_keeps_the_scores() -> None:
    match = match_at("classic target=400", "1-5-5 / 4-4-4", "2-2-2", scores=(100, 90))
    with pytest.raises(TriominoError, match="not over yet"):
        match.next_round()
    out(match)
    assert match.scores == (148, 90)
    check_goes_on(match, (148, 90))
    # The start is drawn for anew: every player shows a tile, and the highest begins.
    start = match.game.start
    assert {draw.seat for draw in start.start_draws} == {0, 1}
    best = max(start.start_draws[-2:], key=lambda draw: draw.tile.points)
    assert match.game.turn == start.starter == best.seat


def test_tv_83_every_round_draws_for_its_own_start() -> None:
    match = Match.start(rules_of("classic target=2000"), PLAYERS, Seeds.named(2, "starts"))
    starts = []
    for _ in range(8):
        while not match.game.over:
            match.play(match.game.legal_moves()[0])
        starts.append(match.game.start)
        assert not match.over
        match.next_round()
    assert {start.starter for start in starts} == {0, 1}
    assert len({start.start_draws for start in starts}) == len({s.racks for s in starts}) == 8


def test_tv_84_card_reaching_the_target_suffices() -> None:
    match = match_at("card", "1-5-5 / 4-4-4", "2-2-2", scores=(163, 0))
    out(match)
    check_over(match, (200, 0), (0,))


def test_tv_84_card_one_short_means_another_game() -> None:
    match = match_at("card", "1-5-5 / 4-4-4", "2-2-2", scores=(162, 0))
    out(match)
    check_goes_on(match, (199, 0))


def test_tv_85_card_another_target_may_be_agreed() -> None:
    match = match_at("card target=100", "1-5-5 / 4-4-4", "2-2-2", scores=(68, 0))
    out(match)
    check_over(match, (105, 0), (0,))
