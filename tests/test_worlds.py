"""Sampled worlds against full enumeration: every consistent deal, and all equally often."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import pytest

from tests.effort import count
from triomino import (
    CARD,
    CASUAL,
    CLASSIC,
    Deal,
    Draw,
    End,
    Game,
    IllegalMove,
    Keep,
    Pass,
    Place,
    Position,
    PositionError,
    Rng,
    Rules,
    StartDraw,
    Tile,
    View,
)
from triomino.bots import GreedyBot
from triomino.deal import holder_of_highest
from triomino.dice import shuffle
from triomino.rules import Starter
from triomino.tile import mask_of, tiles_in

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")

World: TypeAlias = tuple[tuple[frozenset[Tile], ...], tuple[Tile, ...]]
"""A deal: who got what, and the pool in order."""


def small_tiles(count: int, dice: Rng, highest: int = 2) -> list[Tile]:
    """Tiles of few numbers only, so that many of them fit."""
    tiles = [tile for tile in CLASSIC.tiles if max(tile.numbers) <= highest]
    shuffle(tiles, dice)
    return tiles[:count]


def deals(
    tiles: list[Tile], sizes: tuple[int, ...], known: dict[int, frozenset[Tile]]
) -> Iterator[World]:
    """Every way to deal *tiles*, racks without order, pool with; *known* racks are given."""

    def racks(seat: int, left: frozenset[Tile]) -> Iterator[tuple[frozenset[Tile], ...]]:
        if seat == len(sizes):
            yield ()
            return
        if seat in known:
            options: Iterator[frozenset[Tile]] = iter([known[seat]])
        else:
            reserved = frozenset().union(*known.values()) if known else frozenset()
            options = map(frozenset, combinations(sorted(left - reserved), sizes[seat]))
        for rack in options:
            for rest in racks(seat + 1, left - rack):
                yield (rack, *rest)

    for split in racks(0, frozenset(tiles)):
        left = frozenset(tiles).difference(*split)
        for pool in permutations(sorted(left)):
            yield split, pool


def replays(start: Game, view: View) -> bool:
    """Whether the public history of *view* is legal in *start* and looks the same from there."""
    for ply in view.plies:
        try:
            checked = start.check(ply.move)
        except IllegalMove:
            return False
        start.apply(checked)
    return View.of(start, view.seat) == view


def enumerate_worlds(game: Game, view: View) -> set[World]:
    hidden = [tile for rack in game.start.racks for tile in rack] + list(game.start.pool)
    sizes = tuple(map(len, game.start.racks))
    known = {} if view.seat is None else {view.seat: frozenset(game.start.racks[view.seat])}
    found = set()
    shown = {draw.tile for draw in game.start.start_draws}
    for racks, pool in deals(hidden, sizes, known):
        if any(rack & shown for rack in racks):
            continue
        ordered = tuple(
            game.start.racks[seat] if seat == view.seat else tuple(sorted(rack))
            for seat, rack in enumerate(racks)
        )
        if game.is_dealt:
            if (
                game.rules.starter.value == "highest_triple"
                and holder_of_highest(ordered) != game.starter
            ):
                continue
            start = Game(game.rules, replace(game.start, racks=ordered, pool=pool))
        else:
            start = Game.at(replace(game_origin(game), racks=ordered, pool=pool))
        if replays(start, view):
            found.add((racks, pool))
    return found


def game_origin(game: Game) -> Position:
    origin = game._origin
    assert origin is not None
    return origin


def world_of(game: Game) -> World:
    return tuple(map(frozenset, game.start.racks)), game.start.pool


def check_uniform(game: Game, seat: int | None, dice: Rng, least: int = 600) -> int:
    """Sample a view and compare with all consistent deals; returns how many there are."""
    view = View.of(game, seat)
    expected = enumerate_worlds(game, view)
    assert world_of(game) in expected
    samples = max(least, 8 * len(expected))
    seen: Counter[World] = Counter()
    for number in range(samples):
        world = view.sample(dice)
        if number < 20:
            assert View.of(world, seat) == view
        seen[world_of(world)] += 1
    check_frequencies(seen, Counter(expected))
    return len(expected)


def check_frequencies(seen: Counter[T], expected: Counter[T]) -> None:
    """Whether everything was *seen* as often as it should, given what is *expected* in parts."""
    assert set(seen) <= set(expected)
    part = seen.total() / expected.total()
    chi2 = sum((seen[key] - part * n) ** 2 / (part * n) for key, n in expected.items())
    free = len(expected) - 1
    # Five standard deviations of the chi-square distribution above its mean.
    assert chi2 <= free + 5 * (2 * free) ** 0.5 + 6, (chi2, free)


def play_randomly(game: Game, dice: Rng, moves: int) -> None:
    """Play so many moves, but stop before the round ends."""
    for _ in range(moves):
        options = [move for move in game.legal_moves() if game.check(move).end is None]
        if not options:
            return
        game.play(options[dice.randrange(len(options))])


HOUSE: dict[str, tuple[Rules, dict[str, Any]]] = {
    "classic": (CLASSIC, {}),
    "always": (CLASSIC, {"voluntary_draw": "always", "must_place_after_last_draw": False}),
    "never": (CLASSIC, {"voluntary_draw": "never"}),
    "first only": (CLASSIC, {"must_place_after_last_draw": False}),
    "drawn only": (CLASSIC, {"voluntary_draw": "never", "after_draw_play": "drawn_only"}),
    "must place": (CLASSIC, {"voluntary_draw": "always", "max_draws": 2}),
    "optional": (CLASSIC, {"voluntary_draw": "never", "draw_obligation": "one_then_optional"}),
    "voluntary pass": (CLASSIC, {"empty_pool_pass": "voluntary", "max_draws": 2}),
    "casual": (CASUAL, {}),
    "card": (CARD, {}),
    "card, voluntary": (CARD, {"voluntary_draw": "always", "max_draws": 2}),
}


def test_the_house_rules_differ() -> None:
    rules = [edition.with_changes(changes) for edition, changes in HOUSE.values()]
    assert len(set(rules)) == len(rules)


def small_game(name: str, players: int, size: int, pool: int, dice: Rng) -> Game:
    """A round of few tiles, some moves after its beginning."""
    edition, changes = HOUSE[name]
    tiles = small_tiles(1 + players * size + pool, dice)
    first = tiles.pop()
    racks = [tiles[i * size : (i + 1) * size] for i in range(players)]
    game = Game.at(
        Position.of(
            racks,
            tiles[players * size :],
            rules=edition.with_changes(changes),
            board=[Place.parse(f"U(0,0)={first}")],
        )
    )
    play_randomly(game, dice, 3 + dice.randrange(5))
    return game


@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.parametrize(
    ("players", "size", "pool", "spectator"), [(2, 3, 3, False), (3, 2, 2, False), (2, 2, 2, True)]
)
def test_samples_are_uniform_over_all_consistent_deals(
    name: str, players: int, size: int, pool: int, spectator: bool
) -> None:
    dice = Rng.named("worlds", name, players)
    left = count(20, least=2)
    while left:
        game = small_game(name, players, size, pool, dice)
        seat = None if spectator else dice.randrange(players)
        # A history of placements alone restricts nothing but who held what.
        if any(ply.seat != seat and not isinstance(ply.move, Place) for ply in game.plies):
            check_uniform(game, seat, dice)
            left -= 1


@pytest.mark.parametrize("number", [490, 897])
def test_what_two_seats_could_not_place_restricts_them_differently(number: int) -> None:
    """Here some proposals have more ways than others, and must be accepted more often.

    Such games are rare: these are the first two of some thousand.
    """
    rules = CLASSIC.with_changes({"voluntary_draw": "never", "max_draws": 1})
    dice = Rng.named("two proofs", number)
    tiles = small_tiles(11, dice, highest=4)
    first = Place.parse(f"U(0,0)={tiles.pop()}")
    racks = [tiles[:2], tiles[2:4], tiles[4:6]]
    game = Game.at(Position.of(racks, tiles[6:], rules=rules, board=[first]))
    play_randomly(game, dice, 7)
    worlds = View.of(game, 0).worlds
    ways = {chance for _, chance, _ in (worlds._propose(dice) for _ in range(25)) if chance}
    assert max(ways) >= 1.5 * min(ways)
    check_uniform(game, 0, dice, least=2000)


def test_what_is_believed_is_what_other_rules_would_show() -> None:
    dice = Rng.named("believed")
    edition, changes = HOUSE["always"]
    left = 8  # games in which it matters by which rules the moves were made
    while left:
        game = small_game("never", 2, 3, 3, dice)
        view = View.of(game, 0)
        loose = replace(view, rules=edition.with_changes(changes))
        assert loose.worlds.under(view.rules).plan() == view.worlds.plan()
        left -= loose.worlds.plan() != view.worlds.plan()


def test_slots_that_nothing_tells_apart_are_counted_together() -> None:
    """Else a long round has hundreds of ways to have come about, and a search no time to count."""
    rules = CLASSIC.with_changes({"voluntary_draw": "never"})
    for seed in range(1, 7):
        game = Game.deal(rules, players=2, seed=seed)
        while not game.over:
            view = View.of(game, game.turn)
            plan = view.worlds.plan()
            assert plan is None or all(len(ways) < 64 for ways in plan.ways.values())
            game.play(GreedyBot().choose(view))


def small_dealt_game(rules: Rules, dice: Rng) -> Game:
    """A few moves into a dealt round of two with seven tiles in all."""
    tiles = small_tiles(7, dice)
    racks = (tuple(tiles[:2]), tuple(tiles[2:4]))
    pool = tuple(tiles[4:])
    if rules.starter is Starter.HIGHEST_TRIPLE:
        start = Deal(racks, pool, holder_of_highest(racks))
    else:
        draws = tuple(StartDraw(seat, tile) for seat, tile in enumerate(pool[:2]))
        start = Deal(racks, pool, dice.randrange(2), draws)
    game = Game(rules, start)
    play_randomly(game, dice, 1 + dice.randrange(4))
    return game


@pytest.mark.parametrize("edition", [CLASSIC, CARD])
@pytest.mark.parametrize("changes", [{}, {"opening_draw": True}])
def test_the_start_of_a_dealt_round_is_evidence(edition: Rules, changes: dict[str, Any]) -> None:
    rules = edition.with_changes(changes)
    dice = Rng.named("start", edition.edition, *changes)
    for _ in range(count(30)):
        game = small_dealt_game(rules, dice)
        check_uniform(game, 0, dice)
        check_uniform(game, None, dice)


def test_a_pass_leaves_only_tiles_that_do_not_fit() -> None:
    rack = [Tile.parse("0-0-1")]
    game = Game.at(
        Position.of(
            [rack, [Tile.parse("0-0-2"), Tile.parse("1-5-5")], [Tile.parse("2-5-5")]],
            rules=CLASSIC,
            board=[Place.parse("U(0,0)=5-5-5")],
        )
    )
    game.play(game.legal_moves()[0])  # seat 0 passes
    view = View.of(game, 1)
    dice = Rng(5)
    for _ in range(40):
        world = view.sample(dice)
        assert world.racks[0] == rack


def test_a_position_with_hidden_racks_samples_from_the_whole_set() -> None:
    own = (Tile.parse("1-5-5"), Tile.parse("0-0-1"))
    position = Position(
        rules=CLASSIC,
        board=(Place.parse("U(0,0)=5-5-5"),),
        racks=(own, None),
        rack_sizes=(2, 7),
        pool=None,
        pool_size=1,
    )
    view = View.at(position, 0)
    dice, seen = Rng(1), 0
    for _ in range(300):
        world = view.sample(dice)
        assert world.racks[0] == list(own)
        assert (len(world.racks[1]), len(world.pool)) == (7, 1)
        hidden = mask_of(world.racks[1]) | mask_of(world.pool)
        assert not hidden & (mask_of(own) | Tile.parse("5-5-5").bit)
        seen |= hidden
    assert len(tiles_in(seen)) == 56 - 3


def test_a_view_that_cannot_be_is_refused() -> None:
    game = Game.at(
        Position.of(
            [[Tile.parse("0-0-1")], [Tile.parse("1-5-5")]],
            rules=CLASSIC,
            board=[Place.parse("U(0,0)=5-5-5")],
        )
    )
    game.play(game.legal_moves()[0])
    # Seat 1 looks at a table where the only hidden tile fits, though its owner passed.
    view = View.of(game, 1)
    impossible = replace(
        view,
        rack=(Tile.parse("0-0-1"),),
        start=replace(view.start, rack=(Tile.parse("0-0-1"),)),
    )
    with pytest.raises(PositionError, match="no deal agrees"):
        impossible.sample(Rng(1))


def test_real_deals_sample_to_equal_views() -> None:
    """Every edition, real sizes: a world looks to its seat just as the view it came from."""
    dice = Rng(11)
    for rules in (CLASSIC, CARD, CASUAL, Rules.read("six-player"), Rules.read("classic-hebrew")):
        for players in rules.racks:
            game = Game.deal(rules, players, seed=players)
            while not game.over:
                options = game.legal_moves()
                game.play(options[dice.randrange(len(options))])
                if dice.randrange(9) == 0 and not game.over:
                    seat = dice.randrange(players)
                    view = View.of(game, seat)
                    world = view.sample(dice)
                    assert View.of(world, seat) == view
                    assert mask_of(world.racks[seat]) == mask_of(game.racks[seat])
                    check_evidence(world)


def check_evidence(world: Game) -> None:
    """The moves of a sampled world are legal there, one by one."""
    again = Game(world.rules, world.start, world.start_ledger)
    for ply in world.plies:
        assert again.check(ply.move) == ply
        again.apply(ply)


def test_choices_of_a_view_are_those_of_its_game() -> None:
    seen = set()
    for name, (edition, changes) in HOUSE.items():
        # Passing costs points, so a wrong size of the pool shows in the scores too.
        rules = edition.with_changes({**changes, "empty_pool_penalty": 7})
        dice = Rng.named("choices", name)
        game = Game.deal(rules, 3, seed=4)
        while not game.over:
            view, moves = View.of(game, game.turn), game.legal_moves()
            assert view.legal_moves() == moves
            assert View.of(game, (game.turn + 1) % 3).legal_moves() == []
            for move in (Draw(), Pass(), End(), Keep()):
                assert view.choices.why_not(move) == game.why_not(move)
            for legal in moves:
                assert tuple(view.scores(legal)) == game.check(legal).scores
            chosen = moves[dice.randrange(len(moves))]
            seen.add(type(chosen))
            game.play(chosen)
    assert seen == {Place, Draw, Pass, End, Keep}
