"""Whether a position is a good puzzle: of which kind, how hard, and what is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, Final, assert_never

from triomino.analysis.facts import facts
from triomino.bots.levels import ADVISER
from triomino.dice import Rng
from triomino.errors import TriominoError
from triomino.game import Game
from triomino.kernel import State, search
from triomino.ledger import EndReason
from triomino.moves import Draw, Place
from triomino.puzzles.prospects import has_bonus, points_of, prospects
from triomino.puzzles.puzzle import RULES, Kind, solver_view

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triomino.grid import Cell
    from triomino.kernel import Candidate
    from triomino.moves import Move
    from triomino.position import Position
    from triomino.puzzles.puzzle import Puzzle
    from triomino.tile import Tile
    from triomino.view import View

DEEP: Final = 12_000
"""The rollouts of the search that decides, for all moves and again for the best three."""
GAP: Final = 0.08
"""By so much of the chance to win the solution must beat every other move when it is made.
All of them would be marked as mistakes by the analysis."""
LEAST_GAP: Final = 0.06
"""The same when it is checked, with other dice."""
LEAST_WIN: Final = 0.45
"""Solving a puzzle should feel like winning: the chance to win after the solution."""
_WIN_SLACK: Final = 0.07
"""The chance that it may be smaller by when it is checked."""
LARGEST: Final = 10.5
"""The width and the height of a board with all places to play, in sides of a tile. On a phone of
390 pixels a side is then 34 pixels, the least at which a tile shows its three digits."""
FEWEST_TILES, MOST_TILES = 5, 52
MOST_MOVES: Final = 16
MOST_EASY_MOVES: Final = 8
MOST_HELD: Final = 12
"""Tiles on the solver's rack: more than that is not to be overseen."""
MOST_COUNTED: Final = 12
"""Tiles on both racks in an ending that is to be counted to its end."""
EASILY_COUNTED: Final = 8
"""The same in an easy one."""
SEEN: Final = 0.25
"""The difference in what the next player can do by which a person sees why."""
DRAW_GAP: Final = 0.15
"""The gap when it is asked whether to draw: of less a person sees no reason."""
LEAST_DRAW_GAP: Final = 0.08
"""The same when it is checked, with other dice."""
HOPED: Final = 0.15
"""The part of the unseen tiles that score a bonus at once, with which drawing can be right."""
SLACK: Final = 0.15
"""What such differences may be smaller in other samples of the same position."""
DANGEROUS: Final = 0.3
"""Where every place opens a bonus to the next player as likely as that, drawing can be right."""
_HEIGHT: Final = sqrt(3) / 2


def judged(view: View, rollouts: int, dice: Rng) -> list[Candidate]:
    """Return all moves, the best first; the best three are compared in worlds of their own."""
    effort = replace(ADVISER, rollouts=rollouts)
    found = search(view, effort, dice)
    if found[0].exact:
        return found
    first = search(view, effort, dice, only=[one.move for one in found[:3]])
    # They are equally well known only if none was eliminated: two at a time.
    if len(first) > 2:
        first = [*search(view, effort, dice, only=[one.move for one in first[:2]]), first[2]]
    return [*first, *found[3:]]


def gap_of(found: Sequence[Candidate]) -> float:
    """Return by how much of the chance to win the first beats every other move."""
    return found[0].win - max((one.win for one in found[1:]), default=0.0)


def noise_of(found: Sequence[Candidate]) -> float:
    """Return the standard error of that, as if the two were tried in worlds of their own."""
    if found[0].exact:
        return 0.0
    return sqrt(sum(one.win * (1 - one.win) / max(1, one.worlds) for one in found[:2]))


# --- Kinds ---------------------------------------------------------------------------------------


def kind_of(position: Position, found: Sequence[Candidate], dice: Rng) -> Kind | None:
    """Return the kind of a position whose moves are judged, or ``None`` if nobody sees why."""
    view, best = solver_view(position), found[0].move
    places = [one.move for one in found if isinstance(one.move, Place)]
    if not places:
        return None
    if isinstance(best, Draw):
        return Kind.DRAW if _is_seen_to_draw(view, places, dice) else None
    if has_bonus(view, best):
        return Kind.BONUS
    if _blocks(view, places, dice):
        return Kind.BLOCK
    if found[0].exact:
        if sum(position.rack_sizes) > MOST_COUNTED:
            return None
        return Kind.OUT if goes_out(position, best) else Kind.ENDING
    few = len(places) <= 3 and position.pool_size > 0
    return Kind.DRAW if few and isinstance(found[1].move, Draw) else None


def _is_kind(kind: Kind, position: Position, found: Sequence[Candidate], dice: Rng) -> bool:
    """Whether a puzzle is of its kind, by other dice than those by which it was found."""
    view, best = solver_view(position), found[0].move
    places = [one.move for one in found if isinstance(one.move, Place)]
    match kind:
        case Kind.BONUS:
            return has_bonus(view, best)
        case Kind.BLOCK:
            return isinstance(best, Place) and _blocks(view, places, dice, SLACK)
        case Kind.OUT:
            return found[0].exact and goes_out(position, best)
        case Kind.ENDING:
            return found[0].exact and not goes_out(position, best)
        case Kind.DRAW if isinstance(best, Draw):
            return _is_seen_to_draw(view, places, dice, SLACK)
        case Kind.DRAW:
            return any(isinstance(one.move, Draw) for one in found)
        case _:
            assert_never(kind)


def _is_seen_to_draw(view: View, places: Sequence[Move], dice: Rng, slack: float = 0.0) -> bool:
    """Whether every place opens a bonus to the other, or a tile drawn may well score one.

    A bonus that the other may score anyway is no reason: drawing does not prevent it.
    """
    risks = [prospects(view, place, dice).opened for place in places]
    hopes = [fact.chance for fact in facts(view, Draw(), dice) if fact.kind == "hopes"]
    return min(risks) >= DANGEROUS - slack or max(hopes, default=0.0) >= HOPED


def _blocks(view: View, places: Sequence[Move], dice: Rng, slack: float = 0.0) -> bool:
    """Whether the first of some places leaves the next player less than the others do.

    Compared are the second best and the two that score most.
    """
    seen = SEEN - slack
    best, *others = places
    others.sort(key=lambda place: (place != places[1], -points_of(view, place)))
    if not others:
        return False
    ours = prospects(view, best, dice)
    rivals = [prospects(view, place, dice) for place in others[:3]]
    return all(
        ours.stuck - rival.stuck >= seen or rival.danger - ours.danger >= seen for rival in rivals
    )


def goes_out(position: Position, move: Move) -> bool:
    """Whether the solver, with an empty pool, goes out if both play on as well as they can."""
    game = State.of(game_of(position))
    game.play(move)
    while game.end is None:
        game.play(max(game.legal_moves(), key=lambda each: _solved(game, each)))
    return game.end.reason is EndReason.OUT and game.end.seats == (0,)


def _solved(state: State, move: Move) -> int:
    """Return the margin of the seat to move if both play on as well as they can."""
    after = state.copy()
    after.play(move)
    if after.end is not None:
        return after.totals[state.turn] - after.totals[1 - state.turn]
    solution = after.solve()
    if solution is None:
        return 0
    return solution.margin if after.turn == state.turn else -solution.margin


def level_of(kind: Kind, view: View, solution: Move) -> int:
    """Return how hard a puzzle is, from 1 to 3, by what there is to overlook and to count."""
    moves = view.legal_moves()
    few, some = {
        Kind.BONUS: (6, 10),
        Kind.BLOCK: (4, 7),
        Kind.OUT: (3, 6),
        Kind.ENDING: (3, 5),
        Kind.DRAW: (3, 5),
    }[kind]
    hard = (len(moves) > few) + (len(moves) > some)
    if kind is Kind.BONUS:
        # What scores more than the solution misleads.
        hard += max(points_of(view, move) for move in moves) > points_of(view, solution)
    elif kind in (Kind.OUT, Kind.ENDING):
        hard += sum(view.rack_sizes) > EASILY_COUNTED
    return min(3, 1 + hard)


# --- What is wrong -------------------------------------------------------------------------------


def size_of(cells: Sequence[Cell]) -> tuple[float, float]:
    """Return the width and the height of some cells, in sides of a tile."""
    corners = [vertex for cell in cells for vertex in cell.vertices]
    across = [vertex.x + vertex.y / 2 for vertex in corners]
    up = [vertex.y * _HEIGHT for vertex in corners]
    return max(across) - min(across), max(up) - min(up)


def why_ugly(position: Position, moves: Sequence[Move], level: int, kind: Kind) -> Iterator[str]:
    """Yield what makes a position unpleasant to look at or to think about."""
    laid = len(position.board)
    if not FEWEST_TILES <= laid <= MOST_TILES:
        yield f"{laid} tiles on the board"
    cells = [place.cell for place in (*position.board, *moves) if isinstance(place, Place)]
    if max(size := size_of(cells)) > LARGEST:
        yield f"the board is {size[0]:.1f} by {size[1]:.1f} sides of a tile"
    if len(moves) > MOST_MOVES or (level == 1 and len(moves) > MOST_EASY_MOVES):
        yield f"{len(moves)} legal moves at level {level}"
    if len(moves) < (2 if kind is Kind.DRAW else 3):
        yield "there is nothing to choose"
    if position.rack_sizes[0] > MOST_HELD:
        yield f"{position.rack_sizes[0]} tiles to think about"
    if position.rack_sizes[0] == 1 and any(isinstance(move, Place) for move in moves):
        yield "the last tile goes out wherever it is laid"


def why_wrong(puzzle: Puzzle, rollouts: int = DEEP, seed: int = 2) -> Iterator[str]:
    """Yield what is wrong with a puzzle: nothing, if it may be shown to anybody."""
    view = puzzle.view
    moves = [one.move for one in puzzle.answers]
    if sorted(map(str, moves)) != sorted(map(str, view.legal_moves())):
        yield "the answers are not the legal moves"
        return
    if view.rules != RULES:
        yield "it has other rules"
    yield from why_ugly(puzzle.position, moves, puzzle.level, puzzle.kind)
    yield from why_no_reply(puzzle)
    dice = Rng.named("puzzle", "check", seed, str(puzzle.position.board))
    found = judged(view, rollouts, dice)
    gap, noise = gap_of(found), noise_of(found)
    if found[0].move != puzzle.solution:
        yield f"{found[0].move} wins {found[0].win:.0%}, not {puzzle.solution}"
        return
    least = LEAST_DRAW_GAP if puzzle.kind is Kind.DRAW else LEAST_GAP
    if gap < max(least, 2 * noise):
        yield f"ambiguous: {found[1].move} wins only {gap:.1%} less (noise {noise:.1%})"
    if found[0].win < LEAST_WIN - _WIN_SLACK:
        yield f"the solution wins only {found[0].win:.0%}"
    if not _is_kind(puzzle.kind, puzzle.position, found, dice):
        yield f"nobody sees that it is of the kind {puzzle.kind}"
    if (level := level_of(puzzle.kind, view, puzzle.solution)) != puzzle.level:
        yield f"its level is {level}, not {puzzle.level}"


def why_no_reply(puzzle: Puzzle) -> Iterator[str]:
    """Yield the wrong answers whose reply, or the rest of whose turn, is not legal."""
    for one in puzzle.answers:
        if isinstance(one.move, Draw) and one.move == puzzle.solution:
            continue
        try:
            game = game_of(puzzle.position, one.drawn)
            for _ in one.drawn:
                game.play(Draw())
            end = one.then if isinstance(one.move, Draw) else one.move
            if end is None or isinstance(end, Draw):
                raise TriominoError("the turn does not end")
            game.play(end)
        except TriominoError as error:
            yield f"after {one.move}: {error}"
            continue
        if game.over != (one.reply is None) or (one.reply and game.why_not(one.reply)):
            yield f"after {one.move}, {one.reply} is no reply"


def game_of(position: Position, drawn: Sequence[Tile] = ()) -> Game:
    """Return a game from here; the unseen tiles are drawn in ascending order, after *drawn*."""
    held = {tile for rack in position.racks for tile in rack or ()}
    laid = {place.tile for place in position.board}
    rest = [tile for tile in position.rules.tiles if tile not in {*held, *laid, *drawn}]
    return Game.at(replace(position, pool=(*drawn, *rest)[: position.pool_size]))
