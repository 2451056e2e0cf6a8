"""The rounds behind the findings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from benchmarks.deals import dealt
from benchmarks.kept_rows import kept_rows
from triomino import CLASSIC, EDITIONS, View
from triomino.analysis import Rollouts, chances
from triomino.bots.levels import EFFORTS, SearchBot
from triomino.dice import Rng
from triomino.ledger import EndReason
from triomino.moves import Draw, Place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from triomino import Game
    from triomino.kernel import Effort
    from triomino.rules import Rules

GAMES: Final = tuple((rules, players) for rules in EDITIONS.values() for players in rules.racks)
DRAWING: Final = {
    name: CLASSIC.with_changes(
        {"voluntary_draw": name, "must_place_after_last_draw": name != "always"}
    )
    for name in ("first_only", "always", "never")
}
JUDGE: Final = Rollouts(200)


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays: the search of the levels, with so many rollouts a move."""

    rollouts: int

    @property
    def effort(self) -> Effort:
        """The settings of the search."""
        return replace(EFFORTS["champion"], rollouts=self.rollouts, endgame_nodes=20_000)

    def play(self, game: Game, efforts: Sequence[Effort], number: int) -> None:
        """Play a round to its end."""
        bots = [
            SearchBot(Rng.named("findings", number, seat), "search", effort)
            for seat, effort in enumerate(efforts)
        ]
        while not game.over:
            game.play(bots[game.turn].choose(View.of(game, game.turn)))


def length_rows(
    rules: Rules, players: int, count: int, who: Players, folder: Path
) -> list[dict[str, Any]]:
    """Return what happened in rounds among equals: length, draws, start, luck and result."""

    def make(number: int) -> dict[str, Any]:
        game = dealt(rules, players, number)
        who.play(game, [who.effort] * players, number)
        draws = [isinstance(ply.move, Draw) for ply in game.plies]
        found = chances(game, JUDGE, seed=number)
        return {
            "turns": 1
            + sum(a.seat != b.seat for a, b in zip(game.plies, game.plies[1:], strict=False)),
            "placed": sum(isinstance(ply.move, Place) for ply in game.plies),
            "drawn": sum(draws),
            "out": game.end is not None and game.end.reason is EndReason.OUT,
            "starter": game.starter,
            "won": found.after[-1],
            "points": list(game.totals),
            "luck": [round(found.luck(seat), 5) for seat in range(players)],
        }

    name = f"{rules.edition}-{players}-{who.rollouts}.jsonl"
    return kept_rows(folder / name, count, make)


def drawing_rows(
    name: str, players: int, count: int, who: Players, folder: Path
) -> list[dict[str, Any]]:
    """Return rounds of one who may draw on purpose among others who never do.

    Each deal is played once for every seat, so *count* is rounded up to a multiple of the players.
    """
    rules = DRAWING[name]

    def make(number: int) -> dict[str, Any]:
        deal, seat = divmod(number - 1, players)
        game = dealt(rules, players, 1 + deal)
        holds = replace(who.effort, may_draw=False)
        efforts = [who.effort if each == seat else holds for each in range(players)]
        who.play(game, efforts, number)
        others = [total for each, total in enumerate(game.totals) if each != seat]
        return {
            "deal": deal,
            "won": (seat in game.winners) / len(game.winners),
            "margin": game.totals[seat] - sum(others) / len(others),
            "on_purpose": _on_purpose(game, seat),
        }

    rounded = -(-count // players) * players
    return kept_rows(folder / f"draw-{name}-{players}-{who.rollouts}.jsonl", rounded, make)


def _on_purpose(game: Game, seat: int) -> int:
    """Count the draws of a seat that could have placed."""
    replayed, count = game.copy(), 0
    replayed.undo(len(replayed.plies))
    for ply in game.plies:
        able = any(isinstance(move, Place) for move in replayed.legal_moves())
        count += ply.seat == seat and isinstance(ply.move, Draw) and able
        replayed.apply(ply)
    return count
