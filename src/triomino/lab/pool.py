"""A frozen pool of opponents, and how a player fares against the worst of them.

An opponent is one TOML file: a policy of the kernel, a search, or a network of its own.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from triomino.errors import TriominoError
from triomino.kernel.contest import Contestant, contest
from triomino.kernel.rounds import Policy
from triomino.kernel.search import Effort
from triomino.lab.statistics import mean_interval, win_interval

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triomino.rules import Rules

PART: Final = 20
"""Deals that are played, and kept, together."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A member of the pool."""

    name: str
    about: str
    contestant: Contestant


def read_opponent(path: Path) -> Opponent:
    """Read the file of an opponent; the name of the file is its name."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        about = str(data.pop("about"))
        policy = Policy(data.pop("policy", Policy.GREEDY.value))
        weights = data.pop("weights", None)
        searches = bool(data.pop("searches", True))
        settings = data.pop("effort", None)
    except (OSError, ValueError, LookupError) as error:
        raise TriominoError(f"{path}: this is no opponent: {error}") from error
    known = {item.name for item in fields(Effort)}
    unknown = sorted(data) + sorted(set(settings or {}) - known)
    if unknown:
        raise TriominoError(f"{path}: there is no setting {unknown[0]!r}")
    effort = None if settings is None else Effort(**settings)
    own = None if weights is None else path.with_name(weights).read_bytes()
    return Opponent(path.stem, about, Contestant(policy, effort, searches, own))


def read_pool(folder: Path) -> list[Opponent]:
    """Read every opponent of a folder, by name."""
    found = [read_opponent(path) for path in sorted(folder.glob("*.toml"))]
    if not found:
        raise TriominoError(f"{folder} holds no opponents")
    return found


@dataclass(frozen=True, slots=True)
class Pairing:
    """One player against one opponent in one game."""

    rules: Rules
    players: int
    one: Contestant
    opponent: Opponent
    seed: int

    @property
    def game(self) -> str:
        """The game in a few characters."""
        target = f" to {self.rules.target}" if self.rules.target else ""
        return f"{self.rules.edition}{target}, {self.players} players"


@dataclass(slots=True)
class Tally:
    """The results of the deals so far."""

    won: list[float]
    """By deal, the share of its games that were won."""
    margins: list[float]
    moves: int = 0
    late: int = 0
    """Moves of the player under test that took more than 1.5 times the time given."""
    nanoseconds: int = 0

    def line(self, pairing: Pairing) -> dict[str, Any]:
        """Return the result as plain data."""
        low, high = win_interval(self.won)
        down, up = mean_interval(self.margins)
        rate = float(np.mean(self.won))
        return {
            "game": pairing.game,
            "opponent": pairing.opponent.name,
            "rounds": len(self.won) * pairing.players,
            "won": round(rate, 4),
            "won_95": [round(low, 4), round(high, 4)],
            "of_fair_share": round(rate * pairing.players, 3),
            "margin": round(float(np.mean(self.margins)), 2),
            "margin_95": [round(down, 2), round(up, 2)],
            "ms_per_move": round(self.nanoseconds / 1e6 / max(1, self.moves), 3),
            "late": round(self.late / max(1, self.moves), 5),
        }


def play(
    pairing: Pairing, deals: int, *, kept: Path | None = None, threads: int = 1
) -> Iterator[Tally]:
    """Play *deals* deals in parts; yield the tally after each.

    Parts that the file *kept* holds already are not played again, new ones are added to it.
    """
    tally = Tally([], [])
    played = _kept(pairing, kept)
    for number in range(-(-deals // PART)):
        row = played.get(number)
        if row is None:
            row = _part(pairing, number, threads)
            if kept is not None:
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({**_key(pairing), "part": number, **row}) + "\n")
        tally.won += row["won"]
        tally.margins += row["margins"]
        tally.moves += row["moves"]
        tally.late += row["late"]
        tally.nanoseconds += row["nanoseconds"]
        yield tally


def _part(pairing: Pairing, number: int, threads: int) -> dict[str, Any]:
    players = pairing.players
    made = contest(
        pairing.rules,
        players,
        (pairing.one, pairing.opponent.contestant),
        seed=pairing.seed,
        first=number * PART * players,
        count=PART * players,
        threads=threads,
    )
    by_deal = (PART, players)
    return {
        "won": [round(float(won), 4) for won in made.won.reshape(by_deal).mean(axis=1)],
        "margins": [round(float(each), 2) for each in made.margin.reshape(by_deal).mean(axis=1)],
        "moves": int(made.moves[:, 0].sum()),
        "late": int(made.late[:, 0].sum()),
        "nanoseconds": int(made.nanoseconds[:, 0].sum()),
    }


def _key(pairing: Pairing) -> dict[str, Any]:
    return {"game": pairing.game, "opponent": pairing.opponent.name, "seed": pairing.seed}


def _kept(pairing: Pairing, kept: Path | None) -> dict[int, dict[str, Any]]:
    if kept is None or not kept.exists():
        return {}
    rows = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
    key = _key(pairing).items()
    return {row["part"]: row for row in rows if key <= row.items()}
