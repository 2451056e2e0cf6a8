"""Fixtures of the command line."""

from __future__ import annotations

import pytest

from tests.cli.program import Here


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Commands in this process: quicker than a program of their own."""
    return Here(capsys, monkeypatch)
