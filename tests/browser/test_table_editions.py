"""Every edition at the page, and the moves that only some of them have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Person, new_table, see_text, wait_for_turn
from triomino.rules import EDITIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1280, "height": 800}
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "random", "name": "Robin"}]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_starts(server: ServerProcess, open_page: OpenPage, edition: str) -> None:
    page = open_page(viewport=DESK)
    bots = [dict(SEATS[1], name=f"Robin {number}") for number in range(5)]
    seats = [SEATS[0], *bots] if edition == "six-player" else SEATS
    new_table(page, server.url, seats=seats, rules={"edition": edition})
    me = Person(page)
    for _ in range(2):
        me.turn()
    me.play_until(lambda: me.tiles_on_board > 0)
    scores = len(seats) if EDITIONS[edition].scoring else 0
    expect(page.locator("[data-score]")).to_have_count(scores)


def until(page: Page, url: str, edition: str, wanted: Callable[[Person], bool]) -> Person:
    """Play one table after the other until a situation is there."""
    me = Person(page)
    for _ in range(20):
        new_table(page, url, seats=SEATS, rules={"edition": edition, "target": None})
        while True:
            page.wait_for_function(
                "() => document.querySelector('.table')?.dataset.mine === 'true'"
                " || document.querySelector('.ending')"
            )
            if me.is_over:
                break
            if wanted(me):
                return me
            me.turn()
    raise AssertionError("it never came to that")


def test_without_points_a_draw_ends_the_turn(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    me = until(page, server.url, "casual", lambda me: not me.can_place() and me.sees("Draw"))
    tiles = page.locator(".rack .tile").count()
    # There is no price, and it is the main thing to do.
    expect(page.locator(".actions .main")).to_have_text(re.compile("^Draw"))
    expect(page.locator(".actions .price")).to_have_count(0)
    me.button("Draw").click()
    expect(page.locator(".rack .tile")).to_have_count(tiles + 1)
    # One draw, and it is the other one's turn.
    see_text(page, "drew one")
    wait_for_turn(page)
    expect(me.button("End turn")).to_have_count(0)


def test_a_drawn_card_may_be_kept(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    me = until(page, server.url, "card", lambda me: me.sees("Keep"))
    see_text(page, "The card you drew fits: place it or keep it.")
    tiles = page.locator(".rack .tile").count()
    laid = me.tiles_on_board
    # Placing is what the board offers; keeping is a button beside it.
    expect(page.locator(".tile.can")).to_have_count(1)
    version = page.locator(".table").get_attribute("data-version")
    me.button("Keep").click()
    expect(page.locator(".table")).not_to_have_attribute("data-version", version or "")
    expect(page.locator(".rack .tile")).to_have_count(tiles)
    assert me.tiles_on_board >= laid


FIND_CHOICE = """async () => {
  const ask = async (path, body) => (await fetch(path, {method: 'POST',
    body: JSON.stringify(body ?? {}), headers: {'content-type': 'application/json'}})).json();
  await ask('/api/devices');
  for (let tries = 0; tries < 200; tries++) {
    const {id} = await ask('/api/tables', {rules: {edition: 'card'},
      seats: [{kind: 'here', name: 'Ann'}, {kind: 'here', name: 'Ben'}]});
    await ask(`/api/tables/${id}/start`);
    const tiles = await new Promise(done => {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      socket.onopen = () => socket.send(JSON.stringify({type: 'hello', table: id}));
      socket.onmessage = ({data}) => {
        const found = JSON.parse(data).now.choices.map(one => one.move.split('=')[1]);
        socket.close();
        done(new Set(found.map(one => [...one].sort().join(''))).size);
      };
    });
    if (tiles > 1) return id;
  }
}"""


def test_the_first_card_may_be_a_choice(server: ServerProcess, open_page: OpenPage) -> None:
    # Whoever has the highest triple and 0-0-0 may open with either; some deals are like that.
    page = open_page(viewport=DESK)
    page.set_default_timeout(120_000)
    page.goto(server.url)
    table = page.evaluate(FIND_CHOICE)
    assert table, "no such deal"
    page.goto(f"{server.url}/t/{table}")
    page.get_by_role("button", name=re.compile("^I am")).click()
    expect(page.locator(".tile.can")).to_have_count(2)
    see_text(page, "You begin")
    page.locator('[data-tile="0-0-0"]').click()
    expect(page.locator(".actions .main")).to_have_text("Place +40")
    other = page.locator('.tile.can:not([data-tile="0-0-0"])')
    other.click()
    expect(page.locator(".actions .main")).to_have_text(re.compile(r"Place \+(25|22|19|16|13)"))
    page.locator('[data-tile="0-0-0"]').click()
    page.locator(".actions .main").click()
    expect(page.locator("[data-place]")).to_have_count(1)
    expect(page.locator("[data-score]").filter(has_text="40")).to_have_count(1)
