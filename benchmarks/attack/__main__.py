"""``python -m benchmarks.attack``: floods from one address beside a match of others.

The server has its default settings. It and the bystanders run on one core, the attackers on
another. Everything stays on this machine, and every flood ends after its time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.attack.bystanders import Bystanders, quantile
from benchmarks.attack.floods import FLOODS
from benchmarks.server.processes import ROOT, running
from benchmarks.server.stored import store_long_table, store_tables

GOAL = 2.0
"""By how much the median of a bystander's moves may grow."""

STORED = 200
"""Tables in the database, a tenth of them in the lobby."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a flood did to the others."""

    flood: str
    quiet: list[float]
    attacked: list[float]
    closed: int
    faults: int
    tracebacks: int
    seen: dict[str, int]

    @property
    def ratio(self) -> float:
        """The median of a move during the flood, beside the quiet one."""
        quiet = quantile(self.quiet, 0.5)
        return quantile(self.attacked, 0.5) / quiet if quiet else float("nan")

    def __str__(self) -> str:
        figures = [quantile(times, q) for times in (self.quiet, self.attacked) for q in (0.5, 0.99)]
        seen = " ".join(f"{name}:{count}" for name, count in sorted(self.seen.items()))
        return (
            f"{self.flood:<12}"
            + "".join(f"{figure:>9.1f}" for figure in figures)
            + f"{self.ratio:>8.2f}{self.closed:>8}{self.faults:>6}{self.tracebacks:>12}  {seen}"
        )


HEAD = (
    f"{'flood':<12}{'quiet':>9}{'99 %':>9}{'attack':>9}{'99 %':>9}{'ratio':>8}"
    f"{'closed':>8}{'5xx':>6}{'tracebacks':>12}  what the attackers saw"
)


def cores() -> tuple[int | None, int | None]:
    """A core for the server, and another for the attackers, if there are two."""
    if not hasattr(os, "sched_getaffinity"):
        return None, None
    usable = sorted(os.sched_getaffinity(0))
    return (usable[0], usable[1]) if len(usable) > 1 else (None, None)


async def attacked_by(
    flood: str, port: int, log: Path, seconds: float, core: int | None
) -> Outcome:
    """Measure the bystanders in quiet, and then during a flood."""
    bystanders = Bystanders(port)
    job = json.dumps({"flood": flood, "port": port, "seconds": seconds, "core": core})
    attackers = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.attack.attackers", job),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert attackers.stdin is not None
        assert attackers.stdout is not None
        await bystanders.open()
        if (await attackers.stdout.readline()).strip() != b"ready":
            raise RuntimeError(f"the attackers of {flood} did not come up")
        quiet = await bystanders.play(seconds)
        attackers.stdin.write(b"\n")
        attacked = await bystanders.play(seconds)
        closed = bystanders.closed
        async with asyncio.timeout(seconds + 30):
            seen: dict[str, int] = json.loads(await attackers.stdout.readline() or b"{}")
    finally:
        if attackers.returncode is None:
            attackers.kill()
        await attackers.wait()
        await bystanders.end()
    faults = bystanders.faults + sum(
        count for name, count in seen.items() if name.isdigit() and name >= "500"
    )
    tracebacks = log.read_text(errors="replace").count("Traceback")
    return Outcome(flood, quiet, attacked, closed, faults, tracebacks, seen)


def run(floods: list[str], seconds: float, events: int) -> list[Outcome]:
    """Run floods one after the other, each beside a server of its own."""
    own, other = cores()
    usual = os.sched_getaffinity(0) if own is not None else set()
    if own is not None:
        os.sched_setaffinity(0, {own})  # the server inherits it
    else:
        print("there is one core only: attackers take time from the server", file=sys.stderr)
    found = []
    try:
        with tempfile.TemporaryDirectory() as name:
            stored = Path(name) / "stored.db"
            store_tables(stored, STORED)
            store_long_table(stored, events)
            for flood in floods:
                data, log = Path(name) / f"{flood}.db", Path(name) / f"{flood}.txt"
                shutil.copy(stored, data)
                server = ["triomino", "serve", "--local", "--open-house", "--port", "0"]
                server += ["--data", str(data)]
                with running(server, log) as (_, port):
                    found.append(asyncio.run(attacked_by(flood, port, log, seconds, other)))
                print(found[-1], flush=True)
    finally:
        if own is not None:
            os.sched_setaffinity(0, usual)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="for each flood")
    parser.add_argument("--events", type=int, default=4000, help="of the long table")
    parser.add_argument("floods", nargs="*", help=f"of {', '.join(FLOODS)}; all if none is named")
    options: Any = parser.parse_args()
    print(HEAD)
    found = run(options.floods or list(FLOODS), options.seconds, options.events)
    bad = [
        one.flood for one in found if one.ratio > GOAL or one.closed or one.faults or one.tracebacks
    ]
    if bad:
        sys.exit(f"not as it should be: {', '.join(bad)}")


if __name__ == "__main__":
    main()
