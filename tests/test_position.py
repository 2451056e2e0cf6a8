"""One moment of a round, and every way it can contradict itself."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from triomino.errors import PositionError, RulesError, TriominoError
from triomino.moves import Place
from triomino.position import Position
from triomino.rules import CASUAL, CLASSIC, SIX_PLAYER
from triomino.tile import SET_56, Tile


def hand(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


def board(text: str) -> tuple[Place, ...]:
    return tuple(Place.parse(word) for word in text.split())


def position(**changes: Any) -> Position:
    """A sound position with one thing changed."""
    fields: dict[str, Any] = {
        "rules": CLASSIC,
        "board": board("U(0,0)=5-5-5 D(-1,0)=5-1-5"),
        "racks": (hand("2-5-5 0-0-1"), hand("3-4-5")),
        "rack_sizes": (2, 1),
        "pool": hand("2-2-2 2-2-3"),
        "pool_size": 2,
        "turn": 0,
        "drawn": (),
        "scores": (20, 0),
        "latched": False,
    }
    return Position(**{**fields, **changes})


def test_a_sound_position_is_kept_as_given() -> None:
    made = position(drawn=hand("0-0-1"), latched=True, turn=0)
    assert made.racks == (hand("2-5-5 0-0-1"), hand("3-4-5"))
    assert (made.rack_sizes, made.pool_size, made.scores) == ((2, 1), 2, (20, 0))
    assert (made.drawn, made.latched) == (hand("0-0-1"), True)
    with pytest.raises(FrozenInstanceError):
        made.turn = 1  # type: ignore[misc]


def test_the_sizes_of_a_complete_position_follow() -> None:
    made = Position.of(
        [hand("2-5-5 0-0-1"), hand("3-4-5")],
        hand("2-2-2 2-2-3"),
        board=board("U(0,0)=5-5-5 D(-1,0)=5-1-5"),
        scores=[20, 0],
    )
    assert made == position()
    assert hash(made) == hash(position())


def test_scores_are_nought_unless_given() -> None:
    assert position(scores=()).scores == (0, 0)
    assert Position.of([hand("0-0-1"), hand("0-0-2"), hand("0-0-3")]).scores == (0, 0, 0)


def test_an_empty_board_and_pool_are_a_position_too() -> None:
    assert Position.of([hand("0-0-1"), ()]).rack_sizes == (1, 0)


def test_hidden_racks_and_pool_count_by_their_sizes() -> None:
    made = position(racks=(hand("2-5-5 0-0-1"), None), rack_sizes=(2, 7), pool=None, pool_size=40)
    assert (made.racks[1], made.pool) == (None, None)
    hidden = position(racks=(None, None), drawn=hand("0-0-1"))
    assert hidden.drawn == hand("0-0-1")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        # A tile twice
        ({"racks": (hand("2-5-5 0-0-1"), hand("0-0-1"))}, "tile 0-0-1 is there 2 times"),
        ({"racks": (hand("0-0-1 0-0-1"), hand("3-4-5"))}, "tile 0-0-1 is there 2 times"),
        ({"racks": (hand("1-5-5 0-0-1"), hand("3-4-5"))}, "tile 1-5-5 is there 2 times"),
        ({"pool": hand("2-2-2 2-2-2")}, "tile 2-2-2 is there 2 times"),
        ({"pool": hand("2-2-2 5-5-5")}, "tile 5-5-5 is there 2 times"),
        ({"pool": hand("2-2-2 3-4-5")}, "tile 3-4-5 is there 2 times"),
        ({"board": board("U(0,0)=5-5-5 U(9,9)=5-5-5")}, "lies on the board twice"),
        # A board that disagrees with itself
        ({"board": board("U(0,0)=5-5-5 D(-1,0)=5-1-4")}, "corners disagree"),
        ({"board": board("U(0,0)=5-5-5 U(0,0)=1-1-1")}, "two tiles on one cell"),
        # Tiles of another set
        ({"pool": hand("2-2-2 1-3-2")}, "tile 1-3-2 is not in the set of 56"),
        ({"racks": (hand("2-5-5 1-3-2"), hand("3-4-5"))}, "tile 1-3-2 is not in the set of 56"),
        ({"board": board("U(0,0)=1-3-2")}, "tile 1-3-2 is not in the set of 56"),
        # Wrong sizes
        ({"rack_sizes": (3, 1)}, "rack 0 has 2 tiles, rack_sizes says 3"),
        ({"rack_sizes": (2, 0)}, "rack 1 has 1 tiles, rack_sizes says 0"),
        ({"rack_sizes": (2, 1, 1)}, "there are 2 racks; sizes and scores must be as many"),
        ({"scores": (20,)}, "there are 2 racks; sizes and scores must be as many"),
        ({"scores": (20, 0, 0)}, "there are 2 racks; sizes and scores must be as many"),
        ({"pool_size": 3}, "the pool has 2 tiles, pool_size says 3"),
        ({"racks": (hand("2-5-5 0-0-1"), None), "rack_sizes": (2, -1)}, "a size is below zero"),
        ({"pool": None, "pool_size": -1}, "a size is below zero"),
        ({"pool": None, "pool_size": 52}, "57 tiles in all, the set has 56"),
        ({"racks": (None, None), "rack_sizes": (30, 23)}, "57 tiles in all, the set has 56"),
        # A turn that cannot be
        ({"turn": 2}, "there is no seat 2"),
        ({"turn": -1}, "there is no seat -1"),
        ({"drawn": hand("2-2-2")}, "drawn tile 2-2-2 is not on the rack of seat 0"),
        ({"drawn": hand("3-4-5")}, "drawn tile 3-4-5 is not on the rack of seat 0"),
        ({"drawn": hand("0-0-1"), "turn": 1}, "drawn tile 0-0-1 is not on the rack of seat 1"),
        ({"drawn": hand("0-0-1 0-0-1")}, "a tile was drawn twice"),
        ({"drawn": hand("0-0-1 2-5-5"), "rules": CASUAL}, "2 tiles cannot have been drawn"),
        ({"drawn": hand("0-0-1 2-5-5 3-4-5")}, "3 tiles cannot have been drawn"),
    ],
)
def test_a_contradiction_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        position(**changes)
    assert reason in str(caught.value)
    assert isinstance(caught.value, TriominoError)


def test_as_many_tiles_as_the_set_has_are_no_contradiction() -> None:
    assert position(pool=None, pool_size=51).pool_size == 51
    whole = Position.of([SET_56[:9], SET_56[9:18]], SET_56[18:])
    assert whole.pool_size == 38
    assert position(rules=SIX_PLAYER, pool=None, pool_size=71).pool_size == 71


def test_tiles_of_the_larger_set_are_at_home_there() -> None:
    assert position(rules=SIX_PLAYER, pool=hand("2-2-2 1-3-2")).pool_size == 2


@pytest.mark.parametrize("players", [0, 1, 5])
def test_the_rules_say_how_many_play(players: int) -> None:
    with pytest.raises(RulesError, match="player count"):
        Position.of([()] * players)


@pytest.mark.parametrize("drawn", ["1-5-5", "1-3-2"])
def test_a_tile_drawn_to_a_hidden_rack_is_held_to_the_set_too(drawn: str) -> None:
    with pytest.raises(PositionError, match=drawn):
        Position(
            racks=(None, (Tile.parse("1-5-5"),)),
            rack_sizes=(2, 1),
            pool=None,
            pool_size=3,
            drawn=(Tile.parse(drawn),),
        )
