"""The search by the rules as they are: drawing on purpose, small sets, what is believed."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

import pytest

from tests.agreement.walk import DRAWING
from tests.effort import count
from tests.endings import true_margin
from tests.play import random_game
from triomino import CARD, CLASSIC, Draw, Game, Place, Position, Rng, Rules, View
from triomino.kernel import Effort, search
from triomino.kernel.search import _forced_draws
from triomino.rules import VoluntaryDraw
from triomino.tile import TILE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino import Move, Tile

STUDY = CLASSIC.with_changes({"tile_set": "20", "racks": {2: 4}})
DRAWN = Draw()


def able_games(rules: Rules, number: int) -> Iterator[Game]:
    """Rounds of two in which the one to move can place, at the beginning of a turn."""
    found = 0
    for seed in range(1, 100 * number):
        game = random_game(rules, 2, seed, moves=8)
        if game.over or game.drawn or not game.pool or not game.choices.is_able:
            continue
        found += 1
        yield game
        if found == number:
            return
    raise AssertionError(f"only {found} such games")


def test_one_who_can_place_thinks_of_drawing_once() -> None:
    for game in able_games(CLASSIC, 20):
        effort = Effort(rollouts=200)
        found = search(View.of(game, game.turn), effort, Rng(1))
        assert [one.move for one in found].count(DRAWN) == 1
        held = search(View.of(game, game.turn), Effort(rollouts=200, may_draw=False), Rng(1))
        assert DRAWN not in [one.move for one in held]
        seat = game.turn
        game.play(DRAWN)
        again = search(View.of(game, seat), effort, Rng(1))
        assert all(isinstance(one.move, Place) for one in again)


def test_in_a_match_only_points_count_where_rounds_go_to_whoever_ends_them() -> None:
    def best(rules: Rules, win_weight: int) -> list[Move]:
        effort = Effort(rollouts=60, judges=True, win_weight=win_weight)
        games = [random_game(rules, 2, seed, moves=14) for seed in range(1, 41)]
        running = [game for game in games if not game.over]
        return [search(View.of(game, game.turn), effort, Rng(1))[0].move for game in running]

    single = CARD.with_changes({"target": None})
    assert best(CARD, 0) == best(CARD, 1000)
    assert best(single, 0) != best(single, 1000)


@pytest.mark.parametrize("changes", [{}, *DRAWING.values()])
def test_every_legal_move_is_a_candidate(changes: dict[str, object]) -> None:
    """Whatever one who can place may do instead, in every moment of a turn."""
    rules, drew, able = CLASSIC.with_changes(changes), 0, 0
    for seed in range(40):
        game = random_game(rules, 2, seed, moves=6 + seed)
        if game.over or game.is_opening:
            continue
        drew, able = drew + bool(game.drawn), able + game.choices.is_able
        found = search(View.of(game, game.turn), Effort(rollouts=40), Rng(1))
        assert sorted(str(one.move) for one in found) == sorted(map(str, game.legal_moves()))
    assert drew > 3
    assert able > 10


def worlds_of(game: Game) -> list[Game]:
    """Every way to deal what the one to move does not see; the pool has one tile."""
    me = game.turn
    hidden = [*game.racks[1 - me], *game.pool]
    found = []
    for rack in combinations(hidden, len(game.racks[1 - me])):
        racks: list[list[Tile]] = [[], []]
        racks[me], racks[1 - me] = game.racks[me], list(rack)
        pool = [tile for tile in hidden if tile not in rack]
        position = Position.of(
            racks, pool, rules=game.rules, board=game.board.places, turn=me, scores=game.totals
        )
        found.append(Game.at(position))
    return found


def late_games(number: int) -> Iterator[Game]:
    """Few tiles of a small set, one of them in the pool, and somebody who can place."""
    found = 0
    for seed in range(1, 100 * number):
        dice = Rng.named("late", seed)
        tiles = list(TILE_SETS["20"])
        some = [tiles.pop(dice.randrange(len(tiles))) for _ in range(7)]
        board = [Place.parse(f"U(0,0)={some[0]}")]
        game = Game.at(Position.of([some[1:4], some[4:6]], some[6:], rules=STUDY, board=board))
        if game.choices.is_able:
            found += 1
            yield game
        if found == number:
            return
    raise AssertionError(f"only {found} such games")


def test_a_draw_on_purpose_is_worth_what_best_play_makes_of_it() -> None:
    """By brute force in every world: to draw, then to place, and to go on from there."""
    drew = 0
    for game in late_games(12):
        me, worlds = game.turn, worlds_of(game)
        effort = Effort(rollouts=3000, forced_draw_prior=0, win_weight=0)
        found = search(View.of(game, me), effort, Rng(2))
        true = {}
        for one in found:
            margins = []
            for world in worlds:
                world.play(one.move)
                margins.append(true_margin(world, me))
                world.undo()
            true[one.move] = fmean(margins)
            assert min(margins) <= one.margin <= max(margins)
            assert abs(one.margin - true[one.move]) <= 5 * one.error + 1e-9, one
        best = max(true, key=true.__getitem__)
        assert true[found[0].move] >= true[best] - 5 * found[0].error - 1
        drew += best == DRAWN
    assert drew > 0


@pytest.mark.parametrize("tile_set", TILE_SETS)
def test_every_set_is_searched(tile_set: str) -> None:
    sizes = {"4": 1, "10": 2, "11": 2, "20": 4, "24": 4}
    rules = CLASSIC.with_changes({"tile_set": tile_set, "racks": {2: sizes.get(tile_set, 7)}})
    dice = Rng(3)
    for seed in range(count(10)):
        game = Game.deal(rules, 2, seed)
        while not game.over:
            view = View.of(game, game.turn)
            found = search(view, Effort(rollouts=60), dice)
            assert {one.move for one in found} <= set(game.legal_moves())
            game.play(found[0].move)


def test_who_is_trusted_did_not_draw_on_purpose() -> None:
    """Some worlds are dealt by the rules under which every draw shows that nothing fitted."""
    assert _forced_draws(CLASSIC).voluntary_draw is VoluntaryDraw.NEVER
    assert _forced_draws(CLASSIC).must_place_after_last_draw
    differ = 0
    for game in able_games(CLASSIC, 12):
        game.play(DRAWN)
        while not game.over and game.drawn:
            game.play(game.legal_moves()[0])
        if game.over or len(game.legal_moves()) < 2:
            continue
        view = View.of(game, game.turn)
        one, other = (
            search(view, Effort(rollouts=200, forced_draw_prior=prior), Rng(1))
            for prior in (0, 256)
        )
        differ += one != other
    assert differ > 3
