"""A table in the browser tells its page what the server's table would, message for message."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tools import wasm

from tests.agreement.walk import house_rules
from tests.effort import WHOLE, count, long_only
from tests.server.transcripts import script
from triomino import EDITIONS, Match, Player, Rng, Seeds, View
from triomino.analysis.review import DEFAULT
from triomino.bots import make_bot
from triomino.kernel.network import WEIGHTS_FILE
from triomino.record import record_of
from triomino.server.analyst import analyse
from triomino.server.table import RefusedError, clean_name

ROOT = Path(__file__).parents[2]
NAMES = [
    *("Ann", "  Ann \t Bea\n", "é", "e\u0301", "\u200bAnn\u200d", "x" * 60, "עברית", "日本", "👍"),
    *("", "   ", "\u2800", "...", "!?", "a\u0000b", "½", "\u00adx", "\U000e0041", "x" * 39 + " y"),
    *(
        "a\ufeffb",
        "a\x1fb",
        "\u1680a\u2003b",
        "\x1ca\x85b",
        "👨\u200d👩\u200d👧",
        "a" * 39 + "👍👍",
    ),
]


def cleaned(name: str) -> str | None:
    """The name as the server shows it; ``None`` if it refuses it."""
    try:
        return clean_name(name)
    except RefusedError:
        return None


def kernel_files() -> dict[str, str]:
    """The kernel and its network, as base64."""
    weights = files("triomino.kernel").joinpath(WEIGHTS_FILE).read_bytes()
    kernel = (wasm.FOLDER / "kernel.wasm").read_bytes()
    return {
        "kernel": base64.b64encode(kernel).decode(),
        "network": base64.b64encode(weights).decode(),
    }


def page_agrees(test: str, variable: str, cases: dict[str, Any], folder: Path) -> None:
    """Let a test of the page read some cases."""
    file = folder / f"{test}.json"
    file.write_text(json.dumps({**cases, **kernel_files()}), "utf-8")
    result = subprocess.run(
        [ROOT / "tools/npm", "test", "--silent", "--", f"src/lib/local/{test}.test.ts"],
        env={**os.environ, variable: str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_local_table_tells_what_the_server_tells(tmp_path: Path) -> None:
    scripts = [script(number, most=150) for number in range(count(300))]
    said = [step.get("message", {}).get("type") for one in scripts for step in one.steps]
    told = {message["type"] for one in scripts for step in one.steps for message in step["told"]}
    assert told == {"state", "moved", "current", "ack", "refused", "hint", "reaction"}
    assert {"undo", "answer_undo", "give_up", "pause", "ask_hint", "next_round"} <= set(said)
    assert any("rematch" in step for one in scripts for step in one.steps)
    names = [(name, cleaned(name)) for name in NAMES]
    cases = {"cases": [one.to_json() for one in scripts], "names": names}
    page_agrees("transcripts", "VITE_LOCAL_CASES", cases, tmp_path)


def played(number: int, most: int) -> Match:
    """A match of bots and people by any rules, perhaps given up after so many moves."""
    dice = Rng.named("reviewed", number)
    rules = [*EDITIONS.values()][number % len(EDITIONS)]
    if number % 3 == 2:
        rules = house_rules(dice)
    rules = rules.with_changes({"target": 60 if rules.scoring else 2})
    counts = [*rules.racks]
    bots = [
        ("easy", "hard", None, "beginner")[dice.randrange(4)]
        for _ in range(counts[dice.randrange(len(counts))])
    ]
    players = [Player(name, bot) for name, bot in zip("ABCDEF", bots, strict=False)]
    match = Match.start(rules, players, Seeds.named(len(bots), "reviewed", number))
    player = make_bot("easy", dice)
    for _ in range(most):
        if match.over:
            break
        if match.game.over:
            match.next_round()
        match.play(player.choose(View.of(match.game, match.game.turn)))
    if not match.game.over:
        match.abandon(None)
    return match


@long_only
@pytest.mark.timeout(1800 if WHOLE else 120)
def test_an_analysis_here_says_what_the_server_says(tmp_path: Path) -> None:
    effort = replace(DEFAULT, rollouts=400 if WHOLE else 48, endgame_nodes=20_000)
    cases = []
    for number in range(count(100, least=8)):
        match = played(number, most=400 if WHOLE else 40)
        analysis = json.loads(msgspec.json.encode(analyse(match, effort)))
        record = record_of(match)
        cases.append({"record": record, "effort": asdict(effort), "analysis": analysis})
    found = [move for one in cases for part in one["analysis"]["rounds"] for move in part["moves"]]
    assert sum("mark" in move for move in found) > 5
    page_agrees("review", "VITE_REVIEW_CASES", {"cases": cases}, tmp_path)
