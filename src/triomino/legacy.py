"""Reading version 1 of records, positions, score pads and stored tables.

Version 1 named an edition and what differed from it, so it is read with the editions of its time,
in which a player who could place was free to draw up to three times and to end the turn without
placing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from triomino.errors import RulesError, nearest
from triomino.rules import CLASSIC, EDITIONS, RoundWonBy, Rules, VoluntaryDraw

if TYPE_CHECKING:
    from triomino.rules import Json

_NEW_FIELDS: Final = frozenset({"piece", "round_won_by"})

EDITIONS_1: Final = {
    name: replace(rules, voluntary_draw=VoluntaryDraw.ALWAYS, must_place_after_last_draw=False)
    if rules.voluntary_draw is not VoluntaryDraw.NEVER
    else rules
    for name, rules in EDITIONS.items()
}
"""The editions as of version 1. A test pins every field, so that they never change with ours."""

_LEVELS_1: Final = {
    "greedy": "easy",
    "club": "medium",
    "expert": "hard",
    "master": "expert",
}


def rules_1(data: object) -> Rules:
    """Read rules of version 1: the name of an edition, or a table with what differs from it."""
    if isinstance(data, str):
        data = {"edition": data}
    if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
        raise RulesError("an edition's name or a table of rules is needed")
    edition = data.get("edition", CLASSIC.edition)
    if not isinstance(edition, str) or edition not in EDITIONS_1:
        raise RulesError(f"edition: unknown value {edition!r}; {nearest(str(edition), EDITIONS_1)}")
    new = _NEW_FIELDS & data.keys()
    if new:
        raise RulesError(f"version 1 has no rule {min(new)!r}")
    changes = {name: value for name, value in data.items() if name != "edition"}
    rules = EDITIONS_1[edition].with_changes(changes)
    # Version 1 had no field for this: the card game, and every round without points, went to the
    # player who ended it.
    ends = edition == "card" or not rules.scoring
    return replace(rules, round_won_by=RoundWonBy.ENDING if ends else RoundWonBy.POINTS)


def rules_json_1(data: object) -> Json:
    """Return rules of version 1 with every field, in the form of version 2."""
    return rules_1(data).to_json()


def bot_1(name: str) -> str:
    """Return the current name of a bot of version 1: ``expert`` is now called ``hard``."""
    return _LEVELS_1.get(name, name)


def pad_act_1(act: Json) -> Json:
    """Return an act of a version 1 score pad, and any acts inside it, in the form of version 2."""
    if act["do"] == "setup":
        return {**act, "rules": rules_json_1(act["rules"])}
    if act["do"] == "correct":
        return {**act, "with": [pad_act_1(entry) for entry in act["with"]]}
    return act
