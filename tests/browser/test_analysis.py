"""Analysed replays: asked for once, walked through, shared by link; and where nothing can think."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.deals import MANY_MISTAKES, can_place_or_draw, find_deal
from tests.browser.pages import (
    choose_in_menu,
    give_up,
    make_table,
    open_file,
    short_record,
    show_analysed,
    show_open,
)
from tests.browser.player import TIMEOUT, Player, see_text, wait_for_turn
from tests.browser.seeded_server import SeededServer
from triomino.client import RemotePlayer, play_bot
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Page, Route

    from tests.browser.conftest import OpenPage
    from triomino.protocol.messages import Choice

DESK = {"width": 1280, "height": 800}
WHY = re.compile(r"The tile scores|It makes a bridge|It closes|It is the last tile|Drawing costs")
RULES = {"edition": "classic", "racks": {"2": 5}}


def bad_match(url: str) -> str:
    """Play a match for the fewest points; the id of its table."""

    def worst(choices: Sequence[Choice], _: object) -> str:
        return min(choices, key=lambda one: ("=" not in one.move, one.points or 0)).move

    async def play() -> str:
        async with RemotePlayer(url, takes_part=False) as me:
            seats = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "greedy"}]
            table = await me.create(seats, rules=RULES)
            await me.start(table)
            await me.enter(table)
            await play_bot(me, worst)
            return table

    # In a thread of its own: in this one a loop is running while the browser is there.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, play()).result()


def wait_for_analysis(page: Page, url: str, table: str) -> dict[str, Any]:
    """What the server found, as soon as it has."""
    while True:
        state = page.request.get(f"{url}/api/tables/{table}/analysis").json()
        assert state["state"] in ("waiting", "running", "done")
        if state["state"] == "done":
            found: dict[str, Any] = state["result"]
            return found
        page.wait_for_timeout(100)


def marks_of(found: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """The moves with a mark, each with its moment in the replay."""
    start, marks = 0, []
    for one in found["rounds"]:
        marks += [(start + move["turn"] + 1, move) for move in one["moves"] if move.get("mark")]
        start += len(one["chances"])
    return marks


def practise(page: Page, url: str, table: str, marks: list[dict[str, Any]]) -> None:
    """See the mistakes of a device come back as puzzles, and solve the first."""

    def mine(route: Route) -> None:
        found = route.fetch()
        route.fulfill(response=found, json=found.json() | {"you": [0]})

    page.route(f"{url}/api/tables/{table}", mine)
    page.goto(f"{url}/t/{table}/replay")
    page.locator(".analysed").wait_for()
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_role("link", name="Practise my mistakes").click()
    page.locator(".riddle").wait_for()
    kept = page.evaluate("() => JSON.parse(localStorage['triomino-mistakes']).open")
    own = [move for move in marks if move["seat"] == 0 and move["lost"] >= 0.08]
    assert [one["best"] for one in kept] == [move["best"] for move in own]
    expect(page.locator(".coach")).to_contain_text(f"Still to solve: {len(own)}")
    best = kept[0]["best"]
    if "=" in best:
        page.locator(f'[data-tile="{Tile.parse(best.split("=")[1])}"]').click()
        ghost = page.locator(f'[data-ghost="{best}"]').bounding_box()
        assert ghost is not None
        page.mouse.click(ghost["x"] + ghost["width"] / 2, ghost["y"] + ghost["height"] / 2)
    else:
        page.locator(".actions button").first.click()
        page.locator(".actions button").last.click()
    expect(page.locator(".riddle")).to_have_attribute("data-phase", "solved")
    expect(page.locator("[data-left]")).to_have_attribute("data-left", str(len(own) - 1))
    kept = page.evaluate("() => JSON.parse(localStorage['triomino-mistakes'])")
    assert (len(kept["open"]), len(kept["solved"])) == (len(own) - 1, 1)


def test_a_match_is_analysed_and_shared(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    server.deal_next(MANY_MISTAKES)
    table = bad_match(server.url)
    page.goto(f"{server.url}/t/{table}/replay")
    page.get_by_role("button", name="Analyse").click()
    page.locator(".analysed").wait_for(timeout=4 * TIMEOUT)
    marks = marks_of(wait_for_analysis(page, server.url, table))
    assert len(marks) > 1
    assert any("=" in move["best"] for _, move in marks)
    view, verdict = page.locator("[data-step]"), page.locator(".verdict")
    expect(page.locator("[data-mark]")).to_have_count(len(marks))
    # Every mistake in turn, by the button and back by a key; each has its sign and its sentence.
    page.keyboard.press("Home")
    expect(verdict).to_have_text(re.compile(r"Ann \d+%.* \d+%", re.DOTALL))
    ringed = 0
    for step, move in marks:
        page.get_by_role("button", name="Next mistake").click()
        expect(view).to_have_attribute("data-step", str(step))
        expect(verdict.locator(".sign")).to_have_class(re.compile(move["mark"]))
        percents = f"{int(100 * move['best_win'] + 0.5)}% chance to win the round instead of"
        expect(verdict).to_contain_text(re.compile(f"{move['mark']}. Better: ", re.IGNORECASE))
        expect(verdict).to_contain_text(percents)
        # It says why in sentences, and the better tile is ringed in the rack that had it.
        expect(verdict).to_contain_text(WHY)
        ghost = page.locator("[data-ghost]")
        expect(ghost).to_have_count(int("=" in move["best"]))
        if "=" in move["best"]:
            expect(ghost).to_have_attribute("data-ghost", move["best"])
            tile = str(Tile.parse(move["best"].split("=")[1]))
            held = page.locator(f"[data-rack='{move['seat']}'] [data-tile='{tile}']")
            expect(page.locator("[data-rack] .ring")).to_have_count(held.count())
            expect(held.locator(".ring")).to_have_count(held.count())
            ringed += held.count()
    assert ringed
    expect(page.get_by_role("button", name="Next mistake")).to_be_disabled()
    page.keyboard.press("PageUp")
    expect(view).to_have_attribute("data-step", str(marks[-2][0]))
    # The line is drawn along: a press at its start goes there.
    box = page.locator(".line").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    expect(view).to_have_attribute("data-step", "0")
    page.get_by_role("slider").press("ArrowRight")
    expect(view).to_have_attribute("data-step", "1")
    # Marks stand in the score sheet too.
    page.keyboard.press("Tab")
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(page.locator(".sheet .sign")).to_have_count(len(marks))
    # Luck and skill apart, for both.
    expect(page.locator(".summary tbody tr")).to_have_count(2)

    # Somebody else opens the link at a mistake, and sees what is better without asking.
    shown = next((step, move) for step, move in marks if "=" in move["best"])
    while view.get_attribute("data-step") != str(shown[0]):
        page.get_by_role("button", name="Previous mistake").click()
    choose_in_menu(page, "Share")
    see_text(page, "with its analysis")
    link = page.locator("dialog input")
    expect(link).to_have_value(re.compile("/replay#at="))
    address = link.input_value()
    other = open_page(viewport={"width": 390, "height": 800})
    other.set_default_timeout(TIMEOUT)
    other.goto(re.sub(r"^https?://[^/]+", server.url, address))
    expect(other.locator("[data-step]")).to_have_attribute("data-step", str(shown[0]))
    expect(other.locator("[data-ghost]")).to_have_attribute("data-ghost", shown[1]["best"])
    expect(other.get_by_role("button", name="Analyse")).to_have_count(0)
    practise(page, server.url, table, [move for _, move in marks])


def test_a_record_from_a_file_is_analysed(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    show_open(page, server.url)
    open_file(page, json.dumps(short_record()))
    page.get_by_role("button", name="Analyse").click()
    # What is sent away is said before.
    see_text(page, "the match record is sent to the server")
    page.locator("dialog").get_by_role("button", name="Analyse").click()
    page.locator(".analysed").wait_for(timeout=4 * TIMEOUT)
    # The graph as a table says the same as the line: a row for every turn.
    choose_in_menu(page, "The graph as a table")
    turns = len(short_record()["rounds"][0]["turns"])
    expect(page.locator("dialog tbody tr")).to_have_count(turns)
    first = page.locator("dialog tbody tr", has=page.locator(".sign")).first
    number = first.locator("td").first.inner_text()
    first.get_by_role("button").click()
    expect(page.locator("[data-step]")).to_have_attribute("data-step", number)
    expect(page.locator(".verdict .sign")).to_be_visible()


def test_while_it_plays_by_itself_only_the_chances_are_shown(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    show_analysed(page, server.url)
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".verdict .sign")).to_have_count(0)
    expect(page.locator("[data-ghost]")).to_have_count(0)


def test_a_record_that_is_none_says_why(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    bent = json.loads(json.dumps(short_record()))
    bent["rounds"][0]["turns"][0]["points"] += 1
    show_open(page, server.url)
    open_file(page, json.dumps(bent))
    page.get_by_role("button", name="Analyse").click()
    page.locator("dialog").get_by_role("button", name="Analyse").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^No analysis: .*points"))
    expect(page.get_by_role("button", name="Analyse")).to_be_visible()


def test_every_level_has_its_flower_and_luck_its_line(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    page.goto(f"{server.url}/new")
    for number, name in enumerate(("Beginner", "Easy", "Medium", "Hard", "Expert", "Champion"), 1):
        page.get_by_label("Seat 2", exact=True).select_option(f"{name} (bot)")
        expect(page.locator(".chair [data-petals] .on")).to_have_count(number)
    expect(
        page.get_by_text(re.compile(r"even Champion loses about \d of 10 rounds"))
    ).to_be_visible()
    page.get_by_label("Seat 2", exact=True).select_option("Someone by link")
    expect(page.get_by_text("There is luck in this game")).to_have_count(0)


def test_without_a_kernel_the_page_says_what_cannot_be(tmp_path: Path, open_page: OpenPage) -> None:
    with SeededServer(tmp_path, kernel=False) as server:
        page = open_page(viewport=DESK, expects_refusals=True)
        page.goto(f"{server.url}/new")
        see_text(page, "this server was built without the game engine")
        seat = page.get_by_label("Seat 2", exact=True)
        expect(seat.locator("option:disabled")).to_have_text(
            [f"{name} (not available)" for name in ("Champion", "Expert", "Hard", "Medium")]
        )
        expect(seat.locator("option:enabled", has_text="(bot)")).to_have_count(2)
        # A hint and an analysis say it too, and playing goes on.
        server.deal_next(find_deal(can_place_or_draw).seed)
        table = make_table(page, server.url)
        page.goto(f"{server.url}/t/{table}")
        me = Player(page)
        wait_for_turn(page)
        me.button("Hint").click()
        see_text(page, "built without the game engine")
        me.turn()
        give_up(page, table)
        page.goto(f"{server.url}/t/{table}/replay")
        page.get_by_role("button", name="Analyse").click()
        expect(page.get_by_role("alert")).to_have_text(re.compile("built without the game engine"))
