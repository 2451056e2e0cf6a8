"""Generate the data files of the page from the rules.

``editions.json`` has what every page shows of each edition. ``rules.json`` has what the panel of
house rules and the score pad need: every field with its kind and values, its value in each edition,
and the tiles. ``lessons.json`` is the guided first game, ``book.json`` the rule book of every
edition and its figures. ``cast.json`` has the levels and the names of bots, with their Hebrew form.
``names.json`` says what the numbers of the kernel mean. Each file is loaded only by the pages that
need it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, get_type_hints

import msgspec

from tools import lessons
from triomino.analysis.review import DEFAULT
from triomino.bots import CAST, LEVELS, LOST_OF_TEN
from triomino.errors import Why
from triomino.kernel.loader import NONE, native
from triomino.legacy import rules_json_1
from triomino.rulebook import FIGURES, RACK_FIGURES
from triomino.rules import EDITIONS, NOT_BUILT, Racks, Rules, TileSet, plain_value
from triomino.scoring import LEAST_TILES, Reason
from triomino.server import hints
from triomino.tile import SET_76, TILE_SETS
from triomino.words.book import book_of

FOLDER = Path(__file__).parents[1] / "web" / "src"

SHOWN = (
    *("piece", "scoring", "max_draws", "draw_ends_turn"),
    *("target", "target_test", "bridge_rule", "placement_sum", "starter_free_choice"),
    "next_starter",
)

SECTIONS: Final = {
    "points": (
        "scoring",
        "placement_sum",
        "bridge_rule",
        "bridge_bonus",
        "hexagon_bonuses",
        "bonus_stacking",
        "floor_at_zero",
    ),
    "deal": ("tile_set", "racks"),
    "start": (
        "starter",
        "start_redraw",
        "start_tie",
        "next_starter",
        "starter_free_choice",
        "opening_draw",
        "triple_start_bonus",
        "triple_zero_start",
    ),
    "draw": (
        "max_draws",
        "draw_cost",
        "no_play_extra",
        "no_play_extra_when",
        "voluntary_draw",
        "draw_obligation",
        "after_draw_play",
        "must_place_after_last_draw",
        "may_keep",
        "draw_ends_turn",
    ),
    "pass": ("empty_pool_pass", "empty_pool_penalty"),
    "end": (
        "round_won_by",
        "out_bonus",
        "out_takes_opponents",
        "blocked_when",
        "blocked",
        "blocked_tie",
    ),
    "match": ("target", "target_test", "target_latch", "final_round", "match_tie"),
}
"""The fields of the panel, in its order. Every other field but the edition is in ``UNASKED``."""

UNASKED: Final = ("piece",)
"""Fields that the panel does not show: what a tile is called belongs to the edition."""

MENUS: Final = {"tile_set": (TileSet.SET_56, TileSet.SET_76)}
"""Fields whose menu offers only some of the values: the small tile sets are for study."""


def files() -> dict[Path, str]:
    """The files by path, with the text they should have."""
    editions = {
        name: {
            "players": list(rules.racks),
            "tiles": len(rules.tiles),
            **{field: getattr(rules, field) for field in SHOWN},
        }
        for name, rules in EDITIONS.items()
    }
    cast = {"names": CAST, "levels": LEVELS}
    kinds = {item.name: _kind(item.name) for item in fields(Rules) if item.name != "edition"}
    house = {
        "sections": SECTIONS,
        "unasked": UNASKED,
        "fields": kinds,
        "editions": {
            name: {field: plain_value(getattr(rules, field)) for field in kinds}
            for name, rules in EDITIONS.items()
        },
        "version_1": {name: _version_1(rules) for name, rules in EDITIONS.items()},
        "lost_of_ten": LOST_OF_TEN,
        "tiles": {name: list(map(str, tiles)) for name, tiles in TILE_SETS.items()},
        "least_tiles": LEAST_TILES,
    }
    return {
        FOLDER / "cast.json": json.dumps(cast, indent=2, ensure_ascii=False) + "\n",
        FOLDER / "editions.json": json.dumps(editions, indent=2) + "\n",
        FOLDER / "rules.json": json.dumps(house, indent=1) + "\n",
        FOLDER / "lib" / "kernel" / "names.json": json.dumps(_kernel_names(), indent=1) + "\n",
        FOLDER / "lib" / "learn" / "lessons.json": lessons.text(),
        FOLDER / "lib" / "rulebook" / "book.json": json.dumps(_books(), indent=1) + "\n",
    }


def _kernel_names() -> dict[str, Any]:
    """What the kernel gives a number, such as fields of rules and refusals; the usual efforts."""
    return {
        "rules": native().rule_fields(),
        "values": {
            name: [member.value for member in hint]
            for name, hint in _TYPES.items()
            if isinstance(hint, type) and issubclass(hint, StrEnum)
        },
        "none": NONE,
        "reasons": list(Reason),
        "whys": list(Why),
        "tiles": list(map(str, SET_76)),
        "efforts": {"hint": asdict(hints.EFFORT), "review": asdict(DEFAULT)},
    }


def _books() -> dict[str, Any]:
    """The rule book of every edition, and its figures."""
    return {
        "editions": {name: msgspec.to_builtins(book_of(rules)) for name, rules in EDITIONS.items()},
        "figures": {
            name: {"board": list(map(str, figure.board)), "place": str(figure.place)}
            for name, figure in FIGURES.items()
        },
        "racks": {
            name: {
                "board": list(map(str, figure.board)),
                "rack": list(map(str, figure.rack)),
                "drawn": figure.drawn,
            }
            for name, figure in RACK_FIGURES.items()
        },
    }


def _version_1(rules: Rules) -> dict[str, object]:
    """The fields whose values in version 1 of the files differed, for an edition with points."""
    # With points, because a round without them always went to whoever ended it.
    then = rules_json_1({"edition": rules.edition, "scoring": True})
    now = rules.to_json()
    differs = [name for name in then if then[name] != now[name] and name != "scoring"]
    return {name: then[name] for name in sorted({"round_won_by", *differs})}


_TYPES = get_type_hints(Rules)


def _kind(name: str) -> dict[str, Any]:
    """Describe the form control of a field."""
    hint = _TYPES[name]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        kind = {"kind": "choice", "values": [m.value for m in hint if m not in NOT_BUILT]}
        return kind | ({"menu": list(MENUS[name])} if name in MENUS else {})
    if hint is bool:
        return {"kind": "flag"}
    if hint is Racks:
        return {"kind": "racks"}
    if hint == tuple[int, int, int]:
        return {"kind": "numbers"}
    if hint in (int, int | None):
        return {"kind": "number", "optional": hint is not int}
    raise TypeError(f"{name}: the page cannot ask for a {hint}")


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, "utf-8")
