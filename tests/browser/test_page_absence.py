"""Two browsers: one goes away, and the other is not stranded, whatever happens to the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player, see_text
from tests.browser.test_together import DESK, to_move
from tests.effort import WHOLE
from tests.server.process import ServerProcess

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage

INVITE = """async () => {
  const ask = async (path, body) => (await fetch(path, {method: 'POST',
    body: JSON.stringify(body ?? {}), headers: {'content-type': 'application/json'}})).json();
  await ask('/api/devices');
  const seats = [{kind: 'here', name: 'Ann'}, {kind: 'link', head_start: 40, help: 'places'}];
  return (await ask('/api/tables', {seats, away_seconds: 6})).id;
}"""


def sit_down(ann: Page, ben: Page, url: str) -> None:
    """Invite, join and start."""
    ann.goto(url)
    table = ann.evaluate(INVITE)
    ann.goto(f"{url}/t/{table}")
    ben.goto(f"{url}/t/{table}")
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    ann.get_by_role("button", name="Start").click()
    for page in (ann, ben):
        page.locator(".rack .tile").first.wait_for()


@pytest.mark.parametrize("killed", [True, False] if WHOLE else [True])
def test_who_waits_is_not_stranded(open_page: OpenPage, tmp_path: Path, killed: bool) -> None:
    with ServerProcess(tmp_path, reveal_seconds=3) as server:
        ann, ben = open_page(viewport=DESK), open_page(viewport=DESK)
        sit_down(ann, ben, server.url)
        people = [Player(ann), Player(ben)]
        while people[0].moves == 0 or to_move(people) is people[0]:
            person = to_move(people)
            assert person is not None
            person.turn()
        # Everybody sees what Ben has ahead.
        expect(ann.get_by_text("Head start: 40")).to_have_count(1)

        ben.close()
        panel = ann.get_by_label("away", exact=True)
        expect(panel).to_contain_text("Ben")
        expect(panel).to_contain_text("Away for 0:0")
        panel.get_by_role("button", name="Remind").click()
        see_text(ann, "Reminded")
        if killed:
            server.kill()
            server.start()
        see_text(ann, "a bot plays")
        expect(panel).to_have_count(0)

        ben = ben.context.new_page()
        ben.goto(ann.url)
        see_text(ben, "Ann is waiting for you.")
        ben.get_by_role("button", name="Let me play again").click()
        expect(ben.get_by_text("Ann is waiting for you.")).to_have_count(0)
        _undo_pause_rematch(ann, ben)


def _undo_pause_rematch(ann: Page, ben: Page) -> None:
    people = [Player(ann), Player(ben)]
    while people[0].moves == 0:
        person = to_move(people)
        assert person is not None
        person.turn()
    ann.get_by_role("button", name="Undo").click()
    see_text(ann, "You have asked")
    ben.get_by_role("button", name="No", exact=True).click()
    see_text(ann, "The others did not agree")

    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="Pause").click()
    see_text(ben, "Paused: Ann")
    ben.get_by_role("button", name="Continue").click()
    expect(ann.get_by_text("Paused: Ann")).to_have_count(0)

    ben.get_by_role("button", name="Menu").click()
    for _ in range(2):
        ben.get_by_role("dialog").get_by_role("button", name="Give up").click()
    see_text(ann, "Head start included: Ben +40")
    ann.get_by_role("button", name="Rematch").click()
    ben.get_by_role("link", name="To the rematch").click()
    for page in (ann, ben):
        see_text(page, "Ben")
