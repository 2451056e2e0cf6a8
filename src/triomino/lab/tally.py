"""Rounds counted: sums and histograms, whose size does not grow with the rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from triomino.kernel import Ending, playouts
from triomino.lab.process_pool import default_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from triomino.kernel import Rounds
    from triomino.rules import Json, Rules

LOWEST: Final = -4000
"""The lowest score that is told apart; only absurd rules go below."""


@dataclass(slots=True)
class Tally:
    """Totals over the rounds of one edition and player count."""

    rules: Rules
    players: int
    rounds: int = 0
    scores: NDArray[np.int64] = field(default_factory=lambda: np.zeros(12_000, np.int64))
    """How often a seat ended with so many points, from :data:`LOWEST` on."""
    turns: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2000, np.int64))
    """How many rounds took so many turns."""
    bridges: int = 0
    hexagons: int = 0
    blocked: int = 0
    starter_wins: float = 0.0
    """Rounds won by the starter; a shared win counts in parts."""

    @property
    def name(self) -> str:
        """The edition, marked where house rules change it."""
        return self.rules.edition + ("*" if len(self.rules.changes) > 1 else "")

    def add(self, rounds: Rounds) -> None:
        """Count rounds."""
        self.rounds += len(rounds)
        places = np.clip(rounds.scores.ravel() - LOWEST, 0, len(self.scores) - 1)
        self.scores += np.bincount(places, minlength=len(self.scores))
        lengths = np.minimum(rounds.turns, len(self.turns) - 1)
        self.turns += np.bincount(lengths, minlength=len(self.turns))
        self.bridges += int(rounds.bridges.sum())
        self.hexagons += int(rounds.hexagons.sum())
        self.blocked += int((rounds.reasons == Ending.BLOCKED).sum())
        shared = np.bitwise_count(rounds.winners)
        self.starter_wins += float(((rounds.winners >> rounds.starters & 1) / shared).sum())

    @property
    def advantage(self) -> float:
        """The starter's share of the wins, less an equal share."""
        return self.starter_wins / self.rounds - 1 / self.players

    def line(self) -> Json:
        """Return means and rates as an object for programs."""
        points = np.arange(len(self.scores)) + LOWEST
        mean = float((self.scores * points).sum() / self.scores.sum())
        square = float((self.scores * (points - mean) ** 2).sum() / self.scores.sum())
        turns = float((self.turns * np.arange(len(self.turns))).sum() / self.rounds)
        return {
            "edition": self.name,
            "players": self.players,
            "rounds": self.rounds,
            "mean_score": round(mean, 3),
            "sd_score": round(square**0.5, 3),
            "mean_turns": round(turns, 3),
            "bridges_per_round": round(self.bridges / self.rounds, 4),
            "hexagons_per_round": round(self.hexagons / self.rounds, 4),
            "blocked": round(self.blocked / self.rounds, 4),
            "starter_advantage": round(self.advantage, 4),
        }


@dataclass(frozen=True, slots=True)
class TallyResult:
    """The tallies of several editions and player counts."""

    tallies: list[Tally]
    """Those that have rounds, in the order asked for."""
    interrupted: bool
    """Whether Ctrl-C stopped it early."""


def player_counts(rules: Iterable[Rules], players: int | None = None) -> list[tuple[Rules, int]]:
    """Return each edition with each of its player counts, or with *players* alone."""
    cases = []
    for each in rules:
        if players is not None:
            each.check_players(players)
        cases += [(each, count) for count in each.racks if players in (None, count)]
    return cases


def tally_rounds(
    cases: Iterable[tuple[Rules, int]],
    rounds: int,
    *,
    policy: str = "greedy",
    seed: int = 1,
    threads: int | None = None,
    on_progress: Callable[[Tally, int], object] | None = None,
) -> TallyResult:
    """Play so many rounds of each case by the kernel, on every core unless told otherwise.

    *on_progress* is called with a tally and the rounds added since the last call, 0 at its start.
    Ctrl-C stops it with what there is so far.
    """
    tallies: list[Tally] = []
    interrupted = False
    progress = on_progress or (lambda _, __: None)
    try:
        for rules, players in cases:
            tallies.append(tally := Tally(rules, players))
            progress(tally, 0)
            for done in count_rounds(tally, rounds, policy, seed, threads or default_jobs()):
                progress(tally, done)
    except KeyboardInterrupt:
        interrupted = True
    return TallyResult([tally for tally in tallies if tally.rounds], interrupted)


def count_rounds(tally: Tally, rounds: int, policy: str, seed: int, threads: int) -> Iterator[int]:
    """Play rounds into a tally, block by block; yield the length of each block."""
    size = 10_000 * threads
    for first in range(0, rounds, size):
        count = min(size, rounds - first)
        tally.add(playouts(tally.rules, tally.players, count, policy, seed, threads, first=first))
        yield count
