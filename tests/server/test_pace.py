"""Bots answer in a time that tells nothing about their tiles."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING

import pytest

from tests.server.harness import in_loop, serving, until
from triomino.bots import BOTS, GreedyBot
from triomino.bots.levels import EFFORTS
from triomino.moves import Draw, Place
from triomino.server.config import Config
from triomino.server.metrics import Metrics
from triomino.server.scheduler import PACES

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.bots import Limit
    from triomino.moves import Move
    from triomino.view import View


class Time:
    """Time in which only thinking and waiting take any."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at

    async def pause(self, seconds: float) -> None:
        self.at += seconds
        await asyncio.sleep(0)


class UnevenBot(GreedyBot):
    """Answers forced moves at once, and thinks wherever it has a choice."""

    time: Time
    thinks: float
    forced: list[bool]

    def choose(self, view: View, limit: Limit | None = None) -> Move:
        alone = len(view.legal_moves()) == 1
        type(self).forced.append(alone)
        if not alone:
            self.time.at += self.thinks
        return super().choose(view, limit)


class Watcher:
    """Notes how long after the position before it every move came."""

    def __init__(self, time: Time) -> None:
        self.device: str | None = None
        self.time, self.last = time, 0.0
        self.took: list[float] = []

    def tell(self, message: bytes) -> None:
        kind = json.loads(message)["type"]
        if kind == "moved":
            self.took.append(round(self.time() - self.last, 6))
        if kind in ("moved", "state"):  # a state deals the next round
            self.last = self.time()


async def bots_alone(
    folder: Path, patch: pytest.MonkeyPatch, *, thinks: float, moves: int, **options: str
) -> tuple[set[float], set[float]]:
    """How long forced and free moves of bots take at one table; ``bot_pause`` is a second."""
    time = Time()
    patch.setitem(BOTS, "uneven", lambda _: UnevenBot())
    for name, value in (("time", time), ("thinks", thinks), ("forced", [])):
        patch.setattr(UnevenBot, name, value, raising=False)
    async with serving(folder, bot_pause=1.0) as served:
        scheduler = served.hub.scheduler
        scheduler.time, scheduler.pause = time, time.pause
        ann = served.player()
        bots = [{"kind": "bot", "bot": "uneven"}] * 3
        rules = {"edition": "classic", "target": 2000, "racks": {"4": 4}}
        table = await ann.create([{"kind": "here"}, *bots], rules=rules, **options)
        await ann.start(table)
        opened = served.hub.tables[table]
        await ann.leave(table, 0)
        opened.table.chairs[0].substitute = "uneven"
        watcher = Watcher(time)
        await served.hub.enter(table, watcher, None)
        await until(lambda: len(watcher.took) > moves)
        served.hub.leave(opened, watcher)
        found: dict[bool, set[float]] = {True: set(), False: set()}
        for took, alone in list(zip(watcher.took, UnevenBot.forced, strict=False))[1:]:
            found[alone].add(took)
        return found[True], found[False]


@in_loop
@pytest.mark.parametrize("pace", PACES)
async def test_forced_and_free_moves_take_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pace: str
) -> None:
    forced, free = await bots_alone(tmp_path, monkeypatch, thinks=0.3, moves=80, pace=pace)
    assert forced == free == {PACES[pace]}


@in_loop
async def test_who_thinks_longer_answers_at_a_multiple_of_the_pace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced, free = await bots_alone(tmp_path, monkeypatch, thinks=1.4, moves=80)
    assert (forced, free) == ({1.0}, {2.0})


def test_every_level_chooses_within_every_pace() -> None:
    """The longest budget, in milliseconds, leaves room in the shortest pace."""
    shortest = 1000 * min(PACES.values()) * Config(data="x").bot_pause
    budgets = [effort.milliseconds for effort in EFFORTS.values() if effort.milliseconds]
    assert budgets
    assert max(budgets) < shortest / 2


def test_the_counters_do_not_tell_how_long_a_bot_thought() -> None:
    metrics = Metrics()
    told = {metrics.text()}
    for _ in range(150):
        metrics.bot_seconds += 0.05
        told.add(metrics.text())
    assert len(told) == 1
    metrics.bot_seconds += 5
    assert "triomino_bot_seconds_total 10\n" in metrics.text()


@in_loop
async def test_the_pace_counts_from_the_moment_the_bot_is_to_move(tmp_path: Path) -> None:
    """Also if a person took a move back meanwhile and played another one; by a real clock."""
    async with serving(tmp_path, bot_pause=0.3) as served:
        ann = served.player()
        table = await ann.create([{"kind": "here"}, {"kind": "bot", "bot": "greedy"}])
        await ann.start(table)
        await ann.enter(table)
        opened = served.hub.tables[table]
        await ann.until(lambda: bool(ann.choices))
        while opened.table.game.is_opening:
            await ann.move(ann.choices[0].move)
            await ann.until(lambda: bool(ann.choices))

        def place() -> str:
            legal = opened.table.game.legal_moves()
            return str(next((m for m in legal if isinstance(m, Place)), legal[0]))

        await ann.move(place())
        if opened.table.game.turn == 0:
            assert isinstance(opened.table.game.plies[-1].move, Draw)
            return
        await asyncio.sleep(0.15)
        await ann.undo()
        await asyncio.sleep(0.1)
        began = time.perf_counter()
        await ann.move(place())
        plies = len(opened.table.game.plies)
        await until(lambda: len(opened.table.game.plies) > plies)
        assert time.perf_counter() - began >= 0.29
