"""What people can do while they wait for somebody, and what reaches the one they wait for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from benchmarks.web.scenes import show, waiting
from playwright.sync_api import expect

from tests.browser.pages import make_table
from tests.browser.player import see_text
from tests.browser.test_table_together import BEHIND, COUNT_TONES

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

PHONE = {"width": 390, "height": 780}


def test_who_waits_for_somebody_absent_has_every_way_on(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE)
    sent: list[dict[str, Any]] = []
    show(page, server.url, waiting(here=[0], away={"1": 725}), sent=sent)
    panel = page.get_by_role("region", name="away")
    expect(panel).to_contain_text("Ben")
    expect(panel).to_contain_text(re.compile(r"Away for 12:0\d"))
    for name in ("Let a bot play", "Remind", "Pause", "End without a result"):
        panel.get_by_role("button", name=name).click()
    assert [one["type"] for one in sent if one["type"] != "ping"] == [
        "stand_in",
        "remind",
        "pause",
        "end_match",
    ]
    panel.get_by_role("button", name="Send the link again").click()
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_have_value(
        re.compile("/t/picture$")
    )


def test_a_match_that_ended_because_of_absence_leads_on(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE)
    show(page, server.url, waiting(state="closed", closed_why="absent"))
    see_text(page, "without a result")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(page.get_by_role("link", name="Replay")).to_be_visible()


def test_who_is_here_but_takes_long_can_be_reminded(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE)
    page.clock.install()
    sent: list[dict[str, Any]] = []
    state = waiting()
    send = show(page, server.url, state, sent=sent)
    button = page.get_by_role("button", name="Remind")
    page.clock.run_for(30_000)
    expect(button).to_have_count(0)
    page.clock.run_for(16_000)
    button.click()
    assert {"type": "remind", "whom": 1}.items() <= sent[-1].items()
    send(state | {"version": state["version"] + 1, "reminders": [{"id": 1, "seat": 1, "by": 0}]})
    see_text(page, "Reminded")
    expect(button).to_have_count(0)


def test_a_reminder_is_seen_heard_and_told_to_a_tab_behind_others(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE, permissions=["notifications"])
    page.add_init_script(f"({COUNT_TONES})()")
    page.add_init_script(
        "localStorage.triomino = JSON.stringify({ version: 2, notify: true, sound: true })"
    )
    state = waiting(you=[1])
    state["racks"] = {"1": ["1-2-3"]}
    send = show(page, server.url, state)
    page.locator(".rack .tile").click()
    page.evaluate(BEHIND)
    send(state | {"version": state["version"] + 1, "reminders": [{"id": 1, "seat": 1, "by": 0}]})
    expect(page.get_by_role("alert")).to_contain_text("Ann is waiting for you.")
    page.wait_for_function("() => window.told.length > 0 && window.tones > 0")


def test_a_spectator_reacts_where_the_table_allows_it(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page, other = open_page(viewport=PHONE), open_page(viewport=PHONE)
    for allowed in (True, False):
        table = make_table(page, server.url, spectators_react=allowed)
        page.goto(f"{server.url}/t/{table}")
        page.locator(".rack .tile").first.wait_for()
        other.goto(f"{server.url}/t/{table}")
        see_text(other, "You are watching")
        expect(other.locator(".players [data-face], .players .avatar")).to_have_count(2)
        say = other.get_by_role("button", name="Say something")
        expect(say).to_have_count(int(allowed))
        if allowed:
            say.click()
            other.get_by_role("button", name="Well played").click()
            see_text(page, "From a spectator: Well played")
