"""The kernel as WebAssembly beside the native one: size, and speed as a ratio within one run.

``make bench-wasm``. Every search is carried out by both, in turns, so that a busy machine slows
both down.
"""

from __future__ import annotations

import json
import subprocess
import time
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from tests.agreement.calls import Call, Pair, call_native, effort_numbers
from tests.agreement.test_wasm import SCRIPT
from tools import wasm

from triomino import CARD, CLASSIC, SIX_PLAYER, Rng, Rules, Seeds
from triomino.kernel import Effort
from triomino.kernel.loader import instruction_set

if TYPE_CHECKING:
    from collections.abc import Sequence

CASES: Final[dict[str, tuple[Rules, int, Effort]]] = {
    "rollouts, two": (CLASSIC, 2, Effort(rollouts=1500, endgame_nodes=0)),
    "rollouts, four": (CLASSIC, 4, Effort(rollouts=1500, endgame_nodes=0)),
    "76 tiles, six": (SIX_PLAYER, 6, Effort(rollouts=1500, endgame_nodes=0)),
    "the network, two": (CLASSIC, 2, Effort(rollouts=1500, judges=True)),
    "cards": (CARD, 3, Effort(rollouts=1500)),
}
PLIES: Final = (5, 14)
MILLISECONDS: Final = 150
TURNS: Final = 4


class Node:
    """A build that answers in Node."""

    def __init__(self, build: str) -> None:
        self._process = subprocess.Popen(
            ["node", SCRIPT, wasm.FOLDER / build],  # noqa: S607
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def call(self, what: int, numbers: Sequence[int]) -> list[int]:
        """Carry out a call."""
        answer: list[int] = self._ask([what, list(numbers)])
        return answer

    def milliseconds(self, what: int, numbers: Sequence[int]) -> float:
        """What a call takes."""
        return float(self._ask([what, list(numbers), MILLISECONDS]))

    def _ask(self, line: object) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(line), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def native_milliseconds(what: int, numbers: Sequence[int]) -> float:
    """What a call takes natively."""
    began, times = time.perf_counter(), 0
    while (time.perf_counter() - began) * 1000 < MILLISECONDS:
        call_native(what, numbers)
        times += 1
    return (time.perf_counter() - began) * 1000 / times


def compare(name: str, build: str) -> float:
    """How much a build does in the time in which the native kernel does one."""
    rules, players, effort = CASES[name]
    ratios, node = [], Node(build)
    for plies in PLIES:

        def both(what: int, numbers: Sequence[int]) -> Sequence[int]:
            answer = call_native(what, numbers)
            assert node.call(what, numbers) == answer
            return answer

        pair = Pair(rules, players, Seeds.named(players, "bench", plies), both)
        dice = Rng(plies)
        for _ in range(plies):
            moves = pair.match.game.legal_moves()
            pair.play(moves[dice.randrange(len(moves))])
        numbers = [pair.handle, *effort_numbers(effort), 1, 0, *[0] * 8]
        both(Call.SEARCH, numbers)
        node.milliseconds(Call.SEARCH, numbers)  # until it is compiled to its best
        ratios += [
            native_milliseconds(Call.SEARCH, numbers) / node.milliseconds(Call.SEARCH, numbers)
            for _ in range(TURNS)
        ]
        pair.close()
    node.close()
    return median(ratios)


def main() -> None:
    """Print sizes and ratios."""
    brotli = "process.stdout.write(String(require('zlib').brotliCompressSync(require('fs')"
    for build in wasm.BUILDS:
        path = wasm.FOLDER / build
        script = f"{brotli}.readFileSync(process.argv[1])).length))"
        command = ["node", "-e", script, str(path)]
        small = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(f"{build:20} {path.stat().st_size / 1000:6.1f} KB {small / 1000:6.1f} KB brotli")
    print(f"speed, native ({instruction_set()}) = 1:")
    for name in CASES:
        ratios = [f"{compare(name, build):.2f} {build}" for build in wasm.BUILDS]
        print(f"{name:20} {'  '.join(ratios)}", flush=True)


if __name__ == "__main__":
    main()
