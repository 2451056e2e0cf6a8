"""Standings computed a second time, slowly and in the plainest way, for comparison.

A tournament is a list of rounds; a round is a dict with ``tables``, each a list of
``(player, total, has_won)``, and ``byes``, a list of players. Nothing here comes from the program.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypedDict

Seat = tuple[int, int, bool]


class PlainRound(TypedDict):
    """A round."""

    tables: list[list[Seat]]
    byes: list[int]


def plain_points(table: list[Seat]) -> dict[int, Fraction]:
    """Twelve for the first place, none for the last; who ties shares what the places are worth."""
    worth = [Fraction(12 * (len(table) - 1 - place), len(table) - 1) for place in range(len(table))]
    in_order = sorted(table, key=lambda seat: (not seat[2], -seat[1]))
    got = {}
    for player, total, won in table:
        places = [
            place
            for place, (_, total2, won2) in enumerate(in_order)
            if (won2, total2) == (won, total)
        ]
        got[player] = sum((worth[place] for place in places), Fraction(0)) / len(places)
    return got


def plain_standings(starts: dict[int, int], rounds: list[PlainRound]) -> list[tuple[int, int]]:
    """Rank and player of everybody, best first, those who share a rank by number."""
    keys = plain_keys(starts, rounds)
    return sorted(
        (1 + sum(other > key for other in keys.values()), one) for one, key in keys.items()
    )


def plain_keys(
    starts: dict[int, int], rounds: list[PlainRound]
) -> dict[int, tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Points, Buchholz, direct encounter and difference of every player; more is better."""
    tables = [table for one in rounds for table in one["tables"]]
    points = {player: Fraction(start) for player, start in starts.items()}
    for table in tables:
        for player, got in plain_points(table).items():
            points[player] += got
    for one in rounds:
        for player in one["byes"]:
            points[player] += 12
    buchholz = {player: Fraction(0) for player in starts}
    difference = {player: Fraction(0) for player in starts}
    for table in tables:
        for player, total, _ in table:
            others = [(who, what) for who, what, _ in table if who != player]
            strength = sum((points[who] for who, _ in others), Fraction(0))
            buchholz[player] += strength / len(others)
            difference[player] += total - Fraction(sum(what for _, what in others), len(others))
    for one in rounds:
        for player in one["byes"]:
            buchholz[player] += points[player]
    direct = {
        player: plain_direct(
            player,
            [
                one
                for one in starts
                if (points[one], buchholz[one]) == (points[player], buchholz[player])
            ],
            tables,
        )
        for player in starts
    }
    return {
        player: (points[player], buchholz[player], direct[player], difference[player])
        for player in starts
    }


def plain_direct(player: int, level: list[int], tables: list[list[Seat]]) -> Fraction:
    """What a player took from those who are level, if all of these have met."""
    for a in level:
        for b in level:
            if a < b and not any({a, b} <= {who for who, _, _ in table} for table in tables):
                return Fraction(0)
    taken = Fraction(0)
    for table in tables:
        mine = [(won, total) for who, total, won in table if who == player]
        for who, total, won in table:
            if mine and who != player and who in level:
                taken += 12 * (mine[0] > (won, total)) + 6 * (mine[0] == (won, total))
    return taken
