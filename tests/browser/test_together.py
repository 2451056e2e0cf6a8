"""Two people at one table, each with a browser of their own; two at one device; one who watches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.pages import make_table
from tests.browser.player import TIMEOUT, Player, see_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess

DESK = {"width": 1100, "height": 800}
PHONE = {"width": 390, "height": 780}


def set_up(page: Page, url: str, second: str, names: list[str]) -> None:
    """A new table for two."""
    page.goto(f"{url}/new")
    page.get_by_label("Name at seat 1").fill(names[0])
    page.get_by_label("Seat 2", exact=True).select_option(label=second)
    if len(names) > 1:
        page.get_by_label("Name at seat 2").fill(names[1])
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_url("**/t/*")


def to_move(people: list[Player]) -> Player | None:
    """Who is next; nobody when the match is over."""
    for _ in range(TIMEOUT // 50):
        for person in people:
            if person.is_over:
                return None
            if person.page.locator('.table[data-mine="true"]').count():
                return person
        people[0].page.wait_for_timeout(50)
    raise AssertionError("nobody is to move")


def test_two_browsers_at_one_table(server: ServerProcess, open_page: OpenPage) -> None:
    ann_page, bob_page = open_page(viewport=DESK), open_page(viewport=DESK)
    set_up(ann_page, server.url, "Someone by link", ["Ann"])
    see_text(ann_page, "Waiting for one more")
    bob_page.goto(ann_page.url)
    bob_page.get_by_label("Your name").fill("Bob")
    bob_page.get_by_role("button", name="Sit down").click()
    see_text(bob_page, "The game begins when")
    ann_page.get_by_role("button", name="Start").click()
    people = [Player(ann_page), Player(bob_page)]
    for page in (ann_page, bob_page):
        page.locator(".rack .tile").first.wait_for()

    for move in range(5):
        person = to_move(people)
        assert person is not None
        person.turn()
        if move == 2:
            bob_page.reload()
            bob_page.locator("[data-place]").first.wait_for()
            expect(bob_page.locator("[data-place]")).to_have_count(
                ann_page.locator("[data-place]").count()
            )
    expect(bob_page.locator("[data-place]")).to_have_count(people[0].tiles_on_board)
    # Both have gone on since; one has seen enough.
    bob_page.get_by_role("button", name="Menu").click()
    for _ in range(2):
        bob_page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    for page in (ann_page, bob_page):
        page.get_by_role("button", name="Rematch").wait_for()
    # Who goes to the first page, and not to the rematch, finds it there.
    ann_page.get_by_role("button", name="Rematch").click()
    bob_page.get_by_role("link", name="To the rematch").wait_for()
    bob_page.locator(".logo").click()
    bob_page.get_by_role("link", name="Continue").click()
    bob_page.locator(".rack .tile").first.wait_for()


def test_two_people_at_one_device(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    set_up(page, server.url, "Someone here", ["Ann", "Bob"])
    seen = set()
    me = Player(page)
    for _ in range(6):
        show = page.get_by_role("button", name=re.compile("^I am"))
        show.or_(page.locator('.table[data-mine="true"]')).first.wait_for()
        if show.is_visible():
            # Behind the curtain no tile is seen.
            expect(page.locator(".rack .tile")).to_have_count(0)
            seen.add(show.inner_text())
            show.click()
        me.turn()
    assert len(seen) == 2


def test_somebody_watches(server: ServerProcess, open_page: OpenPage) -> None:
    page, other = open_page(viewport=DESK), open_page(viewport=DESK)
    me = Player(page)
    me.start(server.url)
    me.turn()
    other.goto(page.url)
    see_text(other, "You are watching")
    expect(other.locator(".rack .tile")).to_have_count(0)
    see_text(page, "1 watching")


def test_who_asks_for_an_undo_hears_the_answer(server: ServerProcess, open_page: OpenPage) -> None:
    page, other = open_page(viewport=DESK), open_page(viewport={"width": 390, "height": 780})
    set_up(page, server.url, "Someone by link", ["Ann"])
    other.goto(page.url)
    other.get_by_label("Your name").fill("Ben")
    other.get_by_role("button", name="Sit down").click()
    see_text(other, "The game begins when")
    page.get_by_role("button", name="Start").click()
    for one in (page, other):
        one.locator(".rack .tile").first.wait_for()
    people = [Player(page), Player(other)]
    mover = to_move(people)
    assert mover is not None
    asks, answers = (page, other) if mover.page is page else (other, page)
    mover.turn()
    asks.get_by_role("button", name="Undo").click()
    see_text(asks, "You have asked; the others are deciding.")
    expect(asks.get_by_role("button", name="Undo")).to_have_count(0)
    answers.get_by_role("button", name="No", exact=True).click()
    see_text(asks, "The others did not agree to the undo.")
    expect(asks.get_by_role("button", name="Undo")).to_have_count(0)
    # Who was refused has to wait; the other one asks now, and may.
    while to_move(people) is not mover:
        Player(answers).turn()
    laid = mover.tiles_on_board
    answers.get_by_role("button", name="Undo").click()
    see_text(answers, "You have asked; the others are deciding.")
    asks.get_by_role("button", name="Allow", exact=True).click()
    see_text(answers, "The others agreed")
    assert mover.tiles_on_board <= laid


def test_a_seat_moves_to_another_device(server: ServerProcess, open_page: OpenPage) -> None:
    page, phone = open_page(viewport=DESK), open_page(viewport={"width": 390, "height": 780})
    Player(page).start(server.url)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="My seat on another device").click()
    link = page.get_by_role("textbox", name="My seat on another device").input_value()
    expect(page.locator("dialog img")).to_be_visible()
    path = server.url + link[link.index("/t/") :]
    # Opening it does not use it up, however often.
    for _ in range(2):
        phone.goto("about:blank")
        phone.goto(path)
        see_text(phone, "Do you want to play from your seat on this device?")
    phone.get_by_role("button", name="Play on this device").click()
    phone.wait_for_url(re.compile("/t/[^/]+$"))
    expect(phone.locator(".rack .tile")).to_have_count(page.locator(".rack .tile").count())
    # A new link can be withdrawn.
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="My seat on another device").click()
    page.get_by_role("button", name="Withdraw the link").click()
    see_text(page, "The link no longer works.")


def test_the_lobby_shows_open_tables(server: ServerProcess, open_page: OpenPage) -> None:
    page, other = open_page(viewport=DESK), open_page(viewport=DESK)
    page.goto(f"{server.url}/new")
    page.get_by_label("Name at seat 1").fill("Ann")
    page.get_by_label("Seat 2", exact=True).select_option(label="Someone by link")
    page.get_by_label("Listed on the home page").check()
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_url("**/t/*")
    other.goto(server.url)
    other.get_by_role("link", name=re.compile("Ann")).click()
    other.get_by_label("Your name").wait_for()


def test_a_link_that_no_guest_could_open_is_not_shown(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE)
    # What a server says that listens on the loopback only, and has no public address.
    page.route("**/api/address", lambda route: route.fulfill(json={"url": None}))
    table = make_table(page, server.url, {"kind": "link"}, start=False)
    page.goto(f"{server.url}/t/{table}")
    see_text(page, "Other devices cannot reach this server yet")
    assert "127.0.0.1" not in page.locator("main").inner_text()
    expect(page.get_by_role("textbox")).to_have_count(0)


def test_a_guest_sees_from_whom_the_invitation_is(
    server: ServerProcess, open_page: OpenPage
) -> None:
    host, guest = open_page(viewport=PHONE), open_page(viewport=PHONE)
    host.goto(server.url)
    table = make_table(host, server.url, {"kind": "link"}, start=False)
    host.goto(f"{server.url}/t/{table}")
    see_text(host, "Waiting for one more")
    expect(host.get_by_role("textbox")).to_have_value(f"{server.url}/t/{table}")
    guest.goto(f"{server.url}/t/{table}")
    expect(guest.get_by_role("heading", level=1)).to_have_text("Invitation from: Ann")
    # One field and one button; the link is for those who invite.
    expect(guest.locator("main").get_by_role("textbox")).to_have_count(1)
    expect(guest.locator("main").get_by_role("button")).to_have_count(1)
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Sit down").click()
    see_text(guest, "The game begins when the host starts it.")
    expect(guest.get_by_role("link", name="Learn to play while you wait")).to_be_visible()
    see_text(host, "Everyone is here.")
    host.get_by_role("button", name="Start").click()
    guest.locator(".rack .tile").first.wait_for()
