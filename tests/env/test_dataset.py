"""Data sets: records and arrays of the same matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from triomino import CARD, CLASSIC, Game, Rules, read_record
from triomino.env import ActionSpace, dataset
from triomino.lab.simulation import Job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triomino import Match


def told(match: Match, number: int) -> Iterator[tuple[int, int, int, int, list[int]]]:
    """Match, round, seat, action and legal actions of every decision, from the record."""
    space = ActionSpace(match.rules)
    for round_, played in enumerate(match.rounds):
        game = Game(played.rules, played.start, played.start_ledger)
        for ply in played.plies:
            legal = sorted(space.encode(game.board, move) for move in game.legal_moves())
            yield number, round_, ply.seat, space.encode(game.board, ply.move), legal
            game.play(ply.move)


@pytest.mark.parametrize(
    ("rules", "bots"), [(CLASSIC, ("greedy", "random")), (CARD, ("greedy", "easy", "random"))]
)
def test_arrays_tell_what_the_records_tell(
    rules: Rules, bots: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "SHARD", 2)
    total = dataset.write_dataset(tmp_path, Job(rules, bots, 5, 3), planes=True, processes=1)
    with (tmp_path / "records.jsonl").open(encoding="utf-8") as lines:
        matches = [read_record(line) for line in lines]
    files, seen = sorted(tmp_path.glob("arrays-*.npz")), 0
    assert [file.name for file in files] == ["arrays-00000.npz", "arrays-00001.npz"]
    for number, file in enumerate(files):
        with np.load(file) as found:
            part = dict(found)
        played = matches[2 * number : 2 * number + 2]
        assert part["scores"].tolist() == [list(match.scores) for match in played]
        won = [tuple(np.flatnonzero(row).tolist()) for row in part["won"]]
        assert won == [match.winners for match in played]
        columns = [part[name].tolist() for name in ("match", "round", "seat", "action")]
        legal = [each.tolist() for each in np.split(part["legal"], part["ends"][:-1])]
        rows = list(zip(*columns, legal, strict=True))
        assert rows == [row for i, match in enumerate(played) for row in told(match, i)]
        assert part["planes"].shape == (len(rows), 25, 25, 8)
        assert (part["vector"][:, -2] == 0).all()  # the observer is to move
        seen += len(rows)
    assert seen == total


def test_the_command_writes_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        dataset.main([str(tmp_path / name), "--matches", "4", "--seed", "2", "--jobs", "1"])
    assert "4 matches with" in capsys.readouterr().out
    one, two = (tmp_path / name for name in ("one", "two"))
    assert (one / "records.jsonl").read_bytes() == (two / "records.jsonl").read_bytes()
    with np.load(one / "arrays-00000.npz") as a, np.load(two / "arrays-00000.npz") as b:
        assert all(np.array_equal(a[name], b[name]) for name in a)
        assert "planes" not in a
    for arguments, why in (
        ([str(one)], "not empty"),
        ([str(tmp_path / "x"), "--bots", "gredy"], "did you mean"),
        ([str(tmp_path / "x"), "--edition", "classik"], "classic"),
        ([str(tmp_path / "x"), "--players", "9"], "players"),
    ):
        with pytest.raises(SystemExit):
            dataset.main(arguments)
        assert why in capsys.readouterr().err
