"""100,000 damaged inputs, or a tenth: each is read or refused with a message, none is a crash."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.effort import count
from tests.play import random_game, random_match
from triomino import (
    CARD,
    CLASSIC,
    SIX_PLAYER,
    Cell,
    Place,
    Rng,
    Tile,
    TriominoError,
    parse_move,
    position_from_json,
    position_to_json,
    read_record,
    write_record,
)
from triomino.judge import judge
from triomino.reading import load_json
from triomino.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

JUNK: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        7,
        10**30,
        1.5,
        float("inf"),
        float("nan"),
        "",
        "x",
        "-",
        "0-0-0",
    ),
    *(
        "5-5-5",
        "U(0,0)=5-5-5",
        "draw",
        [],
        {},
        [[]],
        {"edition": "card"},
        "٣-1-2",
        "\ud800",
        "\x00",
    ),
]
ALPHABET = 'UD(),=-0123456789 abcdefghijklmnopqrstuvwxyz_"[]{}:.\\\n\té٣\x00\U0001f600'


def damaged_text(text: str, dice: Rng) -> str:
    """The text with one to four characters dropped, doubled, changed, or its end cut off."""
    chars = list(text)
    for _ in range(1 + dice.randrange(4)):
        at = dice.randrange(len(chars) + 1)
        match dice.randrange(5):
            case 0:
                del chars[at : at + 1 + dice.randrange(3)]
            case 1:
                chars[at:at] = chars[at : at + 1 + dice.randrange(8)]
            case 2:
                chars[at : at + 1] = ALPHABET[dice.randrange(len(ALPHABET))]
            case 3:
                chars.insert(at, ALPHABET[dice.randrange(len(ALPHABET))])
            case _:
                if dice.randrange(8) == 0:
                    del chars[at:]
    return "".join(chars)


def damaged_value(value: Any, dice: Rng) -> Any:
    """The same data with one value somewhere replaced, dropped or doubled."""
    if isinstance(value, dict) and value and dice.randrange(6):
        key = list(value)[dice.randrange(len(value))]
        changed = dict(value)
        match dice.randrange(8):
            case 0:
                del changed[key]
            case 1:
                changed[key + "x"] = changed.pop(key)
            case _:
                changed[key] = damaged_value(value[key], dice)
        return changed
    if isinstance(value, list) and value and dice.randrange(6):
        at = dice.randrange(len(value))
        items = list(value)
        match dice.randrange(8):
            case 0:
                del items[at]
            case 1:
                items.insert(at, items[at])
            case _:
                items[at] = damaged_value(items[at], dice)
        return items
    if isinstance(value, str) and value and dice.randrange(2):
        return damaged_text(value, dice)
    return JUNK[dice.randrange(len(JUNK))]


def survives(read: Callable[[Any], object], damaged: Any) -> bool:
    """Whether the input was accepted; a refusal is one clear line."""
    complaint = ""
    try:
        read(damaged)
    except TriominoError as error:
        complaint = str(error)
        complaint.encode()  # it can be printed
    return not complaint


@pytest.mark.parametrize("part", range(2))
def test_notation_survives(part: int) -> None:
    dice = Rng.named("fuzz notation", part)
    good = ["1-3-4", "U(0,0)", "D(-12,345)", "D(-1,0)=1-2-3", "draw", "pass", "end", "keep"]
    accepted, tries = 0, count(30_000)
    for number in range(tries):
        text = damaged_text(good[number % len(good)], dice)
        for parse in (Tile.parse, Cell.parse, Place.parse, parse_move):
            if survives(parse, text):
                accepted += 1
                value = parse(text)
                assert parse(str(value)) == value
    assert 0 < accepted < tries * 4 / 3


@pytest.mark.parametrize("part", range(2))
def test_the_record_reader_survives(part: int) -> None:
    dice = Rng.named("fuzz record", part)
    card = CARD.with_changes({"target": None})
    matches = [random_match(CLASSIC, 2, part), random_match(card, 3, part)]
    texts = [write_record(match) for match in matches]
    data = [json.loads(text) for text in texts]
    accepted, tries = 0, count(5_000)
    for number in range(tries):
        which = number % 2
        damaged = (
            damaged_text(texts[which], dice)
            if number % 3
            else json.dumps(damaged_value(data[which], dice))
        )
        accepted += survives(read_record, damaged)
        accepted += survives(read_record, damaged.encode("utf-8", "surrogatepass"))
    assert accepted < tries * 2 / 5


def test_the_position_reader_survives() -> None:
    dice = Rng.named("fuzz position")
    data = [
        position_to_json(random_game(rules, 2, 3, moves).position)
        for rules, moves in ((CLASSIC, 5), (CARD, 9), (SIX_PLAYER, 30))
    ]
    for number in range(count(5_000)):
        survives(position_from_json, damaged_value(data[number % 3], dice))


@pytest.mark.parametrize("part", range(2))
def test_the_judge_survives(part: int) -> None:
    dice = Rng.named("fuzz judge", part)
    board = [str(place) for place in random_game(CLASSIC, 2, 3, 9).board.places]
    cases: list[dict[str, Any]] = [
        {"rules": "classic", "board": ["U(0,0)=1-3-4"], "place": "D(-1,0)=1-2-3"},
        {"rules": {"edition": "card", "target": 5}, "board": board, "tiles": ["1-2-3", "0-0-0"]},
        {"board": board, "place": "D(-1,0)=1-2-3", "strict": False},
    ]
    texts = [json.dumps(case) for case in cases]
    for number in range(count(10_000)):
        which = number % 3
        if number % 2:
            survives(lambda text: judge(load_json(text)), damaged_text(texts[which], dice))
        else:
            survives(judge, damaged_value(cases[which], dice))


def test_house_rules_survive() -> None:
    dice = Rng.named("fuzz rules")
    text = 'edition = "card"\nracks = {2 = 9}\nhexagon_bonuses = [50, 60, 70]\ntarget = "none"\n'
    for number in range(count(5_000)):
        line = text.split("\n")[number % 4]
        damaged = damaged_text(text if number % 2 else line, dice)
        if number % 2:
            survives(Rules.from_toml, damaged)
        else:
            survives(lambda line: CLASSIC.with_settings([line]), damaged)
