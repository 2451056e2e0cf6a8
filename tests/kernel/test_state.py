"""States: golden trees, conversion both ways, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass, replace
from typing import Any

import pytest

from tests.perft.cases import position_of
from tests.perft.test_perft import lines
from tests.play import random_game
from tests.rulebook.boards import P2E, P3AP, P3E, PF, PF2, PG, PH, PI
from triomino import (
    CARD,
    CLASSIC,
    SIX_PLAYER,
    Board,
    Cell,
    Draw,
    Game,
    IllegalMove,
    Move,
    Pass,
    Place,
    Position,
    Rng,
    Rules,
    Tile,
    View,
    Why,
)
from triomino.grid import ORIGIN
from triomino.kernel import KernelError, State, instruction_set, sample, why_missing
from triomino.kernel.loader import native, native_rules
from triomino.kernel.state import index_of, tuple_of
from triomino.rules import Blocked, BlockedTie, BonusStacking, BridgeRule
from triomino.tile import mask_of

EMPTY: dict[str, Any] = {
    "board": [],
    "racks": [[], []],
    "pool": [],
    "drawn": [],
    "totals": [0, 0],
    "turn": 0,
    "starter": 0,
    "idle": 0,
    "latched": False,
    "ending": 0,
    "end_seats": 0,
}


def test_there_is_a_kernel() -> None:
    assert why_missing() is None
    assert instruction_set() in {"portable", "v3"}


@pytest.mark.parametrize(("edition", "case", "counts"), lines())
def test_perft(edition: str, case: str, counts: list[int]) -> None:
    game, depth = position_of(edition, case)
    for portable in (False, True):
        state = State.of(game, portable=portable)
        assert [state.perft(level) for level in range(1, depth + 1)] == counts
        assert state.perft(0) == 1


def test_a_state_and_a_game_are_made_of_one_another() -> None:
    dice = Rng(3)
    for rules in (CLASSIC, SIX_PLAYER, CARD):
        for players in rules.racks:
            game = random_game(rules, players, seed=players, moves=5 + dice.randrange(40))
            if game.over:
                continue
            again = State.of(State.of(game).game())
            assert again.position == State.of(game).position
            assert again.legal_moves() == game.legal_moves()
            then, now = game.position, again.position
            assert (then.board, then.pool, then.scores) == (now.board, now.pool, now.scores)
            assert list(map(set, then.racks)) == list(map(set, now.racks))  # type: ignore[arg-type]


def test_idle_turns_go_from_game_to_view_to_state_and_back() -> None:
    """Somebody has passed or drawn in vain, so the next idle turns block the round sooner."""
    rules = CLASSIC.with_changes({"blocked_when": "all_pass", "voluntary_draw": "never"})
    idle = 0
    for seed in range(60):
        game = random_game(rules, 3, seed, moves=30)
        if game.over:
            continue
        idle += game.idle_turns > 0
        view = View.of(game, game.turn)
        states = [State.of(game), *sample(view, Rng(seed), 3), State.of(State.of(game).game())]
        assert {state.inner.dump()["idle"] for state in states} == {game.idle_turns}
        again = State.of(game).game()
        assert again.idle_turns == View.of(again, again.turn).idle_turns == game.idle_turns
    assert idle > 3


def test_a_copy_goes_on_by_itself() -> None:
    state = State.of(Game.deal(CLASSIC, seed=1))
    other = state.copy()
    other.play(other.legal_moves()[0])
    assert len(state.position.board) == 0
    assert len(other.position.board) == 1


def test_an_illegal_move_says_why_and_changes_nothing() -> None:
    state = State.of(Game.deal(CLASSIC, seed=1))
    before = state.position
    with pytest.raises(IllegalMove) as caught:
        state.play(Draw())
    assert caught.value.why is Why.MUST_OPEN
    with pytest.raises(IllegalMove):
        state.play(Place.parse("U(5,5)=0-0-0"))
    assert state.position == before


def position(*places: str, **fields: Any) -> Position:
    return Position.of(
        [[Tile.parse("0-0-1")], [Tile.parse("4-4-4")]],
        board=[Place.parse(text) for text in places],
        **fields,
    )


@pytest.mark.parametrize(
    "places",
    [
        ["U(0,0)=5-5-5"],
        ["D(7,-9)=1-2-3"],
        ["D(999999999,-999999999)=1-2-3"],
        ["U(-3,4)=1-3-4", "D(-4,4)=1-2-3"],
        ["D(-4,4)=1-2-3", "U(-3,4)=1-3-4"],  # in another order than they can have been laid
    ],
)
def test_a_board_may_lie_anywhere(places: list[str]) -> None:
    game = Game.at(position(*places))
    state = State.of(game)
    assert state.position.board == game.position.board
    assert state.legal_moves() == game.legal_moves()


@pytest.mark.parametrize(
    "places",
    [
        ["U(0,0)=5-5-5", "U(9,0)=1-2-3"],
        ["U(0,0)=5-5-5", "U(999999999,0)=1-2-3"],
        ["U(0,0)=5-5-5", "U(32,0)=1-2-3"],
        ["U(0,0)=5-5-5", "U(0,32)=1-2-3"],
    ],
)
def test_a_board_that_is_not_in_one_piece_is_refused(places: list[str]) -> None:
    with pytest.raises(KernelError, match="one piece"):
        State.of(Game.at(position(*places)))


def _distance(move: Move) -> int:
    return abs(move.cell.x) + abs(move.cell.y) if isinstance(move, Place) else 0


def strip(board: Board, left: list[Tile], cell: Cell, way: tuple[int, int], length: int) -> Board:
    """Tiles in a straight line, found by trying; as long as asked, or empty."""
    if len(board) == length:
        return board
    for place in board.placements(mask_of(left)):
        if place.cell == cell:
            longer = board.copy()
            longer.lay(place)
            rest = [tile for tile in left if tile != place.tile]
            if found := strip(longer, rest, cell.neighbours[way[cell.down]], way, length):
                return found
    return Board()


@pytest.mark.parametrize(("rules", "length"), [(CLASSIC, 40), (SIX_PLAYER, 56)], ids=["56", "76"])
@pytest.mark.parametrize("way", [(0, 0), (1, 1), (1, 2), (2, 2)])
def test_a_long_strip_fits(rules: Rules, length: int, way: tuple[int, int]) -> None:
    """Nothing is wider than a straight line."""
    board = strip(Board(), list(rules.tiles), ORIGIN, way, length)
    left = [tile for tile in rules.tiles if not tile.bit & board.laid]
    game = Game.at(Position.of([left[:9], left[9:18]], left[18:], rules=rules, board=board.places))
    assert len(board) == length
    state = State.of(game)
    dice = Rng(1)
    while not game.over:
        moves = game.legal_moves()
        assert state.legal_moves() == moves
        # Outwards: as far from the start as possible.
        move = max(moves, key=lambda m: (_distance(m), dice.randrange(9)))
        game.play(move)
        state.play(move)


@pytest.mark.parametrize(
    ("tile_set", "stranger"), [("20", "0-0-4"), ("20", "0-2-1"), ("24", "0-4-1")]
)
def test_a_tile_of_another_set_is_refused(tile_set: str, stranger: str) -> None:
    rules = native_rules(CLASSIC.with_changes({"tile_set": tile_set, "racks": {2: 3}}))
    number = index_of(Tile.parse(stranger))
    for field in ("racks", "pool", "board"):
        fields = {**EMPTY, field: [[number], []] if field == "racks" else [number]}
        if field == "board":
            fields["board"] = [tuple_of(Place.parse(f"U(0,0)={stranger}"))]
        with pytest.raises(ValueError, match="not in the set"):
            native().State.load(rules, **fields)


def test_a_total_too_large_is_refused() -> None:
    with pytest.raises(KernelError, match="too large"):
        State.of(Game.at(position("U(0,0)=5-5-5", scores=[2_000_000_000, 0])))
    with pytest.raises(KernelError):
        State.of(Game.at(position("U(0,0)=5-5-5", scores=[1 << 80, 0])))


def test_a_round_that_is_over_is_held_but_goes_on_nowhere() -> None:
    game = random_game(CLASSIC, 2, seed=4)
    state = State.of(game)
    assert state.end is not None
    assert game.end is not None
    assert (state.end.reason, state.end.seats) == (game.end.reason, game.end.seats)
    assert state.totals == tuple(game.totals)
    assert state.legal_moves() == []
    with pytest.raises(KernelError, match="over"):
        state.game()
    with pytest.raises(IllegalMove, match="round_over"):
        state.play(Draw())
    given_up = Game.deal(CLASSIC, seed=1)
    given_up.abandon()
    with pytest.raises(KernelError, match="given up"):
        State.of(given_up)


def test_rules_that_are_not_built_are_refused() -> None:
    with pytest.raises(KernelError, match="additive"):
        native_rules(replace(CLASSIC, bonus_stacking=BonusStacking.ADDITIVE))


def test_a_field_the_kernel_does_not_know_is_refused() -> None:
    extended = make_dataclass(
        "Extended", [("wild_tile", bool, False)], bases=(Rules,), frozen=True, kw_only=True
    )
    with pytest.raises(KernelError, match="wild_tile"):
        native_rules(extended())


@dataclass(frozen=True)
class Bad:
    field: str
    value: Any


@pytest.mark.parametrize(
    "bad",
    [Bad("turn", 2), Bad("turn", -1), Bad("idle", 7), Bad("racks", [[0], [0]]), Bad("pool", [76])],
)
def test_contradictions_are_refused_by_the_kernel_itself(bad: Bad) -> None:
    fields = {**EMPTY, "racks": [[0], [1]], "pool": [2]}
    native().State.load(native_rules(CLASSIC), **fields)
    with pytest.raises(ValueError, match=r"."):
        native().State.load(native_rules(CLASSIC), **fields | {bad.field: bad.value})


@pytest.mark.parametrize("rule", BridgeRule)
@pytest.mark.parametrize(
    "board",
    [PF, PF2, PG, PH, PI, P3AP, P2E, P3E],
    ids=["PF", "PF2", "PG", "PH", "PI", "P3AP", "P2E", "P3E"],
)
def test_bonuses_of_the_named_boards(rule: BridgeRule, board: str) -> None:
    """What rounds seldom come to: two and three shared edges, with a hexagon and without."""
    rules = CLASSIC.with_changes({"bridge_rule": rule})
    places = [Place.parse(text) for text in board.split()]
    laid = {place.tile for place in places}
    left = [tile for tile in rules.tiles if tile not in laid]
    position = Position.of([left[:-1], left[-1:]], rules=rules, board=places)
    for turn in range(2):
        game = Game.at(replace(position, turn=turn))
        state = State.of(game)
        for move in game.legal_moves():
            points = sum(score.points for score in game.choices.scores(move))
            assert state.points(move) == points, move
            after, there = game.copy(), state.copy()
            assert there.play(move) == after.play(move).bonus
            assert there.totals == tuple(after.totals)


RACKS = {
    "apart": ["0-0-1", "4-4-4", "2-3-4 0-0-3"],
    "tied": ["0-1-4", "1-2-2", "4-4-4 2-2-4"],
    "tied by sum": ["0-1-4", "0-0-2 0-0-3", "4-4-4"],
}


@pytest.mark.parametrize("blocked", Blocked)
@pytest.mark.parametrize("tie", BlockedTie)
@pytest.mark.parametrize("racks", RACKS.values(), ids=RACKS)
def test_every_settlement_of_a_blocked_round(
    blocked: Blocked, tie: BlockedTie, racks: list[str]
) -> None:
    rules = CLASSIC.with_changes({"blocked": blocked, "blocked_tie": tie})
    tiles = [[Tile.parse(text) for text in rack.split()] for rack in racks]
    fives = [Place.parse("U(0,0)=5-5-5")]
    game = Game.at(Position.of(tiles, rules=rules, board=fives, scores=[10, 20, 30]))
    state = State.of(game)
    turn = game.play(Pass())
    state.play(Pass())
    assert turn.end is not None
    assert state.end is not None
    assert (state.end.reason, state.end.seats) == (turn.end.reason, turn.end.seats)
    assert state.totals == tuple(game.totals)


@pytest.mark.parametrize("rack", ["3-3-3 0-0-0 1-2-3", "0-0-0 4-5-5", "4-5-5 0-0-1", "2-2-2 1-1-1"])
def test_which_cards_may_open(rack: str) -> None:
    """The highest triple, 0-0-0 beside it by choice, or the highest card."""
    racks = [[Tile.parse(text) for text in rack.split()], [Tile.parse("0-1-2")]]
    game = Game.at(Position.of(racks, [Tile.parse("3-5-5")], rules=CARD))
    state = State.of(game)
    assert state.legal_moves() == game.legal_moves()
    for move in game.legal_moves():
        points = sum(score.points for score in game.choices.scores(move))
        assert state.points(move) == points


@pytest.mark.parametrize("test", [">", ">="])
@pytest.mark.parametrize("before", [88, 89, 90])
def test_a_target_is_passed_or_reached(test: str, before: int) -> None:
    rules = CLASSIC.with_changes({"target": 100, "target_test": test})
    racks = [[Tile.parse("1-5-5"), Tile.parse("0-0-1")], [Tile.parse("4-4-4")]]
    fives = [Place.parse("U(0,0)=5-5-5")]
    game = Game.at(Position.of(racks, rules=rules, board=fives, scores=[before, 0]))
    state = State.of(game)
    move = Place.parse("D(-1,0)=5-1-5")
    game.play(move)
    state.play(move)
    assert (
        state.position.latched == game.latched == (before > 89 or (before == 89 and test == ">="))
    )
