"""A match: one round, or rounds to a target. It is a ledger and its rounds, and knows no tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.deal import deal
from triomino.errors import TriominoError
from triomino.fair import Seeds
from triomino.game import Game, Ply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.ledger import Ledger
    from triomino.moves import Move
    from triomino.rules import Rules, Seat


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat: a person, or a bot by its name."""

    name: str
    bot: str | None = None


class Match:
    """Rounds with the same players, until the rules say it is decided.

    >>> from triomino.rules import CLASSIC
    >>> match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], Seeds.named(2, "example"))
    >>> while not match.over:
    ...     turn = match.play(match.game.legal_moves()[0])
    >>> match.scores == tuple(match.game.totals)
    True
    """

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        rounds: Sequence[Game],
        seeds: Seeds | None = None,
    ) -> None:
        rules.check_players(len(players))
        if not rounds:
            raise TriominoError("a match has at least one round")
        self.rules = rules
        self.players = tuple(players)
        self.rounds = list(rounds)
        """All rounds so far, the running one last."""
        self.seeds = seeds
        """What deals the rounds; without it, new rounds are dealt by secret chance."""

    @classmethod
    def start(cls, rules: Rules, players: Sequence[Player], seeds: Seeds | None = None) -> Match:
        """A new match with its first round dealt; without seeds it takes fresh secret ones."""
        seeds = seeds or Seeds.fresh(len(players))
        first = Game(rules, deal(rules, len(players), seeds.round(1)))
        return cls(rules, players, [first], seeds)

    @property
    def game(self) -> Game:
        """The running round, or the last one."""
        return self.rounds[-1]

    @property
    def ledger(self) -> Ledger:
        """What the match stands at."""
        return self.game.ledger

    @property
    def scores(self) -> tuple[int, ...]:
        """The match totals. Where no points are kept, a series counts the rounds won."""
        return self.ledger.totals

    @property
    def is_last_round(self) -> bool:
        """Whether the target has been met, so that no further round follows but for a tie."""
        return self.ledger.is_last_round

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return self.ledger.is_over

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won; several share a victory. Empty while it runs, or when all gave up."""
        return self.ledger.winners

    def play(self, move: Move) -> Ply:
        """Play a move in the running round."""
        return self.game.play(move)

    def undo(self, count: int = 1) -> None:
        """Take back the last moves of the running round."""
        self.game.undo(count)

    def abandon(self, seat: Seat | None = None) -> None:
        """End the match where it is; *seat* gave up, or everybody did."""
        self.game.abandon(seat)

    def next_round(self) -> Game:
        """Deal the next round; the scores are carried over."""
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
