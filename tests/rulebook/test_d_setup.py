"""10.D: the deal, and who starts."""

from __future__ import annotations

import pytest

from tests.rulebook.boards import (
    ALL,
    SET_56_EDITIONS,
    TILE_EDITIONS,
    Stacked,
    editions,
    legal,
    play,
    racks_of,
    refused,
    rules_of,
    tiles,
    unused,
)
from triomino import Deal, Game, Rng, Rules, RulesError, Tile, Why
from triomino.deal import deal

SIZES_56 = {2: (9, 38), 3: (7, 35), 4: (7, 28)}
SIZES_76 = {2: (9, 58), 3: (7, 55), 4: (7, 48), 5: (6, 46), 6: (6, 40)}


def sizes(edition: str) -> dict[int, tuple[int, int]]:
    return SIZES_76 if edition == "six-player" else SIZES_56


# --- The deal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "players", "rack", "pool"),
    [(name, players, *pair) for name in ALL for players, pair in sizes(name).items()],
)
def test_tv_26_so_many_tiles_are_dealt(edition: str, players: int, rack: int, pool: int) -> None:
    rules = rules_of(edition)
    start = deal(rules, players, Rng.named("deal", edition, players))
    assert [len(dealt) for dealt in start.racks] == [rack] * players
    assert len(start.pool) == pool
    everything = [tile for part in (*start.racks, start.pool) for tile in part]
    assert sorted(everything) == sorted(rules.tiles)


@editions(*ALL)
def test_tv_26_the_player_counts(rules: Rules) -> None:
    assert dict(rules.racks) == {n: rack for n, (rack, _) in sizes(rules.edition).items()}


@pytest.mark.parametrize(
    ("edition", "players"),
    [
        *((name, players) for name in SET_56_EDITIONS for players in (1, 5)),
        ("six-player", 1),
        ("six-player", 7),
    ],
)
def test_tv_27_too_few_or_too_many_players(edition: str, players: int) -> None:
    with pytest.raises(RulesError, match="player count"):
        deal(rules_of(edition), players, Rng(0))
    with pytest.raises(RulesError, match="player count"):
        Game.deal(rules_of(edition), players, seed=0)


# --- Who starts: the tile editions ---------------------------------------------------------------


def drawn_for_start(rules: Rules, players: int, drawn: str) -> Deal:
    """A deal in which the players draw these tiles for the start, in this order."""
    draws = tiles(drawn)
    dealt = unused(rules, draws)[: players * rules.racks[players]]
    start = deal(rules, players, Stacked(rules, [*dealt, *draws]))
    assert [tile for rack in start.racks for tile in rack] == dealt
    # All tiles shown have gone back.
    assert sorted(start.pool) == unused(rules, dealt)
    return start


def shown(start: Deal) -> list[tuple[int, Tile]]:
    return [(draw.seat, draw.tile) for draw in start.start_draws]


FOUR = "2-3-4 3-4-5 2-5-5 0-1-2"


@editions(*TILE_EDITIONS)
def test_tv_28_only_those_tied_for_the_highest_draw_again(rules: Rules) -> None:
    start = drawn_for_start(rules, 4, f"{FOUR} 0-2-2 1-5-5")
    assert start.starter == 2
    seats = [0, 1, 2, 3, 1, 2]
    assert shown(start) == list(zip(seats, tiles(f"{FOUR} 0-2-2 1-5-5"), strict=True))


@editions(*TILE_EDITIONS)
def test_tv_29_all_draw_again_by_option(rules: Rules) -> None:
    again = "5-5-5 0-0-1 0-0-2 0-0-3"
    option = rules.with_settings(["start_redraw=all"])
    start = drawn_for_start(option, 4, f"{FOUR} {again}")
    assert start.starter == 0
    assert shown(start) == list(zip([*range(4), *range(4)], tiles(f"{FOUR} {again}"), strict=True))


@editions(*TILE_EDITIONS)
def test_tv_30_a_tie_below_the_highest_decides_nothing(rules: Rules) -> None:
    start = drawn_for_start(rules, 3, "4-4-4 1-2-2 0-0-5")
    assert start.starter == 0
    assert shown(start) == list(enumerate(tiles("4-4-4 1-2-2 0-0-5")))


# --- Who starts: the card game -------------------------------------------------------------------


def card_round(hands: str, stack: str = "") -> Game:
    """A card game with these hands, from the deal."""
    racks = racks_of(hands)
    rules = rules_of(f"card racks={{{len(racks)}={len(racks[0])}}}")
    wanted = [tile for rack in racks for tile in rack]
    start = deal(rules, len(racks), Stacked(rules, [*wanted, *tiles(stack)]))
    assert [list(rack) for rack in start.racks] == racks
    return Game(rules, start)


def test_tv_31_the_highest_triple_starts() -> None:
    game = card_round("1-1-1 2-3-4 / 4-4-4 0-0-1 / 4-5-5 3-5-5")
    assert game.turn == 1
    assert legal(game) == {"U(0,0)=4-4-4"}
    assert play(game, "U(0,0)=4-4-4").points == 22
    assert game.totals == [0, 22, 0]
    assert game.turn == 2


@pytest.mark.parametrize(
    ("triple", "points"),
    [("5-5-5", 25), ("4-4-4", 22), ("3-3-3", 19), ("2-2-2", 16), ("1-1-1", 13), ("0-0-0", 40)],
)
def test_tv_32_what_an_opening_triple_brings(triple: str, points: int) -> None:
    game = card_round(f"4-5-5 2-3-4 / {triple} 0-1-2")
    assert game.turn == 1
    assert legal(game) == {f"U(0,0)={triple}"}
    play(game, f"U(0,0)={triple}")
    assert game.totals == [0, points]


@pytest.mark.parametrize(("triple", "points"), [("3-3-3", 19), ("0-0-0", 40)])
def test_tv_33_the_triple_zero_may_be_chosen(triple: str, points: int) -> None:
    game = card_round("3-3-3 0-0-0 1-2-3 / 2-2-2 0-1-2 0-0-3", "4-5-5")
    assert game.turn == 0
    assert legal(game) == {"U(0,0)=3-3-3", "U(0,0)=0-0-0"}
    play(game, f"U(0,0)={triple}")
    assert game.totals == [points, 0]


def test_tv_34_another_triple_zero_gives_no_right() -> None:
    game = card_round("0-0-0 4-5-5 / 1-1-1 0-1-2")
    assert game.turn == 1
    assert legal(game) == {"U(0,0)=1-1-1"}
    play(game, "U(0,0)=1-1-1")
    assert game.totals == [0, 13]


def test_tv_35_without_a_triple_the_highest_card_starts() -> None:
    game = card_round("0-4-5 2-2-3 / 4-5-5 0-0-1")
    assert game.turn == 1
    assert legal(game) == {"U(0,0)=4-5-5", "U(0,0)=5-5-4", "U(0,0)=5-4-5"}
    assert play(game, "U(0,0)=4-5-5").points == 14
    assert game.totals == [0, 14]


@pytest.mark.parametrize(
    ("hands", "starter"),
    [
        ("4-4-5 0-0-1 / 3-5-5 0-0-2", 1),
        ("3-5-5 0-0-2 / 4-4-5 0-0-1", 0),
    ],
)
def test_tv_36_equal_sums_are_ordered_by_corners(hands: str, starter: int) -> None:
    game = card_round(hands)
    assert game.turn == starter
    assert legal(game) == {"U(0,0)=3-5-5", "U(0,0)=5-5-3", "U(0,0)=5-3-5"}


def test_tv_37_no_other_card_and_no_draw_at_the_start() -> None:
    game = card_round("1-1-1 2-3-4 / 4-4-4 0-0-1", "2-2-2")
    assert game.turn == 1
    refused(game, "U(0,0)=0-0-1", Why.NOT_THE_OPENING_TILE)
    refused(game, "draw", Why.MUST_OPEN)
