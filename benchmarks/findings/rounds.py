"""The rounds behind the findings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from benchmarks.deals import dealt
from benchmarks.kept_rows import kept_rows, version_of
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

    @property
    def name(self) -> str:
        """A name for files, another one when the players change."""
        return f"{self.rollouts}-{version_of([SearchBot(Rng(1), 'search', self.effort)])}"

    def play(self, game: Game, efforts: Sequence[Effort], number: int) -> None:
        """Play a round to its end."""
        bots = [
            SearchBot(Rng.named("findings", number, seat), "search", effort)
            for seat, effort in enumerate(efforts)
        ]
        while not game.over:
            game.play(bots[game.turn].choose(View.of(game, game.turn)))


@dataclass(frozen=True, slots=True)
class Equals:
    """Rounds among equals."""

    rules: Rules
    players: int
    who: Players

    def row(self, number: int) -> dict[str, Any]:
        """Return what happened in a round: length, draws, start, luck and result."""
        game = dealt(self.rules, self.players, number)
        self.who.play(game, [self.who.effort] * self.players, number)
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
            "luck": [round(found.luck(seat), 5) for seat in range(self.players)],
        }

    def rows(self, count: int, folder: Path, jobs: int) -> list[dict[str, Any]]:
        """Return so many rounds; those in the folder are not played again."""
        path = folder / f"{self.rules.edition}-{self.players}-{self.who.name}.jsonl"
        return kept_rows(path, count, Equals.row, self, jobs)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Rounds of one who may draw on purpose among others who never do."""

    name: str
    """Of ``DRAWING``."""
    players: int
    who: Players

    def row(self, number: int) -> dict[str, Any]:
        """Return the result of a round; each deal is played once for every seat."""
        deal, seat = divmod(number - 1, self.players)
        game = dealt(DRAWING[self.name], self.players, 1 + deal)
        holds = replace(self.who.effort, may_draw=False)
        efforts = [self.who.effort if each == seat else holds for each in range(self.players)]
        self.who.play(game, efforts, number)
        others = [total for each, total in enumerate(game.totals) if each != seat]
        return {
            "deal": deal,
            "won": (seat in game.winners) / len(game.winners),
            "margin": game.totals[seat] - sum(others) / len(others),
            "on_purpose": _on_purpose(game, seat),
        }

    def rows(self, count: int, folder: Path, jobs: int) -> list[dict[str, Any]]:
        """Return so many rounds, rounded up to a multiple of the players."""
        rounded = -(-count // self.players) * self.players
        path = folder / f"draw-{self.name}-{self.players}-{self.who.name}.jsonl"
        return kept_rows(path, rounded, Drawing.row, self, jobs)


def _on_purpose(game: Game, seat: int) -> int:
    """Count the draws of a seat that could have placed."""
    replayed, count = game.copy(), 0
    replayed.undo(len(replayed.plies))
    for ply in game.plies:
        able = any(isinstance(move, Place) for move in replayed.legal_moves())
        count += ply.seat == seat and isinstance(ply.move, Draw) and able
        replayed.apply(ply)
    return count
