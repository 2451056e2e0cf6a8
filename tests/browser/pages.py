"""Every page, opened in a state worth looking at."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from triomino.bots import simulate_match
from triomino.record import record_of
from triomino.rules import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

PUZZLE_DAY = "2026-11-18T12:00:00Z"
"""The day whose puzzle is looked at."""


def call(page: Page, url: str, path: str, body: Any = None) -> Any:
    """Post to the server as the page's own device, and return the answer."""
    answer = page.request.post(f"{url}/api/{path}", data=json.dumps(body or {}), headers=JSON)
    assert answer.ok, answer.text()
    return answer.json()


JSON = {"content-type": "application/json"}


def make_table(
    page: Page, url: str, *others: dict[str, Any], start: bool = True, **options: Any
) -> str:
    """Set up a table with the page's device at its first seat; return its id."""
    call(page, url, "devices")
    seats = [{"kind": "link"}, *(others or ({"kind": "bot", "bot": "greedy", "name": "Greta"},))]
    table: str = call(page, url, "tables", {"seats": seats, **options})["id"]
    call(page, url, f"tables/{table}/seats", {"name": "Ann", "seat": 0})
    if start:
        call(page, url, f"tables/{table}/start")
    return table


@cache
def record() -> dict[str, Any]:
    """Return a match of several rounds that no server has seen."""
    rules = CLASSIC.with_changes({"target": 400})
    return record_of(simulate_match(rules, ["greedy", "random"], seed=5, number=0))


def open_file(page: Page, text: str, name: str = "match.json") -> None:
    """Choose a file on the page that opens records."""
    page.get_by_label("Choose a file").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    )


def show_home(page: Page, url: str) -> None:
    """Open the first page."""
    page.goto(url)
    page.locator("button.play").wait_for()


def show_new(page: Page, url: str) -> None:
    """Open the form of a new table with its house rules."""
    page.goto(f"{url}/new")
    page.locator("details summary").last.click()
    page.locator("[data-rule]").first.wait_for()


def show_settings(page: Page, url: str) -> None:
    """Open the settings."""
    page.goto(f"{url}/settings")
    page.locator("input[autocomplete=nickname]").wait_for()


def show_open(page: Page, url: str) -> None:
    """Open the page that opens records."""
    page.goto(f"{url}/replay")
    page.locator("input[type=file]").wait_for(state="attached")


def show_games(page: Page, url: str) -> None:
    """Open the list of one's games: one that runs, two that are over, and a score pad."""
    page.goto(url)
    tables = [make_table(page, url) for _ in range(2)]
    tables.append(make_table(page, url, rules={"edition": "casual"}))
    for table in tables[1:]:
        give_up(page, table)
    page.evaluate(
        """tables => {
          const stored = JSON.parse(localStorage.getItem("triomino") ?? '{"version": 2}');
          localStorage.setItem("triomino", JSON.stringify({ ...stored, tables, name: "Ann" }));
        }""",
        tables,
    )
    page.goto(f"{url}/games")
    page.locator("a[href$='/replay#analysis']").first.wait_for()
    page.evaluate(STORE_PAD, stored_pad())
    page.reload()
    page.locator("[data-memory='3']").wait_for()


def stored_pad() -> dict[str, Any]:
    """Return a score pad of one round that Ann has won, as the page stores it."""
    left = [{"points": 0, "count": 0}, {"points": 7, "count": 1}]
    log = [
        {"do": "setup", "rules": CLASSIC.to_json(), "names": ["Ann", "Bo"]},
        {"do": "turn", "person": 0, "tile": "5-5-5"},
        {"do": "turn", "person": 1, "tile": "1-5-5", "draws": 2},
        {"do": "turn", "person": 0, "tile": "1-1-5", "bonus": "bridge"},
        {"do": "out", "person": 0, "left": left},
    ]
    times = {"created": PAD_TIME, "updated": PAD_TIME}
    pad = {"id": "apadofann", "version": 1, "log": log, "draft": None, "isOver": True}
    return {**pad, **times, "live": None}


PAD_TIME = 1_700_000_000_000
"""When the pad was written: years ago."""

STORE_PAD = """pad => new Promise((done, fail) => {
  const request = indexedDB.open('triomino-pads');
  request.onerror = () => fail(request.error);
  request.onsuccess = () => {
    const put = request.result.transaction('pads', 'readwrite').objectStore('pads').put(pad);
    put.onsuccess = () => { request.result.close(); done(); };
  };
})"""


def stock() -> str:
    """Return what is stored of a mistake of one's own."""
    made = record()
    first = made["rounds"][0]
    at = next(
        number
        for number, turn in enumerate(first["turns"])
        if number > 8 and turn["seat"] == 0 and "=" in turn["move"]
    )
    played = first["turns"][at]["move"]
    mistake = {
        "id": f"table/0/{at}",
        "seat": 0,
        "rules": made["rules"],
        "players": made["players"],
        "round": first | {"turns": first["turns"][:at]},
        "move": played,
        "best": played,
        "lost": 0.21,
        "why": [],
    }
    return json.dumps({"open": [mistake], "solved": []})


def show_practise(page: Page, url: str) -> None:
    """Open a mistake of one's own as a puzzle."""
    page.add_init_script(f"localStorage['triomino-mistakes'] ??= {json.dumps(stock())}")
    page.goto(f"{url}/practise")
    page.locator(".rack .tile").first.wait_for()


def give_up(page: Page, table: str) -> None:
    """End a match of the page's device."""
    page.evaluate(
        """table => new Promise((done) => {
          const socket = new WebSocket(location.origin.replace("http", "ws") + "/ws");
          const send = (message) => socket.send(JSON.stringify(message));
          socket.onopen = () => send({ type: "hello", table, protocol: 2 });
          socket.onmessage = ({ data }) => {
            const { type } = JSON.parse(data);
            if (type === "state") send({ type: "give_up", id: 1 });
            if (type === "ack") done();
          };
        })""",
        table,
    )


def show_replay(page: Page, url: str, match: dict[str, Any] | None = None) -> None:
    """Open a replay of a match of several rounds."""
    show_open(page, url)
    page.locator("input[type=file]").set_input_files(
        {"name": "m.json", "mimeType": "", "buffer": json.dumps(match or record()).encode()}
    )
    page.locator("[data-step]").wait_for()


def choose_in_menu(page: Page, name: str) -> None:
    """Choose something from the menu of a replay."""
    page.get_by_role("button", name="Menu").click()
    page.locator("dialog").get_by_role("button", name=name).click()


@cache
def short_record() -> dict[str, Any]:
    """Return a match of one round among three."""
    return record_of(simulate_match(CLASSIC, ["greedy", "beginner", "beginner"], seed=5, number=0))


def show_analysed(page: Page, url: str, match: dict[str, Any] | None = None) -> None:
    """Open a replay with its analysis, at the last mistake."""
    show_open(page, url)
    page.locator("input[type=file]").set_input_files(
        {"name": "m.json", "mimeType": "", "buffer": json.dumps(match or short_record()).encode()}
    )
    page.locator("button.analyse").click()
    page.locator("dialog .main").click()
    page.locator(".analysed").wait_for(timeout=120_000)
    page.keyboard.press("End")
    page.keyboard.press("PageUp")
    page.locator(".verdict .sign").wait_for()


def show_waiting(page: Page, url: str) -> None:
    """Open a table that waits for somebody."""
    page.goto(f"{url}/t/{make_table(page, url, {'kind': 'link'}, start=False)}")
    page.locator(".seats li").first.wait_for()
    page.get_by_role("textbox").last.wait_for()


def show_table(page: Page, url: str) -> None:
    """Open a game that has begun."""
    page.goto(f"{url}/t/{make_table(page, url)}")
    page.locator(".rack .tile").first.wait_for()


def show_learn(page: Page, url: str) -> None:
    """Open the guided first game."""
    page.goto(f"{url}/learn")
    page.locator(".rack .tile").first.wait_for()


def show_puzzle(page: Page, url: str) -> None:
    """Open the puzzle of a certain day."""
    page.clock.set_fixed_time(PUZZLE_DAY)
    page.goto(f"{url}/puzzle")
    page.locator(".rack .tile").first.wait_for()


def show_lessons(page: Page, url: str) -> None:
    """Open the list of lessons, as whoever has played the first game sees it."""
    known = ["place", "match", "draw", "bridge", "hexagon", "out"]
    stored = f"localStorage.triomino = JSON.stringify({{ version: 2, lessons: {known} }})"
    page.add_init_script(f"sessionStorage.lessons ??= ({stored}, '1')")
    page.goto(f"{url}/learn")
    page.locator("[data-lesson]").first.wait_for()


def show_pads(page: Page, url: str) -> None:
    """Open the list of score sheets."""
    page.goto(f"{url}/pad")
    page.locator(".person input").first.wait_for()


def show_pad(page: Page, url: str) -> None:
    """Open a score sheet with a few lines, and a tile half typed."""
    show_pads(page, url)
    for number, name in enumerate(("Ann", "Greta"), 1):
        page.locator(f".person:nth-of-type({number}) input").fill(name)
    page.locator("form .main").click()
    page.locator(".closing button").first.click()
    keys = page.locator(".digits button")
    for turn in ([1, 3, 4], [5, 5, 5]):
        for number in turn:
            keys.nth(number).click()
        page.locator(".enter").click()
    keys.nth(2).click()


def show_live(page: Page, url: str) -> None:
    """Open a score sheet as others see it."""
    made = call(page, url, "pads")
    turns = [
        {"do": "turn", "person": 0, "tile": "5-5-5"},
        {"do": "turn", "person": 1, "tile": "1-5-5", "draws": 2},
        {"do": "turn", "person": 0, "tile": "1-1-5"},
    ]
    setup = {"do": "setup", "rules": CLASSIC.to_json(), "names": ["Ann", "Greta"]}
    acts = {"secret": made["secret"], "since": 0, "acts": [setup, *turns]}
    call(page, url, f"pads/{made['pad']}/acts", acts)
    page.goto(url + made["path"])
    page.locator(".strip .total").first.wait_for()


def show_referee(page: Page, url: str) -> None:
    """Open the referee with a tile on the board, and another asked about."""
    page.goto(f"{url}/referee")
    for number in (1, 3, 4):
        page.locator(".digits button").nth(number).click()
    page.locator(".row .main").click()
    for number in (1, 2, 3):
        page.locator(".digits button").nth(number).click()


def show_rules(page: Page, url: str) -> None:
    """Open the rulebook, with something to try."""
    page.goto(f"{url}/rules")
    page.locator("[data-chapter=lay] summary").click()
    page.locator("[data-try] svg[data-side]").wait_for()


def show_table_rules(page: Page, url: str) -> None:
    """Open the rulebook of a table with house rules."""
    call(page, url, "devices")
    rules = {"edition": "card", "bridge_bonus": 41, "racks": {"2": 8, "3": 7, "4": 7}}
    seats = [{"kind": "link"}, {"kind": "link"}]
    table = call(page, url, "tables", {"seats": seats, "rules": rules})["id"]
    page.goto(f"{url}/t/{table}/rules")
    page.locator("[data-line].changed").first.wait_for()


def show_tv(page: Page, url: str) -> None:
    """Open the big screen of a game."""
    page.goto(f"{url}/t/{make_table(page, url)}/tv")
    page.locator("[data-score]").first.wait_for()


def show_curtain(page: Page, url: str) -> None:
    """Open a game of two people at one device."""
    call(page, url, "devices")
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Greta"}]
    table = call(page, url, "tables", {"seats": seats})["id"]
    call(page, url, f"tables/{table}/start")
    page.goto(f"{url}/t/{table}")
    page.locator(".curtain").wait_for()


def show_menu(page: Page, url: str) -> None:
    """Open the menu of a game."""
    show_table(page, url)
    page.locator("header .icon").last.click()
    page.get_by_role("dialog").wait_for()


def show_ending(page: Page, url: str) -> None:
    """Open a game that was given up."""
    show_menu(page, url)
    page.locator("dialog .wide.bad").click()
    page.locator("dialog .main").click()
    page.locator(".ending").wait_for()


def show_new_evening(page: Page, url: str) -> None:
    """Open the form of a club evening."""
    page.goto(f"{url}/club")
    page.locator("#club-name").wait_for()


def make_evening(page: Page, url: str, *names: str, **options: Any) -> tuple[str, str]:
    """Open an evening, with the page's device as its first player; return its id and secret.

    People with a name only play with real tiles.
    """
    call(page, url, "devices")
    made = call(page, url, "clubs", {"name": "Ann", **options})
    club, secret = made["club"], made["secret"]
    call(page, url, f"clubs/{club}/acts", {"act": {"type": "join", "name": "Ann"}})
    for name in names:
        lead(page, url, club, secret, type="join", name=name, here=False)
    return club, secret


def lead(page: Page, url: str, club: str, secret: str, **act: Any) -> Any:
    """Do something as the host of an evening; return how it stands then."""
    return call(page, url, f"clubs/{club}/acts", {"act": act, "secret": secret})


def running_evening(page: Page, url: str) -> str:
    """An evening in its second round, at tables of two, with somebody who has left; its link."""
    club, secret = make_evening(page, url, "Bo", "Cy", "Di", "Ed", "Fi", rounds=3)
    first = lead(page, url, club, secret, type="next_round", number=1)["rounds"][0]
    for number in range(len(first["tables"])):
        totals = [212 - 9 * number, 187 + 13 * number]
        lead(page, url, club, secret, type="result", round=1, table=number, totals=totals)
    lead(page, url, club, secret, type="leave", player=5)
    second = lead(page, url, club, secret, type="next_round", number=2)["rounds"][1]
    done = next(at for at, table in enumerate(second["tables"]) if 0 not in table["players"])
    lead(page, url, club, secret, type="result", round=2, table=done, totals=[204, -3])
    return f"/club/{club}#host={secret}"


def show_evening(page: Page, url: str) -> None:
    """Open a club evening as its host, who plays as well."""
    page.goto(url + running_evening(page, url))
    page.locator("main .host").wait_for()
    page.locator("main .link img, main .unreachable").first.wait_for()


def show_evening_screen(page: Page, url: str) -> None:
    """Open the big screen of a club evening."""
    page.goto(url + running_evening(page, url).replace("#", "/tv#"))
    page.locator("main aside .link img, main aside .unreachable").first.wait_for()


PAGES: dict[str, Callable[[Page, str], None]] = {
    "home": show_home,
    "new table": show_new,
    "settings": show_settings,
    "games": show_games,
    "replay": show_replay,
    "analysed": show_analysed,
    "waiting": show_waiting,
    "table": show_table,
    "learn": show_learn,
    "lessons": show_lessons,
    "puzzle": show_puzzle,
    "practise": show_practise,
    "pads": show_pads,
    "pad": show_pad,
    "live sheet": show_live,
    "referee": show_referee,
    "rulebook": show_rules,
    "rules of a table": show_table_rules,
    "big screen": show_tv,
    "new evening": show_new_evening,
    "evening": show_evening,
    "evening's screen": show_evening_screen,
    "curtain": show_curtain,
    "menu": show_menu,
    "ending": show_ending,
}
