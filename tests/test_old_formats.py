"""Files of the version before: they mean what they meant when they were written."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from triomino import (
    EDITIONS,
    Game,
    Match,
    Position,
    Rules,
    ScorePad,
    position_from_json,
    position_to_json,
    read_record,
    verify_deals,
    write_record,
)
from triomino.legacy import bot_1, pad_act_1, rules_1
from triomino.moves import Place
from triomino.pad import pad_from_csv, pad_to_csv, pad_to_json, read_pad, write_pad
from triomino.record import match_from, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator

OLD = Path(__file__).with_name("old")
LEVELS_1 = {"greedy": "easy", "club": "medium", "expert": "hard", "master": "expert"}


def _lines(name: str) -> list[Any]:
    texts = (OLD / f"{name}.jsonl").read_text("utf-8").splitlines()
    told = json.loads((OLD / f"{name}.json").read_text("utf-8"))
    assert len(texts) == len(told)
    return [
        pytest.param(text, about, id=about["name"]) for text, about in zip(texts, told, strict=True)
    ]


# --- Records -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "about"), _lines("records"))
def test_an_old_record_is_the_match_it_was(text: str, about: dict[str, Any]) -> None:
    match = read_record(text)
    _is_as_told(match, about)
    if about["verified"]:
        verify_deals(match)
    written = write_record(match)
    data = json.loads(written)
    assert data["format"] == "triomino-record/2"
    assert set(data["rules"]) == {item.name for item in fields(Rules)}
    again = read_record(written)
    _is_as_told(again, about)
    assert record_of(again) == data
    assert (again.rules, again.players, again.seeds) == (match.rules, match.players, match.seeds)


def _is_as_told(match: Match, about: dict[str, Any]) -> None:
    assert match.rules == rules_1(about["rules"])
    assert [player.name for player in match.players] == about["players"]
    assert [player.bot for player in match.players] == [
        name and LEVELS_1.get(name, name) for name in about["bots"]
    ]
    assert len(match.rounds) == about["rounds"]
    assert sum(len(game.plies) for game in match.rounds) == about["turns"]
    assert list(match.scores) == about["scores"]
    totals = [game.start_totals for game in match.rounds[1:]] + [match.scores]
    assert [list(total) for total in totals] == about["round_scores"]
    assert match.over is about["over"]
    assert match.is_last_round is about["is_last_round"]
    assert (list(match.winners) if match.over else []) == (about["winners"] or [])
    assert (None if match.game.over else match.game.turn) == about["turn"]
    assert (match.game.end and match.game.end.reason) == about["end"]
    assert list(_draws_though_able(match)) == [
        about["later_draws_though_able"],
        about["ends_though_able"],
    ]


def _draws_though_able(match: Match) -> Iterator[int]:
    """How often somebody who could place drew once more in a turn, and ended it."""
    later = ends = 0
    for played in match.rounds:
        game = Game(played.rules, played.start, played.start_ledger)
        for ply in played.plies:
            able = any(isinstance(move, Place) for move in game.legal_moves())
            later += able and str(ply.move) == "draw" and bool(game.drawn)
            ends += able and str(ply.move) == "end"
            game.play(ply.move)
    yield later
    yield ends


def test_the_old_rule_of_drawing_was_used() -> None:
    told = json.loads((OLD / "records.json").read_text("utf-8"))
    assert sum(about["later_draws_though_able"] for about in told) > 20
    text = (OLD / "records.jsonl").read_text("utf-8").splitlines()[0]
    today = json.loads(text) | {
        "format": "triomino-record/2",
        "rules": EDITIONS["classic"].with_changes({"target": 400}).to_json(),
    }
    with pytest.raises(ValueError, match="draw"):
        match_from(today)


def test_a_record_of_version_2_names_every_rule_and_no_old_level() -> None:
    text = next(
        line
        for line in (OLD / "records.jsonl").read_text("utf-8").splitlines()
        if '"bot": "master"' in line or '"bot":"master"' in line
    )
    data = json.loads(text)
    with pytest.raises(ValueError, match="every rule is needed"):
        match_from(data | {"format": "triomino-record/2"})
    bots = [player.bot for player in match_from(data).players]
    whole = record_of(match_from(data))
    assert [player.bot for player in match_from(whole).players] == bots
    assert [bot_1(name) for name in ("beginner", "champion", "random", "reply", "own")] == [
        *("beginner", "champion", "random", "reply", "own")
    ]


# --- Positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "about"), _lines("positions"))
def test_an_old_position_has_the_moves_it_had(text: str, about: dict[str, Any]) -> None:
    position = position_from_json(json.loads(text))
    assert position.rules == rules_1(about["rules"])
    assert (position.turn, len(position.drawn)) == (about["turn"], about["drawn"])
    written = position_to_json(position)
    assert written["format"] == "triomino-position/2"
    again = position_from_json(written)
    assert again == position
    moves = [str(move) for move in Game.at(_dealt(again)).legal_moves()]
    assert moves == about["legal_moves"]


def _dealt(position: Position) -> Position:
    """The position with any tiles where they are hidden."""
    seen = {place.tile for place in position.board}
    seen |= {tile for rack in (*position.racks, position.pool) for tile in rack or ()}
    rest = iter([tile for tile in position.rules.tiles if tile not in seen])
    racks = [
        tuple(islice(rest, size)) if rack is None else rack
        for rack, size in zip(position.racks, position.rack_sizes, strict=True)
    ]
    pool = tuple(islice(rest, position.pool_size)) if position.pool is None else position.pool
    return replace(position, racks=tuple(racks), pool=pool)


# --- Score pads ----------------------------------------------------------------------------------

PADS: dict[str, Any] = json.loads((OLD / "pads" / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", PADS)
def test_an_old_pad_adds_up_as_it_did(name: str) -> None:
    text = (OLD / "pads" / name).read_bytes().decode()
    pad = pad_from_csv(text) if name.endswith(".csv") else read_pad(text)
    _adds_up(pad, PADS[name])
    data = pad_to_json(pad)
    assert data["format"] == "triomino-pad/2"
    assert len(data["log"]) == PADS[name]["acts"]
    again = read_pad(write_pad(pad))
    assert again.log == pad.log
    _adds_up(again, PADS[name])
    table = pad_from_csv(pad_to_csv(pad))
    assert table.sheet.ledger.totals == pad.sheet.ledger.totals
    assert table.sheet.ledger.rules == pad.sheet.ledger.rules
    if name.endswith(".json"):
        # As the database and the page bring pads up to date, step by step.
        steps = [pad_act_1(act) for act in json.loads(text)["log"]]
        assert steps == data["log"]


def _adds_up(pad: ScorePad, about: dict[str, Any]) -> None:
    sheet, ledger = pad.sheet, pad.sheet.ledger
    assert ledger.rules == rules_1(about["rules"])
    assert list(sheet.names) == about["names"]
    assert list(ledger.seats) == about["seats"]
    assert list(ledger.totals) == about["totals"]
    assert list(ledger.winners) == about["winners"]
    assert list(ledger.leaders) == about["leaders"]
    assert ledger.round == about["round"]
    assert ledger.is_last_round is about["is_last_round"]
    assert ledger.is_over is about["is_over"]
    assert sheet.next == about["next"]
    assert [list(line.totals) for line in sheet.lines] == about["line_totals"]
