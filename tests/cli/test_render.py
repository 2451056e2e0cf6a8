"""``triomino render``: a moment of a game on paper or on a screen."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Here, triomino
from triomino import CLASSIC, Match, Place, Player, Seeds, read_record
from triomino.bots import simulate_match
from triomino.record import write_record
from triomino.render import DAY, NIGHT

if TYPE_CHECKING:
    from pathlib import Path

# The example of the format.
POSITION: dict[str, Any] = {
    "format": "triomino-position/2",
    "rules": {"edition": "classic"},
    "board": ["U(0,0)=5-5-5"],
    "racks": [["1-5-5", "0-0-1"], None],
    "rack_sizes": [2, 7],
    "pool": ["2-2-2"],
    "pool_size": 1,
    "turn": 0,
    "drawn": [],
    "scores": [20, 0],
    "latched": False,
}
RULES = CLASSIC.with_changes({"target": 200})
LINES = [write_record(simulate_match(RULES, ["greedy", "random"], 6, n)) for n in (1, 2)]


@pytest.fixture
def position(tmp_path: Path) -> Path:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION, indent=1), "utf-8")
    return file


@pytest.fixture
def records(tmp_path: Path) -> Path:
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join([LINES[0], "", LINES[1], ""]), "utf-8")
    return file


def places(svg: str) -> set[str]:
    """The tiles on the board of a drawing."""
    root = ET.fromstring(svg)  # noqa: S314 - our own
    description = next(node.text or "" for node in root.iter() if node.tag.endswith("desc"))
    listed = description.partition("Tiles: ")[2].partition(".")[0]
    return set(listed.split())


def test_a_position_as_text(position: Path) -> None:
    result = triomino("render", position)
    assert (result.code, result.err) == (0, "")
    assert result.lines == [
        "   ·",
        "  ╱5╲",
        " ╱5 5╲",
        "·─────·",
        "",
        "> seat 1 20:",
        "    0-0-1  1-5-5",
        "  seat 2 0: 7 hidden",
        "  pool: 1",
    ]


def test_the_name_of_the_output_decides_the_format(here: Here, position: Path) -> None:
    folder = position.parent
    for name in ("board.svg", "board.SVG", "board.txt"):
        result = here("render", position, "-o", folder / name)
        assert (result.code, result.out) == (0, "")
    drawing = (folder / "board.svg").read_text("utf-8")
    assert (folder / "board.SVG").read_text("utf-8") == drawing
    assert places(drawing) == {"U(0,0)=5-5-5"}
    assert (folder / "board.txt").read_text("utf-8") == here("render", position).out
    assert here("render", position, "--format", "svg").out == drawing
    assert here("render", position, "-o", folder / "x.dat", "--format", "svg").code == 0
    assert (folder / "x.dat").read_text("utf-8") == drawing


def test_themes_and_widths(here: Here, position: Path) -> None:
    night = here("render", position, "--format", "svg").out
    day = here("render", position, "--format", "svg", "--theme", "day").out
    assert NIGHT.ground in night
    assert DAY.ground in day
    assert NIGHT.ground not in day
    wide = ET.fromstring(here("render", position, "--format", "svg", "--width", "900").out)  # noqa: S314
    assert wide.get("width") == "900"


def test_standard_input() -> None:
    result = triomino("render", "-", "--format", "svg", stdin=json.dumps(POSITION))
    assert places(result.out) == {"U(0,0)=5-5-5"}


@pytest.mark.parametrize("record", [1, 2])
def test_every_moment_of_a_record_can_be_drawn(here: Here, records: Path, record: int) -> None:
    match = read_record(LINES[record - 1])
    for number, game in enumerate(match.rounds, 1):
        for turn in (0, 1, len(game.plies) // 2, len(game.plies)):
            laid = {str(t.move) for t in game.plies[:turn] if isinstance(t.move, Place)}
            asked = ["--record", str(record), "--round", str(number), "--turn", str(turn)]
            drawing = here("render", records, *asked, "--format", "svg").out
            assert places(drawing) == laid


def test_without_numbers_it_is_the_end_of_the_first_record(here: Here, records: Path) -> None:
    match = read_record(LINES[0])
    drawing = here("render", records, "--format", "svg").out
    assert places(drawing) == set(map(str, match.game.board.places))
    names = [player.name for player in match.players]
    assert all(name in drawing for name in names)
    text = here("render", records).out
    assert all(
        f"  {name} {total}:" in text for name, total in zip(names, match.scores, strict=True)
    )
    assert ">" not in text  # nobody is to move


def test_the_text_of_a_record_shows_racks_turn_and_drawn_tiles(here: Here, records: Path) -> None:
    game = read_record(LINES[0]).rounds[0]
    turn = 1 + next(n for n, made in enumerate(game.plies) if made.tile is not None)
    drawn = game.plies[turn - 1]
    text = here("render", records, "--round", "1", "--turn", str(turn)).out
    assert f"> {['Greedy', 'Random'][drawn.seat]} " in text
    assert f"{drawn.tile}*" in text


def test_a_match_given_up_is_drawn_as_it_stood(here: Here, tmp_path: Path) -> None:
    match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], Seeds.named(2, "up"))
    match.play(match.game.legal_moves()[0])
    match.abandon()
    file = tmp_path / "game.json"
    file.write_text(write_record(match), "utf-8")
    assert ">" not in here("render", file).out


def test_text_fits_a_narrow_screen(here: Here, records: Path) -> None:
    result = here("render", records, columns=40)
    assert max(map(len, result.lines)) <= 40
    assert "\x1b" not in result.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("records.jsonl --record 3", "records.jsonl: there is no record 3, only 2"),
        ("records.jsonl --round 9", "records.jsonl: there is no round 9, only "),
        ("records.jsonl --turn 999", "records.jsonl: there is no turn 999 in this round, only "),
        ("position.json --turn 1", "position.json: a position has no --round and no --turn"),
        ("position.json --record 2", "position.json: this is not JSON"),
        ("empty.json", "empty.json: there is nothing in it"),
        ("wrong.json", "wrong.json: format: 'triomino-record/2' is needed"),
        ("twice.json", "twice.json: tile 5-5-5 is there 2 times"),
    ],
)
def test_what_is_not_there_is_said(
    here: Here,
    position: Path,
    records: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    said: str,
) -> None:
    monkeypatch.chdir(position.parent)
    folder = records.parent
    (folder / "empty.json").write_text("\n", "utf-8")
    (folder / "wrong.json").write_text('{"format": "x", "rules": 1, "players": 1, "rounds": 1}')
    (folder / "twice.json").write_text(json.dumps(POSITION | {"pool": ["5-5-5"]}), "utf-8")
    complaint = here("render", *arguments.split()).complaint
    assert complaint.replace("json, ", "json: ").replace("jsonl, ", "jsonl: ").startswith(said)
