"""The summary of a simulation: a line for each bot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triomino.kernel import Matches
    from triomino.lab.simulation import Job, MatchOutcome
    from triomino.rules import Json, Seat


@dataclass(slots=True)
class Summary:
    """Sums over matches, as integers and fractions, so that their order does not matter."""

    job: Job
    matches: int = 0
    rounds: int = 0
    turns: int = 0
    wins: list[Fraction] = field(init=False)
    points: list[int] = field(init=False)
    bridges: list[int] = field(init=False)
    hexagons: list[int] = field(init=False)

    def __post_init__(self) -> None:
        seats = len(self.job.bots)
        self.wins = [Fraction()] * seats
        self.points, self.bridges, self.hexagons = [0] * seats, [0] * seats, [0] * seats

    def add(self, played: MatchOutcome) -> None:
        """Count one match."""
        self.matches += 1
        self.rounds += played.rounds
        self.turns += played.turns
        for seat in played.winners:
            self.wins[seat] += Fraction(1, len(played.winners))
        for seat in range(len(self.job.bots)):
            self.points[seat] += played.scores[seat]
            self.bridges[seat] += played.bridges[seat]
            self.hexagons[seat] += played.hexagons[seat]

    def add_block(self, played: Matches) -> int:
        """Count many matches; return how many."""
        self.matches += len(played.winners)
        self.rounds += int(played.rounds_turns[:, 0].sum())
        self.turns += int(played.rounds_turns[:, 1].sum())
        for seat in range(len(self.job.bots)):
            self.points[seat] += int(played.scores[:, seat].sum(dtype="int64"))
            self.bridges[seat] += int(played.bridges[:, seat].sum())
            self.hexagons[seat] += int(played.hexagons[:, seat].sum())
        for winners, count in Counter(played.winners.tolist()).items():
            for seat in range(len(self.job.bots)):
                if winners >> seat & 1:
                    self.wins[seat] += Fraction(count, winners.bit_count())
        return len(played.winners)

    def lines(self) -> list[Json]:
        """Return an object for each bot, in the order of their first seats.

        ``win_rate`` is its part of all matches, whichever of its seats won; the other means are
        those of one of its seats.
        """
        return [
            self._line(bot, [seat for seat, name in enumerate(self.job.bots) if name == bot])
            for bot in dict.fromkeys(self.job.bots)
        ]

    def _line(self, bot: str, seats: list[Seat]) -> Json:
        def mean(values: list[int], count: int) -> float:
            return round(sum(values[seat] for seat in seats) / (len(seats) * count), 4)

        wins = sum((self.wins[seat] for seat in seats), Fraction())
        return {
            "bot": bot,
            "seats": seats,
            "matches": self.matches,
            "wins": round(float(wins), 4),
            "win_rate": round(float(wins / self.matches), 4),
            "mean_score": mean(self.points, self.matches),
            "mean_rounds": round(self.rounds / self.matches, 4),
            "mean_turns": round(self.turns / self.rounds, 4),
            "bridges_per_round": mean(self.bridges, self.rounds),
            "hexagons_per_round": mean(self.hexagons, self.rounds),
        }
