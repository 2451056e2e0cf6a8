"""The program as a whole: help, version, and how it says what is wrong."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Here, environment, triomino
from tests.test_imports import ROOM_RANK
from triomino.cli.app import COMMANDS, HOST_COMMANDS, PUZZLE_COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

DEPENDENCIES = {
    *("aiosqlite", "alembic", "babel", "httpx", "litestar", "msgspec", "numpy", "platformdirs"),
    *("segno", "sqlalchemy", "uvicorn", "websockets"),
}


def test_version() -> None:
    result = triomino("--version")
    assert (result.code, result.out, result.err) == (0, f"triomino {version('triomino')}\n", "")


def test_the_help_lists_the_commands_and_what_happens_without_one() -> None:
    result = triomino("--help")
    assert "Without a command it opens in your browser" in " ".join(result.out.split())
    assert result.code == 0
    assert all(f" {name} " in result.out for name in [*COMMANDS, "host"])


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("triomino re", ["render", "replay"]),
        ("triomino play --edition cl", ["classic", "classic-hebrew"]),
    ],
)
def test_a_shell_completes_commands_and_editions(typed: str, offered: list[str]) -> None:
    last = str(len(typed.split()) - 1)
    result = triomino(_TRIOMINO_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=last)
    assert (result.code, sorted(result.lines)) == (0, offered), result


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example_that_starts_with_it(here: Here, command: str) -> None:
    result = here(command, "--help")
    assert result.code == 0
    after = result.out.partition("For example:")[2]
    examples = [line.strip() for line in after.splitlines() if f"triomino {command}" in line]
    assert examples


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_narrow_terminal(here: Here, command: str) -> None:
    result = here(*command.split(), "--help", columns=40)
    assert result.code == 0
    assert max(map(len, result.lines)) <= 40
    wide = here(*command.split(), "--help", columns=120)
    options = set(re.findall(r"(?<= )--[a-z-]+(?= )", wide.out))
    assert "--help" in options
    assert all(option in result.out for option in options)


# --- A fast start --------------------------------------------------------------------------------


def test_the_help_needs_no_command_and_no_room_but_the_rules() -> None:
    code = "import sys; from triomino.cli.app import run; run(['--help']); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.splitlines()[-1].split())
    assert "triomino.cli.app" in loaded
    assert not {f"triomino.cli.{name}" for name in ("host", "start", *COMMANDS)} & loaded
    assert not {f"triomino.{room}" for room in ROOM_RANK if room != "cli"} & loaded
    assert not {*DEPENDENCIES, "typer.rich_utils", "rich.markdown", "pygments"} & loaded


@pytest.mark.parametrize("arguments", ["--version", "judge", "verify nowhere.jsonl"])
def test_a_command_loads_no_dependency_that_it_does_not_need(arguments: str) -> None:
    code = f"import sys; from triomino.cli.app import run; run({arguments.split()}); print(); "
    code += "print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], input="", capture_output=True, text=True, check=True
    )
    assert not DEPENDENCIES & set(run.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", ["--help", "host -h"])
def test_the_help_of_a_group_lists_all_its_commands_and_options(here: Here, arguments: str) -> None:
    shown = here(*arguments.split(), columns=120).out
    for name, text in (HOST_COMMANDS if "host" in arguments else COMMANDS).items():
        assert f" {name} " in shown
        assert text.split(";")[0][:60] in shown
    assert "--help" in shown
    assert ("--version" in shown) == ("host" not in arguments)


def test_the_list_of_commands_says_what_each_of_them_says() -> None:
    listed = [(f"triomino.cli.{name}", name, text) for name, text in COMMANDS.items()]
    listed += [("triomino.cli.host", name, text) for name, text in HOST_COMMANDS.items()]
    listed += [("triomino.cli.puzzles", name, text) for name, text in PUZZLE_COMMANDS.items()]
    for module, name, text in listed:
        doc = inspect.getdoc(getattr(import_module(module), name)) or ""
        assert " ".join(doc.split("\n\n")[0].split()) == text


# --- One clear line ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("jugde", r"no such command 'jugde'; did you mean 'judge'\?"),
        ("xyzzy", "no such command 'xyzzy'; known: .*'judge'.*'doctor'"),
        ("--versoin", r"no such option '--versoin' of triomino; did you mean '--version'\?"),
        ("simulate --mathces 3", r"no such option '--mathces' of triomino simulate.*'--matches'\?"),
        ("simulate --matches", "'--matches' requires an argument"),
        ("simulate --matches x", "'--matches'.*integer.*see triomino simulate --help"),
        ("simulate --matches 0", "'--matches'.*1"),
        ("simulate --jobs 0", "'--jobs'.*1"),
        ("simulate --edition clasic", r"edition: .*did you mean 'classic'\?"),
        ("simulate --players 5", "player count: classic is for 2, 3, 4 players, not 5"),
        ("simulate --players -1", "player count"),
        ("simulate --bots greedy,radnom", r"--bots: unknown bot 'radnom'; did you mean 'random'\?"),
        ("simulate --bots ,", "--bots: unknown bot ''"),
        ("simulate --bots greedy,random,greedy", "--bots: 3 bots for 2 seats; use --players"),
        (
            "simulate --set brige_bonus=3",
            r"unknown rule 'brige_bonus'; did you mean 'bridge_bonus'",
        ),
        ("simulate --set bridge_bonus", "'bridge_bonus' is no setting; write one like"),
        ("simulate --set bridge_rule=x", "bridge_rule: unknown value 'x'; known: 'strict'"),
        ("simulate --set final_round=next", "final_round: 'next' is not built yet"),
        ("simulate --target -3", "target: -3 is no whole number"),
        ("simulate --rules nowhere.toml", "nowhere.toml: No such file"),
        ("simulate --json --records -", "--json and --records -.*drop one"),
        ("simulate --records no/such/folder.jsonl", r"no/such/folder.jsonl: No such file"),
        ("judge cases.jsonl", r"unexpected extra argument.*see triomino judge --help"),
        ("replay", "missing argument 'FILE'; see triomino replay --help"),
        ("replay nowhere.jsonl", "nowhere.jsonl: No such file"),
        ("replay .", r"\.: Is a directory"),
        ("verify nowhere.jsonl", "nowhere.jsonl: No such file"),
        ("rules --edition xxl", r"edition: .*known: 'classic', 'classic-hebrew'"),
        ("rules --edition card --rules house.toml", "--edition says card, house.toml says casual"),
        ("rules --rules broken.toml", "this is not TOML"),
        ("rules --rules latin.toml", "latin.toml is not UTF-8 text"),
        ("render nowhere.json", "nowhere.json: No such file"),
        ("render house.toml", "house.toml: this is not JSON"),
        ("render house.toml -o out.png", "out.png: name it .svg or .txt, or say --format"),
        ("render house.toml --theme dusk", "'--theme'.*'dusk' is not one of 'night', 'day'"),
        ("render house.toml --width 1", "'--width'.*20"),
        ("bench --seconds 0", "'--seconds'.*0"),
        ("doctor --jsn", r"no such option '--jsn'.*did you mean '--json'\?"),
    ],
)
def test_wrong_input_is_one_line_on_standard_error_and_exit_code_2(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.toml").write_text('edition = "casual"\n', "utf-8")
    (tmp_path / "broken.toml").write_text("draw_cost = = 3\n", "utf-8")
    (tmp_path / "latin.toml").write_bytes(b'edition = "caf\xe9"\n')
    assert re.search(said, here(*arguments.split()).complaint)


@pytest.mark.parametrize("arguments", ["xyzzy", "simulate --matches x", "replay nowhere.jsonl"])
def test_the_real_program_fails_the_same_way(arguments: str) -> None:
    assert triomino(*arguments.split()).complaint


def test_a_reader_that_goes_away_is_no_failure() -> None:
    command = [sys.executable, "-m", "triomino", "rules"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait() == 0


# --- Colour --------------------------------------------------------------------------------------

COLOUR = re.compile(rb"\x1b\[(?:\d+;)*3[0-7]m")
MARKED = ("rules", "--set", "draw_cost=7")


def on_a_terminal(*arguments: str, **env: str) -> bytes:
    """What a terminal receives."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "triomino", *arguments]
    clean = environment(80) | {"TERM": "xterm-256color"} | env
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=clean
    ) as program:
        os.close(theirs)
        out = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            out += part
        assert program.wait() == 0
    os.close(ours)
    return out


def test_colour_is_for_terminals() -> None:
    assert COLOUR.search(on_a_terminal(*MARKED))
    assert "\x1b" not in triomino(*MARKED).out


def test_no_color_is_respected() -> None:
    out = on_a_terminal(*MARKED, NO_COLOR="1")
    assert b"draw_cost = 7" in out
    assert not COLOUR.search(out)


def test_progress_is_shown_on_a_terminal_and_nowhere_else() -> None:
    work = ("simulate", "--matches", "3", "--jobs", "1")
    assert b"3/3" in on_a_terminal(*work)
    assert triomino(*work).err == ""
