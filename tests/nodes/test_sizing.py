"""The model of what so many people need."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.sizing import BUSY, END, PAGE, START, Costs, need, report

COSTS = Costs(
    node_ms=1.0,
    database_ms=0.3,
    bus_ms=0.04,
    bus_bytes=30,
    stored_bytes=220,
    parcel_ms=0.04,
    socket_kb=250,
    node_mb=100,
)


def test_more_people_need_more() -> None:
    few, many, most = (need(people, COSTS) for people in (1_000, 100_000, 1_000_000))
    assert few.nodes == 2, "one may die"
    assert few.nodes < many.nodes < most.nodes
    assert few.database_cores < 1 < many.database_cores
    assert many.gb_per_day == 100 * few.gb_per_day
    # A hundred thousand are served by more servers; for a million, hearing each other is too much.
    assert many.hearing < BUSY < most.hearing
    per_node = many.moves * COSTS.node_ms / 1000 / many.nodes + many.hearing
    assert per_node <= BUSY
    assert need(100_000, replace(COSTS, node_ms=2.0)).nodes > many.nodes


def test_the_page_has_figures() -> None:
    text = PAGE.read_text("utf-8")
    figures = text.partition(START)[2].partition(END)[0]
    assert len(figures.splitlines()) == len(report(COSTS).splitlines())
    assert "| 1,000,000 |" in figures
