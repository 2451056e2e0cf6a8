"""The ledger: totals, latch, last round, winners and the next starter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ledger.steps import shown, steps_of, vectors

CASES = vectors()


def test_the_vectors_are_many_and_each_has_its_own_name() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) > 60


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_vector(case: dict[str, Any]) -> None:
    for step, ledger in zip(case["steps"], steps_of(case), strict=True):
        assert shown(ledger) == step["then"], step
