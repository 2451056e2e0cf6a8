"""Write a data set of games: ``python -m triomino.env.dataset FOLDER --matches 1000 --seed 1``.

The folder gets the records of all matches, ``records.jsonl``, and for every so many matches a
file of arrays, ``arrays-00000.npz``: one row for each decision, and the results of each match. The
same arguments give the same matches and arrays, whatever the number of processes.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from triomino.bots.registry import why_not_bot
from triomino.bots.simulation import simulate_match
from triomino.env.table import Reward, Table
from triomino.errors import TriominoError
from triomino.game import Game
from triomino.lab.process_pool import default_jobs, in_order
from triomino.lab.simulation import Job, is_native, native_match
from triomino.record import write_record
from triomino.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triomino.match import Match

SHARD: Final = 500
"""Matches in a file of arrays."""
ROWS: Final = ("planes", "cells", "vector", "history")
"""The arrays of an observation: see :class:`triomino.env.table.Table`."""


def decisions(match: Match) -> Iterator[dict[str, Any]]:
    """Yield every decision of a match: what its seat observed, the legal actions, and its own."""
    reward = Reward.WIN if match.rules.target is None else Reward.MATCH
    table = Table(match.rules, len(match.players), reward)
    batch = table.batch
    for number, played in enumerate(match.rounds):
        game = Game(played.rules, played.start, played.start_ledger)
        batch.load(0, game)
        for ply in played.plies:
            action = batch.space.encode(game.board, ply.move)
            legal = batch.actions[0, : batch.action_count[0]].copy()
            yield {
                **table.observe(ply.seat),
                "round": number,
                "seat": ply.seat,
                "action": action,
                "legal": legal,
            }
            game.play(ply.move)
            if not game.over:
                batch.step([action])


def arrays(matches: list[Match], *, planes: bool = False) -> dict[str, NDArray[Any]]:
    """Return the decisions and results of matches as arrays.

    ``match``, ``round``, ``seat`` and ``action`` have a row for each decision, as have the arrays
    of its observation. The legal actions of decision i are ``legal[ends[i - 1] : ends[i]]``.
    ``scores`` and ``won`` have a row for each match.
    """
    found = [(number, one) for number, match in enumerate(matches) for one in decisions(match)]
    names = ROWS if planes else ROWS[1:]
    out: dict[str, NDArray[Any]] = {
        "match": np.array([number for number, _ in found], np.int32),
        **{key: np.array([one[key] for _, one in found], np.int16) for key in _NUMBERS},
        **{name: np.stack([one[name] for _, one in found]) for name in names},
        "legal": np.concatenate([one["legal"] for _, one in found]),
        "ends": np.cumsum([len(one["legal"]) for _, one in found]).astype(np.int64),
        "scores": np.array([match.scores for match in matches], np.int32),
        "won": np.array(
            [[seat in match.winners for seat in range(len(match.players))] for match in matches]
        ),
    }
    return out


_NUMBERS: Final = ("round", "seat", "action")


def _shard(task: tuple[Job, bool], number: int) -> tuple[list[str], dict[str, NDArray[Any]]]:
    job, planes = task
    first = number * SHARD + 1
    numbers = range(first, min(first + SHARD, job.matches + 1))
    matches = [_match(job, match) for match in numbers]
    return [write_record(match) for match in matches], arrays(matches, planes=planes)


def _match(job: Job, number: int) -> Match:
    if is_native(job):
        return native_match(job, number)
    return simulate_match(job.rules, job.bots, job.seed, number)


def write_dataset(
    folder: Path,
    job: Job,
    *,
    planes: bool = False,
    processes: int | None = None,
    cluster: str | None = None,
) -> int:
    """Write the matches of a job; return the number of decisions. The folder must be new."""
    if folder.exists() and any(folder.iterdir()):
        raise TriominoError(f"{folder} is not empty; choose a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    shards = -(-job.matches // SHARD)
    total = 0
    with (folder / "records.jsonl").open("w", encoding="utf-8") as records:
        parts = in_order(
            _shard, (job, planes), range(shards), min(shards, processes or default_jobs()), cluster
        )
        for number, (lines, made) in enumerate(parts):
            records.writelines(f"{line}\n" for line in lines)
            np.savez_compressed(folder / f"arrays-{number:05}.npz", allow_pickle=False, **made)
            total += len(made["action"])
    return total


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and write the data set."""
    parser = argparse.ArgumentParser(prog="triomino.env.dataset", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--edition", default="classic")
    parser.add_argument("--bots", default="greedy", help="names; they take the seats in turn")
    parser.add_argument("--planes", action="store_true", help="write the planes, too")
    parser.add_argument("--jobs", type=int, help="processes; by default one for each core")
    parser.add_argument("--cluster", metavar="auto|ADDRESS", help="a Ray cluster to play on")
    given = parser.parse_args(arguments)
    names = given.bots.split(",")
    try:
        for name in names:
            if why := why_not_bot(name):
                raise TriominoError(f"--bots: {why}")
        rules = Rules.read(given.edition)
        rules.check_players(given.players)
        if given.matches < 1:
            raise TriominoError("--matches: at least 1")
        bots = tuple(names[seat % len(names)] for seat in range(given.players))
        job = Job(rules, bots, given.seed, given.matches)
        total = write_dataset(
            given.folder, job, planes=given.planes, processes=given.jobs, cluster=given.cluster
        )
    except TriominoError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(f"{given.matches} matches with {total} decisions written to {given.folder}")


if __name__ == "__main__":
    main()
