"""The levels: what they may know, what they must find, and that they can be told apart."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

import pytest

from tests.effort import count
from tests.endings import endings, random_play, true_margin
from tests.play import random_game
from tests.test_worlds import small_game
from triomino import CLASSIC, EDITIONS, Game, Rules, View
from triomino.bots import BOTS, GreedyBot, Limit, make_bot
from triomino.bots.levels import EFFORTS, HumanBot, SearchBot
from triomino.dice import Rng
from triomino.kernel import Effort, Sampler, search
from triomino.ledger import Ledger
from triomino.moves import Draw, Place, parse_move
from triomino.server.hints import best_moves
from triomino.tile import mask_of

if TYPE_CHECKING:
    from triomino.moves import Move

SEATS = [(edition, players) for edition, rules in EDITIONS.items() for players in rules.racks]
SOME = Effort(rollouts=300)
DEAD_END = """
U(0,0)=0-2-4 D(-1,0)=0-2-2 D(0,0)=4-2-4 U(1,0)=4-4-0 U(-1,0)=1-2-0 U(-1,1)=2-3-2
D(-1,1)=2-3-5 D(1,-1)=0-4-0 D(0,-1)=5-0-4 D(-2,0)=1-1-2 U(2,-1)=0-0-0 U(0,-1)=5-0-5
U(-2,0)=5-1-1 D(-2,-1)=5-5-1 draw draw draw end draw draw draw U(-2,1)=1-2-2 U(-1,2)=3-3-5
U(-2,-1)=5-5-5 D(-2,2)=3-4-3 draw draw draw U(-2,3)=4-5-3 D(-3,0)=5-0-1 draw draw
D(-2,-2)=2-5-5 D(-2,3)=3-5-1 U(-1,-2)=2-5-1 draw U(-3,0)=0-0-5 U(-2,-2)=2-5-2 draw
U(-3,1)=0-1-1 D(-2,-3)=2-2-2 draw D(-1,2)=5-3-5 draw draw D(-3,3)=4-5-5 draw U(-3,3)=4-5-4
D(-3,-2)=2-4-5 draw draw U(-3,-2)=2-4-2 draw draw draw D(-4,0)=0-2-0 D(-4,-2)=2-3-4
U(-4,1)=2-5-0 draw D(2,-2)=3-0-0 U(3,-2)=3-0-2 draw D(2,-1)=0-0-1 U(3,-1)=0-1-3 draw
U(2,-2)=5-0-3 D(3,-1)=3-1-2 draw draw draw end pass pass U(-4,-2)=3-3-2 pass D(-5,-2)=3-3-3
pass
"""
"""Moves after which a rack dealt as others are expected to have it leaves another none."""


def games(rules: Rules, players: int, number: int, most: int = 40) -> list[Game]:
    """Moments of different rounds with something to choose."""
    found: list[Game] = []
    for seed in range(1, 100 * number):
        game = random_game(rules, players, seed=seed, moves=seed * 7 % most)
        if not game.over and len(game.legal_moves()) > 1:
            found.append(game)
        if len(found) == number:
            return found
    raise AssertionError(f"only {len(found)} such games")


# --- Searching -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "players"), SEATS)
def test_candidates_are_legal_moves_the_best_first(edition: str, players: int) -> None:
    for game in games(EDITIONS[edition], players, 4):
        view = View.of(game, game.turn)
        found = search(view, SOME, Rng(1))
        moves = view.legal_moves()
        assert len({one.move for one in found}) == len(found)
        assert {one.move for one in found} <= set(moves)
        assert found[0].worlds == max(one.worlds for one in found)
        for one in found:
            assert 0 <= one.win <= 1
            assert one.error >= 0
            if game.board.laid:
                continue
            assert isinstance(one.move, Place | Draw)
        if game.board.laid:
            assert len(found) == len(moves)


@pytest.mark.parametrize(("edition", "players"), SEATS)
def test_nobody_sees_what_its_seat_does_not(edition: str, players: int) -> None:
    """With the hidden tiles dealt anew the view is the same, and so are choices and hints."""
    for number, game in enumerate(games(EDITIONS[edition], players, 2)):
        view = View.of(game, game.turn)
        other = View.of(view.sample(Rng(number)), game.turn)
        assert other == view
        assert best_moves(view, SOME) == best_moves(other, SOME)
        for name in BOTS:
            one, two = (
                make_bot(name, Rng(9)).choose(seen, Limit(rollouts=150)) for seen in (view, other)
            )
            assert one == two


def test_the_same_seed_and_rollouts_give_the_same_move() -> None:
    for game in games(CLASSIC, 3, 5):
        view = View.of(game, game.turn)
        one, two = (search(view, SOME, Rng(4)) for _ in range(2))
        assert one == two


def test_an_opening_tile_is_a_candidate_once() -> None:
    game = Game.deal(CLASSIC, players=2, seed=3)
    found = search(View.of(game, game.turn), SOME, Rng(1))
    tiles = [one.move.tile for one in found if isinstance(one.move, Place)]
    assert sorted(tiles) == sorted(game.racks[game.turn])


def test_a_level_that_does_not_draw_on_purpose_has_no_such_candidate() -> None:
    game = next(
        game
        for game in games(CLASSIC, 2, 30)
        if Draw() in game.legal_moves() and len(game.legal_moves()) > 2
    )
    view = View.of(game, game.turn)
    drawing = {one.move for one in search(view, SOME, Rng(1))}
    placing = {one.move for one in search(view, replace(SOME, may_draw=False), Rng(1))}
    assert drawing - placing == {Draw()}


def _after_one_reply(game: Game, move: Move) -> int:
    """The margin of the seat to move when it has moved and the other has answered."""
    me, game = game.turn, game.copy()
    game.play(move)
    if not game.over:
        game.play(GreedyBot().choose(View.of(game, game.turn)))
    return game.totals[me] - game.totals[1 - me]


@pytest.mark.parametrize("target", [None, 1000])
def test_the_chance_to_win_is_that_of_the_round_whatever_the_match(target: int | None) -> None:
    rules = CLASSIC.with_changes({"target": target})
    start = Game.deal(rules, players=2, seed=3).start
    found = [
        search(View.of(game, game.turn), SOME, Rng(1))
        for game in (Game(rules, start), Game(rules, start, Ledger.open(rules, 2, totals=(0, 300))))
    ]
    even, uneven = ([one.win for one in candidates] for candidates in found)
    assert 0 < even[0] < 1
    # In a match totals are carried over; a single round from a position goes by its totals.
    assert (uneven == even) is (target is not None)


def test_one_reply_is_as_far_as_the_yardstick_looks() -> None:
    game = next(game for game in games(CLASSIC, 2, 30) if len(game.legal_moves()) > 3)
    view = View.of(game, game.turn)
    best = search(view, replace(EFFORTS["reply"], rollouts=4000), Rng(1))[0]
    worlds = [view.sample(Rng(number)) for number in range(300)]
    exact = fmean(_after_one_reply(world, best.move) for world in worlds)
    assert best.margin == pytest.approx(exact, abs=3)


def test_a_search_ends_if_what_others_are_expected_to_have_is_impossible() -> None:
    game = Game.deal(EDITIONS["classic-hebrew"], 4, seed=39)
    for move in DEAD_END.split():
        game.play(parse_move(move))
    view = View.of(game, game.turn)
    for seed in range(5):
        found = search(view, Effort(rollouts=300, judges=True), Rng(seed))
        assert len(found) == len(view.legal_moves()) == 3


# --- Endings -------------------------------------------------------------------------------------


def test_with_few_tiles_in_the_pool_every_world_is_solved() -> None:
    """A candidate is worth the mean of what brute force finds in the worlds there may be."""
    effort, checked = Effort(rollouts=3000, forced_draw_prior=0), 0
    dice = Rng.named("worlds solved", 2)
    wanted = count(40, least=4)
    for _ in range(100 * wanted):
        if checked >= wanted:
            break
        game = small_game("classic", 2, 2, 2, dice)
        view, me = View.of(game, game.turn), game.turn
        if len(view.legal_moves()) < 2 or view.pool_size + sum(view.rack_sizes) > 4:
            continue  # nothing to choose, or too much for Python
        states = Sampler(view).sample(Rng(1), 300)
        keys = [str(state.inner.dump()) for state in states]
        often = Counter(keys)
        worlds = {key: state.game() for key, state in dict(zip(keys, states, strict=True)).items()}
        for one in search(view, effort, Rng(1)):
            margins = {}
            for key, world in worlds.items():
                world.play(one.move)
                margins[key] = true_margin(world, me)
                world.undo()
            found = [margins[key] for key in often.elements()]
            error = one.error + pstdev(found) / len(found) ** 0.5
            assert one.margin == pytest.approx(fmean(found), abs=1 + 4 * error)
            checked += len(worlds) > 1
    assert checked >= wanted


def test_an_ending_that_is_too_large_is_sampled() -> None:
    found = endings(random_play, most_tiles=9)
    game = next(game for game in found if sum(map(len, game.racks)) > 7)
    sampled = search(View.of(game, game.turn), Effort(rollouts=60, endgame_nodes=1), Rng(1))
    assert not any(one.exact for one in sampled)
    assert sampled[0].worlds > 1


# --- Levels that overlook things -----------------------------------------------------------------


def test_who_overlooks_every_place_draws() -> None:
    game = next(game for game in games(CLASSIC, 2, 30) if Draw() in game.legal_moves())
    view = View.of(game, game.turn)
    assert HumanBot(Rng(1), "blind", overlooks=256, misses_bonus=0).choose(view) == Draw()
    effort = Effort(rollouts=50)
    assert SearchBot(Rng(1), "blind", effort, overlooks=256).choose(view) == Draw()


def test_who_sees_everything_takes_the_most_points() -> None:
    for game in games(CLASSIC, 2, 10):
        view = View.of(game, game.turn)
        mine = HumanBot(Rng(1), "sharp", overlooks=0, misses_bonus=0).choose(view)
        best = GreedyBot().choose(view)
        one, two = (sum(score.points for score in view.scores(move)) for move in (mine, best))
        assert one == two


def test_who_misses_bonuses_plays_for_the_tile_alone() -> None:
    seen = 0
    for game in games(CLASSIC, 2, 60):
        view = View.of(game, game.turn)
        best = GreedyBot().choose(view)
        if not isinstance(best, Place) or not view.board.meets_every_corner(best.cell):
            continue
        move = HumanBot(Rng(1), "dull", overlooks=0, misses_bonus=256).choose(view)
        assert isinstance(move, Place)
        tiles = {one.tile for one in view.legal_moves() if isinstance(one, Place)}
        assert move.tile.points == max(tile.points for tile in tiles)
        seen += 1
    assert seen


def test_who_plans_keeps_places_for_its_own_tiles() -> None:
    fits = {False: 0, True: 0}
    for game in games(CLASSIC, 2, 60):
        view = View.of(game, game.turn)
        for plans in fits:
            bot = HumanBot(Rng(1), "one", overlooks=0, misses_bonus=0, plans=plans)
            move = bot.choose(view)
            if isinstance(move, Place):
                board = view.board.copy()
                board.lay(move)
                fits[plans] += (board.playable & mask_of(view.rack)).bit_count()
    assert fits[True] > fits[False]


def test_the_beginner_takes_what_it_finds_first() -> None:
    game = next(game for game in games(CLASSIC, 2, 30) if len(game.legal_moves()) > 4)
    view = View.of(game, game.turn)
    chosen = {make_bot("beginner", Rng(seed)).choose(view) for seed in range(300)}
    places = {move for move in view.legal_moves() if isinstance(move, Place)}
    assert places <= chosen <= set(view.legal_moves())


def test_the_beginner_loses_to_greedy_and_the_champion_wins() -> None:
    """Few games, far apart; the measured table is a matter of the benchmarks."""
    results = {}
    for name, deals in (("beginner", count(200, least=30)), ("champion", count(60, least=8))):
        wins = 0.0
        for number in range(deals):
            for seat in (0, 1):
                bots = [make_bot("greedy", Rng(number)), make_bot("greedy", Rng(number))]
                bots[seat] = make_bot(name, Rng(100 + number))
                game = Game.deal(CLASSIC, players=2, seed=number)
                while not game.over:
                    view = View.of(game, game.turn)
                    game.play(bots[game.turn].choose(view, Limit(rollouts=400)))
                margin = game.totals[seat] - game.totals[1 - seat]
                wins += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
        results[name] = wins / (2 * deals)
    assert results["beginner"] < 0.5 < 0.62 < results["champion"]


def test_dice_decide_what_chance_decides() -> None:
    chance = random.Random(3)
    game = games(CLASSIC, 2, 1)[0]
    view = View.of(game, game.turn)
    seeds = [chance.randrange(1 << 30) for _ in range(30)]
    assert len({make_bot("beginner", Rng(seed)).choose(view) for seed in seeds}) > 1
