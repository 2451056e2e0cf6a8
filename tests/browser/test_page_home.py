"""The first page: a running game first, everything at once, and a friend one tap away."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, Any

import httpx
from playwright.sync_api import expect

from tests.browser.inspection import (
    cut_texts,
    reversed_figures,
    small_targets,
    switch_language,
    untranslated,
    violations_in_both_schemes,
    visible_texts,
)
from tests.browser.pages import give_up, make_table
from tests.browser.player import Player, remember, see_text, wait_for_turn
from triomino.bots import CAST
from triomino.server.built_page import page_folder
from triomino.words import ENGLISH, languages

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, Route

    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer

LOW = 640
"""All of the first page is in sight on a phone of this height."""
PHONE = {"width": 360, "height": LOW}
DESK = {"width": 1440, "height": 900}
LONG_NAMES = [
    "Maximiliane-Charlotte von Hohenstein-Lan",
    "Donaudampfschifffahrtsgesellschaftskapit",
]


def play_button(page: Page) -> Any:
    return page.get_by_role("button", name="Play", exact=True)


def overflow(page: Page) -> int:
    """By how much the page is higher than its window."""
    script = "() => document.documentElement.scrollHeight - innerHeight"
    return int(page.evaluate(script))


def show_running(page: Page, url: str) -> str:
    """Open the first page with a game that runs, and two that are over; return the running one."""
    page.goto(url)
    play_button(page).wait_for()
    over = [make_table(page, url) for _ in range(2)]
    for table in over:
        give_up(page, table)
    running = make_table(page, url, {"kind": "bot", "bot": "easy", "name": "Iris"})
    page.goto(f"{url}/t/{running}")
    me = Player(page)
    while not me.tiles_on_board:
        me.turn()
    wait_for_turn(page)
    remember(page, tables=[*over, running])
    page.goto(url)
    page.get_by_role("link", name="Continue").wait_for()
    return running


# --- What there is -------------------------------------------------------------------------------


def test_a_newcomer_sees_six_choices_and_plays_a_beginner(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(server.url)
    play_button(page).wait_for()
    assert page.locator("main").get_by_role("button").or_(
        page.locator("main").get_by_role("link")
    ).all_inner_texts() == [
        "Play",
        "Beginner · One round\n·\nChange",
        "Friend",
        "Score pad",
        "Learn",
        "Puzzle",
        "More",
    ]
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": LOW})
        assert overflow(page) == 0
    assert violations_in_both_schemes(page) == []
    assert small_targets(page) == []
    # The languages are in the menu, as are all pages.
    expect(page.get_by_label("Language")).to_be_hidden()
    page.get_by_role("button", name="More").tap()
    menu = page.get_by_role("dialog")
    assert menu.get_by_role("link").all_inner_texts() == [
        "New table",
        "Learn to play",
        "Puzzle",
        "My games",
        "Score pad",
        "Club evening",
        "Rulebook",
        "Settings",
    ]
    expect(menu.get_by_label("Language")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More")).to_be_focused()

    play_button(page).tap()
    rival = page.locator(".players li").nth(1)
    expect(rival).to_contain_text("Beginner")
    assert rival.locator("b").inner_text() in CAST


def test_the_next_game_is_as_chosen(server: SeededServer, open_page: OpenPage) -> None:
    """With keys only: against whom, how long, and the choice is remembered."""
    page = open_page(viewport=DESK)
    page.goto(server.url)
    how = page.get_by_role("button", name="Change")
    expect(how).to_have_accessible_name("Beginner · One round Change")
    how.press("Enter")
    dialog = page.get_by_role("dialog", name="Your game")
    dialog.get_by_role("radio", name="Beginner").press("ArrowDown")
    expect(dialog.get_by_role("radio", name="Easy")).to_be_checked()
    see_text(page, "Never looks ahead.")
    dialog.get_by_role("radio", name="One round").press("ArrowRight")
    assert violations_in_both_schemes(page) == []
    page.keyboard.press("Escape")
    expect(how).to_be_focused()
    expect(how).to_contain_text("Easy · To 200")
    page.reload()
    expect(how).to_contain_text("Easy · To 200")
    how.press("Enter")
    dialog.get_by_role("radio", name="Without points").check(force=True)
    dialog.get_by_role("radio", name="On the server").check(force=True)
    see_text(page, "Everybody can check the deal")
    with page.expect_request("**/api/tables") as asked:
        dialog.get_by_role("button", name="Play").press("Enter")
    assert '"rules":{"edition":"casual"}' in (asked.value.post_data or "")
    expect(page.locator(".players li").nth(1)).to_contain_text("Easy")


def test_the_bot_fits_who_plays(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    how = page.get_by_role("button", name="Change")
    # Two matches lost, and an easier one is there; each is counted once.
    for expected in ("Easy", "Beginner"):
        Player(page).start(server.url)
        give_up(page, page.url[-12:])
        page.get_by_role("button", name="Rematch").wait_for()
        page.reload()
        page.get_by_role("button", name="Rematch").wait_for()
        with page.expect_response("**/api/bots"):
            page.goto(server.url)
        expect(how).to_contain_text(expected)


def test_several_running_games_leave_six_choices(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE)
    show_running(page, server.url)
    others = [make_table(page, server.url, {"kind": "bot", "bot": "easy"}) for _ in range(3)]
    known = page.evaluate("() => JSON.parse(localStorage.triomino).tables")
    remember(page, tables=[*known, *others])
    page.goto(server.url)
    page.get_by_role("link", name="Continue").first.wait_for()
    main = page.locator("main")
    choices = main.get_by_role("link").or_(main.get_by_role("button"))
    shown = [one.inner_text() for one in choices.all() if one.is_visible()]
    assert len([one for one in shown if "Change" not in one]) == 6, shown
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": LOW})
        assert overflow(page) == 0


def test_a_running_game_comes_first(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE)
    table = show_running(page, server.url)
    game = page.get_by_role("region", name="Game in progress")
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": LOW})
        assert overflow(page) == 0
    laid = page.request.get(f"{server.url}/api/tables/{table}").json()["standing"]
    expect(game.locator("[data-place]")).to_have_count(len(laid["places"]))
    expect(game.get_by_role("listitem")).to_have_text(
        [re.compile(f"Ann.*{laid['totals'][0]}"), re.compile(f"Iris.*{laid['totals'][1]}")]
    )
    expect(game).to_contain_text("your turn")
    first = page.locator("main").get_by_role("link").or_(page.locator("main").get_by_role("button"))
    # Six choices, as without one; the rules are in the menu.
    assert [one for one in first.all_inner_texts() if "Change" not in one] == [
        "Continue",
        "Play",
        "Friend",
        "Score pad",
        "Learn",
        "More",
    ]
    expect(page.get_by_role("heading", name="Your last matches")).to_be_hidden()
    assert violations_in_both_schemes(page) == []

    # On its side, and on a desk, where the last games have room: who won, and the score.
    page.set_viewport_size({"width": 740, "height": 360})
    assert overflow(page) <= 0
    page.get_by_role("button", name="Change").click()
    main = page.get_by_role("dialog").get_by_role("button", name="Play").bounding_box()
    assert main is not None
    assert main["y"] + main["height"] < 340
    page.keyboard.press("Escape")
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    assert overflow(page) <= 0
    past = page.get_by_role("region", name="Your last matches")
    expect(past.get_by_role("link")).to_have_count(2)
    expect(past.get_by_role("link").first).to_contain_text(re.compile(r"Winner:\s*Greta\s*0"))
    left, right = (page.locator(name).bounding_box() for name in (".game", ".choices li >> nth=0"))
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] < right["x"]
    assert violations_in_both_schemes(page) == []
    page.get_by_role("link", name="Continue").press("Enter")
    page.wait_for_url(f"**/t/{table}")


def test_what_is_gone_is_forgotten(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK, expects_refusals=True)
    page.goto(server.url)
    play_button(page).wait_for()
    mine = make_table(page, server.url, {"kind": "link"}, start=False)
    remember(page, tables=["gone12345678", mine])
    page.reload()
    see_text(page, "Waiting for one more")
    expect(page.get_by_text("more game")).to_have_count(0)
    kept = "() => JSON.parse(localStorage.getItem('triomino')).tables"
    assert page.evaluate(kept) == [mine]


def test_the_first_page_has_room_in_every_language(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE, locale="en-GB")
    page.goto(server.url)
    play_button(page).wait_for()
    how, more = page.locator(".how"), page.locator(".choices li:last-child button")
    wrong: list[str] = []

    def check(what: str) -> None:
        for language in languages():
            switch_language(page, language)
            found = [*cut_texts(page), *reversed_figures(page)]
            if language != ENGLISH:
                found += untranslated(language, visible_texts(page))
            wrong.extend(f"{what}, {language}: {text}" for text in found)
            if overflow(page) > 0:
                wrong.append(f"{what}, {language}: higher by {overflow(page)}")

    check("newcomer")
    for button in (how, more):
        button.click()
        page.get_by_role("dialog").wait_for()
        check("dialog")
        page.keyboard.press("Escape")
    switch_language(page, "en")
    show_running(page, server.url)
    check("running")
    assert wrong == []


def switch_off(page: Page, url: str, parts: str) -> None:
    """Serve the page to a window as a host does who leaves these parts out."""

    def without(route: Route) -> None:
        found = route.fetch()
        body = found.text().replace("<html ", f'<html data-without="{parts}" ', 1)
        route.fulfill(response=found, body=body)

    page.route(re.compile(re.escape(url) + "/(settings|new|practise)?$"), without)


def test_what_the_host_switched_off_is_absent(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE)
    switch_off(page, server.url, "play pad club learn")
    page.goto(server.url)
    choices = page.locator("main").get_by_role("button")
    choices = choices.or_(page.locator("main").get_by_role("link"))
    expect(choices).to_have_text(["Friend", "Puzzle", "More"])
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("dialog").get_by_role("link")).to_have_text(
        ["New table", "Puzzle", "My games", "Rulebook", "Settings"]
    )


def test_puzzles_evenings_and_messages_can_be_switched_off(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    closed = page.get_by_role("heading", name="When the page is closed")
    evening = page.get_by_role("link", name="Club evening")
    puzzle = page.get_by_role("link", name=re.compile("[Pp]uzzle"))
    for without in ("", "puzzle club push"):
        if without:
            switch_off(page, server.url, without)
        shown = int(not without)
        for path, found in (
            ("/settings", closed),
            ("/new", evening),
            ("/", puzzle.first),
            ("/practise", page.get_by_role("main").get_by_role("link", name="Today’s puzzle")),
        ):
            page.goto(server.url + path)
            page.get_by_role("main").wait_for()
            expect(found).to_have_count(shown)


# --- A friend ------------------------------------------------------------------------------------


def test_a_friend_is_one_tap_away_on_plain_http(server: SeededServer, open_page: OpenPage) -> None:
    """From the first page to the end of a match, at home, where there is no https."""
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page, guest = open_page(**phone), open_page(viewport=DESK)
    page.goto(f"http://table.test:{server.port}")
    assert not page.evaluate("() => isSecureContext")
    page.get_by_role("button", name="Friend").tap()
    page.wait_for_url("**/t/*")
    # The link, its code and Copy; nothing else was asked.
    link = page.get_by_role("textbox", name="Whoever opens this link can sit down")
    expect(link).to_have_value(page.url)
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    page.get_by_role("button", name="Copy").tap()
    see_text(page, "Copied")
    assert violations_in_both_schemes(page) == []
    assert small_targets(page) == []
    # The same invitation stands until somebody comes; it can be changed before.
    table = page.url
    page.get_by_role("link", name="triomino: home").tap()
    see_text(page, "Waiting for one more")
    page.get_by_role("button", name="Friend").tap()
    page.wait_for_url(table)
    # Whoever has the link already is led to what it was changed to.
    early = open_page(viewport=DESK)
    early.goto(table)
    see_text(early, "Classic")
    page.get_by_role("link", name="Change").tap()
    page.get_by_role("button", name="Without points").tap()
    expect(page.get_by_label("Seat 2", exact=True)).to_have_value("link")
    page.get_by_role("button", name="Set up the table").tap()
    page.wait_for_url("**/t/*")
    assert page.url != table
    expect(link).to_have_value(page.url)
    early.wait_for_url(page.url)
    see_text(early, "Without points")

    guest.goto(table)
    guest.wait_for_url(page.url)
    expect(guest.get_by_role("heading", level=1)).to_have_text("Invitation to a game")
    see_text(guest, "Without points")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Save").tap()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Invitation from: Anna")
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_label("Your name").press("Enter")
    page.get_by_role("button", name="Start").tap()
    for one in (page, guest):
        one.locator(".rack .tile").first.wait_for()
        assert one.locator(".players b").all_inner_texts() == ["Anna", "Ben"]
    give_up(guest, guest.url[-12:])
    for one in (page, guest):
        one.get_by_role("button", name="Rematch").wait_for()
    # The next invitation is by the rules used last.
    page.goto(f"http://table.test:{server.port}")
    page.get_by_role("button", name="Friend").tap()
    see_text(page, "Without points")


def test_a_friend_by_the_share_sheet(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, expects_refusals=True)
    page.add_init_script("navigator.share = async what => { window.shared = what; }")
    # Rules that are not for two are no reason to refuse.
    remember(page, rules={"edition": "classic", "racks": {"3": 7}})
    page.goto(server.url)
    page.get_by_role("button", name="Friend").press("Enter")
    page.get_by_role("button", name="Share").press("Enter")
    assert page.evaluate("() => window.shared.url") == page.url
    # A name that was typed is the name one plays under.
    page.get_by_label("Your name").fill("Anna")
    friend = open_page(viewport=PHONE)
    friend.goto(page.url)
    friend.get_by_label("Your name").fill("Ben")
    friend.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Start").click()
    expect(friend.locator(".players b")).to_have_text(["Anna", "Ben"])


# --- New tables ----------------------------------------------------------------------------------


def test_ready_made_tables_come_first(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE)
    page.goto(f"{server.url}/new")
    presets = page.get_by_role("group", name="Ready-made tables").get_by_role("button")
    pressed = page.locator(".presets [aria-pressed=true] b")
    expect(presets.locator("b")).to_have_text(
        ["Classic · to 400", "Quick round", "Family of six", "Card game · to 200", "Without points"]
    )
    expect(pressed).to_have_text(["Quick round"])
    seats = page.locator(".chair select")
    presets.nth(2).click()
    expect(pressed).to_have_text(["Family of six"])
    expect(page.get_by_role("radio", name="Six players")).to_be_checked()
    assert [seat.input_value() for seat in seats.all()] == ["me", *["link"] * 5]
    # The seats of before come back with another one.
    presets.nth(3).click()
    expect(pressed).to_have_text(["Card game · to 200"])
    assert [seat.input_value() for seat in seats.all()] == ["me", "easy"]
    presets.nth(0).click()
    expect(page.get_by_role("combobox", name=re.compile("^Target"))).to_have_value("400")
    page.get_by_role("combobox", name=re.compile("^Target")).select_option("200 points")
    expect(pressed).to_have_count(0)
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_url("**/t/*")
    table = page.request.get(f"{server.url}/api/tables/{page.url[-12:]}").json()
    assert table["rules"] == {"edition": "classic", "target": 200}
    # What was used last is there again.
    page.goto(f"{server.url}/new")
    expect(page.get_by_role("combobox", name=re.compile("^Target"))).to_have_value("200")


def test_long_names_are_read_in_full_at_one_device(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=PHONE)
    page.goto(f"{server.url}/new")
    page.get_by_label("Seat 2", exact=True).select_option("Someone here")
    for number, name in enumerate(LONG_NAMES, 1):
        field = page.get_by_label(f"Name at seat {number}")
        field.fill(name)
        inside = field.evaluate("one => [one.scrollHeight, one.clientHeight]")
        assert inside[0] <= inside[1], "the rest of the name is out of sight"
    page.get_by_label("Name at seat 2").press("Enter")
    curtain = page.locator(".curtain")
    curtain.wait_for()
    assert any(name in curtain.inner_text() for name in LONG_NAMES)
    curtain.get_by_role("button", name=re.compile("^I am")).click()
    me = Player(page)
    while not curtain.is_visible():
        me.turn()
        page.wait_for_timeout(100)
    for viewport in (PHONE, {"width": 740, "height": 360}):
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        assert cut_texts(page) == []
        outside = "box => box.scrollWidth > box.clientWidth"
        assert not curtain.evaluate(outside)


# --- Weight --------------------------------------------------------------------------------------


def test_the_first_load_is_light(server: SeededServer) -> None:
    """Scripts and styles of the first page, compressed, in the language with the longest texts."""
    html = httpx.get(server.url).text
    # What a table needs beyond that is requested at once where it is needed, and only there.
    parts = re.findall(r"/assets/table-[\w-]+\.(?:js|css)", httpx.get(f"{server.url}/t/x").text)
    assert len(parts) == 2
    assert "/assets/table-" not in html + httpx.get(f"{server.url}/t/x/replay").text
    folder = page_folder()
    assert folder is not None
    files = [folder / name for name in re.findall(r'"/(assets/[^"]+\.(?:js|css))"', html)]
    assert len(files) >= 3

    def weight(file: Path) -> int:
        return len(gzip.compress(file.read_bytes(), 9))

    texts = max(map(weight, (folder / "assets").glob("words-*-main-*.js")))
    assert sum(map(weight, files)) + texts <= 100_000
