"""Whatever fails, nothing that was acknowledged is lost, and everyone comes back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.effort import WHOLE
from tests.nodes.chaos import chaos

if TYPE_CHECKING:
    from pathlib import Path


def test_faults_of_every_kind(tmp_path: Path) -> None:
    # `make chaos` has fifty; twenty have every kind, and pauses longer than a lease.
    faults, longest = (20, 10.0) if WHOLE else (2, 0.3)
    report = asyncio.run(chaos(tmp_path, faults=faults, pairs=2, seed=3, longest=longest))
    assert report.lost == []
    assert report.faults.total() == faults
    assert report.acknowledged > 50
