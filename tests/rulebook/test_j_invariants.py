"""10.J: what holds in every round, tried on random ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rulebook.boards import ALL, rules_of
from triomino import Game, Place, Rng, Score, Vertex
from triomino.ledger import meets_target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino import Ply, Rules

ROUNDS = 4
MOST_MOVES = 1000
COUNTS = {name: range(2, 7 if name == "six-player" else 5) for name in ALL}


def play_out(game: Game, rng: Rng) -> Iterator[Ply]:
    """Random legal moves until the round ends."""
    for _ in range(MOST_MOVES):
        if game.over:
            return
        moves = game.legal_moves()
        assert moves, "nobody is ever left without a move"
        yield game.play(moves[rng.randrange(len(moves))])
    pytest.fail("the round does not end")


def scores_of(ply: Ply) -> list[Score]:
    return [*ply.scores, *(ply.end.scores if ply.end else ())]


def check_tiles(game: Game) -> None:
    """Board, racks and pool are the whole set, every tile once."""
    laid = [place.tile for place in game.board.places]
    held = [tile for rack in game.racks for tile in rack]
    everything = [*laid, *held, *game.pool]
    assert len(everything) == len(game.rules.tiles)
    assert set(everything) == set(game.rules.tiles)


def check_vertices(game: Game) -> None:
    """Every vertex carries one number."""
    seen: dict[Vertex, int] = {}
    for place in game.board.places:
        for vertex, number in zip(place.cell.vertices, place.numbers, strict=True):
            assert seen.setdefault(vertex, number) == number
    assert game.board.numbers == seen


@pytest.mark.parametrize(
    ("edition", "players"), [(name, count) for name in ALL for count in COUNTS[name]]
)
@pytest.mark.parametrize("number", range(ROUNDS))
def test_tv_86_random_rounds(edition: str, players: int, number: int) -> None:
    game = Game.deal(rules_of(edition), players, seed=f"rule book {number}")
    check_tiles(game)
    sums = [0] * players
    for ply in play_out(game, Rng.named("rule book", edition, players, number)):
        check_tiles(game)
        if isinstance(ply.move, Place):
            check_vertices(game)
        for score in scores_of(ply):
            sums[score.seat] += score.points
        assert game.totals == sums
    assert game.over
    assert game.plies
    if edition == "casual":
        assert sums == [0] * players


@pytest.mark.parametrize("rules", ["card", "card placement_sum=all"])
@pytest.mark.parametrize("players", COUNTS["card"])
def test_tv_87_scores_of_cards_never_fall(rules: str, players: int) -> None:
    plain = rules_of(rules)
    entries: list[Score] = []
    for number in range(12):
        game = Game.deal(plain, players, seed=number)
        for ply in play_out(game, Rng.named("cards", players, number)):
            entries += scores_of(ply)
    assert len(entries) >= 24
    assert all(score.points >= 0 for score in entries)


def met_in(rules: Rules, players: int, number: int) -> bool:
    """Whether a random game meets the target, by the time the rules test it."""
    game = Game.deal(rules, players, seed=number)
    for _ in play_out(game, Rng.named("cards", players, number)):
        pass
    return game.latched or any(meets_target(rules, total) for total in game.totals)


@pytest.mark.parametrize("players", COUNTS["card"])
def test_tv_87_testing_the_target_early_or_late_is_the_same(players: int) -> None:
    early = rules_of("card target=80 target_latch=any_moment")
    late = rules_of("card target=80 target_latch=round_end")
    outcomes = [met_in(early, players, number) for number in range(12)]
    assert outcomes == [met_in(late, players, number) for number in range(12)]
    assert set(outcomes) == {True, False}
