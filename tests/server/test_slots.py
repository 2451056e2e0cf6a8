"""Heavy work in turns: whoever asks a hundred times delays another by one."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.harness import in_loop
from triomino.server.slots import NICENESS, FairSlots, background_threads


async def run(count: int, keys: str) -> tuple[list[str], int]:
    """Ask for slots in this order; return in which order they were had, and how many at once."""
    slots, order, inside, most = FairSlots(count), [], 0, 0

    async def work(key: str) -> None:
        nonlocal inside, most
        async with slots.held(key, key):
            inside += 1
            most = max(most, inside)
            order.append(key)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*[work(key) for key in keys])
    assert slots.waiting() == 0
    return order, most


@in_loop
async def test_those_who_wait_take_turns() -> None:
    order, most = await run(1, "aaaaaaaaab")
    assert order.index("b") == 2
    assert most == 1


@given(st.integers(1, 3), st.text("abc", min_size=1, max_size=30))
def test_everybody_gets_a_slot_and_nobody_waits_for_more_than_a_round(
    count: int, keys: str
) -> None:
    order, most = asyncio.run(run(count, keys))
    assert Counter(order) == Counter(keys)
    assert most <= count
    first = {key: order.index(key) for key in set(keys)}
    assert max(first.values()) <= count + len(first) - 1


@in_loop
async def test_who_gives_up_waiting_leaves_the_slot_to_others() -> None:
    slots = FairSlots(1)
    gone = asyncio.Event()

    async def hold(key: str) -> None:
        async with slots.held(key, key):
            await gone.wait()

    tasks = [asyncio.create_task(hold(key)) for key in "abbc"]
    await asyncio.sleep(0)
    assert slots.order() == ["b", "c", "b"]
    assert slots.waiting("b") == 2
    tasks[1].cancel()
    await asyncio.sleep(0)
    assert slots.order() == ["b", "c"]
    tasks[0].cancel()  # gives the slot to b
    await asyncio.sleep(0)
    tasks[2].cancel()  # which is cancelled at the same moment
    await asyncio.sleep(0)
    gone.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert not tasks[3].cancelled()
    assert slots.waiting() == 0
    async with slots.held("d"):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own")
def test_heavy_threads_come_last() -> None:
    with background_threads(1) as threads:

        def niceness() -> int:
            return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

        assert threads.submit(niceness).result() == max(NICENESS, niceness())
