"""Who plays whom in the next round.

**Swiss**: the best play the best, those of equal points the upper half against the lower, and no
two meet twice while that is possible. **Round robin**: everybody meets everybody; who comes late
or leaves early changes the plan as little as possible.

For tables of two "possible" is decided exactly. For three and four it is searched for, within
bounds: see :mod:`triomino.tournament.groups`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triomino.errors import TriominoError
from triomino.tournament.groups import even, group, table_sizes
from triomino.tournament.matching import Matching
from triomino.tournament.standings import standings
from triomino.tournament.values import MOST_SEATS, System, meetings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from triomino.tournament.values import Entrant, Meetings, PlayedRound


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tables of a round by their players, and who has a bye."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


def pair_round(
    system: System,
    seats: int,
    entrants: Sequence[Entrant],
    rounds: Sequence[PlayedRound],
    dice: Random,
) -> Pairing:
    """The next round for those who are present, at tables of *seats*, or fewer where it must be.

    *dice* decide between those who are level. Raise ``TriominoError`` if fewer than two are there.
    """
    if not 2 <= seats <= MOST_SEATS:
        raise TriominoError(f"tables have 2 to {MOST_SEATS} seats, not {seats}")
    present = [entrant.number for entrant in entrants if entrant.present]
    if len(present) < 2:
        raise TriominoError("two have to be there for a round")
    met = meetings(rounds)
    byes = Counter(player for one in rounds for player in one.byes)
    if system is System.ROUND_ROBIN:
        if seats == 2:
            return _everybody(present, met, byes)
        sizes = table_sizes(len(present), seats)
        return Pairing(tuple(even(present, sizes, met, dice)))
    points = {row.player: row.points for row in standings(entrants, rounds)}
    order = _by_points(present, entrants, rounds, dice)
    if seats == 2:
        return _swiss_pairs(order, points, met, byes)
    return Pairing(tuple(group(order, table_sizes(len(order), seats), met, dice)))


def _by_points(
    present: Sequence[int],
    entrants: Sequence[Entrant],
    rounds: Sequence[PlayedRound],
    dice: Random,
) -> list[int]:
    """Those who are present, best first; who is level in random order."""
    chance = {player: dice.random() for player in present}
    rank = {row.player: row.rank for row in standings(entrants, rounds)}
    return sorted(present, key=lambda player: (rank[player], chance[player]))


# --- Tables of two -------------------------------------------------------------------------------


def _swiss_pairs(
    order: Sequence[int], points: dict[int, int], met: Meetings, byes: Counter[int]
) -> Pairing:
    rest = list(order)

    def wishes(player: int, others: Sequence[int]) -> list[int]:
        """The others, the one first whom *player* should meet: half their group further down."""
        level = [one for one in (player, *others) if points[one] == points[player]]
        half = len(level) // 2
        near = sorted(level[1:], key=lambda one: abs(level.index(one) - max(1, half)))
        return near + [one for one in others if points[one] != points[player]]

    return _pairs(rest, met, byes, wishes)


def _everybody(present: Sequence[int], met: Meetings, byes: Counter[int]) -> Pairing:
    """The next round of the circle; where it was broken, those first who have most to play."""
    for turn in range(len(present) + len(present) % 2 - 1):
        circle = _circle(present, turn)
        if not any(met[frozenset(pair)] for pair in circle.tables) and _is_kept(present, met, turn):
            return circle
    open_games = {
        player: sum(not met[frozenset((player, one))] for one in present if one != player)
        for player in present
    }
    order = sorted(present, key=lambda player: -open_games[player])
    return _pairs(order, met, byes, lambda _, others: list(others))


def _is_kept(present: Sequence[int], met: Meetings, turn: int) -> bool:
    """Whether what was played is the circle's rounds before *turn*, and nothing else."""
    planned = {frozenset(pair) for one in range(turn) for pair in _circle(present, one).tables}
    return planned == set(met)


def _circle(players: Sequence[int], turn: int) -> Pairing:
    """A round of the circle method: one sits still, the others move on by a place each round."""
    ring: list[int | None] = list(players)
    if len(ring) % 2:
        ring.append(None)
    still, moving = ring[0], ring[1:]
    shift = turn % len(moving)
    seated = [still, *moving[shift:], *moving[:shift]]
    pairs = [(seated[at], seated[-1 - at]) for at in range(len(seated) // 2)]
    tables = tuple((a, b) for a, b in pairs if a is not None and b is not None)
    byes = tuple(one for pair in pairs if None in pair for one in pair if one is not None)
    return Pairing(tables, byes)


def _pairs(
    order: Sequence[int],
    met: Meetings,
    byes: Counter[int],
    wishes: Callable[[int, Sequence[int]], list[int]],
) -> Pairing:
    """Pair all, one after the other, each with the first wish that costs the rest nothing.

    As few as possible meet again; of an odd number, one who had fewest byes has one.
    """

    def is_new(one: int, other: int) -> bool:
        return not met[frozenset((one, other))]

    matching = Matching(order, is_new).grow()
    out: tuple[int, ...] = ()
    if len(order) % 2:
        matching, bye = _with_bye(matching, order, byes)
        out = (bye,)
    tables = []
    while matching.players:
        player, *others = matching.players
        again = _missing(matching)
        wished = sorted(wishes(player, others), key=lambda one: met[frozenset((player, one))])
        for other in wished:
            rest = matching.without(player, other)
            if _missing(rest) + (not is_new(player, other)) <= again:
                break
        else:
            raise AssertionError("the best pairing pairs everybody")
        tables.append((player, other))
        matching = rest
    return Pairing(tuple(tables), out)


def _missing(matching: Matching) -> int:
    """How many pairs have to meet again."""
    return len(matching.players) // 2 - matching.size


def _with_bye(matching: Matching, order: Sequence[int], byes: Counter[int]) -> tuple[Matching, int]:
    """The matching without the one who has the bye: the last of those who had fewest."""
    best: tuple[int, Matching, int] | None = None
    place = {player: number for number, player in enumerate(order)}
    for player in sorted(order, key=lambda player: (byes[player], -place[player])):
        rest = matching.without(player)
        if best is None or _missing(rest) < best[0]:
            best = (_missing(rest), rest, player)
        if best[0] == 0:
            break
    if best is None:
        raise AssertionError("there is somebody")
    return best[1], best[2]
