"""Version 1 of every format means what it meant when it was written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triomino.errors import RulesError
from triomino.legacy import bot_1, rules_1
from triomino.rules import EDITIONS

# Every field of every edition, written by the version that wrote version 1.
OF_THEN: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "old" / "editions.json").read_text("utf-8")
)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_every_value_of_then(edition: str) -> None:
    rules = rules_1(edition)
    assert rules == rules_1({"edition": edition})
    of_today = rules.to_json()
    new = {name: of_today.pop(name) for name in ("piece", "round_won_by")}
    assert of_today == OF_THEN[edition]
    by_ending = edition in ("card", "casual")
    assert new == {
        "piece": "card" if edition == "card" else "tile",
        "round_won_by": "ending" if by_ending else "points",
    }


def test_what_differs_is_read_as_ever() -> None:
    rules = rules_1({"edition": "six-player", "draw_cost": 7, "target": 400})
    assert (rules.draw_cost, rules.target, rules.voluntary_draw) == (7, 400, "always")
    assert rules_1({"voluntary_draw": "first_only"}).voluntary_draw == "first_only"
    assert rules_1({}) == rules_1("classic")


@pytest.mark.parametrize(
    ("data", "by_ending"),
    [
        ({"edition": "classic", "scoring": False}, True),
        ({"edition": "casual", "scoring": True}, False),
        ({"edition": "card", "target": None}, True),
    ],
)
def test_who_wins_a_round_followed_from_edition_and_scoring(
    data: dict[str, Any], by_ending: bool
) -> None:
    assert rules_1(data).wins_by_ending is by_ending


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"piece": "card"}, "version 1 has no rule 'piece'"),
        ({"round_won_by": "ending"}, "version 1 has no rule 'round_won_by'"),
        ({"edition": "clasic"}, "did you mean 'classic'"),
        ({"edition": []}, "edition: unknown value"),
        ({"targt": 400}, "did you mean 'target'"),
        (7, "an edition's name or a table"),
    ],
)
def test_what_it_never_had_is_refused(data: object, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        rules_1(data)


def test_an_expert_of_then_is_a_hard_of_today() -> None:
    then = ("beginner", "greedy", "club", "expert", "master", "champion", "random", "reply")
    today = ("beginner", "easy", "medium", "hard", "expert", "champion", "random", "reply")
    assert tuple(map(bot_1, then)) == today
