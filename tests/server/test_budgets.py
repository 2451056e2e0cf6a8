"""Budgets: how much of each kind of work one address may ask for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.harness import in_loop, serving
from triomino.server.budgets import PER_MINUTE, Bucket, Buckets, Budgets, network_of
from triomino.server.config import Config

if TYPE_CHECKING:
    from pathlib import Path


def test_a_bucket_fills_with_time() -> None:
    bucket = Bucket.full(rate=2, size=4, at=0)
    assert [bucket.take(0) for _ in range(6)] == [True] * 4 + [False] * 2
    assert [bucket.take(1) for _ in range(3)] == [True, True, False]
    assert [bucket.take(100) for _ in range(5)] == [True] * 4 + [False]


def test_every_address_has_a_bucket_and_the_oldest_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("triomino.server.budgets.KNOWN_ADDRESSES", 2)
    now = 0.0
    buckets = Buckets(rate=1, size=2, clock=lambda: now)
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    assert buckets.take("b")
    assert not buckets.take("a")
    assert buckets.take("c")  # b is forgotten, who was seen least recently
    assert not buckets.take("a")
    now = 1.0
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    assert len(buckets._buckets) == 2


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 30)), max_size=60))
def test_nobody_gets_more_than_the_rate_and_one_burst(asked: list[tuple[float, float]]) -> None:
    bucket, now, granted = Bucket.full(rate=2, size=10, at=0), 0.0, 0.0
    for pause, cost in asked:
        now += pause
        if bucket.take(now, cost):
            granted += min(cost, 10)
        assert granted <= 10 + 2 * now + 1e-6


def test_work_done_already_is_charged_and_later_work_waits() -> None:
    now = 0.0
    buckets = Buckets(rate=2, size=4, clock=lambda: now)
    buckets.charge("a", 3)
    assert buckets.take("a")
    assert not buckets.take("a")
    assert [buckets.wait("b") for _ in range(6)] == [0, 0, 0, 0, 0.5, 1.0]
    now = 10.0
    assert buckets.wait("b") == 0


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_an_ipv6_network_counts_as_one_address(address: str, network: str) -> None:
    assert network_of(address) == network


def test_every_budget_has_a_bucket() -> None:
    """A setting that nothing reads would be a promise without a test."""
    budgets = vars(Budgets(Config(data="", **dict.fromkeys(PER_MINUTE, 2))))  # type: ignore[arg-type]
    assert len(budgets) == len(PER_MINUTE) + 1
    one = [name for name, buckets in budgets.items() if buckets.take("a") and not buckets.take("a")]
    assert len(one) == len(PER_MINUTE)


@in_loop
async def test_missing_files_of_the_page_are_counted(tmp_path: Path) -> None:
    async with serving(tmp_path, files_per_minute=60) as served:
        seen = [(await served.get(f"/assets/{n}.js")).status_code for n in range(4)]
        assert seen == [404, 404, 404, 429]
        assert (await served.get("/health")).status_code == 200  # another budget


@in_loop
async def test_many_refusals_at_once_lose_their_connection(tmp_path: Path) -> None:
    async with serving(tmp_path, http_per_minute=2) as served:
        answers = await asyncio.gather(*[served.get("/health") for _ in range(40)])
        assert sorted({answer.status_code for answer in answers}) == [200, 429]
        closed = sum(answer.headers.get("connection") == "close" for answer in answers)
        assert 40 - 1 - 16 - 8 <= closed <= 40 - 1 - 16


@in_loop
async def test_a_classroom_behind_one_address_is_served(tmp_path: Path) -> None:
    """Thirty people open the page, sit down at tables and say hello, all at once."""
    defaults = Config(data="")
    plain = {name: getattr(defaults, name) for name in PER_MINUTE}
    plain["messages_per_address"] = defaults.messages_per_address
    plain["connections_per_second"] = defaults.connections_per_second
    async with serving(tmp_path, **plain) as served:

        async def pupil(number: int) -> None:
            player = served.player()
            for path in ("/assets/gone.js", "/", "/api/address", "/api/bots", "/api/tables"):
                assert (await served.get(path)).status_code in (200, 404), path
            if number % 2:
                return
            table = await player.create([{"kind": "here"}, {"kind": "link"}])
            other = served.player()
            await other.sit(table, "Ben")
            await player.start(table)
            await player.enter(table)
            await other.enter(table)

        await asyncio.gather(*[pupil(number) for number in range(30)])
        assert served.hub.metrics.limited == 0


@in_loop
async def test_a_large_body_counts_as_several_requests(tmp_path: Path) -> None:
    """Before it is read: reading is what it costs."""
    async with serving(tmp_path, http_per_minute=80) as served:
        body = b" " * 200_000
        for _ in range(3):
            assert (await served.http.post("/api/analyses", content=body)).status_code != 429
        assert (await served.http.post("/api/analyses", content=body)).status_code == 429
        assert (await served.get("/health")).status_code == 200  # a small one is still served

        async def endless() -> Any:
            yield b" " * 10

        answer = await served.http.post("/api/analyses", content=endless())
        assert answer.status_code == 429
