"""Whether there is a browser to open."""

from __future__ import annotations

import sys

import pytest

from triomino.terminal.browser import has_browser


@pytest.mark.parametrize(
    ("terminal", "env", "platform", "expected"),
    [
        (True, {"DISPLAY": ":0"}, "linux", True),
        (True, {"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        (True, {}, "linux", False),
        (False, {"DISPLAY": ":0"}, "linux", False),
        (True, {"BROWSER": "firefox"}, "linux", True),
        (True, {}, "darwin", True),
        (True, {"SSH_CONNECTION": "1.2.3.4"}, "darwin", False),
    ],
)
def test_who_would_see_a_browser(
    monkeypatch: pytest.MonkeyPatch,
    terminal: bool,
    env: dict[str, str],
    platform: str,
    expected: bool,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert has_browser() is expected
