"""What a seat may know, and that it knows nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import random_game
from triomino import (
    CLASSIC,
    EDITIONS,
    Deal,
    Draw,
    Game,
    Place,
    Position,
    PositionError,
    Rng,
    Tile,
    View,
)
from triomino.dice import shuffle


def hidden_twin(game: Game, seat: int | None, dice: Rng) -> Game:
    """The same game with tiles exchanged that *seat* has not seen and no move depended on.

    Only what lies on other racks now, or is still in the pool, changes place.
    """
    racks = [list(rack) for rack in game.start.racks]
    pool = list(game.start.pool)
    laid = {place.tile for place in game.board.places}
    shown = {draw.tile for draw in game.start.start_draws}
    mine = set() if seat is None else set(game.racks[seat])
    free = [tile for rack in game.racks for tile in rack] + list(game.pool)
    free = [tile for tile in free if tile not in laid | shown | mine]
    # Tiles that fit nowhere at any time may change hands without changing what was legal.
    quiet = [tile for tile in free if not tile.bit & ever_playable(game)]
    mixed = list(quiet)
    shuffle(mixed, dice)
    renamed = dict(zip(quiet, mixed, strict=True))
    start = Deal(
        tuple(tuple(renamed.get(tile, tile) for tile in rack) for rack in racks),
        tuple(renamed.get(tile, tile) for tile in pool),
        game.starter,
        game.start.start_draws,
    )
    twin = Game(game.rules, start)
    for ply in game.plies:
        twin.play(ply.move)
    return twin


def ever_playable(game: Game) -> int:
    again = Game(game.rules, game.start)
    mask = 0
    for ply in game.plies:
        again.apply(ply)
        mask |= again.board.playable
    return mask


@given(
    st.sampled_from([e for e in EDITIONS if e != "card"]), st.integers(0, 10_000), st.integers(1, 9)
)
@settings(max_examples=60)
def test_views_are_equal_for_worlds_a_seat_cannot_tell_apart(
    edition: str, seed: int, moves: int
) -> None:
    rules = EDITIONS[edition]
    game = random_game(rules, 2, seed, moves)
    for seat in (0, 1, None):
        twin = hidden_twin(game, seat, Rng(seed))
        assert View.of(twin, seat) == View.of(game, seat)
        other = 1 if seat != 1 else 0
        if twin.racks[other] != game.racks[other]:
            assert View.of(twin, other) != View.of(game, other)


@given(st.sampled_from(list(EDITIONS)), st.integers(0, 10_000), st.integers(1, 60))
@settings(max_examples=60)
def test_a_view_names_no_hidden_tile(edition: str, seed: int, moves: int) -> None:
    game = random_game(EDITIONS[edition], 3, seed, moves)
    for seat in (0, 1, 2, None):
        view = View.of(game, seat)
        hidden = {tile for other, rack in enumerate(game.racks) if other != seat for tile in rack}
        hidden |= set(game.pool)
        hidden -= {draw.tile for draw in game.start.start_draws}
        assert not hidden & tiles_in_value(view)


def tiles_in_value(value: Any) -> set[Tile]:
    """Every tile that can be reached from a value through its fields."""
    found: set[Tile] = set()
    seen: set[int] = set()

    def walk(item: Any) -> None:
        if id(item) in seen or isinstance(item, str | int | bool | type(None)):
            return
        seen.add(id(item))
        if isinstance(item, Tile):
            found.add(item)
        elif isinstance(item, Place):
            found.add(item.tile)
        elif isinstance(item, dict):
            for key, inner in item.items():
                walk(key)
                walk(inner)
        elif isinstance(item, list | tuple | set | frozenset):
            for inner in item:
                walk(inner)
        elif type(item).__module__.startswith("triomino") and type(item).__name__ != "Board":
            names = [name for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ())]
            for name in {*names, *getattr(item, "__dict__", {})}:
                walk(getattr(item, name, None))

    walk(value)
    return found


def test_a_view_does_not_follow_its_game() -> None:
    game = random_game(CLASSIC, 2, seed=3, moves=10)
    view = View.of(game, 0)
    again = View.of(game, 0)
    game.play(game.legal_moves()[0])
    assert view == again
    assert view != View.of(game, 0)


def test_only_the_one_who_drew_sees_the_tile() -> None:
    game = random_game(CLASSIC, 2, seed=3, moves=8)
    while game.plies[-1].move != Draw():
        game.play(Draw() if Draw() in game.legal_moves() else game.legal_moves()[0])
    drawer = game.plies[-1].seat
    assert View.of(game, drawer).plies[-1].tile is not None
    assert View.of(game, drawer).drawn == tuple(game.drawn)
    for other in (1 - drawer, None):
        view = View.of(game, other)
        assert view.plies[-1].tile is None
        assert (view.drawn, view.draws) == ((), len(game.drawn))


def test_only_the_seat_to_move_has_moves() -> None:
    game = Game.deal(CLASSIC, 2, seed=1)
    assert View.of(game, game.turn).legal_moves() == game.legal_moves()
    assert View.of(game, 1 - game.turn).legal_moves() == []
    assert View.of(game, None).legal_moves() == []


@given(st.sampled_from(list(EDITIONS)), st.integers(0, 10_000), st.integers(0, 60))
@settings(max_examples=60)
def test_choices_without_a_copy_are_those_of_the_view(edition: str, seed: int, moves: int) -> None:
    game = random_game(EDITIONS[edition], 2, seed, moves)
    view, choices = View.of(game, game.turn), View.choices_of(game, game.turn)
    if not game.over:
        assert choices.legal_moves() == view.legal_moves()
    for move in view.legal_moves():
        assert choices.scores(move) == view.scores(move)
    with pytest.raises(AssertionError, match="not the turn"):
        View.choices_of(game, game.turn + 1)


def test_a_view_of_a_position_needs_the_own_rack() -> None:
    position = Position(racks=(None, (Tile(0, 0, 1),)), rack_sizes=(1, 1), pool=None, pool_size=3)
    assert View.at(position, 1).rack == (Tile(0, 0, 1),)
    with pytest.raises(PositionError, match="hidden"):
        View.at(position, 0)
