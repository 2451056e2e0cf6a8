"""The real program: in a pipe, and on a terminal of its own."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import triomino
from tests.terminal.playing import TILE
from triomino import Tile, read_record, verify_deals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.program import Here
    from triomino import Match

PATIENCE = 60
CLEAR = "\x1b[2J"
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """The program before a terminal that somebody watches."""

    def __init__(
        self,
        *arguments: str | Path,
        data: Path,
        columns: int = 80,
        rows: int = 24,
        env: dict[str, str] | None = None,
    ) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        drop = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
        base = {name: value for name, value in os.environ.items() if name not in drop}
        base |= {"TERM": "xterm-256color", "TRIOMINO_DATA": str(data), "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "triomino", "play", *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=base | (env or {}),
            preexec_fn=_own_terminal,  # noqa: PLW1509 - Ctrl-C needs a terminal of one's own
        )
        os.close(slave)
        self.output = ""
        self._seen = 0
        # A read may end in the middle of a letter.
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def wait_for(self, pattern: str) -> str:
        """Read until something new matches; what came up to there."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.output[self._seen :])):
            assert time.monotonic() < end, f"no {pattern!r} in {self.output[self._seen :]!r}"
            if not self._read(0.2) and self.process.poll() is not None and not self._read(0):
                pytest.fail(f"it ended without {pattern!r}: {self.output[self._seen :]!r}")
        begin, self._seen = self._seen, self._seen + found.end()
        return self.output[begin : self._seen]

    def _read(self, timeout: float) -> bool:
        if not select.select([self.master], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says so when the other side is closed
            return False
        self.output += self._decoder.decode(data)
        return bool(data)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def enter(self, line: str = "") -> None:
        self.type(line + "\r")

    def interrupted(self) -> int:
        """Press Ctrl-C; the exit code.

        A key that comes in the instant before Python waits for one is noticed with the next, so it
        is pressed again, as people do.
        """
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.type("\x03")
            again = time.monotonic() + 5
            while self.process.poll() is None and time.monotonic() < again:
                self._read(0.1)
        return self.exit_code()

    def exit_code(self) -> int:
        """Wait for the end, reading what is left."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.output
            self._read(0.1)
        while self._read(0):
            pass
        return self.process.wait()

    @property
    def screen(self) -> str:
        """What stands on the screen now: all since it was cleared."""
        return self.screens[-1]

    @property
    def screens(self) -> list[str]:
        """Every screen there was, without control characters."""
        return [ESCAPE.sub("", part) for part in self.output.split(CLEAR)]

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)


def _own_terminal() -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Those opened in a test; all are closed after it."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def saved(data: Path) -> Match:
    """The only match in the data folder, read and its deals verified."""
    (path,) = data.iterdir()
    match = read_record(path.read_bytes())
    verify_deals(match)
    return match


# --- On a terminal -------------------------------------------------------------------------------


def test_two_enters_and_one_plays(data: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal(data=data))
    terminal.wait_for("Players: ")
    terminal.enter()
    terminal.wait_for("Enter for 1: ")
    terminal.enter()
    terminal.wait_for("Your move: ")
    assert "\x1b[?1049h" in terminal.output  # a screen of its own
    assert "38;2;" in terminal.output or "38;5;" in terminal.output  # in colour
    terminal.enter("q")
    assert terminal.exit_code() == 0
    assert "\x1b[?1049l" in terminal.output  # and the old one back
    assert "Continue with: triomino play --resume" in terminal.output
    assert not saved(data).over


def test_control_c_loses_nothing_and_the_match_goes_on(
    data: Path, terminals: list[Terminal]
) -> None:
    terminals.append(terminal := Terminal("--seed", "5", data=data))
    terminal.wait_for("Your move: ")
    terminal.enter("1")
    terminal.wait_for("Your move: ")
    terminal.type("2-2")  # half a line
    terminal.wait_for("2-2")  # read before Ctrl-C, which throws away what was not
    assert terminal.interrupted() == 130
    (path,) = data.iterdir()
    assert f"Saved in {path}" in terminal.output
    match = saved(data)
    assert [turn.seat for turn in match.game.plies] == [1, 0, 1]
    terminals.append(again := Terminal("--resume", path, data=data))
    again.wait_for("Your move: ")
    # The same screen as the one that was left, but for what was typed.
    assert _board(again.screen) == _board(terminal.screens[-1])
    again.enter("q")
    assert again.exit_code() == 0
    assert saved(data).game.position == match.game.position


def _board(screen: str) -> list[str]:
    return screen.partition("Your move: ")[0].splitlines()


def test_control_c_before_anything_was_dealt(data: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal(data=data))
    terminal.wait_for("Players: ")
    assert terminal.interrupted() == 130
    assert "Traceback" not in terminal.output
    assert not data.exists()


def test_control_d_leaves_politely(data: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal("--edition", "card", data=data))
    terminal.wait_for("Your move: ")
    terminal.type("\x04")
    assert terminal.exit_code() == 0
    assert "Continue with: triomino play --resume" in terminal.output
    assert not saved(data).over


def test_kill_9_loses_nothing_that_was_shown(data: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal("--seed", "5", data=data))
    terminal.wait_for("Your move: ")
    for _ in range(3):
        terminal.enter("1")
        terminal.wait_for("Your move: ")
    terminal.process.send_signal(signal.SIGKILL)
    assert terminal.exit_code() == -signal.SIGKILL
    (path,) = [path for path in data.iterdir() if path.suffix == ".json"]
    before = read_record(path.read_bytes())
    assert {turn.seat for turn in before.game.plies} == {0, 1}
    shown = _board(terminal.screens[-1])
    terminals.append(again := Terminal(data=data))
    again.wait_for("Enter to continue it")
    again.enter()
    again.wait_for("Your move: ")
    # Questions are not part of the match, so the answer to the last line may be gone.
    assert again.screen.splitlines()[:2] == shown[:2]
    again.enter("q")
    assert again.exit_code() == 0
    assert read_record(path.read_bytes()).game.position == before.game.position


def test_racks_are_hidden_between_people(data: Path, terminals: list[Terminal]) -> None:
    """The screen is cleared, and what stands there between two turns names no hidden tile."""
    arguments = ("--seats", "Ann,Ben", "--seed", "4")
    terminals.append(terminal := Terminal(*arguments, data=data, columns=60, rows=16))
    terminal.wait_for("Now (Ann|Ben): take the screen, then press Enter. ")
    for _ in range(5):
        terminal.enter()
        terminal.wait_for("(Ann|Ben), your move: ")
        terminal.enter("rack")
        terminal.wait_for("Enter to go back. ")
        terminal.enter()
        terminal.wait_for("(Ann|Ben), your move: ")
        for line in ("1", "a", "", "d", "y"):
            terminal.enter(line)
            terminal.wait_for("(move: |Enter. )$")
            if "take the screen" in terminal.screen:
                break
        while "take the screen" not in terminal.screen:
            terminal.enter("e" if "e end the turn" in terminal.screen else "d")
            terminal.wait_for("(move: |Enter. )$")
    match = saved(data)
    known = {draw.tile for draw in match.game.start.start_draws}
    known |= {place.tile for place in match.game.board.places}
    between = [text for text in terminal.screens if "take the screen" in text]
    turns = [text for text in terminal.screens if ", your move: " in text]
    assert len(between) > 5
    assert len(turns) > 5
    for text in between:
        assert {Tile.parse(tile) for tile in TILE.findall(text)} <= known
        assert "tiles" in text  # how many each holds, and not which
    for name, other in (("Ann", 1), ("Ben", 0)):
        secret = set(match.game.start.racks[other]) - known
        for text in turns:
            if f"{name}, your move: " in text:
                assert not {Tile.parse(tile) for tile in TILE.findall(text)} & secret
    assert terminal.screens[0].strip() == ""


@pytest.mark.parametrize(("columns", "rows"), [(40, 24), (80, 24), (120, 40)])
def test_a_decision_stays_on_its_screen(
    columns: int, rows: int, data: Path, terminals: list[Terminal]
) -> None:
    terminals.append(
        terminal := Terminal("--seed", "7", "--players", "3", data=data, columns=columns, rows=rows)
    )
    terminal.wait_for("Your move: ")
    for line in ("1", "a", "d", "y", "1", "what is this?"):
        terminal.enter(line)
        terminal.wait_for("Your move: $")
        lines = terminal.screen.splitlines()
        assert len(lines) <= rows
        assert max(map(len, lines)) <= columns
    terminal.type("\x04")
    assert terminal.exit_code() == 0


@pytest.mark.parametrize(
    ("arguments", "term"),
    [(["--plain"], None), ([], "dumb")],
)
def test_plain_lines_on_a_terminal(
    arguments: list[str], term: str | None, data: Path, terminals: list[Terminal]
) -> None:
    extra = {} if term is None else {"TERM": term}
    terminals.append(terminal := Terminal("--seed", "5", *arguments, data=data, env=extra))
    terminal.wait_for("Your move: ")
    terminal.enter("1")
    terminal.wait_for("Your move: ")
    terminal.enter("q")
    assert terminal.exit_code() == 0
    # The line editor may switch bracketed paste; nothing else is controlled.
    controls = set(re.findall(r"\x1b[^A-Za-z]*[A-Za-z]", terminal.output))
    assert controls <= {"\x1b[?2004h", "\x1b[?2004l"}
    assert not set(terminal.output) & set("╱╲─·⬢")


def test_plain_people_scroll_the_rack_away(data: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal("--plain", "--seats", "Ann,Ben", data=data, rows=30))
    terminal.wait_for("then press Enter. ")
    terminal.enter()
    terminal.wait_for(", your move: ")
    terminal.enter("1")
    assert terminal.wait_for("then press Enter. ").count("\n") >= 30
    terminal.type("\x04")
    assert terminal.exit_code() == 0


def test_what_one_person_typed_cannot_be_called_back_by_the_next(
    data: Path, terminals: list[Terminal]
) -> None:
    terminals.append(terminal := Terminal("--seats", "Ann,Ben", "--seed", "4", data=data))
    terminal.wait_for("then press Enter. ")
    terminal.enter()
    terminal.wait_for(", your move: ")
    terminal.enter("zebra")
    terminal.wait_for(", your move: $")
    terminal.type("\x1b[A")  # the arrow does call it back for oneself
    terminal.wait_for("zebra")
    terminal.type("\x15")  # and this key removes it
    terminal.enter("1")
    terminal.wait_for("then press Enter. ")
    terminal.enter()
    terminal.wait_for(", your move: $")
    terminal.type("\x1b[A\x1b[A\x1b[A")
    terminal.enter()
    assert "zebra" not in terminal.wait_for(", your move: $")
    terminal.type("\x04")
    assert terminal.exit_code() == 0


def test_no_color_is_drawn_without_colour(data: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal("--seed", "5", data=data, env={"NO_COLOR": "1"}))
    terminal.wait_for("Your move: ")
    terminal.enter("q")
    assert terminal.exit_code() == 0
    assert "╱" in terminal.output
    assert not re.search(r"\x1b\[[0-9;]*[34]8;", terminal.output)


def test_ascii_draws_with_plain_characters(data: Path, terminals: list[Terminal]) -> None:
    terminals.append(terminal := Terminal("--seed", "5", "--ascii", data=data))
    terminal.wait_for("Your move: ")
    terminal.enter("q")
    assert terminal.exit_code() == 0
    assert terminal.output.isascii()
    assert "/" in terminal.screen or "/" in "".join(terminal.screens)


# --- In a pipe -----------------------------------------------------------------------------------


def test_a_pipe_gets_plain_lines(data: Path) -> None:
    result = triomino(
        "play", "--seed", "5", stdin="1\nwhat\nsheet\nboard\nq\n", TRIOMINO_DATA=str(data)
    )
    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert "Your move: 1\n" in result.out
    assert "“what” is not known" in result.out
    assert "row by row from the top" in result.out
    assert result.lines[-1].startswith("Continue with: triomino play --resume ")
    assert [turn.seat for turn in saved(data).game.plies] == [1, 0, 1]


def test_the_end_of_the_input_saves_and_leaves(data: Path) -> None:
    result = triomino("play", "--seed", "5", stdin="1\n", TRIOMINO_DATA=str(data))
    assert (result.code, result.err) == (0, "")
    assert saved(data).game.plies
    (path,) = data.iterdir()
    again = triomino("play", stdin="\nq\n", TRIOMINO_DATA=str(data))
    assert "Enter to continue it" in again.out
    assert again.lines[-1] == f"Continue with: triomino play --resume {path}"


def test_no_input_at_all(data: Path) -> None:
    result = triomino("play", TRIOMINO_DATA=str(data))
    assert (result.code, result.err) == (0, "")
    assert not data.exists()


def test_a_whole_match_in_a_pipe(tmp_path: Path, data: Path) -> None:
    """Lines typed blindly: most are refused, and the match comes to its end all the same."""
    path = tmp_path / "match.json"
    blind = "\n".join(["1", "a", "", "d", "y", "e", "k", "p"] * 400)
    result = triomino(
        *("play", "--edition", "card", "--players", "3", "--seed", "2", "--save", path),
        stdin=blind,
        TRIOMINO_DATA=str(data),
    )
    assert (result.code, result.err) == (0, "")
    record = json.loads(path.read_text())
    assert "result" in record, "not enough lines"
    assert result.lines[-1] == f"Saved in {path}"
    assert re.search(r"(Winner|victory): .*\d+ points", result.lines[-2])
    verify_deals(read_record(path.read_bytes()))


def test_bytes_that_are_no_text(data: Path) -> None:
    result = triomino("play", "--seed", "5", stdin=b"\xff\xfe\n1\nq\n", TRIOMINO_DATA=str(data))
    assert (result.code, result.err) == (0, "")
    assert saved(data).game.plies


def test_names_from_everywhere(data: Path) -> None:
    seats = "Zoë,דנה,太郎,[b]bold[/b]"
    result = triomino("play", "--seats", seats, "--seed", "1", stdin="\n", TRIOMINO_DATA=str(data))
    assert result.code == 0
    for name in seats.split(","):
        assert name in result.out
    assert [player.name for player in saved(data).players] == seats.split(",")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--edition", "clasic"], "did you mean 'classic'?"),
        (["--players", "9"], "players, not 9"),
        (["--players", "two"], "--players"),
        (["--seats", "Ann,bot:champion!"], "unknown bot"),
        (["--target", "-1"], "target"),
        (["--resume", "missing.json"], "missing.json: No such file or directory"),
        (["--sets", "a=b"], "--set"),
        (["--set", "nonsense"], "nonsense"),
        (["extra"], "extra"),
    ],
)
def test_wrong_options_get_one_clear_line(
    arguments: list[str], reason: str, data: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIOMINO_DATA", str(data))
    assert reason in here("play", *arguments).complaint
    assert not data.exists()


def test_a_damaged_file_is_refused_with_its_place(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "match.json"
    triomino("play", "--seed", "5", "--save", path, stdin="1\n", TRIOMINO_DATA=str(data))
    record = json.loads(path.read_text())
    record["rounds"][0]["turns"][0]["points"] += 1
    path.write_text(json.dumps(record))
    result = triomino("play", "--resume", path, TRIOMINO_DATA=str(data))
    assert result.complaint.startswith(f"{path}, rounds[0].turns[0].points: ")
    assert json.loads(path.read_text()) == record
