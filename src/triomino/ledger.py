"""The standing of a match as a fold over scores and round ends.

Who leads, whether the target has been met, whether this round is the last, who won and who starts
the next round are decided here and nowhere else. A match is a ledger and its rounds; a score pad
is a ledger and its journal.

>>> from dataclasses import replace
>>> from triomino.rules import CLASSIC
>>> from triomino.scoring import Reason, Score
>>> ledger = Ledger.open(replace(CLASSIC, target=400), 2, totals=(390, 380))
>>> ledger = ledger.after([Score(0, Reason.TILE, 11)]).close(EndReason.BLOCKED)
>>> ledger.totals, ledger.is_last_round, ledger.winners
((401, 380), True, (0,))
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from triomino.rules import MatchTie, NextStarter, TargetLatch, TargetTest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triomino.rules import Rules, Seat
    from triomino.scoring import Score


class EndReason(StrEnum):
    """How a round ended."""

    OUT = "out"
    BLOCKED = "blocked"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class End:
    """The end of a round."""

    reason: EndReason
    seats: tuple[Seat, ...] = ()
    """Who went out, or the winners that the rules name for a blocked round."""
    winners: tuple[Seat, ...] = ()
    """Who won the round, regardless of the match; if it was abandoned, who won the match."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points that the players agreed on, which no rule gives."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """The standing of a match. It is immutable: every entry returns a new ledger."""

    rules: Rules
    seats: tuple[Seat, ...]
    """The seats that play, in turn order."""
    totals: tuple[int, ...]
    """Points, or rounds won in a series without points; players who left keep theirs."""
    round_totals: tuple[int, ...]
    """The totals when the round began."""
    starter: Seat | None = None
    """Who started the round, if that is known yet."""
    round: int = 1
    entries: int = 0
    """The number of entries in this round: one per move, and the settlement."""
    latched_at: int | None = None
    """The entry of this round that met the target; 0 if it was met earlier."""
    end: End | None = None
    most_rounds: int | None = None
    """After so many rounds a match to a target ends although nobody has met it, as at a club
    evening. No edition has such a rule, so it is none of :class:`Rules`."""

    @classmethod
    def open(
        cls,
        rules: Rules,
        players: int,
        *,
        totals: Sequence[int] = (),
        starter: Seat | None = None,
        latched: bool = False,
        most_rounds: int | None = None,
    ) -> Ledger:
        """Return a ledger for seats 0, 1, …; the round begins with *totals* and *latched*."""
        begun = tuple(totals) or (0,) * players
        return cls(
            rules,
            tuple(range(players)),
            begun,
            begun,
            starter,
            latched_at=0 if latched else None,
            most_rounds=most_rounds,
        )

    # --- Entries ---------------------------------------------------------------------------------

    def after(self, scores: Iterable[Score]) -> Ledger:
        """Return the ledger with one more entry, such as the scores of a move."""
        return self.after_each([scores])

    def after_each(self, entries: Iterable[Iterable[Score]]) -> Ledger:
        """Return the ledger with several more entries."""
        return self._entered(entries)

    def adjusted(self, seat: Seat, points: int) -> Ledger:
        """Return the ledger with points that the players agreed on."""
        return self._entered([[Adjustment(seat, points)]])

    def _entered(self, new: Iterable[Iterable[Score | Adjustment]]) -> Ledger:
        totals, latched_at, rules = list(self.totals), self.latched_at, self.rules
        tested = rules.target is not None and rules.target_latch is TargetLatch.ANY_MOMENT
        entries = self.entries
        for scores in new:
            entries += 1
            for score in scores:
                totals[score.seat] += score.points
                # Tested after every single score: a target once met stays met.
                if tested and latched_at is None and meets_target(rules, totals[score.seat]):
                    latched_at = entries
        # Every move at a table makes one, so this is hot: replace takes twice as long.
        return Ledger(
            self.rules,
            self.seats,
            tuple(totals),
            self.round_totals,
            self.starter,
            self.round,
            entries,
            latched_at,
            self.end,
            self.most_rounds,
        )

    def close(self, reason: EndReason, seats: Sequence[Seat] = ()) -> Ledger:
        """Return the ledger with the round ended; its settlement has been entered already."""
        winners = self._round_winners(tuple(seats))
        totals = list(self.totals)
        if not self.rules.scoring and self.rules.target is not None:
            # Without points, a series counts the rounds won.
            for seat in winners:
                totals[seat] += 1
        return replace(self, totals=tuple(totals), end=End(reason, tuple(seats), winners))

    def abandon(self, gave_up: Seat | None = None) -> Ledger:
        """Return the ledger with the match given up, by one seat or by everybody."""
        others = [seat for seat in self.seats if gave_up not in (None, seat)]
        return replace(self, end=End(EndReason.ABANDONED, (), self._highest(others)))

    def next_round(self, starter: Seat | None = None) -> Ledger:
        """Return the ledger with the next round begun."""
        met = self.rules.target is not None and (self.latched or self._is_met)
        return replace(
            self,
            round_totals=self.totals,
            starter=starter,
            round=self.round + 1,
            entries=0,
            latched_at=0 if met else None,
            end=None,
        )

    def started_by(self, starter: Seat) -> Ledger:
        """Return the ledger with the starter of the round known."""
        return replace(self, starter=starter)

    def seated(self, seats: Sequence[Seat], people: int) -> Ledger:
        """Return the ledger with new players: *people* have a total, and *seats* of them play."""
        new = (0,) * (people - len(self.totals))
        return replace(
            self,
            seats=tuple(seats),
            totals=self.totals + new,
            round_totals=self.round_totals + new,
        )

    # --- Standing --------------------------------------------------------------------------------

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat has won or lost in this round so far."""
        return tuple(now - then for now, then in zip(self.totals, self.round_totals, strict=True))

    @property
    def latched(self) -> bool:
        """Whether the target has been met; once met it stays met."""
        return self.latched_at is not None

    @property
    def is_last_round(self) -> bool:
        """Whether no further round follows, except to break a tie."""
        if self.rules.target is None or self.latched:
            return True
        if self.most_rounds is not None and self.round >= self.most_rounds:
            return True
        return self.end is not None and self._is_met

    @property
    def is_over(self) -> bool:
        """Whether the match is decided."""
        if self.end is None:
            return False
        if self.end.reason is EndReason.ABANDONED:
            return True
        tied = self.rules.match_tie is MatchTie.EXTRA_ROUND and len(self.leaders) > 1
        return self.is_last_round and not tied

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """Who is ahead; after a single round won by ending it, the winners of that round."""
        ended = self.end is not None and self.end.reason is not EndReason.ABANDONED
        if self.end is not None and ended and self._is_won_by_ending:
            return self.end.winners
        return self._highest(self.seats)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won the match, or shares the victory. Empty while it runs, or if all gave up."""
        if self.end is None or not self.is_over:
            return ()
        return self.end.winners if self.end.reason is EndReason.ABANDONED else self.leaders

    def winners_with(self, head_start: Sequence[int]) -> tuple[Seat, ...]:
        """Who won the match when *head_start* is added to the totals at its end.

        That changes neither the course of the match nor its totals, and nothing where points do
        not decide: after giving up, or a single round won by ending it.
        """
        won = self.winners
        if self.end is None or not won or not any(head_start):
            return won
        if self.end.reason is EndReason.ABANDONED or self._is_won_by_ending:
            return won
        best = max(self.totals[seat] + head_start[seat] for seat in self.seats)
        return tuple(seat for seat in self.seats if self.totals[seat] + head_start[seat] == best)

    @property
    def next_starter(self) -> Seat | None:
        """Who starts the next round, if the rules settle that without a draw."""
        if self.end is None or self.is_over:
            return None
        match self.rules.next_starter:
            case NextStarter.SET_UP:
                return None
            case NextStarter.ROTATE_LEFT:
                return self.seat_after(self.starter)
            case NextStarter.ROUND_WINNER:
                # Of several winners, the first to play after the last starter, who comes last.
                first = self.seat_after(self.starter)
                at = 0 if first is None else self.seats.index(first)
                order = self.seats[at:] + self.seats[:at]
                return next((seat for seat in order if seat in self.end.winners), None)

    def seat_after(self, seat: Seat | None) -> Seat | None:
        """Return the seat that plays after *seat*, or ``None`` if *seat* does not play."""
        if seat not in self.seats:
            return None
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    # --- Details ---------------------------------------------------------------------------------

    @property
    def _is_met(self) -> bool:
        """Whether somebody who plays has met the target now."""
        return any(meets_target(self.rules, self.totals[seat]) for seat in self.seats)

    @property
    def _is_won_by_ending(self) -> bool:
        """Whether this is a single round that goes to the player who ended it."""
        return self.rules.target is None and self.rules.wins_by_ending

    def _round_winners(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        if self.rules.wins_by_ending and seats:
            return seats
        # A single round is won on totals, a round of a match on the points scored in it.
        scored = self.totals if self.rules.target is None else self.points
        best = max(scored[seat] for seat in self.seats)
        return tuple(seat for seat in self.seats if scored[seat] == best)

    def _highest(self, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        best = max((self.totals[seat] for seat in seats), default=0)
        return tuple(seat for seat in seats if self.totals[seat] == best)


def meets_target(rules: Rules, total: int) -> bool:
    """Whether *total* meets the target of the match."""
    if rules.target is None:
        return False
    reaches = rules.target_test is TargetTest.REACH
    return total >= rules.target if reaches else total > rules.target
