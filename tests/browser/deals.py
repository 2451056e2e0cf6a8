"""Deals chosen for what they lead to, so that no test has to hope for a lucky one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from triomino.bots import GreedyBot
from triomino.fair import Seeds
from triomino.match import Match, Player
from triomino.moves import Draw, Place
from triomino.rules import CLASSIC
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.game import Game
    from triomino.rules import Rules

PAGE_SEED = "00" * 32
"""What the deals of tables that a page sets up were found with."""


def numbered_seed(number: int) -> str:
    """Return one of endlessly many server seeds."""
    return Seeds.named(0, "deal", number).server


SHORT_ROUND = numbered_seed(145)
"""A classic game that the page sets up. Laying the highest tile where it scores most, against an
easy bot, one draws three times, ends a turn and is out after eleven actions."""

SHORT_CASUAL_ROUND = numbered_seed(52)
"""A game without points that the page sets up: two draws, and out after some ten actions."""

MANY_MISTAKES = numbered_seed(9)
"""A game with five tiles each that a test sets up, lost to a greedy bot for the fewest points:
the analysis marks about four mistakes, and a placement was better at most of them."""


@dataclass(frozen=True)
class Deal:
    """A deal that was found."""

    seed: str
    """The seed for the server."""
    game: Game
    """The round, as far as it was played to find out."""


def find_deal(
    wanted: Callable[[Game], bool], rules: Rules = CLASSIC, *, page_seed: str = ""
) -> Deal:
    """Return a deal for two whose first round is as *wanted*, which may play on in it.

    *page_seed* is what the seeded server adds for the first player.
    """
    for number in count():
        server = numbered_seed(number)
        seeds = Seeds(server, (page_seed, ""))
        game = Match.start(rules, [Player("Ann"), Player("Greta")], seeds).game
        if wanted(game):
            return Deal(server, game)
    raise AssertionError("unreachable")


def play_bot(game: Game) -> None:
    """Let the greedy bot at seat 1 play until seat 0 is to move."""
    while not game.over and game.turn == 1:
        game.play(GreedyBot().choose(View.of(game, 1)))


def placements(game: Game) -> list[Place]:
    """Return the placements of the seat to move."""
    return [move for move in game.legal_moves() if isinstance(move, Place)]


def bot_begins(game: Game) -> bool:
    """Whether the bot at seat 1 opens; it has then played its first turn."""
    if game.turn == 0:
        return False
    play_bot(game)
    return not game.over


def can_place_or_draw(game: Game) -> bool:
    """Whether the bot opens, and then seat 0 may place a tile or draw."""
    return bot_begins(game) and bool(placements(game)) and Draw() in game.legal_moves()


def can_only_draw(game: Game) -> bool:
    """Whether the bot opens, and then nothing of seat 0 fits."""
    return bot_begins(game) and not placements(game) and Draw() in game.legal_moves()
