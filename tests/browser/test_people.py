"""A profile on several devices: by link, by words and by passkey; and the host's page."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.inspection import (
    DESK,
    cut_texts,
    small_targets,
    too_wide,
    violations_in_both_schemes,
)
from tests.browser.pad_writer import PHONE, PadWriter
from tests.browser.player import Player
from tests.browser.seeded_server import SeededServer
from tests.browser.test_pages import language_faults
from tests.effort import WHOLE
from triomino.server.credentials import COOKIE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage

LANGUAGES = ["da", "de", "en", "es", "fi", "fr", "he", "it", "nb", "nl", "pl", "pt", "sv"]
NARROW = PHONE | {"viewport": {"width": 390, "height": 844}}
SHOWN = LANGUAGES if WHOLE else ["de", "he"]


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SeededServer]:
    """A server that is open to people who do not know each other."""
    folder = tmp_path_factory.mktemp("open")
    with SeededServer(folder, open="true", sign_ins_per_minute=1000) as running:
        yield running


def by_name(server: SeededServer) -> str:
    """The address by a name: passkeys belong to names."""
    return server.url.replace("127.0.0.1", "localhost")


def new_host_key(server: SeededServer) -> str:
    """Make a key as a host would."""
    command = [sys.executable, "-m", "triomino", "host", "key", "--data", str(server.database)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return said.split("#key=")[1].strip()


def take_picture(page: Page, name: str) -> None:
    """Keep a picture of the page where a person asks for them."""
    if folder := os.environ.get("TRIOMINO_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def make_profile(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/me")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Colour 3").check(force=True)
    page.get_by_role("button", name="Make a profile").click()
    expect(page.get_by_role("heading", name="My devices")).to_be_visible()


def expect_devices(page: Page, count: int) -> None:
    devices = page.locator("section", has=page.get_by_role("heading", name="My devices"))
    expect(devices.locator("li bdi")).to_have_count(count)


def test_a_second_device_by_link_and_a_third_by_words(
    open_server: SeededServer, open_page: OpenPage
) -> None:
    url = by_name(open_server)
    desk, phone = open_page(viewport=DESK), open_page(**PHONE, expects_refusals=True)
    make_profile(desk, url, "Ann")
    desk.get_by_role("button", name="Make a link").click()
    link = desk.get_by_role("textbox", name="Open this on the other device")
    path = re.sub(r"^.*?/me#", "/me#", link.input_value())
    phone.goto(url + path)
    phone.get_by_role("button", name="Add this device").click()
    expect(phone.get_by_text("This device belongs to Ann now.")).to_be_visible()
    assert "#" not in phone.url
    expect_devices(phone, 2)
    desk.get_by_role("button", name="Make a recovery phrase").click()
    words = desk.locator(".phrase").inner_text()
    assert len(words.split()) == 7
    take_picture(desk, "me-desk")
    take_picture(phone, "me-phone")
    tablet = open_page(**PHONE, expects_refusals=True)
    tablet.goto(url + path)
    tablet.get_by_role("button", name="Add this device").click()
    expect(tablet.get_by_role("alert")).to_contain_text("This opens nothing")
    tablet.goto(f"{url}/me")
    take_picture(tablet, "me-new-phone")
    tablet.get_by_label("The seven words").fill(words.upper())
    tablet.get_by_role("button", name="Use the words").click()
    expect(tablet.get_by_text("This device belongs to Ann now.")).to_be_visible()
    expect_devices(tablet, 3)
    # What was removed is a stranger again.
    desk.reload()
    desk.on("dialog", lambda dialog: dialog.accept())
    desk.get_by_role("button", name="Remove").first.click()
    expect_devices(desk, 2)
    phone.reload()
    expect(phone.get_by_role("button", name="Make a profile")).to_be_visible()
    # Leaving for good.
    desk.get_by_role("button", name="Delete my profile").click()
    expect(desk.get_by_text("Your profile is deleted.")).to_be_visible()
    tablet.reload()
    expect(tablet.get_by_role("button", name="Make a profile")).to_be_visible()


def test_another_device_by_passkey(open_server: SeededServer, open_page: OpenPage) -> None:
    url, page = by_name(open_server), open_page(viewport=DESK, expects_refusals=True)
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    make_profile(page, url, "Kay")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator("li", has_text="Passkey")).to_be_visible()
    # Another device: no cookie, but the authenticator goes along.
    page.context.clear_cookies()
    page.goto(f"{url}/me")
    with page.expect_request("**/api/me/entries") as sent:
        page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("This device belongs to Kay now.")).to_be_visible()
    expect_devices(page, 2)
    # Whoever has overheard that cannot use it again, nor for a challenge of their own.
    thief = open_page(expects_refusals=True).request
    thief.post(f"{url}/api/devices")
    heard: Any = sent.value.post_data_json
    begun = thief.post(f"{url}/api/me/entries/options", headers={"origin": url})
    for ticket in (heard["ticket"], begun.json()["ticket"]):
        body = heard | {"ticket": ticket}
        said = thief.post(f"{url}/api/me/entries", data=body, headers={"origin": url})
        assert (said.status, said.json()["code"]) == (403, "bad_passkey")
    mine = page.request.post(
        f"{url}/api/me/entries", data=heard | {"leave": True}, headers={"origin": url}
    )
    assert mine.json()["code"] == "bad_passkey"


def test_the_host_sees_and_acts(open_server: SeededServer, open_page: OpenPage) -> None:
    url = by_name(open_server)
    ann = open_page(viewport=DESK)
    make_profile(ann, url, "Rudolf")
    wrong = open_page(viewport=DESK, expects_refusals=True)
    wrong.goto(f"{url}/host")
    wrong.get_by_label("The host’s key").fill("no key at all, really")
    wrong.get_by_role("button", name="Open", exact=True).click()
    expect(wrong.get_by_role("alert")).to_contain_text("not the host’s key")
    expect(wrong.get_by_text("Rudolf")).to_have_count(0)
    key = new_host_key(open_server)
    host = open_page(**PHONE)
    host.goto(f"{url}/host#key={key}")
    expect(host.get_by_text("Rudolf")).to_be_visible()
    assert key not in host.url
    take_picture(host, "host-phone")
    person = host.locator("article", has_text="Rudolf")
    person.get_by_role("button", name="Remove the name").click()
    expect(host.get_by_text("Rudolf")).to_have_count(0)
    ann.reload()
    expect(ann.get_by_label("Name", exact=True)).to_have_value("Player")


def sit_together(url: str, ann: Page, ben: Page) -> str:
    """A table of two pages that has begun; return its address."""
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
    made = ann.request.post(f"{url}/api/tables", data={"seats": seats})
    table = made.json()["id"]
    assert ben.request.post(f"{url}/api/tables/{table}/seats", data={"name": "Rudi"}).ok
    assert ann.request.post(f"{url}/api/tables/{table}/start").ok
    return f"{url}/t/{table}"


def test_somebody_is_muted_blocked_and_reported_to_the_host(
    open_server: SeededServer, open_page: OpenPage
) -> None:
    url = by_name(open_server)
    ann, ben = open_page(**NARROW), open_page(viewport=DESK)
    make_profile(ann, url, "Ann")
    make_profile(ben, url, "Rudi")
    table = sit_together(url, ann, ben)
    for page, name in ((ben, "people-desk"), (ann, "people-phone")):
        page.goto(table)
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="People at this table").click()
        page.get_by_text("Tell the host").click()
        expect(page.get_by_role("button", name="Cheats")).to_be_visible()
        take_picture(page, name)
    dialog = ann.get_by_role("dialog")
    assert violations_in_both_schemes(ann, "dialog") == []
    assert too_wide(ann) == []
    for name, said in (("Mute", "not see their reactions"), ("Block", "not be brought together")):
        dialog.get_by_role("button", name=name).click()
        expect(dialog.get_by_role("status")).to_contain_text(said)
        expect(dialog.get_by_role("button", name=name)).to_be_disabled()
    dialog.get_by_role("button", name="Cheats").click()
    expect(dialog.get_by_role("status")).to_have_text("The host has been told.")
    ann.goto(f"{url}/me")
    marked = ann.locator("section", has=ann.get_by_role("heading", name="Muted and blocked"))
    expect(marked.locator("li")).to_have_count(2)
    marked.locator("li", has_text="muted").get_by_role("button", name="Take back").click()
    expect(marked.locator("li")).to_have_count(1)
    ben.goto(f"{url}/me")
    expect(ben.get_by_role("heading", name="Muted and blocked")).to_have_count(0)
    see_the_report(url, new_host_key(open_server), open_page)


NOTE_WHAT_IS_SAID = """() => {
  window.said = [];
  const noted = new WeakSet();
  new MutationObserver(() => {
    for (const one of document.querySelectorAll(".bubble")) {
      if (!noted.has(one)) window.said.push(one.textContent.trim());
      noted.add(one);
    }
  }).observe(document.body, { childList: true, subtree: true });
}"""
"""A reaction is shown for seconds, and a busy machine may look too late."""


def react(page: Page, said: str, *others: Page) -> None:
    """Say something, and wait until these and the page itself show it."""
    page.get_by_role("button", name="Say something").click()
    page.get_by_role("dialog").get_by_role("button", name=said).click()
    for one in (page, *others):
        one.wait_for_function("said => window.said.includes(said)", arg=said)


def test_reactions_of_somebody_who_is_muted_are_not_shown(
    open_server: SeededServer, open_page: OpenPage
) -> None:
    url = by_name(open_server)
    ann, ben = open_page(**NARROW), open_page(viewport=DESK)
    make_profile(ann, url, "Ann")
    make_profile(ben, url, "Rudi")
    table = sit_together(url, ann, ben)
    for page in (ann, ben):
        page.goto(table)
        page.locator(".rack .tile").first.wait_for()
        page.evaluate(NOTE_WHAT_IS_SAID)
    react(ben, "Hello!", ann)
    ann.get_by_role("button", name="Menu").click()
    ann.get_by_role("button", name="People at this table").click()
    ann.get_by_role("button", name="Mute").click()
    expect(ann.get_by_role("button", name="Mute")).to_be_disabled()
    ann.keyboard.press("Escape")
    expect(ann.get_by_role("dialog")).to_have_count(0)
    # What Ann says herself comes after it, so that it would have been shown by then.
    react(ben, "Wow")
    react(ann, "Thanks", ben)
    assert ann.evaluate("() => window.said") == ["Hello!", "Thanks"]
    # She need not do it again when she comes back.
    with ann.expect_response("**/api/tables/*/people"):
        ann.reload()
    ann.locator(".rack .tile").first.wait_for()
    ann.evaluate(NOTE_WHAT_IS_SAID)
    react(ben, "Oops")
    react(ann, "Well played", ben)
    assert ann.evaluate("() => window.said") == ["Well played"]


def see_the_report(url: str, key: str, open_page: OpenPage) -> None:
    """Look at a report about Rudi as the host, and mark it as done."""
    for options, name in (({"viewport": DESK}, "host-desk"), (NARROW, "host-narrow")):
        host = open_page(**options)
        host.goto(f"{url}/host#key={key}")
        report = host.locator("article", has_text="Cheats")
        expect(report).to_contain_text("Rudi")
        take_picture(host, name)
        assert violations_in_both_schemes(host) == []
        assert [*small_targets(host), *too_wide(host), *cut_texts(host)] == []
    report.get_by_role("button", name="Do not let in").click()
    banned = host.locator("section", has=host.get_by_role("heading", name="Not let in"))
    expect(banned.locator("article")).to_contain_text("Rudi")
    banned.get_by_role("button", name="Let in again").click()
    expect(banned.locator("article")).to_have_count(0)
    report.get_by_role("button", name="Done").click()
    expect(report.get_by_role("button")).to_have_count(0)


def test_games_of_a_device_are_copied_when_asked_and_can_be_deleted(
    open_server: SeededServer, open_page: OpenPage
) -> None:
    url, page = by_name(open_server), open_page(**NARROW)
    player = Player(page, "touch")
    player.start(url, where="here", level="beginner", pace="at_once")
    player.turn()
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="Give up").tap()
    page.get_by_role("dialog").get_by_role("button", name="Give up").tap()
    page.get_by_role("button", name="Rematch").wait_for()
    PadWriter(page).begin(url, ["Zoë", "Ben"])
    make_profile(page, url, "Zoë")
    games = page.locator("section", has=page.get_by_role("heading", name="My games on all devices"))
    expect(games.locator("li")).to_have_count(0)
    games.get_by_role("button", name="Add the games of this device").click()
    expect(games.get_by_role("status")).to_have_text("2 copies are on the server.")
    expect(games.locator("li", has_text="Game of a device")).to_have_count(1)
    take_picture(page, "me-games-phone")
    with page.expect_download() as download:
        games.get_by_role("button", name="Score pad").click()
    assert "Zoë" in download.value.path().read_text("utf-8")
    for left in (1, 0):
        games.get_by_role("button", name="Remove").first.click()
        expect(games.locator("li")).to_have_count(left)
    page.reload()
    expect(page.get_by_role("heading", name="My data")).to_be_visible()
    expect(games.locator("li")).to_have_count(0)


# --- In every language ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class House:
    """A server where a few people have played, somebody was reported, and somebody is kept out."""

    url: str
    secret: str
    """Of a device with a profile that has all there is to see."""
    key: str
    """Of the host."""


@pytest.fixture(scope="module")
def lively_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with something on every page."""
    folder = tmp_path_factory.mktemp("lively")
    limits = {"sign_ins_per_minute": 1000, "bots_after_seconds": 0}
    with SeededServer(folder, open="true", **limits) as running:
        secrets = [f"the-secret-of-device-{number}-is-long" for number in range(3)]
        people = [profile_by(running, one, f"Zoë{number}") for number, one in enumerate(secrets)]
        key = new_host_key(running)
        prepare(running, secrets, people, key)
        rate(running, people)
        yield House(by_name(running), secrets[0], key)


def ask(server: SeededServer, method: str, path: str, body: object, **headers: str) -> Any:
    """Send a request as a device or as the host."""
    answer = httpx.request(method, server.url + path, json=body, headers=headers)
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def profile_by(server: SeededServer, secret: str, name: str) -> str:
    own = {"authorization": f"Bearer {secret}"}
    profile = ask(server, "PUT", "/api/me", {"name": name}, **own)["profile"]
    return str(profile["id"])


def prepare(server: SeededServer, secrets: list[str], people: list[str], key: str) -> None:
    """A table, somebody muted, a report, a phrase, an upload, and a ban."""
    ann, ben, _ = ({"authorization": f"Bearer {secret}"} for secret in secrets)
    seats = [{"kind": "here", "name": "Zoë0"}, {"kind": "link"}]
    table = ask(server, "POST", "/api/tables", {"seats": seats}, **ann)["id"]
    ask(server, "POST", f"/api/tables/{table}/seats", {"name": "Zoë1"}, **ben)
    ask(server, "POST", f"/api/tables/{table}/start", None, **ann)
    for kind in ("mute", "block"):
        ask(server, "PUT", f"/api/tables/{table}/people/1/{kind}", None, **ann)
    report = {"seat": 1, "reason": "stalling"}
    ask(server, "POST", f"/api/tables/{table}/reports", report, **ann)
    ask(server, "POST", "/api/me/phrase", None, **ann)
    ban = {"kind": "person", "hours": 168, "person": people[2]}
    ask(server, "POST", "/api/host/bans", ban, **{"x-host-key": key})


def rate(server: SeededServer, people: list[str]) -> None:
    """Let everybody have played twelve matches, with a course that goes up and down."""
    with contextlib.closing(sqlite3.connect(server.database)) as database, database:
        for place, person in enumerate(people):
            values = ("classic", person, 25 + 3 * place, 3.0, 12)
            database.execute("INSERT INTO ratings VALUES (?, ?, ?, ?, ?)", values)
            for number in range(12):
                mu = 25 + 3 * place + (-1) ** number
                step = (person, 100 * place + number, "classic", f"t{number}", number, mu, 3.0, 25)
                database.execute("INSERT INTO rating_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", step)


def show_me(page: Page, house: House) -> None:
    page.goto(f"{house.url}/me")
    page.locator("ul li bdi").first.wait_for()
    page.locator("svg[role=img]").first.wait_for()


def show_host(page: Page, house: House) -> None:
    page.goto(f"{house.url}/host#key={house.key}")
    page.locator("article").first.wait_for()


def show_now(page: Page, house: House) -> None:
    page.goto(f"{house.url}/now")
    page.locator("form bdi").wait_for()


def show_waiting(page: Page, house: House) -> None:
    show_now(page, house)
    page.locator("form button.main").click()
    page.locator("#about-bots").wait_for()


def show_ratings(page: Page, house: House) -> None:
    page.goto(f"{house.url}/ratings")
    page.locator("tbody tr").first.wait_for()
    page.locator("svg[role=img]").first.wait_for()


def show_new_profile(page: Page, house: House) -> None:
    page.context.clear_cookies()
    page.goto(f"{house.url}/me")
    page.locator("#me-name").wait_for()


def show_new_now(page: Page, house: House) -> None:
    page.context.clear_cookies()
    page.goto(f"{house.url}/now")
    page.locator("#name").wait_for()


def show_locked_host(page: Page, house: House) -> None:
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto(f"{house.url}/host")
    page.locator("#host-key").wait_for()


STRANGERS: dict[str, Callable[[Page, House], None]] = {
    "me": show_me,
    "host": show_host,
    "now": show_now,
    "waiting": show_waiting,
    "ratings": show_ratings,
    "new profile": show_new_profile,
    "now without a profile": show_new_now,
    "locked host": show_locked_host,
}


@pytest.mark.parametrize("language", SHOWN)
def test_the_pages_are_clean_in_every_language(
    lively_house: House, open_page: OpenPage, language: str
) -> None:
    page = open_page(**PHONE, locale=language)
    cookie: Any = {"name": COOKIE, "value": lively_house.secret, "url": lively_house.url}
    page.context.add_cookies([cookie])
    complaints = []
    for name, show in STRANGERS.items():
        show(page, lively_house)
        take_picture(page, f"{name.replace(' ', '-')}-{language}")
        found = [
            *violations_in_both_schemes(page),
            *too_wide(page),
            *small_targets(page),
            *language_faults(page, language),
        ]
        complaints += [f"{name}: {one}" for one in found]
    assert not complaints, "\n".join(complaints)
