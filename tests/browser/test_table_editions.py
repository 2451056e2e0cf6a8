"""Every edition at the page, and the moves that only some of them have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.deals import bot_begins, find_deal, placements
from tests.browser.pages import show_referee
from tests.browser.player import Player, new_table, see_text, wait_for_turn
from triomino.moves import Draw, Keep
from triomino.rules import CARD, EDITIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.browser.conftest import OpenPage
    from tests.browser.seeded_server import SeededServer
    from triomino.game import Game

DESK = {"width": 1280, "height": 800}
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "bot", "bot": "random", "name": "Robin"}]
GREEDY = [SEATS[0], {"kind": "bot", "bot": "greedy", "name": "Greta"}]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_starts(server: SeededServer, open_page: OpenPage, edition: str) -> None:
    page = open_page(viewport=DESK)
    bots = [dict(SEATS[1], name=f"Robin {number}") for number in range(5)]
    seats = [SEATS[0], *bots] if edition == "six-player" else SEATS
    new_table(page, server.url, seats=seats, rules={"edition": edition})
    me = Player(page)
    for _ in range(2):
        me.turn()
    while not me.tiles_on_board:
        me.turn()
    scores = len(seats) if EDITIONS[edition].scoring else 0
    expect(page.locator("[data-score]")).to_have_count(scores)


def set_up(
    server: SeededServer, page: Page, edition: str, wanted: Callable[[Game], bool]
) -> Player:
    """Set up a table with a bot that opens, dealt as wanted; one is to move there."""
    deal = find_deal(lambda game: bot_begins(game) and wanted(game), EDITIONS[edition])
    server.deal_next(deal.seed)
    new_table(page, server.url, seats=GREEDY, rules={"edition": edition})
    wait_for_turn(page)
    return Player(page)


def draws_what_fits(game: Game) -> bool:
    """Whether nothing fits, but what is drawn does and may be kept."""
    if placements(game) or Draw() not in game.legal_moves():
        return False
    game.play(Draw())
    return Keep() in game.legal_moves()


def test_without_points_a_draw_ends_the_turn(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    me = set_up(server, page, "casual", lambda game: not placements(game))
    tiles = page.locator(".rack .tile").count()
    # There is no price, and it is the main thing to do.
    expect(page.locator(".actions .main")).to_have_text(re.compile("^Draw"))
    expect(page.locator(".actions .price")).to_have_count(0)
    me.button("Draw").click()
    expect(page.locator(".rack .tile")).to_have_count(tiles + 1)
    # One draw, and it is the other one's turn.
    see_text(page, "drew one")
    wait_for_turn(page)
    expect(me.button("End turn")).to_have_count(0)


def test_a_drawn_card_may_be_kept(server: SeededServer, open_page: OpenPage) -> None:
    page = open_page(viewport=DESK)
    me = set_up(server, page, "card", draws_what_fits)
    me.button("Draw").click()
    see_text(page, "The card you drew fits: place it or keep it.")
    tiles = page.locator(".rack .tile").count()
    # Placing is what the board offers; keeping is a button beside it.
    expect(page.locator(".tile.can")).to_have_count(1)
    card = page.locator(".tile.can").get_attribute("data-tile")
    version = page.locator(".table").get_attribute("data-version")
    me.button("Keep").click()
    expect(page.locator(".table")).not_to_have_attribute("data-version", version or "")
    expect(page.locator(".rack .tile")).to_have_count(tiles)
    expect(page.locator(f'.rack [data-tile="{card}"]')).to_have_count(1)


def test_the_first_card_may_be_a_choice(server: SeededServer, open_page: OpenPage) -> None:
    # Whoever has the highest triple and 0-0-0 may open with either.
    page = open_page(viewport=DESK)
    deal = find_deal(lambda game: len({one.tile for one in placements(game)}) > 1, CARD)
    server.deal_next(deal.seed)
    people = [{"kind": "here", "name": name} for name in ("Ann", "Ben")]
    new_table(page, server.url, seats=people, rules={"edition": "card"})
    page.get_by_role("button", name=re.compile("^I am")).click()
    expect(page.locator(".tile.can")).to_have_count(2)
    see_text(page, "You begin with your highest triple or, without one, your highest card.")
    page.locator('[data-tile="0-0-0"]').click()
    expect(page.locator(".actions .main")).to_have_text("Place +40")
    other = page.locator('.tile.can:not([data-tile="0-0-0"])')
    other.click()
    expect(page.locator(".actions .main")).to_have_text(re.compile(r"Place \+(25|22|19|16|13)"))
    page.locator('[data-tile="0-0-0"]').click()
    page.locator(".actions .main").click()
    expect(page.locator("[data-place]")).to_have_count(1)
    expect(page.locator("[data-score]").filter(has_text="40")).to_have_count(1)


def test_the_referee_speaks_of_cards_where_they_are_played(
    server: SeededServer, open_page: OpenPage
) -> None:
    page = open_page(viewport=DESK)
    show_referee(page, server.url)
    see_text(page, "tap again to turn the tile")
    page.get_by_label("Which game").select_option("Card game")
    see_text(page, "tap again to turn the card")
    see_text(page, "Lay the cards as they are on your table")
