"""Files of the version before, at the command line: they are read as what they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.terminal.playing import Paper
from tests.terminal.test_session import start
from triomino import EDITIONS, Draw, read_record
from triomino.legacy import rules_1

if TYPE_CHECKING:
    from tests.cli.program import Here

OLD = Path(__file__).parent.parent / "old"
LINES = (OLD / "records.jsonl").read_text("utf-8").splitlines()


def old_record(name: str) -> str:
    told = json.loads((OLD / "records.json").read_text("utf-8"))
    return LINES[[about["name"] for about in told].index(name)]


def test_replay_and_verify_accept_every_old_record(here: Here) -> None:
    file = OLD / "records.jsonl"
    said = f"{len(LINES)} matches, all in order; 1 not finished\n"
    assert here("replay", file, "--check").out == said
    assert here("verify", file).code == 0


def test_an_old_position_is_drawn(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text((OLD / "positions.jsonl").read_text("utf-8").splitlines()[1], "utf-8")
    assert here("render", file).code == 0


def test_an_old_save_goes_on_by_the_rules_it_began_with(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(old_record("unfinished") + "\n", "utf-8")
    session, _ = start(resume=path)
    match = session.table.match
    assert match.rules == rules_1({"edition": "classic", "target": 400})
    assert [player.bot for player in match.players] == [None, "easy"]
    # Ann has drawn twice although able, and draws once more.
    assert len(match.game.drawn) == 2
    assert Draw() in match.game.legal_moves()
    session.window = Paper(["", "d", "y"])
    with pytest.raises(EOFError):
        session.run()
    saved = path.read_bytes()
    assert json.loads(saved)["format"] == "triomino-record/2"
    again = read_record(saved)
    assert again.rules == match.rules
    assert len(again.game.drawn) == 3
    assert len(again.rounds) == 2


def test_an_unfinished_match_of_then_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(tmp_path))
    (tmp_path / "play-20260101-200000.json").write_text(old_record("unfinished"), "utf-8")
    session, _ = start("")
    assert session.table.match.rules.voluntary_draw == "always"


def test_levels_of_then_are_no_names_of_now(here: Here) -> None:
    for name in ("club", "master"):
        assert f"unknown bot '{name}'" in here("arena", name, "random", "-n", "2").complaint
        assert f"unknown bot '{name}'" in here("play", "--seats", f"Ann,bot:{name}").complaint


def head_1(**changes: Any) -> dict[str, Any]:
    return {
        "format": "triomino-arena/1",
        "rules": {"edition": "classic"},
        "bots": ["greedy", "random"],
        "players": 2,
        "seed": 3,
        "ms": None,
        "rollouts": None,
        "records": False,
    } | changes


def test_an_arena_of_then_does_not_go_on_by_other_rules(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    asked = ["easy", "random", "-n", "4", "--seed", "3", "-j", "1", "--json", "--keep", str(file)]
    file.write_text(json.dumps(head_1()) + "\n", "utf-8")
    before = file.read_bytes()
    assert "holds another contest (rules)" in here("arena", *asked).complaint
    assert file.read_bytes() == before
    then = ["--set", "voluntary_draw=always", "--set", "must_place_after_last_draw=false"]
    assert here("arena", *asked, *then).code == 0
    assert file.read_bytes().startswith(before)
    assert len(file.read_text("utf-8").splitlines()) == 3
    file.write_text(json.dumps(head_1(bots=["expert", "random"])) + "\n", "utf-8")
    assert "holds another contest (bots)" in here("arena", *asked, *then).complaint


def test_an_arena_of_today_writes_every_rule(here: Here, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    assert here("arena", "easy", "random", "-n", "2", "-j", "1", "--keep", file).code == 0
    head = json.loads(file.read_text("utf-8").splitlines()[0])
    assert head["format"] == "triomino-arena/2"
    assert head["rules"] == EDITIONS["classic"].to_json()
