"""The kernel as WebAssembly answers every call as the native one does, in Node.

``make wasm`` builds it. Python has been compared with the native kernel by ``test_calls``; here the
same calls are carried out by both.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tools import wasm

from tests.agreement.calls import Call, Pair, call_native
from tests.agreement.walk import house_rules
from tests.effort import WHOLE, count
from triomino import CARD, CLASSIC, Rng, Rules, Seeds
from triomino.kernel import Effort

if TYPE_CHECKING:
    from collections.abc import Sequence

SCRIPT = Path(__file__).with_name("wasm.mjs")
Recorded = tuple[int, list[int], list[int]]


def answers(build: str, calls: Sequence[Recorded]) -> list[list[int]]:
    """Carry out calls, one after the other, with a build."""
    lines = "\n".join(json.dumps([what, numbers]) for what, numbers, _ in calls)
    path = wasm.FOLDER / build
    done = subprocess.run(
        ["node", SCRIPT, path], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


class Recorder:
    """Carries out calls natively and keeps them with their answers."""

    def __init__(self) -> None:
        self.calls: list[Recorded] = []

    def __call__(self, what: int, numbers: Sequence[int]) -> Sequence[int]:
        answer = call_native(what, numbers)
        self.calls.append((what, list(numbers), list(answer)))
        return answer


def think(pair: Pair, dice: Rng) -> None:
    """Play a round, and ask for searches, worlds, facts and bots on the way."""
    while not pair.match.game.over:
        moves = pair.match.game.legal_moves()
        if not dice.randrange(4):
            pair.compare()
            pair.compare_refusals(dice, moves)
            pair.compare_worlds(dice.bits(), 4)
            effort = Effort(rollouts=100 + dice.randrange(200), judges=bool(dice.randrange(2)))
            pair.compare_search(effort, dice.bits())
            pair.compare_bot(("beginner", "hard", "easy")[dice.randrange(3)], dice.bits())
        pair.play(moves[dice.randrange(len(moves))])
    pair.close()


def rules_for(seed: int, dice: Rng) -> Rules:
    """The editions whose rounds are judged by learned values, or any rules."""
    learned = CLASSIC.with_changes(
        {"voluntary_draw": "always", "must_place_after_last_draw": False}
    )
    return (CLASSIC, learned, CARD, house_rules(dice))[seed % 4]


@pytest.mark.parametrize("build", wasm.BUILDS)
def test_calls_are_answered_as_by_the_native_kernel(build: str) -> None:
    record, searches, seed = Recorder(), 0, len(build) * 1000
    while searches < count(1000):
        dice = Rng.named("wasm", seed)
        rules = rules_for(seed, dice)
        players = next(iter(rules.racks))
        pair = Pair(rules, players, Seeds.named(players, "wasm", seed), record)
        think(pair, dice)
        searches += pair.done.searches
        seed += 1
    assert {Call.SEARCH, Call.SAMPLE, Call.FACTS, Call.CHOOSE} <= {
        one for one, _, _ in record.calls
    }
    found = answers(build, record.calls)
    for (what, numbers, expected), answer in zip(record.calls, found, strict=True):
        assert answer == expected, (Call(what), numbers)


def test_the_only_import_is_a_clock() -> None:
    for build in wasm.BUILDS:
        script = (
            "const file = require('fs').readFileSync(process.argv[1]);"
            "const imports = WebAssembly.Module.imports(new WebAssembly.Module(file));"
            "console.log(imports.map((one) => one.name).join())"
        )
        command = ["node", "-e", script, str(wasm.FOLDER / build)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "clock_time_get"


@pytest.mark.skipif(not WHOLE, reason="compiles for a minute")
@pytest.mark.timeout(900)
def test_the_same_sources_give_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in another folder, and compiled anew."""
    shutil.copytree(wasm.ROOT / "native", tmp_path / "native")
    monkeypatch.setattr(wasm, "ROOT", tmp_path)
    for name in ("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    wasm.build(tmp_path)
    for build in wasm.BUILDS:
        assert (tmp_path / build).read_bytes() == (wasm.FOLDER / build).read_bytes()
