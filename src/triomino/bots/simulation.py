"""Reproducible matches between bots."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from triomino.bots.registry import make_bot
from triomino.dice import Rng
from triomino.fair import Seeds
from triomino.match import Match, Player
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.bots.base import Bot, Limit
    from triomino.rules import Rules


def play_out(match: Match, bots: Sequence[Bot], limit: Limit | None = None) -> None:
    """Let the bots play a match to its end."""
    while True:
        game = match.game
        while not game.over:
            game.play(bots[game.turn].choose(View.of(game, game.turn), limit))
        if match.over:
            return
        match.next_round()


def simulate_match(rules: Rules, names: Sequence[str], seed: int, number: int) -> Match:
    """Play match *number* of a simulation between the named bots, one per seat.

    Its deals are those of ``Seeds.named(players, "simulate", seed, number)``; the bot at a seat
    uses ``Rng.named("bot", seed, number, seat)``.
    """
    bots = [make_bot(name, Rng.named("bot", seed, number, seat)) for seat, name in enumerate(names)]
    match = Match.start(
        rules, bot_players(names), Seeds.named(len(names), "simulate", seed, number)
    )
    play_out(match, bots)
    return match


def bot_players(names: Sequence[str]) -> list[Player]:
    """Return players with readable names, numbered if a bot has several seats.

    >>> [player.name for player in bot_players(["greedy", "random", "greedy"])]
    ['Greedy', 'Random', 'Greedy 2']
    """
    seen: Counter[str] = Counter()
    players = []
    for name in names:
        seen[name] += 1
        number = f" {seen[name]}" if seen[name] > 1 else ""
        players.append(Player(name.capitalize() + number, name))
    return players
