"""The five moves and their text."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from tests.strategies import moves, places
from triomino.errors import IllegalMove, NotationError, RecordError, Why
from triomino.grid import Cell
from triomino.moves import Draw, End, Keep, Move, Pass, Place, parse_move
from triomino.tile import Tile


@given(moves())
def test_text_and_value_undo_each_other(move: Move) -> None:
    assert parse_move(str(move)) == move


@given(places())
def test_a_placement_names_its_tile(place: Place) -> None:
    assert Place.parse(str(place)) == place
    assert place.tile == Tile(*place.numbers)


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Place(Cell(-1, 0, down=True), (4, 0, 3)), "D(-1,0)=4-0-3"),
        (Draw(), "draw"),
        (Pass(), "pass"),
        (End(), "end"),
        (Keep(), "keep"),
    ],
)
def test_how_moves_are_written(move: Move, text: str) -> None:
    assert str(move) == text
    assert parse_move(text) == move


def test_moves_without_fields_are_not_one_another() -> None:
    assert len({Draw(), Pass(), End(), Keep()}) == 4


@pytest.mark.parametrize("text", ["D(-1,0)=1-2-3", "D(-1 , 0) = 1-2-3", "D(-1,0)  =  1-2-3"])
def test_spaces_round_comma_and_equals_are_read_and_never_written(text: str) -> None:
    assert str(parse_move(text)) == "D(-1,0)=1-2-3"
    assert str(Place.parse(text)) == "D(-1,0)=1-2-3"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no move"),
        ("Draw", "is no move"),
        ("draw ", "is no move"),
        ("D(-1,0)", "is no move"),
        ("1-2-3", "is no move"),
        ("U(0,0)=", "is no tile"),
        ("U(0,0)=1-2-6", "is no tile"),
        ("U(0,0)=1-2-3 ", "is no tile"),
        ("U(0,0)==1-2-3", "is no tile"),
        ("U(0,0)\t=1-2-3", "is no cell"),
        ("=1-2-3", "is no cell"),
        (" U(0,0)=1-2-3", "is no cell"),
        ("V(0,0)=1-2-3", "is no cell"),
    ],
)
def test_other_text_is_no_move(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_move(text)


@pytest.mark.parametrize("text", ["draw", "U(0,0)", "U(0,0):1-2-3"])
def test_a_placement_needs_its_equals_sign(text: str) -> None:
    with pytest.raises(NotationError, match="is no placement"):
        Place.parse(text)


def test_errors_travel_between_processes() -> None:
    for error in (IllegalMove(Why.OCCUPIED, Draw()), RecordError("rounds[0]", "damaged")):
        twin = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))
