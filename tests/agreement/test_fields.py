"""Python and the kernel are compared where each field of the rules matters."""

from __future__ import annotations

from dataclasses import fields
from enum import StrEnum
from typing import TYPE_CHECKING, get_type_hints

import numpy as np
import pytest

from tests.agreement.walk import house_rules
from tests.kernel.test_matches import compare
from triomino import CASUAL, CLASSIC, Rng, Rules, RulesError
from triomino.kernel.loader import native, native_rules
from triomino.rules import NOT_BUILT

if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_COMPARED = {
    "edition": "a name that no rule reads",
    "piece": "a word for people: tile or card",
    "start_tie": "only one value is built",
    "bonus_stacking": "only one value is built",
    "final_round": "only one value is built",
}
OF_A_MATCH = ("target", "target_test", "target_latch", "next_starter", "match_tie")
"""What matters only in a match of several rounds."""
MATCHES = 400
"""By each set of rules, played by the kernel alone to find one that depends on the field."""
FIELDS = [field.name for field in fields(Rules)]


def varied(name: str) -> Iterator[tuple[Rules, Rules]]:
    """Random rules, and the same with one field as in the classic edition."""
    for seed in range(600):
        dice = Rng.named("field", seed)
        rules = house_rules(dice).with_changes({"target": None})
        if name in OF_A_MATCH:
            # Not by any rules: by some of them no total ever comes to a target.
            base, target = (CLASSIC, 40 + dice.randrange(60)) if seed % 2 else (CASUAL, 2)
            changes = {field: getattr(rules, field) for field in OF_A_MATCH if field != "target"}
            rules = base.with_changes({**changes, "target": target})
        if getattr(rules, name) == getattr(CLASSIC, name):
            continue
        try:
            yield rules, rules.with_changes({name: getattr(CLASSIC, name)})
        except RulesError:
            continue  # not a set of rules: too few tiles for these racks, for one


def first_difference(rules: Rules, other: Rules, players: int, seed: int) -> int | None:
    """The number of a match between random bots that ends otherwise by other rules."""
    if players not in other.racks:
        return None
    packed = native_rules(rules), native_rules(other)
    one, two = (native().matches(p, [0] * players, str(seed), 1, MATCHES, 1) for p in packed)
    differ = np.zeros(MATCHES, bool)
    for key, array in one.items():
        differ |= (array != two[key]).reshape(MATCHES, -1).any(axis=1)
    return 1 + int(differ.argmax()) if differ.any() else None


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in NOT_COMPARED])
def test_python_agrees_where_a_field_matters(name: str) -> None:
    """A kernel that took the field from the classic edition would play these matches otherwise."""
    compared = 0
    for number, (rules, other) in enumerate(varied(name)):
        counts = list(rules.racks)
        players = counts[number % len(counts)]
        found = first_difference(rules, other, players, number)
        if found is not None:
            compare(rules, ["random"] * players, number, found)
            compared += 1
        if compared == 2:
            return
    pytest.fail(f"random rules do not make {name} matter")


def test_what_is_not_compared_has_one_value_or_is_for_people() -> None:
    assert set(FIELDS) >= set(NOT_COMPARED)
    hints = get_type_hints(Rules)
    for name in NOT_COMPARED:
        kind = hints[name]
        values = set(kind) - NOT_BUILT if issubclass(kind, StrEnum) else set()
        assert len(values) == 1 or name in {"edition", "piece"}, name
