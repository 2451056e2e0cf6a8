"""Worlds dealt by the kernel, held to the same enumeration as those of Python."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from tests.effort import count
from tests.test_worlds import (
    HOUSE,
    check_frequencies,
    enumerate_worlds,
    game_origin,
    play_randomly,
    small_dealt_game,
    small_game,
    small_tiles,
)
from triomino import (
    CARD,
    CLASSIC,
    EDITIONS,
    Game,
    Keep,
    Place,
    Position,
    PositionError,
    Rng,
    Rules,
    Tile,
    View,
)
from triomino.kernel import Sampler, State, sample
from triomino.kernel.sampling import FEW_WORLDS, FEWEST_WORLDS
from triomino.kernel.state import index_of
from triomino.moves import Draw
from triomino.scoring import placement_scores
from triomino.tile import tiles_in

if TYPE_CHECKING:
    from triomino import Board

World: TypeAlias = tuple[tuple[frozenset[int], ...], tuple[int, ...]]
"""Who holds what, and the pool in order; tiles by their number in the kernel."""


def world_of(state: State) -> World:
    # Not by way of a position: there are thousands of them.
    data = state.inner.dump()
    return tuple(map(frozenset, data["racks"])), tuple(data["pool"])


def consistent_worlds(game: Game, view: View) -> Counter[World]:
    """In how many consistent deals each world comes about."""
    found: Counter[World] = Counter()
    for racks, pool in enumerate_worlds(game, view):
        hands, left = [set(rack) for rack in racks], list(pool)
        for ply in game.plies:
            if isinstance(ply.move, Draw):
                hands[ply.seat].add(left.pop(0))
            elif isinstance(ply.move, Place):
                hands[ply.seat].discard(ply.move.tile)
        numbers = tuple(frozenset(map(index_of, hand)) for hand in hands)
        found[numbers, tuple(map(index_of, left))] += 1
    return found


def check(game: Game, seat: int | None, dice: Rng, least: int = 3000) -> bool:
    """Sample a view; whether the kernel did it by itself."""
    view = View.of(game, seat)
    expected = consistent_worlds(game, view)
    sampler = Sampler(view)
    number = max(least, 20 * len(expected)) if sampler.is_native else 60
    # A search has worlds dealt for it only where it must, and fewer where there is no time.
    for until, worlds in ((None, FEW_WORLDS), (0.0, FEWEST_WORLDS)):
        dealt = sampler.deal(Rng(1), until)
        assert dealt is None if sampler.is_native else len(dealt or []) == worlds
    states = sampler.sample(dice, number)
    seen = Counter(map(world_of, states))
    if sampler.is_native:
        check_frequencies(seen, expected)
    assert set(seen) <= set(expected)
    own = State.of(game).inner.dump()
    for state in states[:10]:
        data = state.inner.dump()
        for name in ("board", "totals", "turn", "starter", "idle", "latched"):
            assert data[name] == own[name], name
        if seat == game.turn:
            assert state.legal_moves() == game.legal_moves()
    return sampler.is_native


@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.parametrize(
    ("players", "size", "pool", "spectator"), [(2, 3, 3, False), (3, 2, 2, False), (2, 2, 2, True)]
)
def test_samples_are_uniform_over_all_consistent_deals(
    name: str, players: int, size: int, pool: int, spectator: bool
) -> None:
    dice = Rng.named("kernel worlds", name, players)
    native = 0
    for _ in range(2):
        game = small_game(name, players, size, pool, dice)
        native += check(game, None if spectator else dice.randrange(players), dice)
    assert native


def contradictions(start: Game, view: View) -> int:
    """How many moves of the others were not those of somebody who plays for points."""
    found = 0
    for ply in view.plies:
        rules, board = start.rules, start.board

        def worth(place: Place, board: Board = board, rules: Rules = rules) -> tuple[int, int]:
            scores = placement_scores(board, 0, place, rules)
            return sum(score.points for score in scores), place.tile.points

        places = [move for move in start.legal_moves() if isinstance(move, Place)]
        if ply.seat != view.seat and isinstance(ply.move, Place):
            found += max(map(worth, places)) > worth(ply.move)
        elif ply.seat != view.seat and not isinstance(ply.move, Keep):
            found += bool(places)
        start.play(ply.move)
    return found


@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.parametrize(("players", "size", "pool"), [(2, 3, 3), (3, 2, 2)])
def test_guesses_weigh_how_people_play(name: str, players: int, size: int, pool: int) -> None:
    """A deal is 16 times less likely for each move that contradicts playing for points."""
    dice = Rng.named("guesses", name, players)
    tried = 0
    while tried < count(8, least=1):
        game = small_game(name, players, size, pool, dice)
        view = View.of(game, game.turn)
        sampler = Sampler(view)
        if not sampler.is_native or all(ply.seat == view.seat for ply in game.plies):
            continue
        expected: dict[tuple[int, int], float] = {}
        total = 0.0
        for racks, rest in enumerate_worlds(game, view):
            ordered = tuple(tuple(sorted(rack)) for rack in racks)
            start = Game.at(replace(game_origin(game), racks=ordered, pool=rest))
            weight = 16.0 ** -contradictions(start, view)
            total += weight
            for seat, rack in enumerate(start.racks):
                for tile in rack:
                    key = seat, index_of(tile)
                    expected[key] = expected.get(key, 0) + weight
        states = sampler.infer(dice, 10_000)[::5]
        seen = Counter(
            (seat, tile)
            for state in states
            for seat, rack in enumerate(world_of(state)[0])
            for tile in rack
        )
        assert set(seen) <= set(expected)
        for key, weight in expected.items():
            assert seen[key] / len(states) == pytest.approx(weight / total, abs=0.05)
        tried += 1


def test_what_two_seats_could_not_place_restricts_them_differently() -> None:
    """Here some proposals have more ways than others, and must be accepted more often."""
    rules = CLASSIC.with_changes({"voluntary_draw": "never", "max_draws": 1})
    dice = Rng.named("two proofs")
    for _ in range(1500):
        tiles = small_tiles(11, dice, highest=4)
        first = Place.parse(f"U(0,0)={tiles.pop()}")
        racks = [tiles[:2], tiles[2:4], tiles[4:6]]
        game = Game.at(Position.of(racks, tiles[6:], rules=rules, board=[first]))
        play_randomly(game, dice, 7)
        shares = [share for share, _ in fills(View.of(game, 0), dice) if share]
        if shares and max(shares) >= 1.5 * min(shares):
            assert check(game, 0, dice, least=20_000)
            return
    pytest.fail("no such game was found")


def fills(view: View, dice: Rng, tries: int = 30) -> list[tuple[float, int]]:
    """Ways to deal by the plan of a view: how likely each is to be accepted, and what is dealt."""
    plan = view.worlds.plan()
    out: list[tuple[float, int]] = []
    for _ in range(tries if plan is not None else 0):
        assert plan is not None
        free, share = view.unseen, 1.0
        chosen = {seat: ways[dice.randrange(len(ways))] for seat, ways in plan.ways.items()}
        for place, (seat, mask) in enumerate(plan.groups):
            for nth in range(chosen[seat].left[place]):
                fitting = [tile.bit for tile in tiles_in(mask & free)]
                share *= len(fitting) / (chosen[seat].most[place] - nth)
                free ^= fitting[dice.randrange(len(fitting))] if fitting else 0
        out.append((share, view.unseen & ~free))
    return out


@pytest.mark.parametrize("edition", [CLASSIC, CARD])
@pytest.mark.parametrize("changes", [{}, {"opening_draw": True}])
def test_the_start_of_a_dealt_round_is_evidence(edition: Rules, changes: dict[str, Any]) -> None:
    rules = edition.with_changes(changes)
    dice = Rng.named("kernel start", edition.edition, *changes)
    native = 0
    for _ in range(count(50, least=5)):
        game = small_dealt_game(rules, dice)
        native += check(game, 0, dice)
        native += check(game, None, dice)
    assert native > 0 or changes


@pytest.mark.parametrize("edition", EDITIONS)
def test_real_deals_sample_to_states_that_go_on(edition: str) -> None:
    """Every edition, real sizes: the seat to move may do the same in every world."""
    dice, native, asked = Rng(11), 0, 0
    rules = EDITIONS[edition]
    for players in rules.racks:
        game = Game.deal(rules, players, seed=players)
        while not game.over:
            options = game.legal_moves()
            game.play(options[dice.randrange(len(options))])
            if dice.randrange(6) == 0 and not game.over:
                view = View.of(game, game.turn)
                sampler = Sampler(view)
                asked, native = asked + 1, native + sampler.is_native
                for state in sampler.sample(dice, 4):
                    position = state.position
                    assert state.legal_moves() == game.legal_moves()
                    assert position.rack_sizes == view.rack_sizes
                    assert position.pool_size == view.pool_size
    assert native >= 0.8 * asked


def test_a_view_that_cannot_be_is_refused() -> None:
    game = Game.at(
        Position.of(
            [[Tile.parse("0-0-1")], [Tile.parse("1-5-5")]],
            board=[Place.parse("U(0,0)=5-5-5")],
        )
    )
    while not game.over:
        game.play(game.legal_moves()[0])
    with pytest.raises(PositionError, match="over"):
        sample(View.of(game, 0), Rng(1))


def test_the_same_dice_give_the_same_worlds() -> None:
    view = View.of(Game.deal(CLASSIC, 3, seed=5), 0)
    one, two = Rng(9), Rng(9)
    first = list(map(world_of, sample(view, one, 20)))
    assert first == list(map(world_of, sample(view, two, 20)))
    assert one.state == two.state != 9
