"""Fixtures of the game in a terminal."""

from __future__ import annotations

from tests.cli.conftest import here

__all__ = ["here"]
