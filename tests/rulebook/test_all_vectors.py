"""Every vector of the rule book has a test, in the file of its group."""

from __future__ import annotations

import ast
from itertools import chain
from pathlib import Path

import pytest

GROUPS = {
    "a_components": range(1, 5),
    "b_legality": range(5, 14),
    "c_scoring": range(14, 26),
    "d_setup": range(26, 38),
    "e_turns": range(38, 56),
    "f_casual": range(56, 61),
    "g_card_turns": range(61, 67),
    "h_round_end": range(67, 78),
    "i_match": range(78, 86),
    "j_invariants": range(86, 88),
}


def vectors_in(group: str) -> set[int]:
    """The numbers of the tests named ``test_tv_<number>_…`` in a file."""
    path = Path(__file__).with_name(f"test_{group}.py")
    module = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
    return {int(name.split("_")[2]) for name in names if name.startswith("test_tv_")}


@pytest.mark.parametrize("group", GROUPS)
def test_every_vector_of_the_group_has_a_test(group: str) -> None:
    assert vectors_in(group) == set(GROUPS[group])


def test_the_groups_hold_all_87_vectors() -> None:
    assert list(chain.from_iterable(GROUPS.values())) == list(range(1, 88))


def test_no_file_is_left_out() -> None:
    here = Path(__file__)
    files = {path.stem.removeprefix("test_") for path in here.parent.glob("test_*.py")}
    assert files == {*GROUPS, here.stem.removeprefix("test_")}
