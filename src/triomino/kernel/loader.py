"""Load the native module, and encode rules for it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import fields
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from triomino.errors import TriominoError
from triomino.rules import NOT_BUILT, Racks, Rules

try:
    from triomino.kernel import _native
except ImportError as error:  # pragma: no cover - tried by installing without a compiler
    _absent = error.name == "triomino.kernel"  # and not the module itself, which failed to load
    _why: str | None = (
        "this installation was made without it" if _absent else f"it does not load: {error}"
    )
else:
    _why = None

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from triomino.kernel._native import Rules as NativeRules


class KernelError(TriominoError):
    """There is no kernel, or it cannot represent what it was given."""


def why_missing() -> str | None:
    """Return why there is no native kernel, or ``None`` if there is one."""
    return _why


def instruction_set() -> str:
    """Return the engine in use: ``v3``, which needs AVX2, or ``portable``."""
    require()
    return _native.engine_name()


def kernel_in_use() -> str:
    """Return a line for a log: the kernel in use, or why there is none."""
    return f"not built: {_why}" if _why else f"native ({instruction_set()})"


def require() -> None:
    """Raise :class:`KernelError` if there is no kernel."""
    if _why is not None:
        raise KernelError(f"there is no native kernel: {_why}")


@contextmanager
def refusals(about: str = "") -> Iterator[None]:
    """Raise errors of the native module as :class:`KernelError`, prefixed with *about*."""
    try:
        yield
    except TriominoError:
        raise
    except (ValueError, TypeError) as error:
        raise KernelError(f"{about}{error}") from None


# Fields that do not affect the kernel, or that have a single supported value.
_IGNORED: Final = frozenset({"edition", "piece", "start_tie", "bonus_stacking", "final_round"})
NONE: Final = {"triple_zero_start": -1, "target": 0}
"""The numbers that stand for no value."""
_FIELDS: Final = frozenset(
    {
        "edition",
        "tile_set",
        "piece",
        "round_won_by",
        "racks",
        "starter",
        "start_redraw",
        "next_starter",
        "opening_draw",
        "starter_free_choice",
        "triple_start_bonus",
        "triple_zero_start",
        "start_tie",
        "scoring",
        "placement_sum",
        "bridge_rule",
        "bridge_bonus",
        "hexagon_bonuses",
        "bonus_stacking",
        "draw_cost",
        "max_draws",
        "draw_ends_turn",
        "no_play_extra",
        "no_play_extra_when",
        "voluntary_draw",
        "after_draw_play",
        "must_place_after_last_draw",
        "may_keep",
        "draw_obligation",
        "empty_pool_pass",
        "empty_pool_penalty",
        "out_bonus",
        "out_takes_opponents",
        "blocked",
        "blocked_tie",
        "blocked_when",
        "floor_at_zero",
        "target",
        "target_test",
        "target_latch",
        "final_round",
        "match_tie",
    }
)
"""The fields the kernel knows. Rules with any other field are refused."""


@lru_cache(maxsize=256)
def native_rules(rules: Rules) -> NativeRules:
    """Return the rules for the native module; raises :class:`KernelError` if unsupported."""
    require()
    numbers = numbers_of(rules)
    with refusals():
        return _native.make_rules(numbers)


def numbers_of(rules: Rules) -> dict[str, int]:
    """Return the fields of the rules as the kernel reads them."""
    names = {item.name for item in fields(rules)}
    if names != _FIELDS:
        raise KernelError(f"the kernel does not know these rules: {', '.join(names ^ _FIELDS)}")
    numbers: dict[str, int] = {}
    for name in sorted(_FIELDS):
        value = getattr(rules, name)
        if value in NOT_BUILT:
            raise KernelError(f"{name}: the kernel does not play {value}")
        if name not in _IGNORED:
            numbers |= _numbers(name, value)
    return numbers


def _numbers(name: str, value: object) -> dict[str, int]:
    match value:
        case None:
            return {name: NONE[name]}
        case Racks():
            return {f"racks_{players}": value.get(players, 0) for players in range(2, 7)}
        case StrEnum() if name == "tile_set":
            return {"tiles": int(value)}
        case StrEnum():
            return {name: list(type(value)).index(value)}
        case tuple():
            return {f"hexagon_{count}": bonus for count, bonus in enumerate(value, 1)}
        case int():
            return {name: int(value)}
    raise KernelError(f"{name}: the kernel does not know {value!r}")


def native() -> ModuleType:
    """Return the native module; raises :class:`KernelError` if there is none."""
    require()
    return _native
