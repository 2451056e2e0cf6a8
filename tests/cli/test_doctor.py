"""``triomino doctor``: what is installed, and what is missing."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from tests.cli.program import Here, triomino
from triomino.cli.doctor import NO_KERNEL, NO_PAGE
from triomino.cli.versions import version_of
from triomino.kernel import instruction_set, why_missing
from triomino.server.built_page import page_folder
from triomino.store.folder import data_folder

if TYPE_CHECKING:
    from pathlib import Path

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
    assert said["page"].strip() == str(page_folder())
    assert said["missing"].strip() == "nothing"


def test_json(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(tmp_path))
    assert json.loads(here("doctor", "--json").out) == {
        "versions": VERSIONS,
        "kernel": {"native": True, "why": None, "instruction_set": instruction_set()},
        "page": str(page_folder()),
        "data": {"folder": str(tmp_path), "exists": True, "writable": True},
        "missing": [],
    }


def test_a_page_that_is_not_there_is_missed(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(tmp_path))
    monkeypatch.setattr("triomino.cli.doctor.page_folder", lambda: None)
    data = json.loads(here("doctor", "--json").out)
    assert data["page"] is None
    assert data["missing"] == [f"the page ({NO_PAGE})"]
    said = dict(line.split(":", 1) for line in here("doctor").lines)
    assert said["page"].strip() == f"none: {NO_PAGE}"


def test_a_kernel_that_is_not_there_is_missed(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(tmp_path))
    monkeypatch.setattr("triomino.kernel.loader._why", "no C++ compiler was found")
    data = json.loads(here("doctor", "--json").out)
    assert data["kernel"]["why"] == why_missing() == "no C++ compiler was found"
    assert data["missing"] == [f"the native kernel ({NO_KERNEL})"]
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


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home without anything in it, and no variable that says where data is stored."""
    for name in ("XDG_DATA_HOME", "APPDATA", "TRIOMINO_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def on_system(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    systems = {"linux": Unix, "darwin": MacOS, "win32": Windows}
    monkeypatch.setattr("triomino.store.folder.PlatformDirs", systems[system])
    # The folders of Windows come from Windows alone.
    monkeypatch.setattr("platformdirs.windows.get_win_folder", {"CSIDL_APPDATA": "/roaming"}.get)
    monkeypatch.setattr("sys.platform", system)


@pytest.mark.parametrize(
    ("system", "env", "folder"),
    [
        ("linux", {}, "~/.local/share/triomino"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/triomino"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "~/.local/share/triomino"),
        ("linux", {"XDG_DATA_HOME": "/data", "TRIOMINO_DATA": "/own"}, "/own"),
        ("darwin", {}, "~/Library/Application Support/triomino"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "/data/triomino"),
        ("win32", {"XDG_DATA_HOME": "/data"}, "/roaming/triomino"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="paths are written as elsewhere")
def test_the_data_folder_follows_the_system(
    home: Path, monkeypatch: pytest.MonkeyPatch, system: str, env: dict[str, str], folder: str
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    on_system(monkeypatch, system)
    assert str(data_folder()) == folder.replace("~", str(home))


@pytest.mark.skipif(os.name == "nt", reason="paths are written as elsewhere")
def test_data_of_earlier_versions_is_found_on_a_mac(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    xdg, earlier = home / "xdg", home / "Library" / "Application Support" / "triomino"
    monkeypatch.setenv("XDG_DATA_HOME", str(xdg))
    on_system(monkeypatch, "darwin")
    earlier.mkdir(parents=True)
    assert data_folder() == earlier
    (xdg / "triomino").mkdir(parents=True)
    assert data_folder() == xdg / "triomino"
