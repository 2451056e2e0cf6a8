"""Counters of a running server, in the text format of Prometheus."""

from __future__ import annotations

from dataclasses import dataclass, fields


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
    bot_moves: int = 0
    bot_seconds: float = 0.0
    analyses: int = 0
    analyses_failed: int = 0
    analysis_seconds: float = 0.0

    def text(self, **gauges: float) -> str:
        """All counters, and the given gauges, in the text format of Prometheus."""
        lines = []
        for item in fields(self):
            name = f"triomino_{item.name}_total"
            lines += [f"# TYPE {name} counter", f"{name} {getattr(self, item.name)}"]
        for name, value in gauges.items():
            lines += [f"# TYPE triomino_{name} gauge", f"triomino_{name} {value}"]
        return "\n".join(lines) + "\n"
