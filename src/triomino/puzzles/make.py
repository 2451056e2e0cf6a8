"""Find puzzles in games between bots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from triomino.analysis.facts import facts
from triomino.bots.levels import ADVISER
from triomino.bots.registry import make_bot
from triomino.bots.simulation import bot_players
from triomino.dice import Rng
from triomino.fair import Seeds
from triomino.kernel import Sampler, search
from triomino.match import Match
from triomino.moves import Draw, Place
from triomino.position import Position
from triomino.puzzles.judge import (
    DEEP,
    DRAW_GAP,
    GAP,
    LEAST_WIN,
    game_of,
    gap_of,
    judged,
    kind_of,
    level_of,
    noise_of,
    why_ugly,
)
from triomino.puzzles.prospects import points_of
from triomino.puzzles.puzzle import RULES, Answer, Kind, Puzzle, solver_view
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triomino.analysis import Fact
    from triomino.game import Game
    from triomino.kernel import Candidate
    from triomino.moves import Move
    from triomino.tile import Tile

PLAYERS: Final = ("easy", "greedy", "hard", "expert")
"""The bots whose games are looked at: those who overlook something leave more to find."""
LATE_POOL: Final = 4
FEW_HELD: Final = 4
"""Positions are looked at with so few tiles in the pool or on a rack."""
LEAST_MARGIN: Final = 6
"""By so many points the best move must beat the next, by a quick look."""
LEAST_EXACT: Final = 4
"""The same in an ending that is solved."""
MOST_APART: Final = 90
"""The most points between the two players: more than that is made up by no single move."""
_LOOK_AGAIN: Final = replace(ADVISER, rollouts=900)
"""The search that decides which of them are worth a deep one."""
_WORLDS: Final = 16
"""The racks of the other player to choose from."""
_TEMPTING: Final = 3
"""The wrong answers that should be punished: so many, by points."""
_LOOK: Final = replace(ADVISER, rollouts=240)
"""The search that looks for candidates, and is not trusted."""
_REPLY: Final = replace(ADVISER, rollouts=300)


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes puzzles from the games of a seed."""

    seed: int

    def puzzles(self, game: int) -> Iterator[Puzzle]:
        """Yield the puzzles in a game, in its order: at most one of each kind."""
        kinds = set()
        for number, position in enumerate(self._positions(game)):
            puzzle = self._puzzle(position, Rng.named("puzzle", self.seed, game, number))
            if puzzle is not None and puzzle.kind not in kinds:
                kinds.add(puzzle.kind)
                yield puzzle

    def _positions(self, number: int) -> Iterator[Position]:
        """Play a game and yield the positions before every turn with a tile on the board."""
        dice = Rng.named("puzzle players", self.seed, number)
        names = [PLAYERS[dice.randrange(len(PLAYERS))] for _ in range(2)]
        bots = [
            make_bot(name, Rng.named("puzzle bot", self.seed, number, seat))
            for seat, name in enumerate(names)
        ]
        seeds = Seeds.named(2, "puzzle", self.seed, number)
        game = Match.start(RULES, bot_players(names), seeds).game
        while not game.over:
            if game.board.laid and not game.drawn and _is_late(game):
                yield _seen_by_mover(game)
            game.play(bots[game.turn].choose(View.of(game, game.turn)))

    def _puzzle(self, position: Position, dice: Rng) -> Puzzle | None:
        view = solver_view(position)
        moves = view.legal_moves()
        # An easy one has the strictest limit; what the level is comes later.
        if len(moves) < 2 or any(why_ugly(position, moves, 3, Kind.DRAW)):
            return None
        first, second = search(view, _LOOK, dice)[:2]
        if first.margin - second.margin < (LEAST_EXACT if first.exact else LEAST_MARGIN):
            return None
        # Whether to lay the only tile that fits is asked often enough.
        if isinstance(second.move, Draw) and len(moves) <= 4 and dice.randrange(8):
            return None
        position = _with_scores(position, round((first.margin + second.margin) / 2))
        view = solver_view(position)
        if _kind_if_clear(position, search(view, _LOOK_AGAIN, dice), dice) is None:
            return None
        found = judged(view, DEEP, dice)
        kind = _kind_if_clear(position, found, dice)
        if kind is None:
            return None
        level = level_of(kind, view, found[0].move)
        if any(why_ugly(position, moves, level, kind)):
            return None
        world = _telling_world(position, found, dice)
        answers = _answers(world, found, dice)
        return Puzzle(kind, level, world, answers, reasons(view, answers[0].move))


def reasons(view: View, move: Move) -> tuple[Fact, ...]:
    """Return what is to be said of a solution, as exact as it is written."""
    found = facts(view, move, Rng.named("puzzle why"))
    return tuple(replace(fact, chance=round(fact.chance, 2)) for fact in found)


def _kind_if_clear(position: Position, found: Sequence[Candidate], dice: Rng) -> Kind | None:
    """Return the kind of a position if its best move is clearly best and a person sees why."""
    gap = gap_of(found)
    if gap < max(GAP, 2 * noise_of(found)) or found[0].win < LEAST_WIN:
        return None
    kind = kind_of(position, found, dice)
    return None if kind is Kind.DRAW and gap < DRAW_GAP else kind


def _is_late(game: Game) -> bool:
    """Whether a move may matter: early on a bonus can wait, for nobody else holds its tile."""
    return len(game.pool) <= LATE_POOL or min(map(len, game.racks)) <= FEW_HELD


def _seen_by_mover(game: Game) -> Position:
    """Return a position with the seat to move as seat 0 and the board near the origin."""
    order = [(game.turn + step) % 2 for step in range(2)]
    xs = sorted(place.cell.x for place in game.board.places)
    ys = sorted(place.cell.y for place in game.board.places)
    dx, dy = (xs[0] + xs[-1]) // 2, (ys[0] + ys[-1]) // 2
    board = [
        Place(replace(place.cell, x=place.cell.x - dx, y=place.cell.y - dy), place.numbers)
        for place in game.board.places
    ]
    return Position(
        rules=RULES,
        board=tuple(board),
        racks=tuple(tuple(game.racks[seat]) for seat in order),
        rack_sizes=tuple(len(game.racks[seat]) for seat in order),
        pool=None,
        pool_size=len(game.pool),
        scores=tuple(game.totals[seat] for seat in order),
    )


def _with_scores(position: Position, ahead: int) -> Position:
    """Return the position with a standing that the solver makes up with *ahead* points more.

    What the bots had scored is theirs; here the round is at stake, so that the move decides it.
    """
    behind = max(-MOST_APART, min(MOST_APART, ahead))
    usual = sum(position.scores) // 2
    mine = max(0, usual - behind // 2)
    return replace(position, scores=(mine, max(0, mine + behind)))


def _telling_world(position: Position, found: Sequence[Candidate], dice: Rng) -> Position:
    """Return the position with that rack of the other player which best shows why.

    What a solver must find follows from what they know. Of the racks that the other may hold, one
    is shown after an answer: one with which the tempting answers are punished and the solution is
    not.
    """
    if not position.pool_size:
        return position
    view = solver_view(position)
    wrong = [one.move for one in found[1:] if isinstance(one.move, Place)]
    wrong.sort(key=lambda move: -points_of(view, move))
    best = found[0].move

    def tells(world: Position) -> int:
        bad = sum(_best_reply(world, move) for move in wrong[:_TEMPTING])
        return bad - _TEMPTING * (_best_reply(world, best) if isinstance(best, Place) else 0)

    worlds = [
        replace(position, racks=(position.racks[0], state.position.racks[1]))
        for state in Sampler(view).sample(dice, _WORLDS)
    ]
    return max(worlds, key=tells)


def _best_reply(world: Position, move: Move) -> int:
    """Return the most points that the other can score after a move; a pass scores nothing."""
    game = game_of(world)
    game.play(move)
    if game.over:
        return 0
    view = View.of(game, game.turn)
    return max((points_of(view, answer) for answer in view.legal_moves()), default=0)


def _answers(world: Position, found: Sequence[Candidate], dice: Rng) -> tuple[Answer, ...]:
    return tuple(
        answered(world, one.move, round(100 * one.win), dice, is_solution=one is found[0])
        for one in found
    )


def answered(
    world: Position, move: Move, win: int, dice: Rng, *, is_solution: bool = False
) -> Answer:
    """Return a move with what follows it.

    A wrong draw is followed to the end of the turn: of the tiles that the pool may hold, the one
    drawn is that after which the solver stands worst, as the other's rack is the one that tells.
    """
    if not isinstance(move, Draw):
        game = game_of(world)
        game.play(move)
        return Answer(move, win, None if game.over else _best(game, dice))
    if is_solution:
        return Answer(move, win, None)
    lines = [_after_drawing(world, tile, dice) for tile in game_of(world).pool]
    _, drawn, then, reply = min(lines, key=lambda line: line[0])
    return Answer(move, win, reply, drawn, then)


def _after_drawing(
    world: Position, tile: Tile, dice: Rng
) -> tuple[int, tuple[Tile, ...], Move, Move | None]:
    """Return the solver's lead after drawing *tile*, all tiles drawn, the last move, the reply."""
    game = game_of(world, (tile,))
    game.play(Draw())
    drawn, move = [tile], _best(game, dice)
    while isinstance(move, Draw):
        drawn.append(game.pool[0])
        game.play(move)
        move = _best(game, dice)
    game.play(move)
    reply = None if game.over else _best(game, dice)
    if reply is not None:
        game.play(reply)
    return game.totals[0] - game.totals[1], tuple(drawn), move, reply


def _best(game: Game, dice: Rng) -> Move:
    """Return the best move of the player to move, by what they may know."""
    if len(moves := game.legal_moves()) == 1:
        return moves[0]
    return search(View.of(game, game.turn), _REPLY, dice)[0].move
