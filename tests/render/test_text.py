from __future__ import annotations

import io
import tracemalloc

import pytest
from rich.console import Console
from rich.style import Style

from tests.render.boards import TRIPLE_HEXAGON, A, B, C, grown, laid
from triomino import Board, Cell, Place, PositionError, Tile, TriominoError
from triomino.render import PALETTE
from triomino.render.text import FULL, NET, ROOMY, Form, board_text, rack_text, tile_text

HEXAGON = laid(
    "D(-1,0)=1-4-5 U(-1,0)=4-4-1 D(-1,-1)=1-4-1 U(0,-1)=1-1-0 D(0,-1)=0-1-5 U(0,0)=1-5-5"
)
FAR = laid("U(0,0)=1-3-4 D(-1,0)=1-2-3 U(999999999,-999999999)=0-0-0 U(-999999999,5)=5-5-5")


def drawn(picture: str) -> list[str]:
    """A picture as it is written here: with a bar at the left."""
    return [line.strip().removeprefix("|") for line in picture.strip().splitlines()]


def lines(
    board: Board,
    *,
    width: int = 80,
    height: int | None = None,
    last: Place | None = None,
    labels: dict[Cell, str] | None = None,
    form: Form | None = None,
    ascii_only: bool = True,
) -> list[str]:
    text = board_text(
        board,
        width=width,
        height=height,
        last=last,
        labels=labels,
        form=form,
        ascii_only=ascii_only,
        color=False,
    )
    return text.plain.split("\n")


# --- What it looks like --------------------------------------------------------------------------


def test_three_tiles() -> None:
    assert lines(Board.of([A, B, C]), last=C) == drawn(
        r"""
        |   .
        |  /2\
        | /2*3\
        |.-----.
        | \2 3/3\
        |  \1/1 4\
        |   .-----.
        """
    )


def test_a_hexagon_with_labels_beside_it() -> None:
    labels = {Cell(1, 0): "12", Cell(0, 0, True): "3", Cell(0, -2, True): "abc"}
    assert lines(Board.of(HEXAGON), last=HEXAGON[-1], labels=labels) == drawn(
        r"""
        |   .-----. . . .
        |  /4\4 5/5\ 3 . .
        | /4 1\1/1*5\ .12 .
        |.-----#-----. . . .
        | \4 1/1\1 5/
        |  \1/1 0\0/
        |   .-----.
        |    .abc.
        |     . .
        |      .
        """
    )


def test_a_net_tells_a_hole_from_a_tile() -> None:
    assert lines(Board.of(TRIPLE_HEXAGON[:-1]), form=NET) == drawn(
        r"""
        |    0---1
        |   / \ / \
        |  5---1---2
        | / \ /x\ / \
        |5---1---3---2
        | \ / \ / \ /
        |  4---3---3
        """
    )
    closed = lines(Board.of(TRIPLE_HEXAGON), form=NET, last=TRIPLE_HEXAGON[-1])
    assert closed[3] == r" / \ /*\ / \ ".rstrip()


def test_roomy_tiles() -> None:
    assert lines(Board.of([A, B]), form=ROOMY, last=A, labels={Cell(0, 0, True): "123"}) == drawn(
        r"""
        |.-------. . . . .
        | \2   3/ \ 123 .
        |  \ 1 / 3 \   .
        |   \ /1 * 4\ .
        |    .-------.
        """
    )


def test_lines_instead_of_slashes() -> None:
    assert lines(Board.of([A, B]), ascii_only=False) == drawn(
        """
        |·─────·
        | ╲2 3╱3╲
        |  ╲1╱1 4╲
        |   ·─────·
        """
    )


def test_an_empty_board() -> None:
    empty = drawn(
        """
        |   .
        |  . .
        | .   .
        |. . . .
        """
    )
    assert lines(Board()) == empty
    first = lines(Board(), labels={Cell(0, 0): "1"})
    assert first == [*empty[:2], " . 1 .", empty[3]]


# --- Nothing is lost or moved --------------------------------------------------------------------


def spots(board: Board, form: Form) -> dict[tuple[int, int], int]:
    """Where each number is to be read, from RULES section 2 alone."""
    high = form.rows
    top = max(y for _, y in ((v.x, v.y) for v in board.numbers))
    left = min(2 * v.x + v.y for v in board.numbers)
    found = {}
    for place in board.places:
        for index, (vertex, number) in enumerate(
            zip(place.cell.vertices, place.numbers, strict=True)
        ):
            row, column = (top - vertex.y) * high, (2 * vertex.x + vertex.y - left) * high
            if not form.points:
                # U: bottom-left, top, bottom-right. D: bottom, top-left, top-right.
                tip = high // 2
                row += ((-tip, 1, 1) if place.cell.down else (-1, tip, -1))[index]
                column += ((0, 2, -2) if place.cell.down else (2, 0, -2))[index]
            found[row, column] = number
    return found


@pytest.mark.parametrize("form", [ROOMY, FULL, NET], ids=["roomy", "full", "net"])
@pytest.mark.parametrize("count", [1, 5, 30, 76])
def test_every_number_stands_in_its_place(count: int, form: Form) -> None:
    for seed in range(3):
        board = grown(count, seed)
        text = lines(board, form=form, width=500)
        read = {
            (row, column): int(char)
            for row, line in enumerate(text)
            for column, char in enumerate(line)
            if char.isdigit()
        }
        assert read == spots(board, form)
        assert len(read) == (len(board.numbers) if form.points else 3 * count)


def test_every_closed_hexagon_is_marked() -> None:
    for board in (grown(76), Board.of(TRIPLE_HEXAGON), Board.of(TRIPLE_HEXAGON[:-1])):
        closed = sum(all(cell in board for cell in vertex.ring) for vertex in board.numbers)
        assert "".join(lines(board, width=500, form=FULL)).count("#") == closed


def test_the_last_tile_and_no_other_has_a_star() -> None:
    board = grown(30)
    for form in (ROOMY, FULL, NET):
        for last in board.places:
            assert "".join(lines(board, form=form, last=last, width=500)).count("*") == 1
        assert "*" not in "".join(lines(board, form=form, width=500))
    row = next(line for line in lines(Board.of([A, B]), last=B) if "*" in line)
    assert row == r" \2*3/3\ ".rstrip()


def test_labels_are_all_there() -> None:
    board = grown(30)
    labels = {
        cell: f"{chr(97 + i // 26)}{chr(97 + i % 26)}" for i, cell in enumerate(board.open_cells)
    }
    text = "\n".join(lines(board, width=200, labels=labels))
    assert all(text.count(label) == 1 for label in labels.values())
    letters = dict(zip(board.open_cells, "abcdefghijklmnopqrstuvwyz", strict=False))
    net = "\n".join(lines(board, width=200, labels=letters, form=NET))
    assert all(net.count(label) == 1 for label in letters.values())


# --- Room ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 7, 20, 40, 80, 132])
@pytest.mark.parametrize("count", [0, 1, 5, 30, 76])
def test_the_width_is_kept(count: int, width: int) -> None:
    for seed in range(3):
        board = grown(count, seed) if count else Board()
        for last in (None, *board.places[-1:]):
            for height in (None, 24):
                text = board_text(board, width=width, height=height, last=last)
                assert all(line.cell_len <= width for line in text.split())


def test_the_largest_form_that_fits() -> None:
    board = Board.of([A, B])
    assert lines(board, width=10) == lines(board, form=FULL)
    assert lines(board, width=9) == lines(board, form=NET)
    assert lines(board, height=5) == lines(board, form=ROOMY)
    assert lines(board, height=4) == lines(board, form=FULL)
    assert lines(board, height=3) == lines(board, form=NET)
    assert lines(board, height=1) == lines(board, form=NET)


def test_a_board_that_is_too_wide_is_cut_and_says_so() -> None:
    strip = Board.of(
        [Place(Cell(x, 0, down), (0, 0, 0)) for x in range(60) for down in (False, True)],
        repeats=True,
    )
    text = lines(strip, width=80)
    assert text[-1] == "tiles cut off: 41 on the left, 41 on the right"
    assert len(text) == 4
    right = lines(strip, width=80, last=strip.places[-1])
    assert right[-1] == "tiles cut off: 82 on the left"
    assert right[1].endswith("*/")
    left = lines(strip, width=80, last=strip.places[0])
    assert left[-1] == "tiles cut off: 82 on the right"
    assert left[1].startswith(" /*\\")
    assert lines(strip, width=30)[-1] == "<53 54>"
    assert "cut" not in "".join(lines(strip, width=243))
    assert lines(strip, width=242)[-1] == "tiles cut off: 1 on the right"


def test_the_tiles_said_to_be_cut_are_those_not_seen() -> None:
    strip = Board.of([Place(Cell(x, 0), (0, 0, 0)) for x in range(60)], repeats=True)
    text = lines(strip, width=41, last=strip.places[0])
    # Ten tiles of four columns and the point after them.
    assert text[:3] == [
        "  0" + "   0" * 9,
        r" /*\ " + r"/ \ ".join([""] * 9) + "/ \\",
        "0" + "---0" * 10,
    ]
    assert text[3] == "tiles cut off: 50 on the right"


def test_long_labels_keep_the_larger_form() -> None:
    board = grown(30)
    cell = board.open_cells[0]
    # The net has a side of four columns, a full tile one of six.
    net = max(map(len, lines(board, width=500, labels={cell: "a"}, form=NET)))
    assert lines(board, width=net, labels={cell: "a"}) == lines(
        board, width=500, labels={cell: "a"}, form=NET
    )
    assert lines(board, width=net, labels={cell: "ab"})[-1] == "<6 5>"
    with pytest.raises(TriominoError, match="one character"):
        lines(board, labels={cell: "ab"}, form=NET)


def test_tiles_far_apart_get_pictures_of_their_own() -> None:
    tracemalloc.start()
    text = lines(Board.of(FAR), last=FAR[1], labels={Cell(-999999998, 999999999): "7"})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000
    assert text == drawn(
        r"""
        |D(-1,0):
        |.-----.
        | \2*3/3\
        |  \1/1 4\
        |   .-----.
        |U(999999999,-999999999):
        |   .
        |  /0\
        | /0 0\
        |.-----.
        |U(-999999999,5):
        |   .
        |  /5\
        | /5 5\
        |.-----.
        |U(-999999998,999999999):
        |   .
        |  . .
        | . 7 .
        |. . . .
        """
    )


def test_tiles_not_so_far_apart_share_a_picture() -> None:
    board = Board.of([A, Place.parse("U(3,0)=5-5-5")])
    assert lines(board)[1] == r"  /3\               /5\ ".rstrip()


def test_what_cannot_be_shown_is_refused() -> None:
    board = Board.of([A])
    with pytest.raises(PositionError, match="not on the board"):
        board_text(board, last=B)
    with pytest.raises(PositionError, match="empty cell"):
        board_text(board, labels={A.cell: "1"})
    for label in ("", "1234", "\n"):
        with pytest.raises(TriominoError, match="no label"):
            board_text(board, labels={B.cell: label})


# --- Colour --------------------------------------------------------------------------------------


def test_numbers_have_their_colours() -> None:
    text = board_text(Board.of([A]), last=A)
    found = {}
    for span in text.spans:
        piece = text.plain[span.start : span.end]
        if piece.isdigit():
            assert isinstance(span.style, Style)
            assert span.style.bgcolor
            assert span.style.color
            found[int(piece)] = span.style.bgcolor.name, span.style.color.name
    assert found == {
        1: (PALETTE[1], "#10181f"),
        3: (PALETTE[3], "#ffffff"),
        4: (PALETTE[4], "#ffffff"),
    }


def test_the_last_tile_stands_out() -> None:
    text = board_text(Board.of([A, B]), last=A, ascii_only=True)
    styles = [(text.plain[span.start : span.end], span.style) for span in text.spans]
    (star,) = (style for piece, style in styles if piece == "*")
    assert isinstance(star, Style)
    assert star.bold
    assert star.reverse
    slashes = [style for piece, style in styles if piece in "/\\-" and isinstance(style, Style)]
    # Of the five sides, the three of the last tile are bold; they have 2, 2 and 5 characters.
    assert sum(bool(style.bold) for style in slashes) == 9
    assert sum(bool(style.dim) for style in slashes) == 7


def test_without_colour_there_is_no_style() -> None:
    tiles = [Tile(0, 0, 1), Tile(1, 3, 4)]
    for text in (
        board_text(grown(30), color=False, last=grown(30).places[-1], width=20),
        board_text(Board.of(FAR), color=False),
        tile_text(tiles[0], color=False),
        rack_text(tiles, color=False, marked=tiles, labels="ab"),
        rack_text(tiles, color=False, marked=tiles, labels="ab", triangles=True),
    ):
        assert not text.style
        assert all(not span.style for span in text.spans)


def test_colour_changes_no_character() -> None:
    board = grown(30)
    for form in (ROOMY, FULL, NET):
        plain = board_text(board, form=form, color=False).plain
        coloured = board_text(board, form=form, color=True).plain
        assert [line.rstrip() for line in plain.split("\n")] == [
            line.rstrip() for line in coloured.split("\n")
        ]


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed() -> str:
        file = io.StringIO()
        console = Console(file=file, force_terminal=True, color_system="truecolor", width=80)
        console.print(board_text(Board.of([A, B]), last=B))
        return file.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "48;2;" in printed()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "38;" not in printed()
    assert "48;" not in printed()
    assert "2*3" not in printed()  # the star is still bold
    assert all(number in printed() for number in "1234*")


def test_ascii_only() -> None:
    board = grown(76)
    tiles = [place.tile for place in board.places]
    for width in (20, 80):
        text = board_text(board, width=width, last=board.places[9], ascii_only=True)
        assert text.plain.isascii()
    assert rack_text(tiles, triangles=True, ascii_only=True, marked=tiles).plain.isascii()
    assert not board_text(board).plain.isascii()


# --- Racks ---------------------------------------------------------------------------------------


def test_a_tile_in_one_line() -> None:
    text = tile_text(Tile(3, 1, 4))
    assert text.plain == "1-4-3"
    colours = [
        span.style.bgcolor.name
        for span in text.spans
        if isinstance(span.style, Style) and span.style.bgcolor
    ]
    assert colours == [PALETTE[1], PALETTE[4], PALETTE[3]]


def test_a_rack_in_lines() -> None:
    tiles = [Tile(0, 0, 1), Tile(1, 3, 4), Tile(5, 5, 5)]
    text = rack_text(tiles, labels=["1", "2"], marked=[tiles[1]], width=17)
    assert text.plain == "1:0-0-1  2:1-3-4*\n5-5-5"
    assert rack_text(tiles, width=16).plain == "0-0-1  1-3-4\n5-5-5"
    assert rack_text([]).plain == ""


def test_a_rack_of_triangles() -> None:
    tiles = [Tile(0, 0, 1), Tile(1, 3, 4), Tile(5, 5, 5)]
    text = rack_text(
        tiles, labels=["1", "2"], marked=[tiles[1]], width=16, triangles=True, ascii_only=True
    )
    assert text.plain.split("\n") == drawn(
        r"""
        |   .        .
        |  /0\      /3\
        | /0 1\    /1*4\
        |.-----.  .-----.
        |   1        2
        |   .
        |  /5\
        | /5 5\
        |.-----.
        """
    )
    assert rack_text([], triangles=True).plain == ""


@pytest.mark.parametrize("triangles", [False, True])
def test_a_rack_keeps_its_width(triangles: bool) -> None:
    tiles = [place.tile for place in grown(21).places]
    for width in (7, 16, 40, 80):
        text = rack_text(tiles, width=width, triangles=triangles)
        assert all(line.cell_len <= width for line in text.split())
        assert sum(char.isdigit() for char in text.plain) == 63
