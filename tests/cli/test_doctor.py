"""``triomino doctor``: what is installed, and what is missing."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.program import Here, triomino
from triomino.cli.versions import version_of
from triomino.kernel import instruction_set, why_missing
from triomino.store.folder import data_folder

VERSIONS = {
    "triomino": version("triomino"),
    "python": platform.python_version(),
    "rich": version("rich"),
    "typer": version("typer"),
    "numpy": version("numpy"),
}


def test_doctor_says_what_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "triomino"
    result = triomino("doctor", TRIOMINO_DATA=str(folder))
    assert (result.code, result.err) == (0, "")
    said = dict(line.split(":", 1) for line in result.lines)
    assert {name: said[name].strip() for name in VERSIONS} == VERSIONS
    assert said["data"].strip() == f"{folder} (not there yet)"
    assert said["kernel"].strip() == f"native ({instruction_set()})"
    assert said["missing"].strip() == "nothing"


def test_json(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(tmp_path))
    assert json.loads(here("doctor", "--json").out) == {
        "versions": VERSIONS,
        "kernel": {"native": True, "why": None, "instruction_set": instruction_set()},
        "data": {"folder": str(tmp_path), "exists": True, "writable": True},
        "missing": [],
    }


def test_a_kernel_that_is_not_there_is_missed(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(tmp_path))
    monkeypatch.setattr("triomino.kernel.door._why", "no C++ compiler was found")
    data = json.loads(here("doctor", "--json").out)
    assert data["kernel"]["why"] == why_missing() == "no C++ compiler was found"
    assert data["missing"] == ["the native kernel"]
    assert "none: no C++ compiler was found" in here("doctor").out


def test_a_folder_that_cannot_be_is_reported(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("in the way", "utf-8")
    monkeypatch.setenv("TRIOMINO_DATA", str(file / "triomino"))
    data = json.loads(here("doctor", "--json").out)
    assert data["data"]["writable"] is False
    assert data["missing"] == [f"the right to write to {file / 'triomino'}"]
    assert "not writable" in here("doctor").out


def test_a_package_that_is_not_there_has_no_version() -> None:
    assert version_of("triomino-of-another-world") is None


# --- Where data lies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "env", "folder"),
    [
        ("linux", {}, "~/.local/share/triomino"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/triomino"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "~/.local/share/triomino"),
        ("linux", {"XDG_DATA_HOME": "/data", "TRIOMINO_DATA": "/own"}, "/own"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "~/Library/Application Support/triomino"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/triomino"),
        ("win32", {}, "~/AppData/Roaming/triomino"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="paths are written as elsewhere")
def test_the_data_folder_follows_the_system(
    monkeypatch: pytest.MonkeyPatch, system: str, env: dict[str, str], folder: str
) -> None:
    for name in ("XDG_DATA_HOME", "APPDATA", "TRIOMINO_DATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("triomino.store.folder.sys.platform", system)
    assert data_folder() == Path(folder).expanduser()
