"""Every vector is played in the kernel too: move by move, beside the rules in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from triomino.errors import IllegalMove
from triomino.game import Game, Ply
from triomino.kernel import KernelError, State

if TYPE_CHECKING:
    from triomino.moves import Move


def beside(game: Game) -> State | None:
    """The same moment in the kernel, where it can hold it: a board in one piece, not given up."""
    try:
        return State.of(game)
    except KernelError:
        return None


def compare(game: Game, state: State) -> None:
    """Hold the kernel to the rules in Python after a move."""
    position = state.position
    assert list(position.scores) == game.totals
    assert position.latched == game.latched
    assert (position.turn, position.drawn) == (game.turn, tuple(game.drawn))
    assert position.pool == tuple(game.pool)
    assert [sorted(rack or ()) for rack in position.racks] == [sorted(r) for r in game.racks]
    ended = None if game.end is None else (game.end.reason, game.end.seats)
    end = state.end
    assert (None if end is None else (end.reason, end.seats)) == ended
    if game.end is None:
        assert state.legal_moves() == game.legal_moves()


@pytest.fixture(autouse=True)
def kernel_plays_along(monkeypatch: pytest.MonkeyPatch) -> None:
    apply, check = Game.apply, Game.check

    def apply_in_both(game: Game, ply: Ply) -> None:
        state = beside(game)
        apply(game, ply)
        if state is not None:
            state.play(ply.move)
            compare(game, state)

    def check_in_both(game: Game, move: Move) -> Ply:
        try:
            return check(game, move)
        except IllegalMove:
            state = beside(game)
            assert state is None or move not in state.legal_moves()
            raise

    monkeypatch.setattr(Game, "apply", apply_in_both)
    monkeypatch.setattr(Game, "check", check_in_both)
