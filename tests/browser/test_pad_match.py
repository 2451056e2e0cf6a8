"""A whole match on the score pad, on a phone that lies on the table."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pad_writer import NAMES, PHONE, PadWriter
from tests.browser.player import TIMEOUT
from tests.effort import long_only, some
from tests.padplay import Expected, written
from triomino import pad
from triomino.bots import simulate_match
from triomino.pad import pad_from_csv, read_pad
from triomino.rules import CLASSIC
from triomino.scoring import Left, Reason
from triomino.tile import Tile

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.server.process import ServerProcess


def match_to(target: int, seed: int) -> list[Expected]:
    """Return a match as it is written down."""
    rules = replace(CLASSIC, target=target)
    played = simulate_match(rules, ["greedy", "greedy"], seed=seed, number=0)
    assert max(played.scores) > target
    return list(written(played))


@pytest.fixture(scope="module")
def match() -> list[Expected]:
    """A match to 400 with two kinds of bonus, a pass and a round that ends blocked."""
    return match_to(400, seed=5)


@pytest.fixture(scope="module")
def short_match() -> list[Expected]:
    """A match to 200 of two rounds."""
    return match_to(200, seed=45)


def wrong(turn: pad.Turn) -> pad.Turn:
    """The same turn with another tile."""
    return replace(turn, laid=Tile(0, 0, 0))


@long_only
def test_a_match_to_400_with_corrections(
    server: ServerProcess, open_page: OpenPage, match: list[Expected]
) -> None:
    page = open_page(**PHONE, accept_downloads=True)
    writer = PadWriter(page)
    writer.begin(server.url, NAMES)
    spoilt: dict[int, pad.Turn] = {}
    for number, line in enumerate(match, 1):
        entry = line.entry
        plain = isinstance(entry, pad.Turn) and entry.laid is not None and entry.bonus is None
        if isinstance(entry, pad.Turn) and plain and number in (4, 21, 40):
            # Mistyped, found later, and all that follows is put right.
            spoilt[number] = entry
            writer.write(wrong(entry), NAMES)
            continue
        seen = writer.write(entry, NAMES)
        assert spoilt or seen == list(line.totals)
        for at, turn in list(spoilt.items()):
            if number >= at + 2:
                assert isinstance(turn.laid, Tile)
                writer.correct(at, "".join(map(str, turn.laid.numbers)))
                del spoilt[at]
                writer.see_totals(line.totals)
        if number == 10:
            page.get_by_role("button", name="Undo").tap()
            writer.see_totals(match[number - 2].totals)
            page.get_by_role("button", name="Redo").tap()
            writer.see_totals(line.totals)
    final = match[-1].totals
    writer.see_totals(final)
    winner = NAMES[final.index(max(final))]
    expect(page.locator(".closing h2")).to_have_text(f"{winner} won")
    expect(page.locator(".closing svg[role=img]")).to_be_visible()
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than the phone"
    check_files(page, final)
    # The evening is in the history, with what people did.
    page.get_by_role("link", name="All sheets").tap()
    expect(page.get_by_text(f"{winner} won")).to_be_visible()
    row = page.get_by_role("row").filter(has_text=winner)
    expect(row.get_by_role("cell").first).to_have_text("1")


def check_files(page: Page, totals: tuple[int, ...]) -> None:
    """What is saved can be read by others."""
    page.get_by_role("button", name="More").tap()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as CSV").tap()
    text = saved.value.path().read_text("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert rows[0][-2:] == ["Zoë", "'=1+1, Ltd"]
    assert rows[-1][-2:] == list(map(str, totals))
    assert pad_from_csv(text).ledger.totals == totals
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as JSON").tap()
    whole = read_pad(saved.value.path().read_bytes())
    assert whole.ledger.totals == totals
    assert any(isinstance(act, pad.Correct) for act in whole.log)
    page.keyboard.press("Escape")


def test_a_turn_takes_few_taps(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    writer = PadWriter(page)
    writer.begin(server.url, NAMES)
    writer.starter(NAMES[0])
    plain = pad.Turn(0, Tile(1, 3, 4))
    for group, label in writer.keys(plain):
        writer.tap(writer.key(group, label))
    writer.tap(page.locator(".enter"))
    writer.see_totals([8, 0])
    assert writer.taps <= 4
    for tile in ("0-0-1", "0-1-1", "1-1-1", "1-1-2", "1-2-2"):
        writer.write(pad.Turn(writer.lines % 2 ^ 1, Tile.parse(tile)), NAMES)
    writer.taps = 0
    for group, label in writer.keys(pad.Turn(0, Tile(2, 2, 3), Reason.HEXAGON)):
        writer.tap(writer.key(group, label))
    writer.tap(page.locator(".enter"))
    assert writer.taps <= 5
    writer.see_totals([8 + 2 + 4 + 57, 1 + 3 + 5])
    # By its sum a tile takes two.
    page.get_by_role("button", name="by sum").tap()
    writer.taps = 0
    writer.tap(writer.key(".sums", "12"))
    writer.tap(page.locator(".enter"))
    writer.see_totals([71, 9 + 12])
    assert writer.taps == 2
    # What cannot be is warned of, and written with a second tap.
    page.get_by_role("button", name="by tile").tap()
    for digit in "134":
        writer.key(".digits", digit).tap()
    page.locator(".enter").tap()
    expect(page.get_by_role("alert")).to_have_text("This tile was laid before in this round.")
    writer.see_totals([71, 21])
    page.locator(".enter").tap()
    writer.see_totals([79, 21])


def test_a_last_tile_is_not_written_past_its_warning(
    server: ServerProcess, open_page: OpenPage
) -> None:
    page = open_page(**PHONE)
    writer = PadWriter(page)
    writer.begin(server.url, NAMES)
    for person, tile in enumerate(("1-3-4", "3-4-4")):
        writer.write(pad.Turn(person, Tile.parse(tile)), NAMES)
    lines = writer.lines
    for digit in "134":
        writer.key(".digits", digit).tap()
    page.locator(".enter").tap()
    warning = page.get_by_role("alert")
    expect(warning).to_have_text("This tile was laid before in this round.")
    last = page.locator(".acts").get_by_role("button", name="Last tile")
    for _ in range(2):
        last.tap()
        expect(warning).to_be_visible()
        assert writer.lines == lines
        expect(page.locator("dialog")).to_have_count(0)
    # Once it is answered, the racks are asked for.
    page.get_by_role("button", name="Enter it anyway").tap()
    expect(page.locator("dialog h2")).to_have_text(f"{NAMES[0]} is out")
    assert writer.lines == lines + 1


def test_a_match_that_ended_says_so(server: ServerProcess, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    writer = PadWriter(page)
    writer.begin(server.url, NAMES)
    expect(page.locator("tfoot")).to_contain_text("more than 400")
    expect(page.locator(".strip li").first).to_contain_text("401 to go")
    writer.write(pad.Turn(0, Tile.parse("5-5-5")), NAMES)
    expect(page.locator(".strip li").first).to_contain_text("leads")
    writer.write(pad.Out(0, (Left(0), Left(7))), NAMES)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="End the match here").tap()
    expect(page.locator(".closing h2")).to_contain_text("Ended early")
    for text in ("leads", "to go"):
        expect(page.locator(".strip")).not_to_contain_text(text)
    expect(page.locator(".sheet")).not_to_contain_text("Round 2")
    page.get_by_role("button", name="Undo").tap()
    # Somebody has more than the target: the match is won.
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Extra points").tap()
    page.locator("dialog input[type=number]").fill("400")
    page.locator("dialog .main").tap()
    expect(page.locator(".closing h2")).to_have_text(f"{NAMES[0]} won")
    expect(page.locator(".strip li").first).to_contain_text("won")
    expect(page.locator(".strip")).not_to_contain_text("to go")


@pytest.mark.parametrize("host", some(["127.0.0.1", "table.test"], "table.test"))
def test_without_a_network_nothing_is_lost(
    server: ServerProcess, open_page: OpenPage, short_match: list[Expected], host: str
) -> None:
    """From the second turn on there is no network, and the tab is closed in between."""
    url = server.url.replace("127.0.0.1", host)
    page = open_page(**PHONE, service_workers="allow")
    context = page.context
    writer = PadWriter(page)
    match = short_match
    writer.begin(url, NAMES, "200 points")
    secure = page.evaluate("() => isSecureContext")
    assert secure == (host == "127.0.0.1")
    writer.write(match[0].entry, NAMES)
    if secure:
        page.wait_for_function("() => navigator.serviceWorker.controller", timeout=TIMEOUT)
    context.set_offline(True)
    middle = len(match) // 2
    for line in match[1:middle]:
        assert writer.write(line.entry, NAMES) == list(line.totals)
    # Half a turn is typed when the tab goes.
    following = match[middle].entry
    assert isinstance(following, pad.Turn)
    half = writer.keys(following)[:2]
    for group, label in half:
        writer.key(group, label).tap()
    writer.settle()
    where = page.url
    page.close()
    if not secure:
        context.set_offline(False)  # over plain http a browser keeps no pages
    page = context.new_page()
    page.goto(where)
    context.set_offline(True)
    writer = PadWriter(page)
    writer.see_totals(match[middle - 1].totals)
    for group, label in writer.keys(following)[2:]:
        writer.key(group, label).tap()
    writer.enter(following)
    writer.see_totals(match[middle].totals)
    for line in match[middle + 1 :]:
        assert writer.write(line.entry, NAMES) == list(line.totals)
    expect(page.locator(".closing h2")).to_contain_text("won")
    writer.settle()
    assert len(writer.log()) == len(match) + 1
    context.set_offline(False)
