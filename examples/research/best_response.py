"""A lower bound on the champion's exploitability, by a best response that is trained.

``python examples/research/best_response.py`` lets a network that begins as the champion's own learn
from rounds against it, then plays both on the same deals with the seats exchanged. What the
response wins above one half, less the error of the estimate, bounds from below what a perfect
response could win. A bound of zero means that this response found nothing.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from triomino import CLASSIC
from triomino.bots.levels import EFFORTS
from triomino.kernel.contest import Contestant, contest
from triomino.lab.learning.train import Recipe, learn
from triomino.lab.statistics import mean_interval, win_interval

SMALL = Recipe(steps=2, tables=2, rounds=16, policy_steps=0)
MINUTES = Recipe(steps=200, policy_steps=0, first_rate=3e-4, last_rate=3e-5)


def measure(recipe: Recipe, folder: Path, games: int, rollouts: int) -> str:
    """Train a response and let it play the champion, both with so many rollouts a move."""
    champion = Contestant(effort=replace(EFFORTS["champion"], rollouts=rollouts))
    weights = (files("triomino.kernel") / "network.bin").read_bytes()
    learn(recipe, folder, start=weights, league=(replace(champion, searches=False),))
    response = replace(champion, weights=(folder / "network.bin").read_bytes())
    played = contest(CLASSIC, 2, (response, champion), seed=7, count=2 * (games // 2))
    # The two games of a deal are one observation.
    rates = played.won.reshape(-1, 2).mean(axis=1).tolist()
    margins = played.margin.reshape(-1, 2).mean(axis=1).tolist()
    low, high = win_interval(rates)
    down, up = mean_interval(margins)
    return (
        f"the response wins {low:.1%} to {high:.1%}, by {down:+.1f} to {up:+.1f} points;"
        f" the champion can be exploited for at least {max(0.0, low - 0.5):.1%}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="only to see that it runs")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--rollouts", type=int, default=60, help="of both, for each move")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        if given.small:
            print(measure(SMALL, Path(folder), games=4, rollouts=10))
        else:
            print(measure(MINUTES, Path(folder), given.games, given.rollouts))


if __name__ == "__main__":
    main()
