"""Counters of a running server, in the text format of Prometheus."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Final

BOT_SECONDS_STEP: Final = 10
"""The thinking time of bots is told in whole steps of so many seconds."""


@dataclass(slots=True)
class Metrics:
    """The counters, all since the start."""

    tables: int = 0
    events: int = 0
    sockets: int = 0
    messages: int = 0
    refused: int = 0
    limited: int = 0
    errors: int = 0
    deleted: int = 0
    cleanings_refused: int = 0
    bot_moves: int = 0
    bot_seconds: float = 0.0
    analyses: int = 0
    analyses_failed: int = 0
    analysis_seconds: float = 0.0
    pushes: int = 0
    pushes_failed: int = 0
    pushes_gone: int = 0

    def text(self, **gauges: float) -> str:
        """All counters, and the given gauges, in the text format of Prometheus."""
        lines = []
        for item in fields(self):
            name, value = f"triomino_{item.name}_total", getattr(self, item.name)
            if item.name == "bot_seconds":
                # Exact, it would tell after every move of a bot whether it had a choice.
                value = math.floor(value / BOT_SECONDS_STEP) * BOT_SECONDS_STEP
            lines += [f"# TYPE {name} counter", f"{name} {value}"]
        for name, value in gauges.items():
            lines += [f"# TYPE triomino_{name} gauge", f"triomino_{name} {value}"]
        return "\n".join(lines) + "\n"
