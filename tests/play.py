"""Random play for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triomino import Game, Match, Player, Rng, Rules, Seeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino import Dice, Ply


def random_plies(game: Game, dice: Dice) -> Iterator[Ply]:
    """Play a round to its end, yielding each ply after it was applied."""
    while not game.over:
        moves = game.legal_moves()
        yield game.play(moves[dice.randrange(len(moves))])


def random_game(rules: Rules, players: int, seed: int, moves: int | None = None) -> Game:
    """A round played at random, to its end or for so many moves."""
    game = Game.deal(rules, players, seed)
    for number, _ in enumerate(random_plies(game, Rng.named("play", seed)), 1):
        if number == moves:
            break
    return game


def random_match(
    rules: Rules, players: int, seed: int, *, names: str = "ABCDEF", most: int | None = None
) -> Match:
    """A match played at random to its end, or for so many rounds."""
    seats = [Player(name) for name in names[:players]]
    match = Match.start(rules, seats, Seeds.named(players, "test", seed))
    dice = Rng.named("match", seed)
    while True:
        for _ in random_plies(match.game, dice):
            pass
        if match.over or len(match.rounds) == most:
            return match
        match.next_round()
