"""Tables that show less: places without points, or nothing at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.deals import can_place_or_draw, find_deal, placements
from tests.browser.player import Player, new_table, wait_for_turn

if TYPE_CHECKING:
    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer
    from triomino.game import Game

COORDINATES = re.compile(r"[UD]\(-?[0-9]+,")

DESK = {"width": 1280, "height": 800}
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "greedy", "name": "Greta"}]


def test_places_without_points(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    server.deal_next(find_deal(can_place_or_draw).seed)
    new_table(page, server.url, seats=SEATS, help="places")
    me = Player(page)
    wait_for_turn(page)
    assert me.tiles_on_board == 1
    page.locator(".tile.can").first.click()
    assert page.locator("[data-ghost]").count() > 0
    expect(page.locator(".label")).to_have_count(0)
    # Who listens hears the neighbours of a place, not its coordinates; so does the list of all.
    first = page.locator(".places button").first
    expect(first).to_have_accessible_name(re.compile("beside .*, side .*[0-5]-[0-5]"))
    assert not COORDINATES.search(page.locator("body").aria_snapshot())
    page.keyboard.press("l")
    everything = page.get_by_role("dialog")
    expect(everything.get_by_role("button", name=re.compile("beside")).first).to_be_visible()
    assert not COORDINATES.search(everything.aria_snapshot())
    page.keyboard.press("Escape")
    expect(page.locator(".tile.chosen")).to_have_count(1)
    page.locator(".tile.chosen").click()
    expect(page.locator("[data-ghost]")).to_have_count(0)
    # Escape lets go of a tile too, wherever the focus is.
    page.locator(".tile.can").first.click()
    expect(page.locator("[data-ghost]")).not_to_have_count(0)
    page.get_by_role("button", name="Menu").focus()
    page.keyboard.press("Escape")
    expect(page.locator("[data-ghost]")).to_have_count(0)
    me.turn()


def misfits(game: Game) -> set[str]:
    """Return the tiles of seat 0 that fit nowhere."""
    return {*map(str, game.racks[0])} - {str(place.tile) for place in placements(game)}


def test_where_nothing_is_shown_a_wrong_place_is_refused_and_the_tile_comes_back(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    deal = find_deal(lambda game: can_place_or_draw(game) and bool(misfits(game)))
    server.deal_next(deal.seed)
    new_table(page, server.url, seats=SEATS, help="none")
    wait_for_turn(page)
    tiles, laid = page.locator(".rack .tile"), page.locator("[data-place]")
    held = tiles.count()
    expect(laid).to_have_count(1)
    # No tile is marked; every place beside the board may be tried.
    expect(page.locator(".tile.can, .tile.idle")).to_have_count(0)
    page.locator(f'.rack [data-tile="{min(misfits(deal.game))}"]').click()
    places = page.locator(".places button")
    expect(places).to_have_count(3)
    places.last.press("Enter")
    expect(page.locator(".refused")).to_have_text(re.compile("does not fit"))
    expect(laid).to_have_count(1)
    expect(tiles).to_have_count(held)


def test_a_child_sees_more_and_another_less_than_the_rest(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    seed = find_deal(can_place_or_draw).seed
    for child, others in (("points", "none"), ("none", "points")):
        server.deal_next(seed)
        seats = [SEATS[0] | {"help": child}, SEATS[1]]
        new_table(page, server.url, seats=seats, help=others)
        wait_for_turn(page)
        marked, places = page.locator(".tile.can"), page.locator(".places button")
        if child == "points":
            marked.first.click()
            expect(places.first).to_have_accessible_name(re.compile(r"\+\d"))
        else:
            expect(marked).to_have_count(0)
            page.locator(".rack .tile").first.click()
            expect(places).to_have_count(3)
            expect(places.first).to_have_accessible_name(re.compile("^Place, beside"))
            expect(page.locator("[data-said]")).to_have_text(re.compile(r"points\. Your turn\.$"))
