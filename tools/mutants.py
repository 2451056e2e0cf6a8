"""Put deliberate errors into the rules, one at a time, and check that the tests catch each.

For every error, ``python tools/mutants.py`` copies the project to a temporary folder, runs the
tests of the rules there, and prints the test that caught it. It fails if an error goes unnoticed.
A word on the command line selects the errors whose description contains it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = [
    "tests/rulebook",
    "tests/ledger",
    "tests/test_legacy.py",
    "tests/test_rules.py",
    "tests/test_record.py",
    "tests/test_game.py",
    "tests/test_match.py",
    "tests/test_view.py",
    "tests/test_scoring.py",
    "tests/test_fair.py",
    "tests/test_fair2.py",
    "tests/golden",
    "tests/test_worlds.py",
    "tests/test_old_formats.py",
]


# An editable install points at the project itself; the copy must be tested instead.
RUN = """
import sys, pytest
sys.meta_path[:] = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
sys.path[:0] = ["src", "."]
import pathlib, triomino
assert pathlib.Path(triomino.__file__).is_relative_to(pathlib.Path.cwd()), triomino.__file__
sys.exit(pytest.main(sys.argv[1:] + ["-p", "no:cacheprovider"]))
"""


@dataclass(frozen=True)
class Mutant:
    """One deliberate error: a line of a file, and what it becomes."""

    what: str
    file: str
    old: str
    new: str


MUTANTS = [
    Mutant(
        "a bridge with two shared edges pays",
        "board.py",
        "return sum(shared) == 1",
        "return sum(shared) <= 2",
    ),
    Mutant(
        "a bridge replaces a hexagon",
        "scoring.py",
        "if closed := board.hexagons(cell):",
        "if (closed := board.hexagons(cell)) and not board.is_bridge(cell, rules.bridge_rule):",
    ),
    Mutant(
        "the board is mirrored: the neighbours across edges 0 and 1 change places",
        "grid.py",
        "_NEIGHBOUR_STEPS: Final = ((-1, 1, 1 - 2 * ROW), (-1, 2 * ROW - 1, 1))",
        "_NEIGHBOUR_STEPS: Final = ((1, -1, 1 - 2 * ROW), (2 * ROW - 1, -1, 1))",
    ),
    Mutant(
        "a new number does not close the places round it",
        "board.py",
        "self._update_open((*site.across[new], *beyond))",
        "self._update_open(site.across[new])",
    ),
    Mutant(
        "the Hebrew third draw costs no more than the others",
        "scoring.py",
        "if count == rules.max_draws and rules.no_play_extra_when is ExtraWhen.ON_LAST_DRAW",
        "if count > rules.max_draws and rules.no_play_extra_when is ExtraWhen.ON_LAST_DRAW",
    ),
    Mutant(
        "reaching the target is enough in every edition",
        "ledger.py",
        "return total >= rules.target if reaches else total > rules.target",
        "return total >= rules.target",
    ),
    Mutant(
        "the target can be lost again",
        "ledger.py",
        "list(self.totals), self.latched_at, self.rules",
        "list(self.totals), None, self.rules",
    ),
    Mutant(
        "a round of a match is won by the total",
        "ledger.py",
        "scored = self.totals if self.rules.target is None else self.points",
        "scored = self.totals",
    ),
    Mutant(
        "the last starter comes first among several winners",
        "ledger.py",
        "                first = self.seat_after(self.starter)\n",
        "                first = self.starter\n",
    ),
    Mutant(
        "a tie ends the match although an extra round decides it",
        "ledger.py",
        "return self.is_last_round and not tied",
        "return self.is_last_round",
    ),
    Mutant(
        "a player who can place may draw a second time",
        "choices.py",
        "            return count == 0\n",
        "            return count < 2\n",
    ),
    Mutant(
        "a player who can place may end the turn after the last draw",
        "choices.py",
        "        if rules.must_place_after_last_draw and self.can_place:\n",
        "        if rules.must_place_after_last_draw and not self.can_place:\n",
    ),
    Mutant(
        "who goes out pays for his own last tile too",
        "game.py",
        "others = [rack for other, rack in enumerate(self.racks) if other != seat]",
        "others = list(self.racks)",
    ),
    Mutant(
        "a round blocks while there are tiles to draw",
        "game.py",
        "len(self.pool) > (tile is not None) or self.rules.plays_out_passes",
        "self.rules.plays_out_passes",
    ),
    Mutant(
        "a round goes on although its last place was just taken",
        "board.py",
        "if fitting & tiles and cell not in changed:",
        "if fitting & tiles:",
    ),
    Mutant(
        "the card player may draw on although the drawn card fits",
        "choices.py",
        "        case VoluntaryDraw.NEVER:\n            return False",
        "        case VoluntaryDraw.NEVER:\n            return count > 0",
    ),
    Mutant(
        "all who drew, not only the tied, draw again for the start",
        "deal.py",
        "if rules.start_redraw is StartRedraw.TIED_HIGHEST:",
        "if rules.start_redraw is StartRedraw.ALL:",
    ),
    Mutant(
        "5-4-4 starts before 5-5-3",
        "deal.py",
        "sorted(tile.numbers, reverse=True)",
        "sorted(tile.numbers)",
    ),
    Mutant(
        "the lowest hand of a deadlock takes its own tiles as well",
        "scoring.py",
        "spared = winners if shared else (seat,)",
        "spared = winners if shared else ()",
    ),
    Mutant(
        "a view names the tiles that others drew",
        "view.py",
        "ply if ply.tile is None or ply.seat == seat else ply.public",
        "ply",
    ),
    Mutant(
        "a sample forgets that a pass proves something",
        "worlds.py",
        "                hand.holds_none_of(playable(laid))\n",
        "                pass\n",
    ),
    Mutant(
        "a sample accepts every proposal",
        "worlds.py",
        "        accepted = choose({True: chance, False: bound - chance}, dice)",
        "        accepted = chance > 0",
    ),
    Mutant(
        "small numbers come a little too often in a deal",
        "fair.py",
        "word < (1 << 32) - (1 << 32) % stop:",
        "word <= (1 << 32) - (1 << 32) % stop:",
    ),
    Mutant(
        "version 1 is read with the editions of today",
        "legacy.py",
        "    rules = EDITIONS_1[edition].with_changes(changes)\n",
        "    rules = EDITIONS[edition].with_changes(changes)\n",
    ),
    Mutant(
        "version 1 could not end a turn without placing",
        "legacy.py",
        "voluntary_draw=VoluntaryDraw.ALWAYS, must_place_after_last_draw=False)",
        "voluntary_draw=VoluntaryDraw.ALWAYS)",
    ),
    Mutant(
        "a rule that version 2 leaves out is that of the edition",
        "rules.py",
        '        if missing:\n            raise RulesError(f"every rule is needed',
        '        if not data:\n            raise RulesError(f"every rule is needed',
    ),
    Mutant(
        "a record of version 2 is read with the rules of version 1",
        "record.py",
        "read(rules_1 if version_1 else Rules.from_json, table",
        "read(rules_1, table",
    ),
    Mutant(
        "a record of version 2 may leave out what the edition says",
        "record.py",
        "read(rules_1 if version_1 else Rules.from_json, table",
        "read(rules_1 if version_1 else Rules.read, table",
    ),
    Mutant(
        "an expert of version 1 is an expert of today",
        "legacy.py",
        '    "expert": "hard",\n',
        '    "expert": "expert",\n',
    ),
    Mutant(
        "the commitment of a device does not contain that of the server",
        "fair2.py",
        '_sha256(f"triomino fair/2 device\\n{table}\\n{server}\\n{seed}\\n")',
        '_sha256(f"triomino fair/2 device\\n{table}\\n{seed}\\n")',
    ),
    Mutant(
        "a seed is not held against its commitment",
        "fair2.py",
        "if device_commitment(self.table, self.server, seed) != self.devices[number]:",
        "if not device_commitment(self.table, self.server, seed):",
    ),
    Mutant(
        "the deals do not depend on the seeds of devices",
        "fair2.py",
        "{_sha256(self.transcript)}",
        "{_sha256(self.opening.text)}",
    ),
    Mutant(
        "the rules are not part of the opening",
        "fair2.py",
        'f"server {self.server}", f"rules {self.rules}"',
        'f"server {self.server}", f"rules {self.server}"',
    ),
    Mutant(
        "a withheld seed goes unnoticed",
        "claims.py",
        "elif withheld or Part.NO_COMMITMENT in parts:",
        "elif Part.NO_COMMITMENT in parts:",
    ),
    Mutant(
        "the signature of the transcript is not checked",
        "claims.py",
        "if not is_signed(seeds.transcript, seeds.signature, key):",
        "if not is_signed(seeds.opening.text, seeds.opening_signature, key):",
    ),
]


def caught_by(mutant: Mutant) -> str | None:
    """Return the first test that fails with this error in place, or ``None``."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for part in ("src", "tests", "docs", "pyproject.toml", "README.md"):
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / part)
        path = copy / "src" / "triomino" / mutant.file
        text = path.read_text("utf-8")
        if text.count(mutant.old) != 1:
            sys.exit(f"{mutant.what}: the line to change must be in {mutant.file} exactly once")
        path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
        run = subprocess.run(  # noqa: S603 - our own tests
            [sys.executable, "-c", RUN, "-x", "-q", "--no-header", "--tb=no", *TESTS],
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode == 0:
            return None
        failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return failed[0].split(" - ")[0] if failed else run.stdout[-400:]


def main() -> None:
    """Try every error, or those that were selected."""
    if failure := caught_by(Mutant("nothing", "tile.py", "class Tile:", "class Tile:")):
        sys.exit(f"the tests fail without any error in the rules: {failure}")
    missed = 0
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    for mutant in (mutant for mutant in MUTANTS if wanted in mutant.what):
        test = caught_by(mutant)
        missed += test is None
        print(f"{mutant.what}: {test or 'NOT CAUGHT'}", flush=True)
    sys.exit(f"{missed} errors were not caught" if missed else 0)


if __name__ == "__main__":
    main()
