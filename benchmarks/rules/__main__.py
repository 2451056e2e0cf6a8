"""Random classic rounds of two players: the rules in Python beside an older checkout of them.

``python -m benchmarks.rules --old PATH`` lets both play the same rounds alternately, each in its
own interpreter, and prints the rounds per second of both and the median of their ratios. It fails
if the totals differ.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
PLAYER = Path(__file__).with_name("player.py")


class Player:
    """A checkout in an interpreter of its own."""

    def __init__(self, checkout: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-S", str(PLAYER), str(checkout)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def play(self, first: int, count: int) -> tuple[float, str]:
        """Play *count* rounds; return rounds per second and a digest of their totals."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{first} {count}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if not answer:
            sys.exit("a player has failed; its error is above")
        seconds, digest = answer
        return count / float(seconds), digest

    def stop(self) -> None:
        """Let it end."""
        self._process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("--old", type=Path, required=True, help="the checkout to compare with")
    parser.add_argument("--new", type=Path, default=ROOT, help="this one, unless told otherwise")
    parser.add_argument("--pairs", type=int, default=9, help="how often each of them plays")
    parser.add_argument("--rounds", type=int, default=300, help="how many rounds each time")
    options = parser.parse_args()

    old, new = Player(options.old), Player(options.new)
    for player in (old, new):
        player.play(0, 20)  # warm up
    rates = []
    print("     old      new   ratio")
    for pair in range(options.pairs):
        first = 1 + pair * options.rounds
        # Alternate who plays first, so that neither profits from a quieter machine.
        order = (old, new) if pair % 2 else (new, old)
        played = {player: player.play(first, options.rounds) for player in order}
        if played[old][1] != played[new][1]:
            sys.exit(f"the totals differ between rounds {first} and {first + options.rounds - 1}")
        rates.append((played[old][0], played[new][0]))
        print(
            f"{rates[-1][0]:8.0f} {rates[-1][1]:8.0f} {rates[-1][1] / rates[-1][0]:7.2f}",
            flush=True,
        )
    old.stop()
    new.stop()
    ratio = median(after / before for before, after in rates)
    rounds = options.pairs * options.rounds
    print(f"same totals in {rounds} rounds; median ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
