"""Reviews of matches: what they find, and what they must agree with."""

from __future__ import annotations

import json

import msgspec
import pytest

from tests.play import random_match
from triomino import CLASSIC, EDITIONS, Game, Match, Place, View
from triomino.analysis import Mark, chances, facts, review
from triomino.analysis.review import BANDS, Decision
from triomino.dice import Rng
from triomino.kernel import Candidate, Effort
from triomino.ledger import Ledger
from triomino.moves import Draw, Pass
from triomino.protocol.api import Analysis

QUICK = Effort(rollouts=120)


@pytest.fixture(scope="module")
def match() -> Match:
    return random_match(CLASSIC.with_changes({"target": 150}), 2, seed=4, most=2)


def test_every_turn_with_a_choice_is_looked_at(match: Match) -> None:
    calls: list[None] = []
    found = review(match, QUICK, progress=lambda: calls.append(None))
    assert len(calls) == sum(len(game.plies) for game in match.rounds)
    places = {(one.round, one.turn) for one in found.decisions}
    for number, game in enumerate(match.rounds):
        again = game.copy()
        again.undo(len(again.plies))
        for turn, ply in enumerate(game.plies):
            moves = again.legal_moves()
            tiles = {move.tile for move in moves if isinstance(move, Place)}
            choices = len(moves) if again.board.laid else len(tiles) + (Draw() in moves)
            assert ((number, turn) in places) == (choices > 1)
            again.apply(ply)
    for one in found.decisions:
        assert one.move == match.rounds[one.round].plies[one.turn].move
        assert one.seat == match.rounds[one.round].plies[one.turn].seat
        assert one.best is one.candidates[0]
        assert one.played in one.candidates
        # The move played is held against the best in as many worlds.
        assert one.played.worlds == one.best.worlds
        assert 0 <= one.lost <= 1
    assert found == review(match, QUICK)


def test_a_random_player_loses_more_than_the_best() -> None:
    played = random_match(CLASSIC, 2, seed=2, most=1)
    found = review(played, QUICK)
    assert sum(one.lost for one in found.decisions) > 0.3
    assert any(one.mark for one in found.decisions)
    summary = found.players()
    assert [player.seat for player in summary] == [0, 1]
    assert sum(player.decisions for player in summary) == len(found.decisions)


def candidate(win: float, margin: float = 0.0) -> Candidate:
    return Candidate(Pass(), win, margin, 1.0, 100, exact=False)


@pytest.mark.parametrize(
    ("lost", "mark"),
    [
        (0.0, None),
        (0.039, None),
        (0.041, Mark.INACCURACY),
        (0.09, Mark.MISTAKE),
        (0.5, Mark.BLUNDER),
    ],
)
def test_marks_have_bands(lost: float, mark: Mark | None) -> None:
    best, played = candidate(0.9), candidate(0.9 - lost)
    decision = Decision(0, 0, 0, Pass(), played, best, (best, played))
    assert decision.mark is mark
    assert list(BANDS) == [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY]
    # What was better by points, and clearly so, is no mistake.
    good = candidate(0.9 - lost, margin=50.0)
    assert Decision(0, 0, 0, Pass(), good, best, (best, good)).mark is None


# --- Chances and luck ----------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_chances_add_up_and_end_with_the_result(edition: str) -> None:
    rules = EDITIONS[edition]
    for players in rules.racks:
        for game in random_match(rules, players, seed=players, most=2).rounds:
            found = chances(game, 40)
            assert len(found.after) == len(game.plies) + 1
            for now in found.after:
                assert sum(now) == pytest.approx(1)
            last = [(seat in game.winners) / len(game.winners) for seat in range(players)]
            assert found.after[-1] == pytest.approx(last)


def test_the_second_round_of_a_match_begins_anew() -> None:
    """Who is far ahead has no better chance to win the round."""
    match = random_match(CLASSIC.with_changes({"target": 1000}), 2, seed=1, most=2)
    rules, start = match.rules, match.rounds[1].start
    second = Game(rules, start, Ledger.open(rules, 2, totals=(900, 0)))
    even = Game(rules, start)
    assert chances(second, 300).after[0][0] == pytest.approx(chances(even, 300).after[0][0])


def test_luck_is_what_was_dealt_and_drawn() -> None:
    game = random_match(CLASSIC, 2, seed=6, most=1).rounds[0]
    found = chances(game, 100)
    for seat in range(2):
        played = sum(
            later[seat] - before[seat]
            for before, later, drew in zip(found.after, found.after[1:], found.drew, strict=False)
            if drew != seat
        )
        assert found.after[-1][seat] == pytest.approx(0.5 + found.luck(seat) + played)


# --- Facts ---------------------------------------------------------------------------------------


def test_facts_name_what_can_be_seen() -> None:
    game = random_match(CLASSIC, 2, seed=3, most=1).rounds[0].copy()
    seen = set()
    for _ in range(len(game.plies)):
        game.undo()
        view = View.of(game, game.turn)
        for move in view.legal_moves()[:3]:
            found = facts(view, move, Rng(1))
            seen |= {fact.kind for fact in found}
            points = sum(score.points for score in view.scores(move))
            assert sum(f.points for f in found if f.kind != "danger") == points
            assert all(str(fact) for fact in found)
    assert {"points", "bonus", "draw", "danger"} <= seen


def test_where_nothing_is_hidden_a_danger_is_certain() -> None:
    """With an empty pool between two, the other's rack is known, and so is the best answer."""
    seen = {True: 0, False: 0}
    for seed in range(40):
        game = random_match(CLASSIC, 2, seed=seed, most=1).rounds[0].copy()
        for _ in range(len(game.plies)):
            game.undo()
            if game.pool:
                break
            for move in [one for one in game.legal_moves() if isinstance(one, Place)]:
                found = facts(View.of(game, game.turn), move, Rng(1))
                chance = next((fact.chance for fact in found if fact.kind == "danger"), 0.0)
                game.play(move)
                answers = [game.check(one) for one in game.legal_moves()]
                threat = any(one.bonus is not None for one in answers)
                game.undo()
                assert chance == (1.0 if threat else 0.0)
                seen[threat] += 1
    assert min(seen.values()) > 1


def test_a_review_goes_into_a_record(match: Match) -> None:
    found = review(match, QUICK)
    extra, plies = found.extra()
    assert json.loads(json.dumps(extra)) == extra
    assert len(plies) == len(match.rounds)
    one = next(iter(plies[0].values()))["analysis"]
    assert set(one) == {"win", "margin", "best", "best_win", "best_margin", "lost", "mark"}
    data = found.to_json(reasons=False)
    for told, by_ply in zip(data["rounds"], plies, strict=True):
        assert [move["turn"] for move in told["moves"]] == list(by_ply)
        for move in told["moves"]:
            assert move.items() >= by_ply[move["turn"]]["analysis"].items()
    analysis = extra["analysis"]
    assert analysis["chances"] == [told["chances"] for told in data["rounds"]]
    for told, player in zip(data["players"], analysis["players"], strict=True):
        assert [told["luck"], told["lost_points"]] == [player["luck"], player["lost_points"]]
        assert [told["inaccuracies"], told["mistakes"], told["blunders"]] == [
            player["marks"][mark] for mark in Mark
        ]
        assert told["lost"] == pytest.approx(player["lost"] * told["decisions"], abs=0.005)


def test_the_json_of_a_review_is_that_of_the_protocol(match: Match) -> None:
    found = review(match, QUICK)
    data = found.to_json()
    assert _plain(msgspec.convert(data, Analysis)) == data
    moves = [move for told in data["rounds"] for move in told["moves"]]
    assert len(moves) == len(found.decisions)
    assert {bool(move["why"]) for move in moves} == {False, True}
    for move, decision in zip(moves, found.decisions, strict=True):
        assert bool(move["why"]) == (decision.mark is not None)
        assert move["margin"] == round(decision.played.margin, 1)


def _plain(value: object) -> object:
    """A message as JSON data, with every field."""
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return [_plain(item) for item in value] if isinstance(value, list) else value
