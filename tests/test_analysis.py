"""Reviews of matches: what they find, and what they must agree with."""

from __future__ import annotations

import json
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest

from tests.play import random_game, random_match
from triomino import CLASSIC, EDITIONS, Game, Match, Place, Position, Tile, View
from triomino.analysis import Mark, Rollouts, chances, decide, facts, review, views
from triomino.analysis.calibration import Calibration
from triomino.analysis.facts import equals
from triomino.analysis.review import BANDS, Decision
from triomino.bots import make_bot
from triomino.bots.levels import SearchBot
from triomino.dice import Rng
from triomino.kernel import Candidate, Effort, search
from triomino.ledger import Ledger
from triomino.moves import Draw, Pass
from triomino.protocol.api import Analysis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino import Move
    from triomino.analysis.chances import Shares
    from triomino.bots import Bot
    from triomino.kernel import State

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
        # The move played is held against the best in as many worlds.
        assert one.played.worlds == one.best.worlds or one.lost == 0
        assert -1 <= one.lost <= 1
        assert one.noise >= 0
        if one.best.move == one.played.move or one.best.exact:
            assert one.noise == 0
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
    assert Decision(0, 0, 0, Pass(), played, best, 0.01).mark is mark
    assert Decision(0, 0, 0, Pass(), played, best, lost / 2 + 0.01).mark is None  # or it is noise
    assert list(BANDS) == [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY]
    # What was better by points, and clearly so, is no mistake.
    good = candidate(0.9 - lost, margin=50.0)
    assert Decision(0, 0, 0, Pass(), good, best, 0.01).mark is None


# --- Chances and luck ----------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
def test_chances_add_up_and_end_with_the_result(edition: str) -> None:
    rules = EDITIONS[edition]
    for players in rules.racks:
        for game in random_match(rules, players, seed=players, most=2).rounds:
            found = chances(game, Rollouts(40))
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
    assert chances(second, Rollouts(300)).after[0] == pytest.approx(
        chances(even, Rollouts(300)).after[0]
    )


def known_judge(state: State, start: Sequence[int], seed: int, effort: float) -> Shares:
    """A judge without noise: each seat's points and what fits, so that every tile matters."""
    position = state.position
    values = [
        2.0 ** (total / 50) * (1 + sum(tile.points for tile in rack or ()) / 60)
        for rack, total in zip(position.racks, position.scores, strict=True)
    ]
    return np.array([value / sum(values) for value in values])


@pytest.mark.parametrize("edition", EDITIONS)
def test_luck_sums_to_zero_and_with_skill_to_the_result(edition: str) -> None:
    rules = EDITIONS[edition]
    for players in rules.racks:
        game = random_match(rules, players, seed=6, most=1).rounds[0]
        found = chances(game, Rollouts(30), ["champion", *["easy"] * (players - 1)])
        assert sum(found.before) == pytest.approx(1)
        assert sum(map(found.luck, range(players))) == pytest.approx(0)
        for seat in range(players):
            explained = found.before[seat] + found.luck(seat) + found.skill(seat)
            assert found.after[-1][seat] == pytest.approx(explained)
        for ply, change in zip(game.plies, found.changes, strict=True):
            assert isinstance(ply.move, Draw) == (change is not None)
            assert change is None or sum(change) == pytest.approx(0)


def test_a_tile_is_lucky_only_beside_the_others_it_might_have_been() -> None:
    """Whether to draw is a decision: over all tiles of the pool, luck is nothing."""
    drew = 0
    for seed in range(2):
        game = random_match(CLASSIC, 2, seed=seed, most=1).rounds[0].copy()
        while not (Draw() in game.legal_moves() and len(game.plies) < 15):
            game.undo()
        seat, changes = game.turn, []
        for tile in list(game.pool):
            pool = [tile, *(other for other in game.pool if other != tile)]
            position = Position.of(
                game.racks,
                pool,
                rules=game.rules,
                board=game.board.places,
                turn=seat,
                drawn=game.drawn,
                scores=game.totals,
            )
            other = Game.at(position)
            other.play(Draw())
            changes.append(chances(other, known_judge).changes[0])
        assert max(change[seat] for change in changes if change) > 0.001
        for one in range(2):
            assert fmean(change[one] for change in changes if change) == pytest.approx(0, abs=1e-12)
        drew += 1
    assert drew == 2


def test_who_starts_is_luck_unless_it_is_settled() -> None:
    drawn = random_match(CLASSIC.with_changes({"target": 1000}), 2, seed=1, most=2).rounds[1]
    assert chances(drawn, Rollouts(20)).before == (0.5, 0.5)
    rules = CLASSIC.with_changes({"target": 1000, "next_starter": "rotate_left"})
    settled = random_match(rules, 2, seed=1, most=2).rounds[1]
    before = chances(settled, Rollouts(20)).before
    assert before[settled.starter] > 0.5


# --- What the analysis got wrong once ------------------------------------------------------------


def winnable() -> tuple[View, Move]:
    """A position with many moves, and one of the best by far more worlds than the tests use."""
    for seed in range(1, 200):
        game = random_game(CLASSIC, 2, seed, moves=14)
        if game.over or game.drawn or len(game.legal_moves()) < 8:
            continue
        view = View.of(game, game.turn)
        best, second, *_ = search(view, Effort(rollouts=40_000), Rng(1))
        if best.win - second.win < 0.02 and 0.3 < best.win < 0.7:
            return view, best.move
    raise AssertionError("no such position")


def test_noise_does_not_blame_the_best_move() -> None:
    """Clipped at zero, or held against the best of many by the same worlds, all moves cost."""
    view, best = winnable()
    found = [decide(view, best, Effort(rollouts=160), Rng(seed)) for seed in range(60)]
    lost = [one.lost for one in found if one is not None]
    assert min(lost) < 0
    assert fmean(lost) < 2 * stdev(lost) / len(lost) ** 0.5


def test_noise_is_what_the_cost_varies_by() -> None:
    view, best = winnable()
    worst = search(view, Effort(rollouts=2000), Rng(2))[-1].move
    found = [decide(view, worst, Effort(rollouts=320), Rng(seed)) for seed in range(40)]
    costs = [one for one in found if one is not None]
    same = [one for one in costs if one.best.move == best] or costs
    told = fmean(one.noise for one in same)
    assert 0.6 < stdev(one.lost for one in same) / told < 1.6


def test_the_winner_is_not_blamed() -> None:
    """Who plays much better gives less away, whoever was lucky."""
    given = {"strong": 0.0, "beginner": 0.0}
    for seed in range(1, 7):
        names = ("strong", "beginner") if seed % 2 else ("beginner", "strong")
        bots: dict[str, Bot] = {
            "strong": SearchBot(Rng(seed), "strong", Effort(rollouts=200)),
            "beginner": make_bot("beginner", Rng(seed)),
        }
        game = Game.deal(CLASSIC, 2, seed)
        while not game.over:
            game.play(bots[names[game.turn]].choose(View.of(game, game.turn)))
        for turn, view in enumerate(views(game)):
            found = decide(view, game.plies[turn].move, QUICK, Rng(turn))
            given[names[view.turn]] += 0 if found is None else found.lost
    assert given["beginner"] > given["strong"] + 0.5


# --- Calibration ---------------------------------------------------------------------------------

CHART = Calibration(1.3, -0.4, -0.2, {"champion": 0.6, "easy": -0.2})


def test_calibrated_chances_sum_to_one_and_keep_their_order() -> None:
    for shares in ([0.2, 0.8], [0.0, 1.0], [0.1, 0.3, 0.6], [1 / 6] * 6):
        found = CHART.chances(shares, 0.7, [0.0] * len(shares))
        assert found.sum() == pytest.approx(1)
        assert list(np.argsort(found, kind="stable")) == list(np.argsort(shares, kind="stable"))
    assert Calibration().chances([0.3, 0.7], 0.5, [0, 0]) == pytest.approx([0.3, 0.7], abs=0.02)


def test_a_change_is_the_slope_of_the_chances() -> None:
    at, by = np.array([0.2, 0.3, 0.5]), np.array([0.1, -0.25, 0.15])
    strengths, step = [0.5, 0.0, -0.5], 1e-6
    change = CHART.change(at, 0.4, strengths, by)
    after = CHART.chances(at + step * by, 0.4, strengths)
    slope = np.subtract(after, CHART.chances(at, 0.4, strengths)) / step
    assert change == pytest.approx(slope, abs=1e-4)
    assert change.sum() == pytest.approx(0)
    assert CHART.change(at, 0.4, strengths, -by) == pytest.approx(-change)


def test_a_stronger_bot_has_better_chances_and_people_count_as_equals() -> None:
    assert CHART.of(["champion", "easy"]) == [0.6, -0.2]
    assert CHART.of(["champion", None]) == [0.6, 0.6]
    assert CHART.of([None, None]) == [0.0, 0.0]
    strong, weak = CHART.chances([0.5, 0.5], 1.0, CHART.of(["champion", "easy"]))
    assert strong > 0.6 > 0.4 > weak
    late, _ = CHART.chances([0.5, 0.5], 0.1, CHART.of(["champion", "easy"]))
    assert 0.5 < late < strong


def test_among_strong_players_a_judgement_by_simple_ones_says_less() -> None:
    strong, weak = (CHART.chances([0.8, 0.2], 0.5, CHART.of([bot] * 2)) for bot in CHART.strengths)
    assert 0.5 < strong[0] < weak[0]


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
            assert sum(f.points for f in found if f.kind not in {"danger", "hopes"}) == points
            assert all(str(fact) for fact in found)
            assert all(0 <= fact.chance <= 1 for fact in found)
    assert {"points", "bonus", "draw", "danger", "stuck", "keeps", "fits"} <= seen


def drawing(rack: list[str], pool: list[str], board: list[str]) -> View:
    """The view of one who may draw; the other holds one tile that fits nowhere."""
    racks = [[Tile.parse(text) for text in rack], [Tile.parse("2-2-2")]]
    places = [Place.parse(text) for text in board]
    tiles = [Tile.parse(text) for text in pool]
    return View.of(Game.at(Position.of(racks, tiles, rules=CLASSIC, board=places)), 0)


def test_what_is_kept_fits_at_a_number() -> None:
    view = drawing(["1-5-5", "2-5-5", "3-5-5", "0-0-1"], ["4-4-4", "0-0-0"], ["U(0,0)=5-5-5"])
    move = Place.parse("D(-1,0)=5-1-5")
    found = facts(view, move, Rng(1))
    kept = next(fact for fact in found if fact.kind == "keeps")
    assert (kept.count, kept.number) == (2, 5)
    # The other holds 2-2-2 or what is in the pool: nothing of that fits at a five.
    stuck = next(fact for fact in found if fact.kind == "stuck")
    assert stuck.chance == 1


def test_a_draw_says_how_many_tiles_fit() -> None:
    view = drawing(["0-0-1", "0-0-2"], ["4-5-5", "1-1-1", "3-3-3"], ["U(0,0)=5-5-5"])
    found = facts(view, Draw(), Rng(1))
    assert [(fact.kind, fact.points) for fact in found] == [("draw", -5), ("fits", 0)]
    assert found[1].chance == 1 / 4  # of the pool and the rack of the other


def test_a_draw_hopes_for_a_bonus() -> None:
    """Figure F of the rules: 3-4-4 would make a bridge."""
    ring = "D(0,-1)=4-4-4 U(0,-1)=5-4-4 D(-1,-1)=5-5-4 U(-1,0)=5-0-4 D(-2,0)=5-0-0 "
    ring += "U(-2,1)=0-0-0 D(-2,1)=0-0-1 U(-1,1)=0-1-3"
    view = drawing(["1-1-1", "1-1-2"], ["3-4-4", "2-2-5"], ring.split())
    hope = facts(view, Draw(), Rng(1))[-1]
    assert (hope.kind, hope.points, hope.chance) == ("hopes", 40, 1 / 3)


def test_a_tie_is_told_and_a_clear_lead_is_not() -> None:
    def found(win: float, margin: float, error: float = 0.5) -> Candidate:
        return Candidate(Draw(), win, margin, error, 2000, exact=False)

    assert equals([found(0.6, 10.0)]) is None
    tie = equals([found(0.6, 10.0), found(0.595, 9.5)])
    assert tie is not None
    assert tie.move == "draw"
    assert equals([found(0.6, 10.0), found(0.5, 9.5)]) is None
    assert equals([found(0.6, 10.0), found(0.6, 2.0)]) is None
    exact = [Candidate(Draw(), 1.0, margin, 0.0, 1, exact=True) for margin in (7.0, 6.0)]
    assert equals(exact) is None
    assert equals([exact[0], exact[0]]) is not None


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
    kept = {"win", "margin", "best", "best_win", "best_margin", "lost", "noise", "mark"}
    assert set(one) == kept
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
