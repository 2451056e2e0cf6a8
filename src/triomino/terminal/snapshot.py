"""A position of a game, found in a file and shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from triomino.board import Board
from triomino.errors import RecordError, TriominoError
from triomino.lab.record_files import named, opened
from triomino.moves import Place
from triomino.notation import POSITION_FORMAT, POSITION_FORMAT_1, position_from_json
from triomino.reading import load_json
from triomino.record import match_from
from triomino.render import THEMES, game_svg, position_svg
from triomino.render.text import board_text, rack_text

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.game import Game
    from triomino.match import Match
    from triomino.position import Position
    from triomino.reading import Node


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A position and, if it comes from a record, the game and who plays it."""

    position: Position
    names: tuple[str, ...]
    game: Game | None = None


def read_snapshot(
    path: Path, record: int | None = None, round_number: int | None = None, turn: int | None = None
) -> Snapshot:
    """Read a position, or one out of a record: after *turn* entries of a round's turns.

    Records and rounds count from 1; without numbers it is the last round of the first record.
    """
    try:
        node, place = _chosen(path, record)
        form = node.value.get("format") if isinstance(node.value, dict) else None
        if form in (POSITION_FORMAT, POSITION_FORMAT_1):
            if round_number is not None or turn is not None:
                raise RecordError(place, "a position has no --round and no --turn")
            position = position_from_json(node)
            seats = range(1, len(position.racks) + 1)
            return Snapshot(position, tuple(f"seat {seat}" for seat in seats))
        game, names = _game(match_from(node), round_number, turn)
    except RecordError as error:
        where = [named(path), error.place]
        raise RecordError(", ".join(filter(None, where)), error.reason) from error
    return Snapshot(game.position, names, game)


def _chosen(path: Path, record: int | None) -> tuple[Node, str]:
    """Return one object of a file that holds one object, or one per line."""
    with opened(path) as file:
        content = file.read()
    lines = [line for line in content.splitlines() if line.strip()]
    if not lines:
        raise TriominoError(f"{named(path)}: there is nothing in it")
    if record is None and len(lines) > 1:
        try:
            return load_json(content), ""
        except RecordError:
            record = 1
    record = record or 1
    if record > len(lines):
        raise RecordError("", f"there is no record {record}, only {len(lines)}")
    return load_json(lines[record - 1]), f"record {record}"


def _game(match: Match, round_number: int | None, turn: int | None) -> tuple[Game, tuple[str, ...]]:
    rounds = len(match.rounds)
    if round_number is not None and round_number > rounds:
        raise RecordError("", f"there is no round {round_number}, only {rounds}")
    game = match.rounds[(round_number or rounds) - 1]
    turns = len(game.plies)
    if turn is not None and turn > turns:
        raise RecordError("", f"there is no turn {turn} in this round, only {turns}")
    if turn is not None and turn < turns:
        game.undo(turns - turn)
    return game, tuple(player.name for player in match.players)


def snapshot_svg(snapshot: Snapshot, theme: str, width: int | None) -> str:
    """Draw the snapshot as SVG."""
    if snapshot.game is None:
        return position_svg(
            snapshot.position, theme=THEMES[theme], names=snapshot.names, width=width
        )
    seats = range(snapshot.game.players)
    return game_svg(
        snapshot.game, theme=THEMES[theme], names=snapshot.names, seats=seats, width=width
    )


def snapshot_text(snapshot: Snapshot, width: int, *, color: bool) -> Text:
    """Draw the snapshot as text: the board, and a line for every seat."""
    position, game = snapshot.position, snapshot.game
    laid = [ply.move for ply in game.plies if isinstance(ply.move, Place)] if game else []
    last = laid[-1] if laid else None
    lines = [board_text(Board.of(position.board), width=width, last=last, color=color), Text()]
    over = game is not None and game.over
    for seat, rack in enumerate(position.racks):
        on_turn = seat == position.turn and not over
        score = f" {position.scores[seat]}" if position.rules.scoring else ""
        head = f"{'>' if on_turn else ' '} {snapshot.names[seat]}{score}:"
        if not rack:
            left = position.rack_sizes[seat]
            lines.append(Text(f"{head} {f'{left} hidden' if left else 'no tiles'}"))
        else:
            lines.append(Text(head))
            marked = position.drawn if on_turn else ()
            tiles = rack_text(sorted(rack), width=width - 4, marked=marked, color=color)
            lines += [Text("    ").append_text(line) for line in tiles.split("\n")]
    lines.append(Text(f"  pool: {position.pool_size}"))
    return Text("\n").join(lines)
