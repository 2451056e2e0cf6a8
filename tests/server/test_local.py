"""A table in the browser tells its page what the server's table would, message for message."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

from tools import wasm

from tests.effort import count
from tests.server.transcripts import script
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


def test_a_local_table_tells_what_the_server_tells(tmp_path: Path) -> None:
    scripts = [script(number, most=150) for number in range(count(300))]
    said = [step.get("message", {}).get("type") for one in scripts for step in one.steps]
    told = {message["type"] for one in scripts for step in one.steps for message in step["told"]}
    assert told == {"state", "moved", "current", "ack", "refused", "hint", "reaction"}
    assert {"undo", "answer_undo", "give_up", "pause", "ask_hint", "next_round"} <= set(said)
    assert any("rematch" in step for one in scripts for step in one.steps)
    file = tmp_path / "transcripts.json"
    names = [(name, cleaned(name)) for name in NAMES]
    cases = [one.to_json() for one in scripts]
    kernel = base64.b64encode((wasm.FOLDER / "kernel.wasm").read_bytes()).decode()
    file.write_text(json.dumps({"cases": cases, "names": names, "kernel": kernel}), "utf-8")
    result = subprocess.run(
        [ROOT / "tools/npm", "test", "--silent", "--", "src/lib/local/transcripts.test.ts"],
        env={**os.environ, "VITE_LOCAL_CASES": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
