"""Analyses of many matches, by a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from triomino.analysis import review
from triomino.lab.process_pool import in_order

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from triomino.analysis import Review
    from triomino.kernel import Effort
    from triomino.match import Match

_Task: TypeAlias = tuple[tuple["Match", ...], "Effort"]


def reviews(
    matches: Sequence[Match], effort: Effort, *, processes: int = 1, cluster: str | None = None
) -> Generator[Review, None, None]:
    """Yield the review of every match, in order, by processes or a Ray cluster."""
    return in_order(_review, (tuple(matches), effort), range(len(matches)), processes, cluster)


def _review(task: _Task, number: int) -> Review:
    matches, effort = task
    return review(matches[number], effort)
