"""The games that the network learns from: every edition and number of players, and house rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.rules import EDITIONS

if TYPE_CHECKING:
    import numpy as np

    from triomino.rules import Rules

_WEIGHTS: Final = {
    ("classic", 2): 6.0,
    ("classic", 3): 4.0,
    ("classic", 4): 4.0,
    ("classic-hebrew", 2): 2.0,
    ("six-player", 2): 6.0,
    ("six-player", 6): 5.0,
    ("card", 2): 4.0,
    ("casual", 2): 5.0,
}
"""How often a game is played, for those that are played most; the others count as 1."""

_HOUSE: Final[dict[str, tuple[object, ...]]] = {
    "voluntary_draw": ("always", "first_only", "never"),
    "must_place_after_last_draw": (True, False),
    "bridge_bonus": (0, 20, 40, 60),
    "draw_cost": (0, 5, 10),
    "max_draws": (1, 2, 3, 5),
    "no_play_extra": (0, 10, 25),
    "out_bonus": (0, 25, 50),
    "bridge_rule": ("strict", "one_free_side", "three_corners", "apex_contact"),
    "blocked": ("subtract_own", "lowest_takes_others", "lowest_takes_differences"),
    "out_takes_opponents": (True, False),
}
_HOUSE_SHARE: Final = 0.2


@dataclass(frozen=True)
class Table:
    """A game to learn from."""

    rules: Rules
    players: int

    @property
    def plays_for_points(self) -> bool:
        """Whether the players aim at points alone, since whoever ends a round need not have most.

        Such games are matches: rounds on their own would be won by going out.
        """
        return self.rules.scoring and self.rules.wins_by_ending


def editions() -> list[Table]:
    """Return every edition with every number of players, as single rounds."""
    return [
        Table(rules.with_changes({"target": None}), players)
        for rules in EDITIONS.values()
        for players in rules.racks
    ]


def draw_tables(dice: np.random.Generator, count: int) -> list[Table]:
    """Return games at random, some of them by house rules."""
    every = editions()
    weights = [_WEIGHTS.get((table.rules.edition, table.players), 1.0) for table in every]
    chosen = dice.choice(len(every), count, p=[weight / sum(weights) for weight in weights])
    return [_house(every[index], dice) for index in chosen]


def _house(table: Table, dice: np.random.Generator) -> Table:
    if dice.random() > _HOUSE_SHARE or not table.rules.scoring:
        return table
    names = dice.choice(list(_HOUSE), 2, replace=False)
    changes = {str(name): _HOUSE[name][dice.integers(len(_HOUSE[name]))] for name in names}
    return Table(table.rules.with_changes(changes), table.players)
