"""Review a match: what each decision lost, and how much was luck."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Final

from triomino.analysis.chances import chances
from triomino.analysis.facts import facts
from triomino.bots.levels import ADVISER
from triomino.dice import Rng
from triomino.kernel import canonical_opening, search
from triomino.moves import Draw
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triomino.analysis.chances import Chances, Judge
    from triomino.game import Game
    from triomino.kernel import Candidate, Effort
    from triomino.match import Match
    from triomino.moves import Move
    from triomino.rules import Json, Seat

DEFAULT: Final = replace(ADVISER, rollouts=4000)
"""Half to find the best move, half to compare it with the one played in 1,000 other worlds."""
BATCHES: Final = 8
"""Parts of the comparison, from whose differences its noise is known."""


class Mark(StrEnum):
    """How bad a decision was, by the chance to win the round that it lost: see ``BANDS``.

    A loss of 8 % is one game in twelve, 16 % one in six. What does not stand out from its noise has
    no mark.
    """

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


BANDS: Final = {Mark.BLUNDER: 0.16, Mark.MISTAKE: 0.08, Mark.INACCURACY: 0.04}
"""The least loss for each mark, worst first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A ply with more than one candidate."""

    round: int
    turn: int
    """The index of the ply in its round."""
    seat: Seat
    move: Move
    played: Candidate
    best: Candidate
    """The best move by the search. Both were tried in worlds that had no part in choosing it."""
    noise: float
    """The standard error of ``lost``; 0 if the best move was played, or all was solved."""

    @property
    def lost(self) -> float:
        """The chance to win the round that the move gave away.

        Not clipped: if the search erred, or by chance, the move played may look better than the
        best. Only so does the noise of many decisions cancel out.
        """
        return self.best.win - self.played.win

    @property
    def lost_points(self) -> float:
        """The expected points that the move gave away."""
        return self.best.margin - self.played.margin

    @property
    def mark(self) -> Mark | None:
        """The mark of a decision that was clearly not the best."""
        # The best move may trade points for a chance to win: no mark if the points disagree.
        if self.lost_points < -2 * (self.best.error + self.played.error):
            return None
        if self.lost < 2 * self.noise:
            return None
        return next((mark for mark, least in BANDS.items() if self.lost >= least), None)


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """The summary of one player's match."""

    seat: Seat
    decisions: int
    lost: float
    """The chance to win a round given away per decision, on average."""
    noise: float
    """The standard error of ``lost`` times ``decisions``."""
    lost_points: float
    """Expected points given away in the whole match."""
    marks: dict[Mark, int]
    luck: float
    """The change of the chance to win by all dealing and drawing, summed over the rounds."""


@dataclass(frozen=True, slots=True)
class Review:
    """The analysis of a match."""

    match: Match
    decisions: tuple[Decision, ...]
    chances: tuple[Chances, ...]
    """By round."""

    def players(self) -> list[PlayerReview]:
        """Return the summary of every player, by seat."""
        return [self._player(seat) for seat in range(len(self.match.players))]

    def _player(self, seat: Seat) -> PlayerReview:
        own = [decision for decision in self.decisions if decision.seat == seat]
        return PlayerReview(
            seat=seat,
            decisions=len(own),
            lost=sum(decision.lost for decision in own) / max(1, len(own)),
            noise=hypot(*(decision.noise for decision in own)),
            lost_points=sum(decision.lost_points for decision in own),
            marks={mark: sum(decision.mark is mark for decision in own) for mark in Mark},
            luck=sum(one.luck(seat) for one in self.chances),
        )

    def to_json(self, *, reasons: bool = True) -> Json:
        """Return the analysis as JSON data, in the form of ``triomino.protocol.api.Analysis``.

        This is the only place that rounds: chances to four digits, points to one. Without
        *reasons*, which take some sampling, ``why`` is empty.
        """
        return {
            "players": [_player_json(player) for player in self.players()],
            "rounds": [self._round_json(number, reasons) for number in range(len(self.chances))],
        }

    def _round_json(self, number: int, reasons: bool) -> Json:
        decisions = [decision for decision in self.decisions if decision.round == number]
        moves = [_decision_json(decision) for decision in decisions]
        marked = {decision.turn for decision in decisions if decision.mark} if reasons else set()
        before = views(self.match.rounds[number]) if marked else ()
        seen = {turn: view for turn, view in enumerate(before) if turn in marked}
        for decision, move in zip(decisions, moves, strict=True):
            if decision.turn in seen:
                dice = Rng.named("why", number, decision.turn)
                found = facts(seen[decision.turn], decision.best.move, dice)
                move["why"] = [fact.to_json() for fact in found]
        curve = self.chances[number].after
        return {"chances": [[round(part, 4) for part in now] for now in curve], "moves": moves}

    def extra(self) -> tuple[Json, list[dict[int, Json]]]:
        """Return what a record holds under ``extra``: of the match, and of the plies by round."""
        data = self.to_json(reasons=False)
        plies = [
            {
                move["turn"]: {"analysis": {key: move[key] for key in _RECORD_KEYS}}
                for move in one["moves"]
            }
            for one in data["rounds"]
        ]
        players = [
            {
                "seat": player.seat,
                "decisions": player.decisions,
                "lost": round(player.lost, 4),  # per decision; that of the protocol is the sum
                "noise": told["noise"],
                "lost_points": told["lost_points"],
                "marks": {mark.value: count for mark, count in player.marks.items()},
                "luck": told["luck"],
            }
            for player, told in zip(self.players(), data["players"], strict=True)
        ]
        curves = [one["chances"] for one in data["rounds"]]
        return {"analysis": {"players": players, "chances": curves}}, plies


_RECORD_KEYS: Final = (
    *("win", "margin", "best", "best_win", "best_margin"),
    *("lost", "noise", "mark"),
)


def _player_json(player: PlayerReview) -> Json:
    return {
        "seat": player.seat,
        "decisions": player.decisions,
        "luck": round(player.luck, 4),
        "lost": round(player.lost * player.decisions, 4),
        "noise": round(player.noise, 4),
        "lost_points": round(player.lost_points, 1),
        "inaccuracies": player.marks[Mark.INACCURACY],
        "mistakes": player.marks[Mark.MISTAKE],
        "blunders": player.marks[Mark.BLUNDER],
    }


def _decision_json(decision: Decision) -> Json:
    return {
        "turn": decision.turn,
        "seat": decision.seat,
        "win": round(decision.played.win, 4),
        "margin": round(decision.played.margin, 1),
        "best": str(decision.best.move),
        "best_win": round(decision.best.win, 4),
        "best_margin": round(decision.best.margin, 1),
        "lost": round(decision.lost, 4),
        "noise": round(decision.noise, 4),
        "mark": decision.mark and decision.mark.value,
        "why": [],
    }


def review(
    match: Match,
    effort: Effort = DEFAULT,
    seed: int = 1,
    progress: Callable[[], None] = lambda: None,
    judge: Judge | None = None,
) -> Review:
    """Analyse every decision of a match; *progress* is called after each ply.

    The same match, seed and effort in rollouts give the same review. For its JSON form see
    :meth:`Review.to_json`.
    """
    decisions: list[Decision] = []
    curves: list[Chances] = []
    bots = [player.bot for player in match.players]
    for number, game in enumerate(match.rounds):
        curves.append(chances(game, judge, bots, seed=seed + number))
        for turn, view in enumerate(views(game)):
            dice = Rng.named("review", seed, number, turn)
            decision = decide(view, game.plies[turn].move, effort, dice)
            if decision is not None:
                decisions.append(replace(decision, round=number, turn=turn))
            progress()
    return Review(match, tuple(decisions), tuple(curves))


def views(game: Game) -> Iterator[View]:
    """Yield the view of the seat to move before every ply."""
    replayed = game.copy()
    replayed.undo(len(replayed.plies))
    for ply in game.plies:
        yield View.of(replayed, replayed.turn)
        replayed.apply(ply)


def decide(view: View, move: Move, effort: Effort, dice: Rng) -> Decision | None:
    """Compare a move with the best one; ``None`` if there was no choice.

    Half of the rollouts choose the best move. The other half try it and the move played in other
    worlds: what was the best of many by chance is not so a second time.
    """
    if len(view.legal_moves()) < 2:
        return None
    may_draw = effort.may_draw or isinstance(move, Draw)
    half = replace(effort, rollouts=max(1, (effort.rollouts or 0) // 2), may_draw=may_draw)
    canonical = canonical_opening(view, move)
    candidates = search(view, half, dice, keep=move)
    best = candidates[0]
    played = next(one for one in candidates if one.move == canonical)
    if len(candidates) < 2:
        return None
    noise = 0.0
    if best is not played and not (best.exact and played.exact):
        best, played, noise = _compared(view, best, played, half, dice)
    return Decision(0, 0, view.turn, move, played, best, noise)


def _compared(
    view: View, best: Candidate, played: Candidate, effort: Effort, dice: Rng
) -> tuple[Candidate, Candidate, float]:
    """Try two moves in new worlds; return both and the standard error of the difference."""
    part = replace(
        effort,
        rollouts=max(2, (effort.rollouts or 0) // BATCHES),
        endgame_nodes=effort.endgame_nodes // BATCHES,
    )
    both = best.move, played.move
    found: dict[Move, list[Candidate]] = {move: [] for move in both}
    for _ in range(BATCHES):
        for one in search(view, part, dice, only=both):
            found[one.move].append(one)
    differences = [
        one.win - other.win for one, other in zip(found[both[0]], found[both[1]], strict=True)
    ]
    again = (_pooled(found[move]) for move in both)
    return next(again), next(again), stdev(differences) / sqrt(BATCHES)


def _pooled(parts: list[Candidate]) -> Candidate:
    """Return one candidate from parts of equal weight."""
    return replace(
        parts[0],
        win=fmean(part.win for part in parts),
        margin=fmean(part.margin for part in parts),
        error=hypot(*(part.error for part in parts)) / len(parts),
        worlds=sum(part.worlds for part in parts),
    )
