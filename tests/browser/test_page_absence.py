"""Two browsers: one goes away, and the other is not stranded, whatever happens to the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player, see_text
from tests.browser.seeded_server import SeededServer
from tests.browser.test_together import DESK, PHONE, to_move
from tests.effort import WHOLE

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage

AWAY = 5
"""Seconds until a bot plays for somebody who is away."""

INVITE = """async (away_seconds) => {
  const ask = async (path, body) => (await fetch(path, {method: 'POST',
    body: JSON.stringify(body ?? {}), headers: {'content-type': 'application/json'}})).json();
  await ask('/api/devices');
  const seats = [{kind: 'here', name: 'Ann'}, {kind: 'link', head_start: 40, help: 'places'}];
  return (await ask('/api/tables', {seats, away_seconds})).id;
}"""


class Between:
    """What happens between any two things that people do: nothing, or ``kill -9``."""

    def __init__(self, server: SeededServer, *, kills: bool) -> None:
        self._server, self._kills = server, kills

    def __call__(self, *pages: Page) -> None:
        """Kill the server and start it again; *pages* show the same board as before."""
        if not self._kills:
            return
        boards = [page.locator("[data-place]").count() for page in pages]
        self._server.kill()
        self._server.start()
        for page, count in zip(pages, boards, strict=True):
            expect(page.locator("[data-place]")).to_have_count(count)


def play_until(people: list[Player], wanted: int) -> None:
    """Let both play until the person *wanted* has moved and the other one is to move."""
    people[wanted].moves = 0
    while people[wanted].moves == 0 or to_move(people) is people[wanted]:
        person = to_move(people)
        assert person is not None
        person.turn()


# With the server killed the same is done. It is killed thrice, and five times at full length.
@pytest.mark.parametrize("killed", [True, False] if WHOLE else [True])
def test_invited_left_reminded_replaced_and_back(
    open_page: OpenPage, tmp_path: Path, killed: bool
) -> None:
    with SeededServer(tmp_path, reveal_seconds=3) as server:
        between = Between(server, kills=killed)
        ann, ben = open_page(viewport=DESK), open_page(viewport=PHONE)
        _invite_and_join(ann, ben, server.url, between)
        people = [Player(ann), Player(ben)]
        play_until(people, wanted=0)
        # Everybody sees what Ben has ahead.
        expect(ann.get_by_text("Head start: 40")).to_have_count(1)

        ben = _leave_and_come_back(ann, ben, between)
        _refuse_undo(ann, ben, between)
        _pause(ann, ben, between)
        _play_again(ann, ben, between)


def _invite_and_join(ann: Page, ben: Page, url: str, between: Between) -> None:
    ann.goto(url)
    table = ann.evaluate(INVITE, AWAY)
    ann.goto(f"{url}/t/{table}")
    link = ann.get_by_role("textbox").last
    expect(link).to_have_value(f"{url}/t/{table}")
    ben.goto(link.input_value())
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    see_text(ann, "Everyone is here.")
    between()
    ann.get_by_role("button", name="Start").click()
    for page in (ann, ben):
        page.locator(".rack .tile").first.wait_for()


def _leave_and_come_back(ann: Page, ben: Page, between: Between) -> Page:
    """Ben closes his page; a bot plays for him, until he is back on another one."""
    ben.close()
    panel = ann.get_by_label("away", exact=True)
    expect(panel).to_contain_text("Ben")
    expect(panel).to_contain_text("Away for 0:0")
    panel.get_by_role("button", name="Remind").click()
    see_text(ann, "Reminded")
    between(ann)
    expect(ann.locator(".players .state")).to_have_text("a bot plays")
    expect(panel).to_have_count(0)

    ben = ben.context.new_page()
    ben.goto(ann.url)
    see_text(ben, "Ann is waiting for you.")
    ben.get_by_role("button", name="Let me play again").click()
    expect(ben.get_by_text("Ann is waiting for you.")).to_have_count(0)
    return ben


def _refuse_undo(ann: Page, ben: Page, between: Between) -> None:
    play_until([Player(ann), Player(ben)], wanted=0)
    ann.get_by_role("button", name="Undo").click()
    see_text(ann, "You have asked")
    between(ann, ben)
    ben.get_by_role("button", name="No", exact=True).click()
    see_text(ann, "The others did not agree")


def _pause(ann: Page, ben: Page, between: Between) -> None:
    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="Pause").click()
    see_text(ben, "Paused: Ann")
    if WHOLE:
        between(ann, ben)
    ben.get_by_role("button", name="Continue").click()
    expect(ann.get_by_text("Paused: Ann")).to_have_count(0)


def _play_again(ann: Page, ben: Page, between: Between) -> None:
    ben.get_by_role("button", name="Menu").click()
    for _ in range(2):
        ben.get_by_role("dialog").get_by_role("button", name="Give up").click()
    see_text(ann, "Head start included: Ben +40")
    if WHOLE:
        between(ann, ben)
    first = ann.url
    ann.get_by_role("button", name="Rematch").click()
    ben.get_by_role("link", name="To the rematch").click()
    for page in (ann, ben):
        page.wait_for_function("before => location.href !== before", arg=first)
        page.locator(".rack .tile").first.wait_for()
    person = to_move([Player(ann), Player(ben)])
    assert person is not None
    person.turn()
    # The record of the first match has the head start.
    ann.goto(f"{first}/replay")
    expect(ann.locator("[data-ahead] td").nth(1)).to_have_text("+40")
