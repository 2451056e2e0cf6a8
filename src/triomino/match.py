"""A match: one round, or several to a target, with the same players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.deal import deal
from triomino.errors import TriominoError
from triomino.fair import Seeds
from triomino.game import Game, Ply
from triomino.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.fair2 import AnySeeds
    from triomino.moves import Move
    from triomino.rules import Rules, Seat


@dataclass(frozen=True, slots=True)
class Player:
    """The player at a seat: a person, or a bot by its name."""

    name: str
    bot: str | None = None


class Match:
    """Rounds with the same players until the match is decided.

    >>> from triomino.rules import CLASSIC
    >>> match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], Seeds.named(2, "example"))
    >>> while not match.over:
    ...     ply = match.play(match.game.legal_moves()[0])
    >>> match.scores == tuple(match.game.totals)
    True
    """

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        rounds: Sequence[Game],
        seeds: AnySeeds | None = None,
    ) -> None:
        rules.check_players(len(players))
        if not rounds:
            raise TriominoError("a match has at least one round")
        self.rules = rules
        self.players = tuple(players)
        self.rounds = list(rounds)
        """All rounds so far, the current one last."""
        self.seeds = seeds
        """The seeds for the deals; without them, every new round takes fresh secret ones."""

    @classmethod
    def start(
        cls,
        rules: Rules,
        players: Sequence[Player],
        seeds: AnySeeds | None = None,
        most_rounds: int | None = None,
    ) -> Match:
        """Start a match and deal its first round; *seeds* default to fresh secret ones.

        With *most_rounds* a match to a target ends after so many rounds at the latest.
        """
        seeds = seeds or Seeds.fresh(len(players))
        ledger = Ledger.open(rules, len(players), most_rounds=most_rounds)
        first = Game(rules, deal(rules, len(players), seeds.round(1)), ledger)
        return cls(rules, players, [first], seeds)

    @property
    def game(self) -> Game:
        """The current round, or the last one."""
        return self.rounds[-1]

    @property
    def ledger(self) -> Ledger:
        """The standing of the match."""
        return self.game.ledger

    @property
    def scores(self) -> tuple[int, ...]:
        """The match totals: points, or rounds won in a series without points."""
        return self.ledger.totals

    @property
    def is_last_round(self) -> bool:
        """Whether no further round follows, except to break a tie."""
        return self.ledger.is_last_round

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return self.ledger.is_over

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won, or shares the victory. Empty while the match runs, or if all gave up."""
        return self.ledger.winners

    def play(self, move: Move) -> Ply:
        """Play a move in the current round."""
        return self.game.play(move)

    def undo(self, count: int = 1) -> None:
        """Take back the last moves of the current round."""
        self.game.undo(count)

    def abandon(self, seat: Seat | None = None) -> None:
        """End the match without a settlement; *seat* gave up, or everybody did."""
        self.game.abandon(seat)

    def next_round(self) -> Game:
        """Deal the next round; totals carry over."""
        if not self.game.over or self.over:
            raise TriominoError(
                "the match is over" if self.over else "the running round is not over yet"
            )
        players = len(self.players)
        seeds = self.seeds or Seeds.fresh(players)
        stream = seeds.round(len(self.rounds) + 1)
        start = deal(self.rules, players, stream, self.ledger.next_starter)
        game = Game(self.rules, start, self.ledger.next_round())
        self.rounds.append(game)
        return game
