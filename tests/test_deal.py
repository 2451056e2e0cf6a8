"""Racks, pool, and who starts."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import house_rules
from triomino.deal import (
    StartDraw,
    card_rank,
    deal,
    draw_for_start,
    holder_of_highest,
    opening_tiles,
)
from triomino.dice import Rng
from triomino.errors import RulesError
from triomino.rules import CARD, CLASSIC, EDITIONS, Racks, Rules, Starter, StartRedraw
from triomino.tile import SET_56, SET_76, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Throws:
    """Dice that throw as told, then so that a shuffle changes nothing; they note what was asked."""

    def __init__(self, throws: Iterable[int] = ()) -> None:
        self.throws = deque(throws)
        self.asked: list[int] = []

    def randrange(self, stop: int, /) -> int:
        self.asked.append(stop)
        return self.throws.popleft() if self.throws else stop - 1

    @classmethod
    def for_order(cls, wanted: Sequence[Tile]) -> Throws:
        """The dice whose first shuffle brings the tiles of a set into this order."""
        now, throws = sorted(wanted), []
        for i in range(len(now) - 1, 0, -1):
            j = now.index(wanted[i])
            now[i], now[j] = now[j], now[i]
            throws.append(j)
        return cls(throws)


def shuffles(*sizes: int) -> list[int]:
    """What dice are asked for shuffles of so many tiles."""
    return [stop for size in sizes for stop in range(size, 1, -1)]


def hand(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


def hands(text: str) -> list[list[Tile]]:
    return [hand(part) for part in text.split("|")]


def giving(text: str) -> Callable[[int], list[Tile]]:
    """A pool whose tiles come in this order."""
    pool = deque(hand(text))
    return lambda needed: [pool.popleft() for _ in range(needed)]


# --- Racks and pool ------------------------------------------------------------------------------

SIZES = {2: (9, 38), 3: (7, 35), 4: (7, 28)}
SIX_SIZES = {2: (9, 58), 3: (7, 55), 4: (7, 48), 5: (6, 46), 6: (6, 40)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_so_many_tiles_each_and_so_many_in_the_pool(edition: str) -> None:
    sizes = SIX_SIZES if edition == "six-player" else SIZES
    for players, (rack, pool) in sizes.items():
        dealt = deal(EDITIONS[edition], players, Rng(players))
        assert [len(tiles) for tiles in dealt.racks] == [rack] * players
        assert len(dealt.pool) == pool
    for players in (0, 1, max(sizes) + 1):
        with pytest.raises(RulesError, match="player count"):
            deal(EDITIONS[edition], players, Rng(1))


@given(house_rules(), st.integers(0, 1000))
def test_every_tile_is_dealt_once(rules: Rules, seed: int) -> None:
    for players, size in rules.racks.items():
        dealt = deal(rules, players, Rng(seed))
        tiles = [*dealt.pool, *(tile for rack in dealt.racks for tile in rack)]
        assert sorted(tiles) == list(rules.tiles)
        assert [len(rack) for rack in dealt.racks] == [size] * players
        assert 0 <= dealt.starter < players


def test_seats_get_blocks_of_the_shuffled_set_and_the_pool_the_rest() -> None:
    dealt = deal(CLASSIC, 3, Throws(), starter=1)
    assert dealt.racks == (SET_56[:7], SET_56[7:14], SET_56[14:21])
    assert dealt.pool == SET_56[21:]
    assert (dealt.starter, dealt.start_draws) == (1, ())


@pytest.mark.parametrize("rules", [CLASSIC, CARD], ids=lambda rules: rules.edition)
def test_a_starter_who_is_settled_takes_one_shuffle_and_no_draw(rules: Rules) -> None:
    dice = Throws()
    assert deal(rules, 4, dice, starter=2).starter == 2
    assert dice.asked == shuffles(56)


def test_cards_take_one_shuffle_and_no_draw() -> None:
    wanted = hand("0-0-0 4-5-5") + hand("1-1-1 0-0-1")
    order = [*wanted, *(tile for tile in SET_56 if tile not in wanted)]
    dice = Throws.for_order(order)
    dealt = deal(replace(CARD, racks=Racks.of({2: 2})), 2, dice)
    assert dealt.racks == (tuple(order[:2]), tuple(order[2:4]))
    assert dealt.pool == tuple(order[4:])
    assert (dealt.starter, dealt.start_draws) == (1, ())
    assert dice.asked == shuffles(56)


# --- The draw for the start ----------------------------------------------------------------------


def test_the_tiles_drawn_go_to_the_end_of_the_pool_and_it_is_shuffled_again() -> None:
    dice = Throws()
    dealt = deal(CLASSIC, 2, dice)
    first, second = SET_56[18:20]
    assert (first.points, second.points) == (8, 9)
    assert dealt.start_draws == (StartDraw(0, first), StartDraw(1, second))
    assert dealt.starter == 1
    assert dealt.pool == (*SET_56[20:], first, second)
    assert dice.asked == shuffles(56, 38)


def test_a_pool_too_small_for_a_redraw_takes_its_tiles_back_first() -> None:
    pool = hand("0-1-5 0-2-4 0-3-3 0-0-1 5-5-5")
    dice = Throws.for_order([*(tile for tile in SET_56 if tile not in pool), *pool])
    dealt = deal(replace(CLASSIC, racks=Racks.of({3: 17})), 3, dice)
    # All three are tied at 6; two tiles are left, so the three go back behind them.
    shown = [(draw.seat, str(draw.tile)) for draw in dealt.start_draws]
    assert shown == [
        (0, "0-1-5"), (1, "0-2-4"), (2, "0-3-3"), (0, "0-0-1"), (1, "5-5-5"), (2, "0-1-5"),
    ]  # fmt: skip
    assert dealt.starter == 1
    assert list(dealt.pool) == hand("0-2-4 0-3-3 0-0-1 5-5-5 0-1-5")
    assert dice.asked == shuffles(56, 5, 5)


def test_a_redraw_goes_on_where_the_pool_can_supply_it() -> None:
    pool = hand("0-1-5 0-2-4 0-0-1 0-0-2 5-5-5")
    dice = Throws.for_order([*(tile for tile in SET_56 if tile not in pool), *pool])
    dealt = deal(replace(CLASSIC, racks=Racks.of({3: 17})), 3, dice)
    assert [(draw.seat, str(draw.tile)) for draw in dealt.start_draws] == [
        (0, "0-1-5"), (1, "0-2-4"), (2, "0-0-1"), (0, "0-0-2"), (1, "5-5-5"),
    ]  # fmt: skip
    assert list(dealt.pool) == hand("0-1-5 0-2-4 0-0-1 0-0-2 5-5-5")
    assert dice.asked == shuffles(56, 5)


@pytest.mark.parametrize(
    ("pool", "redraw", "starter", "seats"),
    [
        # The highest starts; a tie below it does not matter.
        ("4-4-4 1-2-2 0-0-5", "tied_highest", 0, [0, 1, 2]),
        ("4-4-4 1-2-2 0-0-5", "all", 0, [0, 1, 2]),
        # Those tied at the top draw again, or everybody does.
        ("2-3-4 3-4-5 2-5-5 0-2-2 1-5-5", "tied_highest", 2, [0, 1, 2, 1, 2]),
        ("2-3-4 3-4-5 2-5-5 5-5-5 0-0-1 0-0-2", "all", 0, [0, 1, 2, 0, 1, 2]),
        # And again, among fewer.
        ("0-1-5 0-2-4 0-3-3 1-1-4 1-2-3 0-0-0 0-0-1 0-0-2", "tied_highest", 1,
         [0, 1, 2, 0, 1, 2, 0, 1]),
        ("1-1-4 1-2-3 0-0-0 0-0-1 0-1-5 0-0-2", "tied_highest", 1, [0, 1, 2, 0, 1]),
    ],
)  # fmt: skip
def test_the_highest_tile_starts(pool: str, redraw: str, starter: int, seats: list[int]) -> None:
    rules = replace(CLASSIC, start_redraw=StartRedraw(redraw))
    found, draws = draw_for_start(rules, 3, giving(pool))
    assert found == starter
    assert draws == tuple(map(StartDraw, seats, hand(pool)))


def test_four_players_of_whom_two_draw_again() -> None:
    starter, draws = draw_for_start(CLASSIC, 4, giving("2-3-4 3-4-5 2-5-5 0-1-2 0-2-2 1-5-5"))
    assert (starter, len(draws)) == (2, 6)
    everybody = replace(CLASSIC, start_redraw=StartRedraw.ALL)
    again = giving("2-3-4 3-4-5 2-5-5 0-1-2 5-5-5 0-0-1 0-0-2 0-0-3")
    assert draw_for_start(everybody, 4, again)[0] == 0


# --- The highest card ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealt", "starter"),
    [
        ("1-1-1 2-3-4 | 4-4-4 0-0-1 | 4-5-5 3-5-5", 1),
        ("3-3-3 0-0-0 1-2-3 | 2-2-2 0-1-2", 0),
        ("0-0-0 4-5-5 | 1-1-1 0-1-2", 1),
        ("0-4-5 2-2-3 | 4-5-5 0-0-1", 1),
        ("4-4-5 0-0-1 | 3-5-5 0-0-2", 1),
        ("3-5-5 0-0-2 | 4-4-5 0-0-1", 0),
        ("4-5-5 0-0-2 | 0-0-0 0-0-1", 1),
    ],
)
def test_who_holds_the_highest_card(dealt: str, starter: int) -> None:
    assert holder_of_highest(hands(dealt)) == starter


def test_cards_of_the_56_are_never_equally_high() -> None:
    assert len({str(card_rank(tile)) for tile in SET_56}) == 56
    ranked = sorted(SET_56, key=card_rank, reverse=True)
    assert [str(tile) for tile in ranked[:9]] == [
        "5-5-5", "4-4-4", "3-3-3", "2-2-2", "1-1-1", "0-0-0", "4-5-5", "3-5-5", "4-4-5",
    ]  # fmt: skip


def test_between_mirror_images_the_lower_seat_starts() -> None:
    one, other = Tile(1, 3, 5), Tile(1, 5, 3)
    assert {one, other} <= set(SET_76)
    assert holder_of_highest([[Tile(0, 0, 1)], [one], [other]]) == 1
    assert holder_of_highest([[Tile(0, 0, 1)], [other], [one]]) == 1


@pytest.mark.parametrize(
    ("rack", "choices"),
    [
        ("4-4-4 0-0-1 2-2-2", "4-4-4"),
        ("3-3-3 0-0-0 1-2-3", "3-3-3 0-0-0"),
        ("0-0-0 4-5-5", "0-0-0"),
        ("4-5-5 0-0-1 3-5-5", "4-5-5"),
    ],
)
def test_what_the_starter_may_open_with(rack: str, choices: str) -> None:
    assert opening_tiles(hand(rack), CARD) == hand(choices)
    assert opening_tiles(hand(rack), CLASSIC) == hand(rack)


def test_the_lowest_triple_is_a_choice_only_where_it_has_its_own_price() -> None:
    rules = replace(CARD, triple_zero_start=None)
    assert opening_tiles(hand("3-3-3 0-0-0"), rules) == hand("3-3-3")


@given(st.integers(0, 500), st.integers(2, 4))
def test_the_starter_of_a_card_game_holds_the_highest_triple(seed: int, players: int) -> None:
    dealt = deal(CARD, players, Rng(seed))
    triples = [tile for rack in dealt.racks for tile in rack if tile.is_triple]
    if triples:
        assert max(triples) in dealt.racks[dealt.starter]
    else:
        best = max(tile.points for rack in dealt.racks for tile in rack)
        assert best in [tile.points for tile in dealt.racks[dealt.starter]]


def test_a_card_game_may_draw_for_the_start_as_a_house_rule() -> None:
    dealt = deal(replace(CARD, starter=Starter.DRAW_HIGH), 3, Rng(5))
    assert len(dealt.start_draws) >= 3
    best = max(draw.tile.points for draw in dealt.start_draws[:3])
    assert best == max(d.tile.points for d in dealt.start_draws if d.seat == dealt.starter)
