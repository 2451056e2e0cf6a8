"""The rule book of a table: keys and numbers, what differs from its edition marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tests.server.harness import in_loop, serving
from triomino.protocol.api import RuleBook
from triomino.rules import EDITIONS
from triomino.words import texts
from triomino.words.book import book_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.harness import Served

SEATS = [{"kind": "link"}, {"kind": "link"}]


async def book(served: Served, rules: object) -> RuleBook:
    await served.http.post("/api/devices")
    made = await served.http.post("/api/tables", json={"seats": SEATS, "rules": rules})
    answer = await served.get(f"/api/tables/{made.json()['id']}/rules")
    assert answer.status_code == 200
    return msgspec.convert(answer.json(), RuleBook)


@in_loop
async def test_every_edition_has_its_book_and_nothing_in_it_is_changed(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        for edition, rules in EDITIONS.items():
            told = await book(served, {"edition": edition})
            assert told == book_of(rules)
            lines = [line for chapter in told.chapters for line in chapter.lines]
            assert not any(line.changed for line in lines)
            assert not any(deal.changed for deal in told.deals)
            assert {line.key for line in lines} <= texts("en").keys()
            assert told.cards == (edition == "card")
            assert any(line.key.endswith(".card") for line in lines) == told.cards


@in_loop
async def test_house_rules_are_in_the_book_and_marked(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        racks = {"2": 8, "3": 7, "4": 7}
        told = await book(served, {"edition": "classic", "bridge_bonus": 44, "racks": racks})
        assert told.rules == {"edition": "classic", "racks": racks, "bridge_bonus": 44}
        lines = [line for chapter in told.chapters for line in chapter.lines]
        changed = [(line.key, line.values) for line in lines if line.changed]
        assert changed == [("rules.bridge.points", {"points": 44})]
        assert [(deal.players, deal.changed) for deal in told.deals] == [
            (2, True),
            (3, False),
            (4, False),
        ]


@in_loop
async def test_no_table_no_rules(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        answer = await served.get("/api/tables/nothing/rules")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_table")
