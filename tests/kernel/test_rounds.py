"""Playouts: what is played is what the rules and the policy say, and always the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from triomino import (
    CARD,
    CLASSIC,
    EDITIONS,
    SIX_PLAYER,
    Game,
    Place,
    Position,
    Rng,
    RulesError,
    Tile,
    TriominoError,
    View,
)
from triomino.bots import GreedyBot
from triomino.kernel import Ending, Policy, Rounds, State, matches, playouts, rollouts

if TYPE_CHECKING:
    from triomino import Move

FIELDS = list(Rounds.__dataclass_fields__)


def same(one: Rounds, other: Rounds) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in FIELDS)


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("rules", [CLASSIC, SIX_PLAYER, CARD], ids=lambda rules: rules.edition)
def test_a_round_depends_on_seed_and_number_alone(policy: Policy, rules: object) -> None:
    assert isinstance(rules, type(CLASSIC))
    whole = playouts(rules, 3, 2000, policy, seed=5, threads=1)
    assert same(whole, playouts(rules, 3, 2000, policy, seed=5, threads=3))
    assert same(whole, playouts(rules, 3, 2000, policy, seed=5, threads=1, portable=True))
    tail = playouts(rules, 3, 700, policy, seed=5, first=1300)
    assert all(np.array_equal(getattr(whole, name)[1300:], getattr(tail, name)) for name in FIELDS)
    assert not same(whole, playouts(rules, 3, 2000, policy, seed=6))


def test_the_rounds_of_a_seed_stay_the_same() -> None:
    """The same on every machine, and in every version that does not say otherwise."""
    rounds = playouts(CLASSIC, 2, 4, "random", seed=1)
    assert rounds.scores.tolist() == [[97, 117], [161, 122], [181, 109], [125, 69]]
    assert rounds.turns.tolist() == [49, 50, 52, 26]
    changes = {"voluntary_draw": "always", "must_place_after_last_draw": False}
    rounds = playouts(CLASSIC.with_changes(changes), 2, 4, "random", seed=1)
    assert rounds.scores.tolist() == [[169, 57], [46, 156], [198, 217], [170, 121]]
    assert rounds.turns.tolist() == [51, 35, 56, 42]


@pytest.mark.parametrize("policy", [Policy.GREEDY, Policy.PLACE])
def test_who_places_when_able_plays_the_same_by_all_rules_of_drawing(policy: Policy) -> None:
    """So the engine that was made for the classic rules plays these, too."""
    classic = playouts(CLASSIC, 3, 500, policy, seed=5)
    for draw in ("never", "always"):
        for must in (False, True):
            changes = {"voluntary_draw": draw, "must_place_after_last_draw": must}
            assert same(classic, playouts(CLASSIC.with_changes(changes), 3, 500, policy, seed=5))
    # By rules that no engine was made for, and that come to the same.
    other = CLASSIC.with_changes({"triple_zero_start": 0})
    assert same(classic, playouts(other, 3, 500, policy, seed=5))


SMALL = {
    "4": {2: 1},
    "10": {2: 2, 3: 1},
    "20": {2: 4},
    "35": {3: 5},
    "11": {2: 2},
    "24": {2: 5},
    "45": {4: 6},
}


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("tile_set", SMALL)
def test_small_sets_are_dealt_whole_and_no_other_tile(tile_set: str, policy: Policy) -> None:
    rules = CLASSIC.with_changes({"tile_set": tile_set, "racks": SMALL[tile_set]})
    for players in rules.racks:
        whole = playouts(rules, players, 300, policy, seed=2)
        assert same(whole, playouts(rules, players, 300, policy, seed=2, portable=True))
        names = ["random"] * players
        fair = matches(rules, names, seed=3, first=1, count=4000)
        many = playouts(rules, players, 4000, "random", seed=9)
        assert abs(many.scores.mean() - fair.scores.mean()) < 2
        assert abs(many.turns.mean() - fair.rounds_turns[:, 1].mean()) < 0.5


@pytest.mark.parametrize("edition", EDITIONS)
def test_results_hang_together(edition: str) -> None:
    rules = EDITIONS[edition]
    for players in rules.racks:
        rounds = playouts(rules, players, 400, "random", seed=players)
        assert rounds.scores.shape == rounds.bridges.shape == (400, players)
        assert set(rounds.reasons.tolist()) <= set(Ending)
        assert rounds.starters.max() < players
        assert (rounds.winners > 0).all()
        assert (rounds.turns >= rules.racks[players]).all()
        if not rules.scoring:
            assert not rounds.scores.any()
            assert not rounds.bridges.any()
        elif edition != "card":
            best = rounds.scores.max(axis=1, keepdims=True)
            bits = ((rounds.scores == best) << np.arange(players)).sum(axis=1)
            assert np.array_equal(bits, rounds.winners)


def endgame(seed: int) -> Game:
    """A few tiles each and an empty pool, so that every line can be followed."""
    dice = Rng(seed)
    tiles = [tile for tile in CLASSIC.tiles if max(tile.numbers) <= 2]
    racks: list[list[Tile]] = [[], []]
    for rack in racks:
        for _ in range(3):
            rack.append(tiles.pop(dice.randrange(len(tiles))))
    first = Place.parse(f"U(0,0)={tiles.pop(dice.randrange(len(tiles)))}")
    return Game.at(Position.of(racks, board=[first], scores=[3, 5]))


def exact(game: Game, policy: Policy) -> dict[tuple[int, ...], Fraction]:
    """How likely each result is, by all lines of play."""
    if game.over:
        return {tuple(game.totals): Fraction(1)}
    moves: list[Move] = game.legal_moves()
    if policy is Policy.PLACE:
        moves = [move for move in moves if isinstance(move, Place)] or moves[:1]
    chances: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for move in moves:
        after = game.copy()
        after.play(move)
        for result, chance in exact(after, policy).items():
            chances[result] += chance / len(moves)
    return chances


@pytest.mark.parametrize("policy", [Policy.RANDOM, Policy.PLACE])
@pytest.mark.parametrize("seed", range(4))
def test_every_move_has_its_chance(policy: Policy, seed: int) -> None:
    game, n = endgame(seed), 40_000
    chances = exact(game, policy)
    rounds = rollouts(State.of(game), n, policy, seed=seed)
    seen = Counter(map(tuple, rounds.scores.tolist()))
    assert set(seen) <= set(chances)
    chi2 = sum((seen[r] - n * c) ** 2 / (n * c) for r, c in chances.items())
    free = len(chances) - 1
    assert chi2 <= free + 5 * (2 * free) ** 0.5 + 6, (float(chi2), free)


@pytest.mark.parametrize("edition", EDITIONS)
def test_greedy_is_the_greedy_bot(edition: str) -> None:
    bot = GreedyBot()
    for seed in range(6):
        game = Game.deal(EDITIONS[edition], 3, seed)
        while not game.over and game.pool:
            game.play(bot.choose(View.of(game, game.turn)))
        # With an empty pool nothing is left to chance.
        (scores,) = rollouts(State.of(game), 1, "greedy").scores.tolist()
        while game.end is None:
            game.play(bot.choose(View.of(game, game.turn)))
        assert scores == game.totals


@cache
def fair_means() -> tuple[float, float, float]:
    played = matches(CLASSIC, ["random", "random"], seed=3, first=1, count=20_000)
    turns = played.rounds_turns[:, 1]
    return played.scores.mean(), turns.mean(), played.bridges.mean()


def test_playouts_and_fair_deals_are_the_same_game() -> None:
    """Other dice, another way to shuffle and to start, and the same distributions."""
    rounds = playouts(CLASSIC, 2, 20_000, "random", seed=9)
    scores, turns, bridges = fair_means()
    assert abs(rounds.scores.mean() - scores) < 1.5
    assert abs(rounds.turns.mean() - turns) < 0.5
    assert abs(rounds.bridges.mean() - bridges) < 0.05
    assert abs(rounds.starters.mean() - 0.5) < 0.02


def test_a_draw_of_a_rollout_is_any_tile_of_the_pool() -> None:
    """Nothing fits, so each seat draws two of four tiles worth 0 to 3, and pays for them."""
    tiles = [Tile.parse(text) for text in ("0-0-0", "0-0-1", "0-0-2", "0-0-3")]
    game = Game.at(
        Position.of(
            [[Tile.parse("4-4-4")], [Tile.parse("5-5-5")]],
            tiles,
            rules=CLASSIC.with_changes({"max_draws": 1, "draw_ends_turn": True}),
            board=[Place.parse("U(0,0)=1-2-3")],
        )
    )
    n = 12_000
    rounds = rollouts(State.of(game), n, "place", seed=2)
    assert (rounds.reasons == Ending.BLOCKED).all()
    drawn = Counter((-42 - rounds.scores[:, 0]).tolist())
    expected = {1: n / 6, 2: n / 6, 3: n / 3, 4: n / 6, 5: n / 6}
    assert set(drawn) == set(expected)
    assert sum((drawn[sum_] - mean) ** 2 / mean for sum_, mean in expected.items()) < 30


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(RulesError, match="player count"):
        playouts(CLASSIC, 5)
    with pytest.raises(TriominoError, match="at once"):
        playouts(CLASSIC, 2, -1)
    with pytest.raises(ValueError, match="clever"):
        playouts(CLASSIC, 2, 1, "clever")
    with pytest.raises(TriominoError, match="threads"):
        playouts(CLASSIC, 2, 1, threads=-3)
    assert len(playouts(CLASSIC, 2, 0)) == 0
