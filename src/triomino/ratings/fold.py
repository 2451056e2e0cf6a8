"""Ratings as a fold over rated matches, by the Plackett-Luce model of openskill."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from triomino.ratings.values import BETA, Rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from openskill.models import PlackettLuce

    from triomino.ratings.values import RatedMatch


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # noqa: PLC0415 - 0.1 s, and few commands need it

    return PlackettLuce(beta=BETA)


def rate(match: RatedMatch, before: Sequence[Rating]) -> tuple[Rating, ...]:
    """The ratings of all seats after a match, given those *before*.

    Where a bot played most of somebody's moves, nobody is rated but those who left: nobody wins by
    it, and leaving early is no way out of losing.
    """
    model = _model()
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    rated = model.rate(teams, ranks=[float(seat.rank) for seat in match.seats])
    if all(seat.left for seat in match.seats):
        return tuple(before)
    return tuple(
        Rating(new.mu, new.sigma, old.matches + 1) if match.is_played or seat.left else old
        for seat, old, [new] in zip(match.seats, before, rated, strict=True)
    )


class Ratings:
    """The ratings of one edition or of several, by edition and person."""

    def __init__(self, known: Mapping[tuple[str, str], Rating] | None = None) -> None:
        self._known = dict(known or {})

    def of(self, edition: str, person: str) -> Rating:
        """The rating of a person, or what everybody begins with."""
        return self._known.get((edition, person), Rating())

    def add(self, match: RatedMatch) -> tuple[Rating, ...]:
        """Take a match into account; return the ratings of its seats after it."""
        before = [self.of(match.edition, seat.person) for seat in match.seats]
        after = rate(match, before)
        for seat, old, new in zip(match.seats, before, after, strict=True):
            if new is not old:
                self._known[match.edition, seat.person] = new
        return after

    @classmethod
    def folded(cls, matches: Iterable[RatedMatch]) -> Ratings:
        """The ratings after matches in the order in which they were stored."""
        ratings = cls()
        for match in matches:
            ratings.add(match)
        return ratings

    def items(self) -> dict[tuple[str, str], Rating]:
        """All ratings, by edition and person."""
        return dict(self._known)
