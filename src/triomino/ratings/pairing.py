"""Who of those that wait plays with whom: as soon as there are enough, with similar ratings.

>>> seekers = [Seeker("ann", Place("classic", 2), 0), Seeker("ben", Place("classic", 2), 1000)]
>>> [[one.person for one in group] for group in pair_up(seekers, now=2000)]
[['ann', 'ben']]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.ratings.values import Rating

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

WINDOW: Final = 200
"""Points that two people may be apart when they have just come, beside how uncertain they are."""

WIDER: Final = 20
"""Points by which that grows with every second of waiting."""

PATIENCE: Final = 25_000
"""Milliseconds after which the rating of the others does not matter any more."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """What people wait for: a match of an edition with so many players."""

    edition: str
    players: int


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who waits."""

    person: str
    place: Place
    since: int
    """When the waiting began, in milliseconds."""
    rating: Rating = Rating()
    takes_bots: bool = False
    """Whether the match may begin with bots at the seats that nobody has."""

    def reach(self, now: int) -> float:
        """How many points others may be apart from this one by now."""
        waited = max(0, now - self.since)
        if waited >= PATIENCE:
            return float("inf")
        return WINDOW + self.rating.uncertainty + WIDER * waited / 1000


def pair_up(
    seekers: Collection[Seeker],
    now: int,
    blocked: Collection[frozenset[str]] = frozenset(),
) -> list[list[Seeker]]:
    """Full tables of people who play together now; the others go on waiting.

    Those who have waited longest choose first. They get the people nearest to their rating among
    all who wait for the same and are near enough by now; the pairs in *blocked* never meet.
    """
    free = sorted(seekers, key=lambda one: (one.since, one.person))
    groups = []
    for first in list(free):
        if first in free and (group := _group(first, free, now, blocked)):
            groups.append(group)
            free = [one for one in free if one not in group]
    return groups


def _group(
    first: Seeker, free: Sequence[Seeker], now: int, blocked: Collection[frozenset[str]]
) -> list[Seeker] | None:
    group = [first]
    others = [one for one in free if one.place == first.place and one != first]
    others.sort(key=lambda one: (abs(one.rating.mu - first.rating.mu), one.since))
    for other in others:
        if len(group) == first.place.players:
            break
        if all(_fits(member, other, now, blocked) for member in group):
            group.append(other)
    return group if len(group) == first.place.players else None


def with_bots(
    seekers: Collection[Seeker], now: int, blocked: Collection[frozenset[str]] = frozenset()
) -> list[list[Seeker]]:
    """Tables of people who do not want to wait for more: the other seats are for bots."""
    free = sorted((one for one in seekers if one.takes_bots), key=lambda one: one.since)
    groups: list[list[Seeker]] = []
    for one in free:
        for group in groups:
            if (
                one.place == group[0].place
                and len(group) < one.place.players
                and all(_fits(member, one, now, blocked) for member in group)
            ):
                group.append(one)
                break
        else:
            groups.append([one])
    return groups


def may_join(one: Seeker, people: Collection[str], blocked: Collection[frozenset[str]]) -> bool:
    """Whether somebody may take the seat of a bot beside these people."""
    return one.person not in people and not any(
        frozenset((one.person, other)) in blocked for other in people
    )


def _fits(one: Seeker, other: Seeker, now: int, blocked: Collection[frozenset[str]]) -> bool:
    if frozenset((one.person, other.person)) in blocked or one.person == other.person:
        return False
    apart = abs(one.rating.points - other.rating.points)
    return apart <= max(one.reach(now), other.reach(now))
