"""Write ``web/src/editions.json``: what the page shows of each edition, from the rules."""

from __future__ import annotations

import json
from pathlib import Path

from triomino.rules import EDITIONS

FILE = Path(__file__).parents[1] / "web" / "src" / "editions.json"

SHOWN = ("scoring", "max_draws", "draw_ends_turn", "target", "bridge_rule", "placement_sum")


def text() -> str:
    """The file as it should be."""
    out = {
        name: {
            "players": list(rules.racks),
            "tiles": len(rules.tiles),
            **{field: getattr(rules, field) for field in SHOWN},
        }
        for name, rules in EDITIONS.items()
    }
    return json.dumps(out, indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
