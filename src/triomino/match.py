"""A match: one round, or rounds to a target. It adds up games and knows no tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.deal import deal
from triomino.errors import TriominoError
from triomino.fair import Seeds
from triomino.game import EndReason, Game, Turn
from triomino.rules import MatchTie, NextStarter, Rules, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.moves import Move


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
        gave_up: Seat | None = None,
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
        self.gave_up = gave_up
        """Who gave the match up."""

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
    def scores(self) -> tuple[int, ...]:
        """The match totals. Where no points are kept, a series counts the rounds won."""
        game = self.game
        if self.rules.scoring or self.rules.target is None:
            return tuple(game.totals)
        return tuple(total + (seat in game.winners) for seat, total in enumerate(game.totals))

    @property
    def is_last_round(self) -> bool:
        """Whether the target has been met, so that no further round follows but for a tie."""
        if self.rules.target is None or self.game.latched:
            return True
        return self.game.over and any(map(self.rules.reached, self.scores))

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        if self.game.end is None:
            return False
        if self.game.end.reason is EndReason.ABANDONED:
            return True
        tied = self.rules.match_tie is MatchTie.EXTRA_ROUND and len(self._leaders()) > 1
        return self.is_last_round and not tied

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won; several share a victory. Empty while it runs, or when all gave up."""
        if not self.over:
            return ()
        if self.game.end is not None and self.game.end.reason is EndReason.ABANDONED:
            if self.gave_up is None:
                return ()
            return _highest({s: t for s, t in enumerate(self.scores) if s != self.gave_up})
        return self._leaders()

    def _leaders(self) -> tuple[Seat, ...]:
        if self.rules.target is None and self.rules.wins_by_ending:
            return self.game.winners
        return _highest(dict(enumerate(self.scores)))

    def play(self, move: Move) -> Turn:
        """Play a move in the running round."""
        return self.game.play(move)

    def undo(self, count: int = 1) -> None:
        """Take back the last moves of the running round."""
        self.game.undo(count)

    def abandon(self, seat: Seat | None = None) -> None:
        """End the match where it is; *seat* gave up, or everybody did."""
        self.game.abandon()
        self.gave_up = seat

    def next_round(self) -> Game:
        """Deal the next round; the scores are carried over."""
        if not self.game.over or self.over:
            raise TriominoError(
                "the match is over" if self.over else "the running round is not over yet"
            )
        players = len(self.players)
        seeds = self.seeds or Seeds.fresh(players)
        stream = seeds.round(len(self.rounds) + 1)
        start = deal(self.rules, players, stream, self.next_starter())
        game = Game(self.rules, start, self.scores, latched=self.is_last_round)
        self.rounds.append(game)
        return game

    def next_starter(self) -> Seat | None:
        """Who starts the next round, where that is settled without a draw or a look at hands."""
        players, last = len(self.players), self.game
        match self.rules.next_starter:
            case NextStarter.SET_UP:
                return None
            case NextStarter.ROTATE_LEFT:
                return (last.starter + 1) % players
            case NextStarter.ROUND_WINNER:
                # Of several winners, the first to play after the last starter, who comes last.
                return min(last.winners, key=lambda seat: (seat - last.starter - 1) % players)


def _highest(totals: dict[Seat, int]) -> tuple[Seat, ...]:
    best = max(totals.values())
    return tuple(seat for seat, total in totals.items() if total == best)
