"""Laws of a round, over random play with random house rules."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import random_game, random_plies
from tests.strategies import house_rules
from triomino import (
    CARD,
    CASUAL,
    CLASSIC,
    EDITIONS,
    Draw,
    End,
    EndReason,
    Game,
    IllegalMove,
    Keep,
    Pass,
    Place,
    Position,
    PositionError,
    Rng,
    Rules,
    Tile,
    TriominoError,
    Why,
)
from triomino.grid import ORIGIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino import Move

seeds = st.integers(0, 1 << 32)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Game, Rng]:
    """A fresh round with any house rules, and dice to play it with."""
    rules = draw(house_rules())
    players = draw(st.sampled_from(list(rules.racks)))
    seed = draw(seeds)
    return Game.deal(rules, players, seed), Rng(seed)


def tiles_everywhere(game: Game) -> list[Tile]:
    laid = [place.tile for place in game.board.places]
    return sorted([*laid, *game.pool, *(tile for rack in game.racks for tile in rack)])


def snapshot(game: Game) -> tuple[object, ...]:
    return game.position, tuple(game.plies), game.end, game.idle_turns, game.starter


@given(rounds())
@settings(max_examples=60)
def test_nothing_is_lost_nothing_doubled_and_scores_add_up(start: tuple[Game, Rng]) -> None:
    game, dice = start
    everything = sorted(game.rules.tiles)
    totals = list(game.totals)
    for ply in random_plies(game, dice):
        assert tiles_everywhere(game) == everything
        for score in [*ply.scores, *(ply.end.scores if ply.end else ())]:
            totals[score.seat] += score.points
        # A series without points counts the rounds won.
        series = not game.rules.scoring and game.rules.target is not None
        won = game.winners if series else ()
        assert game.totals == [total + (seat in won) for seat, total in enumerate(totals)]
        if game.rules.floor_at_zero:
            assert min(totals) >= 0
        if not game.rules.scoring:
            assert not any(totals)
    # One number per vertex: every tile shows what the board says of its corners.
    numbers = game.board.numbers
    for place in game.board.places:
        assert tuple(numbers[vertex] for vertex in place.cell.vertices) == place.numbers
    assert game.end is not None
    assert game.legal_moves() == []
    with pytest.raises(IllegalMove, match="round_over"):
        game.play(Draw())


@given(rounds(), st.integers(1, 60))
@settings(max_examples=40)
def test_legal_moves_and_check_agree_and_refusals_change_nothing(
    start: tuple[Game, Rng], moves: int
) -> None:
    game, dice = start
    for number, _ in enumerate(random_plies(game, dice)):
        if number == moves or game.over:
            break
    legal = game.legal_moves()
    assert len(set(legal)) == len(legal)
    before = snapshot(game)
    for move in candidates(game):
        if move in legal:
            assert game.check(move).move == move
        else:
            with pytest.raises(IllegalMove) as caught:
                game.check(move)
            assert caught.value.why is game.why_not(move)
    assert snapshot(game) == before


def candidates(game: Game) -> Sequence[Move]:
    """Every placement of every held tile on every cell near a tile, legal or not, and the rest."""
    cells = {ORIGIN, *game.board.open_cells, *(place.cell for place in game.board.places[:3])}
    held = [*game.racks[game.turn], *game.racks[(game.turn + 1) % game.players][:1]]
    places = [
        Place(cell, numbers)
        for cell in sorted(cells)
        for tile in held
        for numbers in tile.orientations
    ]
    return [*places, Draw(), Keep(), End(), Pass()]


@given(rounds(), st.integers(0, 200))
@settings(max_examples=40)
def test_undo_restores_and_a_draw_draws_the_same_tile_again(
    start: tuple[Game, Rng], back: int
) -> None:
    game, dice = start
    states = [snapshot(game)]
    plies = []
    for ply in random_plies(game, dice):
        states.append(snapshot(game))
        plies.append(ply)
    back = min(back, len(plies))
    game.undo(back)
    assert snapshot(game) == states[len(plies) - back]
    for ply in plies[len(plies) - back :]:
        assert game.play(ply.move) == ply
    assert snapshot(game) == states[-1]


@given(rounds(), st.integers(0, 50))
@settings(max_examples=30)
def test_a_game_goes_on_from_its_position_as_it_would_have(
    start: tuple[Game, Rng], moves: int
) -> None:
    game, dice = start
    for number, _ in enumerate(random_plies(game, dice), 1):
        if number >= moves:
            break
    if game.over or game.idle_turns:  # a position does not count a lap of passes
        return
    twin = Game.at(game.position)
    while not game.over:
        moves_here = game.legal_moves()
        assert twin.legal_moves() == moves_here
        move = moves_here[dice.randrange(len(moves_here))]
        assert twin.play(move) == game.play(move)
        assert twin.totals == game.totals
        assert twin.latched == game.latched


def test_a_copy_goes_on_alone() -> None:
    game = random_game(CLASSIC, 2, seed=1, moves=10)
    before = snapshot(game)
    twin = game.copy()
    assert snapshot(twin) == before
    for _ in random_plies(twin, Rng(1)):
        pass
    assert snapshot(game) == before


def test_a_game_can_be_pickled() -> None:
    game = random_game(CARD, 3, seed=2, moves=12)
    assert snapshot(pickle.loads(pickle.dumps(game))) == snapshot(game)  # noqa: S301 - our own


def test_a_seed_deals_the_same_and_no_seed_does_not() -> None:
    assert Game.deal(CLASSIC, 2, seed=5).start == Game.deal(CLASSIC, 2, seed=5).start
    assert Game.deal(CLASSIC, 2, seed=5).start != Game.deal(CLASSIC, 2, seed=6).start
    assert Game.deal(CLASSIC, 2).start != Game.deal(CLASSIC, 2).start


def test_no_move_can_be_taken_back_that_was_not_made() -> None:
    game = Game.deal(CLASSIC, 2, seed=1)
    with pytest.raises(TriominoError, match="0 moves to take back, not 1"):
        game.undo()


def test_giving_up_settles_nothing() -> None:
    game = random_game(CLASSIC, 2, seed=1, moves=9)
    totals = list(game.totals)
    game.abandon()
    assert game.end is not None
    assert game.end.reason is EndReason.ABANDONED
    assert (game.totals, game.winners, game.legal_moves()) == (totals, (), [])
    with pytest.raises(TriominoError, match="over"):
        game.abandon()


def test_a_game_needs_a_complete_position() -> None:
    hidden = Position(racks=((Tile(0, 0, 1),), None), rack_sizes=(1, 1), pool=(), pool_size=0)
    with pytest.raises(PositionError, match="hidden"):
        Game.at(hidden)


def test_a_round_opens_on_one_cell() -> None:
    game = Game.deal(CLASSIC, 2, seed=1)
    tile = game.racks[game.turn][0]
    with pytest.raises(IllegalMove) as caught:
        game.play(Place.parse(f"D(0,0)={tile}"))
    assert caught.value.why is Why.NOT_THE_START_CELL


# --- House rules that no vector names ------------------------------------------------------------

BOARD = [Place.parse("U(0,0)=5-5-5")]


def table(rules: Rules, racks: str, pool: str = "") -> Game:
    """A game on the board 5-5-5; racks are parted by slashes."""
    hands = [[Tile.parse(text) for text in rack.split()] for rack in racks.split("/")]
    tiles = [Tile.parse(text) for text in pool.split()]
    return Game.at(Position.of(hands, tiles, rules=rules, board=BOARD))


def words(game: Game) -> str:
    """The legal moves that are no placements, and whether there are placements."""
    moves = game.legal_moves()
    placed = ["place"] if any(isinstance(move, Place) for move in moves) else []
    return " ".join([*placed, *(str(move) for move in moves if not isinstance(move, Place))])


def test_a_first_draw_may_be_free_and_later_ones_not() -> None:
    rules = CLASSIC.with_changes({"voluntary_draw": "first_only"})
    game = table(rules, "1-5-5 0-0-1/0-0-0", "2-2-2 3-3-3")
    assert words(game) == "place draw"
    game.play(Draw())
    assert words(game) == "place"


def test_after_the_last_draw_one_may_have_to_place() -> None:
    changes = {"must_place_after_last_draw": True, "max_draws": 1}
    able = table(CLASSIC.with_changes(changes), "1-5-5/0-0-0", "2-2-2")
    able.play(Draw())
    assert words(able) == "place"
    unable = table(CLASSIC.with_changes(changes), "0-0-1/0-0-0", "2-2-2")
    unable.play(Draw())
    assert words(unable) == "end"


def test_keeping_in_a_game_with_prices_costs_the_extra_after_the_last_draw() -> None:
    rules = CLASSIC.with_changes(
        {
            "may_keep": True,
            "voluntary_draw": "never",
            "max_draws": 2,
            "must_place_after_last_draw": False,
        }
    )
    game = table(rules, "0-0-1/0-0-0", "1-5-5 2-2-2")
    game.play(Draw())
    assert words(game) == "place keep"
    assert game.play(Keep()).points == 0
    late = table(rules, "0-0-1/0-0-0", "2-2-2 1-5-5")
    late.play(Draw())
    late.play(Draw())
    assert words(late) == "place keep"
    assert late.play(Keep()).points == -10
    assert late.totals == [-20, 0]


def test_an_opening_draw_is_allowed_by_its_own_switch_only() -> None:
    rules = CLASSIC.with_changes({"opening_draw": True, "max_draws": 1})
    game = Game.at(Position.of([[Tile(0, 0, 1)], [Tile(0, 0, 2)]], [Tile(1, 1, 1)], rules=rules))
    assert words(game) == "place draw"
    game.play(Draw())
    assert words(game) == "place"
    assert game.totals == [-5, 0]


def test_a_draw_that_ends_the_turn_pays_for_nothing_placed() -> None:
    rules = CLASSIC.with_changes({"draw_ends_turn": True, "max_draws": 1})
    game = table(rules, "0-0-1/0-0-0", "2-2-2 3-3-3")
    assert game.play(Draw()).points == -15
    assert game.turn == 1


def test_a_lap_of_passes_is_played_where_a_pass_costs() -> None:
    rules = CLASSIC.with_changes({"empty_pool_penalty": 10})
    game = table(rules, "0-0-1/0-0-0")
    game.play(Pass())
    assert not game.over
    game.play(Pass())
    assert game.end is not None
    assert game.end.reason is EndReason.BLOCKED
    assert game.totals == [-11, -10]


def test_able_players_who_both_pass_block_the_round() -> None:
    rules = CLASSIC.with_changes({"empty_pool_pass": "voluntary"})
    game = table(rules, "1-5-5 0-0-1/2-5-5")
    game.play(Pass())
    assert words(game) == "place pass"
    game.play(Pass())
    assert game.end is not None
    assert game.totals == [-12, -12]


def test_a_casual_draw_that_empties_the_pool_can_block_the_round() -> None:
    game = table(CASUAL, "0-0-1/0-0-0 1-1-1", "2-2-2")
    ply = game.play(Draw())
    assert ply.end is not None
    assert (ply.end.reason, ply.end.seats) == (EndReason.BLOCKED, (0, 1))


def test_taking_the_last_place_blocks_the_round() -> None:
    game = Game.at(
        Position.of(
            [[Tile(1, 2, 3), Tile(1, 1, 3)], [Tile(0, 0, 0)]],
            rules=CLASSIC,
            board=[Place.parse("U(0,0)=1-3-4")],
        )
    )
    # Both tiles fit into the same cell, and nowhere else, before or after.
    assert game.legal_moves() == [Place.parse("D(-1,0)=1-1-3"), Place.parse("D(-1,0)=1-2-3")]
    ply = game.play(Place.parse("D(-1,0)=1-2-3"))
    assert ply.end is not None
    assert ply.end.reason is EndReason.BLOCKED


def test_the_floor_cuts_each_loss_at_zero() -> None:
    rules = CLASSIC.with_changes({"floor_at_zero": True})
    game = Game.at(
        Position.of(
            [[Tile(0, 0, 1), Tile(4, 4, 4)], [Tile(0, 0, 0)]],
            rules=rules,
            board=BOARD,
            scores=[7, 3],
        )
    )
    ply = game.play(Pass())
    assert ply.end is not None
    assert ply.end.points(2) == (-7, 0)
    assert game.totals == [0, 3]


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_ends_in_both_ways(edition: str) -> None:
    rules = EDITIONS[edition]
    reasons = set()
    for seed in range(60):
        end = random_game(rules, 2, seed).end
        assert end is not None
        reasons.add(end.reason)
        if len(reasons) == 2:
            break
    assert reasons == {EndReason.OUT, EndReason.BLOCKED}
