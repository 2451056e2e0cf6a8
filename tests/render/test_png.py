"""Boards as PNG."""

from __future__ import annotations

import struct

import pytest

from triomino.board import Board
from triomino.bots import simulate_match
from triomino.moves import Place
from triomino.render.png import EMBLEM, board_png
from triomino.render.theme import DAY
from triomino.rules import CLASSIC

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(SIGNATURE)
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


@pytest.fixture(scope="module")
def board() -> Board:
    return simulate_match(CLASSIC, ["greedy", "greedy"], seed=3, number=0).game.board


def test_a_picture_has_the_size_asked_for(board: Board) -> None:
    assert size(board_png(board, 400, 210)) == (400, 210)
    assert size(board_png(board, 210, 400)) == (210, 400)


def test_the_same_board_is_the_same_picture_and_another_is_another(board: Board) -> None:
    last = board.places[-1]
    assert board_png(board, 400, 210) == board_png(Board.of(board.places), 400, 210)
    others = {
        board_png(board, 400, 210),
        board_png(board, 400, 210, theme=DAY),
        board_png(board, 400, 210, last=last),
        board_png(Board.of(board.places[:-1]), 400, 210),
    }
    assert len(others) == 4


def test_every_digit_is_drawn_without_a_font() -> None:
    # All six tiles are the same but for their digits and colours: each has a picture of its own.
    triples = [Board.of([Place.parse(f"U(0,0)={n}-{n}-{n}")]) for n in range(6)]
    assert len({board_png(one, 200, 105) for one in triples}) == 6


def test_an_empty_board_shows_the_emblem() -> None:
    assert board_png(Board(), 400, 210) == board_png(EMBLEM, 400, 210)
    assert {number for place in EMBLEM.places for number in place.tile.numbers} == set(range(6))
