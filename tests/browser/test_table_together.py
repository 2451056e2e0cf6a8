"""More than one screen at a table: television, curtain, signs, a word from a tab behind others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.player import Player, new_table, see_text, wait_for_turn

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1100, "height": 800}
BOT = {"kind": "bot", "bot": "greedy", "name": "Greta"}


def here(name: str) -> dict[str, str]:
    return {"kind": "here", "name": name}


def test_a_television_shows_the_board_and_no_rack(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page, screen = open_page(viewport=DESK), open_page(viewport={"width": 1600, "height": 900})
    table = new_table(page, server.url, seats=[here("Ann"), BOT])
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Big screen").click()
    link = page.get_by_role("textbox").input_value()
    assert link.endswith(f"/t/{table}/tv")
    page.keyboard.press("Escape")
    screen.goto(server.url + link[link.index("/t/") :])
    expect(screen.locator("[data-score]")).to_have_count(2)
    me = Player(page)
    for _ in range(3):
        me.turn()
    wait_for_turn(page)
    expect(screen.locator("[data-place]")).to_have_count(me.tiles_on_board)
    scores = page.locator("[data-score]").all_inner_texts()
    assert [text.split()[0] for text in screen.locator("[data-score]").all_inner_texts()] == [
        text.split()[0] for text in scores
    ]
    # What one holds is on no other screen, and what the screen hears has none of it.
    expect(screen.locator(".tile, .rack")).to_have_count(0)
    see_text(page, "1 watching")


def test_a_television_shows_how_to_sit_down(server: ServerProcess, open_page: OpenPage) -> None:
    page, screen = open_page(viewport=DESK), open_page(viewport={"width": 1600, "height": 900})
    page.goto(f"{server.url}/new")
    page.get_by_label("Name at seat 1").fill("Ann")
    page.get_by_label("Seat 2", exact=True).select_option(label="Someone by link")
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_url("**/t/*")
    screen.goto(page.url + "/tv")
    see_text(screen, "Scan to sit down")


def show(page: Page) -> None:
    """Come out from behind the curtain, if it is drawn."""
    button = page.get_by_role("button", name=re.compile("^I am"))
    button.or_(page.locator('.table[data-mine="true"]')).first.wait_for()
    if button.is_visible():
        button.click()


OUT_FROM_BEHIND = """async () => {
  document.querySelector('.curtain .main').click();
  await new Promise(done => setTimeout(done));
  return document.querySelectorAll('[data-place]').length;
}"""
"""How many tiles one sees at first."""


def test_behind_the_curtain_the_last_moves_are_seen_again(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    new_table(page, server.url, seats=[here("Ann"), here("Ben")])
    me = Player(page)
    curtain = page.get_by_role("group", name=re.compile("^Your turn, "))
    placed = False
    while not placed:
        show(page)
        page.locator('.table[data-unseen="0"]').wait_for()
        before, placed = me.tiles_on_board, page.locator(".tile.can").count() > 0
        me.turn()
    laid = before + 1
    expect(curtain).to_be_visible()
    expect(page.locator(".rack .tile")).to_have_count(0)
    # Who has just played may still take it back, and sees the own tiles again.
    back = curtain.get_by_role("button", name=re.compile("undo my move"))
    expect(page.locator("[data-place]")).to_have_count(laid)
    expect(back).to_be_visible()
    back.click()
    expect(page.locator("[data-place]")).to_have_count(laid - 1)
    expect(page.locator(".rack .tile").first).to_be_visible()
    # The next one sees the tile being laid, and then plays.
    wait_for_turn(page)
    placed = page.locator(".tile.can").count() > 0
    me.turn()
    if placed:
        expect(page.locator("[data-place]")).to_have_count(laid)
        assert page.evaluate(OUT_FROM_BEHIND) == laid - 1
        expect(page.locator("[data-place]")).to_have_count(laid)
    expect(page.locator(".rack .tile").first).to_be_visible()


def test_a_sign_is_seen_by_the_others(server: ServerProcess, open_page: OpenPage) -> None:
    ann, ben = open_page(viewport=DESK), open_page(viewport={"width": 390, "height": 780})
    ann.goto(f"{server.url}/new")
    ann.get_by_label("Name at seat 1").fill("Ann")
    ann.get_by_label("Seat 2", exact=True).select_option(label="Someone by link")
    ann.get_by_role("button", name="Set up the table").click()
    ann.wait_for_url("**/t/*")
    ben.goto(ann.url)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    ann.get_by_role("button", name="Start").click()
    ben.get_by_role("button", name="Say something").click()
    ben.get_by_role("button", name="Well played").click()
    expect(ann.locator(".bubble")).to_have_text("Well played")
    # Who goes is away, and who comes back is there.
    url = ben.url
    ben.goto("about:blank")
    see_text(ann, "away")
    ben.goto(url)
    expect(ann.get_by_text("away")).to_have_count(0)


# A headless shell grants notifications when asked, and goes on to call them denied.
BEHIND = """() => {
  window.told = [];
  const Real = window.Notification;
  window.Notification = class extends Real {
    static permission = 'granted';
    constructor(title, options) { super(title, options); window.told.push(title); }
  };
  Object.defineProperty(document, 'hidden', {get: () => true});
}"""


def test_a_tab_behind_others_says_whose_turn_it_is(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK, permissions=["notifications"])
    new_table(page, server.url, seats=[here("Ann"), BOT])
    me = Player(page)
    wait_for_turn(page)
    expect(page).to_have_title(re.compile("Your turn"))
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Notify me when it is my turn").check()
    page.keyboard.press("Escape")
    page.evaluate(BEHIND)
    for _ in range(6):
        me.turn()
        wait_for_turn(page)
        if page.evaluate("() => window.told.length"):
            break
    told: list[str] = page.evaluate("() => window.told")
    assert set(told) == {"Your turn."}


COUNT_TONES = """() => {
  window.tones = 0;
  const Real = window.AudioContext;
  window.AudioContext = class extends Real {
    createOscillator() { window.tones += 1; return super.createOscillator(); }
  };
}"""


def test_sounds_are_made_here_and_can_be_switched_off(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(f"({COUNT_TONES})()")
    new_table(page, server.url, seats=[here("Ann"), BOT])
    me = Player(page)
    me.turn()
    page.wait_for_function("() => window.tones > 0")
    assert not [url for url in asked if re.search(r"\.(mp3|ogg|wav|m4a)", url)]
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Sounds").uncheck()
    page.keyboard.press("Escape")
    wait_for_turn(page)
    before = page.evaluate("() => window.tones")
    me.turn()
    wait_for_turn(page)
    assert page.evaluate("() => window.tones") == before
