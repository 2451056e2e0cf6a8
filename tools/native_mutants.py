"""Put deliberate errors into the kernel, one at a time, and see that its tests catch each.

``python tools/native_mutants.py`` copies ``native/`` to a temporary folder, builds it there with
each error, and compares it with the rules in Python, move by move. Errors in rare or random
behaviour are left to the tests of the kernel. It fails if an error goes unnoticed. Words on the
command line select the errors whose description contains one of them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WALK = ["-m", "tests.agreement.walk", "--positions", "8000"]
TESTS = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/kernel"]


@dataclass(frozen=True)
class Mutant:
    """One deliberate error: a text in a file, and its replacement."""

    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = tuple(WALK)


BATCHES = ("-m", "tests.env.walk", "--positions", "3000", "--edition", "classic")

MUTANTS = [
    Mutant(
        "in a batch a cell with three numbers keeps its old pattern",
        "batch.cpp",
        "for (int i = 0; i < count; i++) pattern[i] = state.pattern_at[slot[i]];",
        "for (int i = 0; i < count; i++) pattern[i] = state.pattern_at[slot[0]];",
        BATCHES,
    ),
    Mutant(
        "in a batch totals do not begin with the seat to move",
        "batch.cpp",
        "for (int k = 0, seat = turn; k < players_;",
        "for (int k = 0, seat = 0; k < players_;",
        BATCHES,
    ),
    Mutant(
        "planes show a cell that points down as one that points up",
        "batch.cpp",
        "mark(x, y, 6 + down);",
        "mark(x, y, 6);",
        BATCHES,
    ),
    Mutant(
        "the board of 56 goes round too early",
        "tiles.hpp",
        "ROW = 32;         // a board",
        "ROW = 16;         // a board",
        tuple(TESTS),
    ),
    Mutant(
        "a new number does not close the places round it",
        "state.hpp",
        "            update_ring(tip, f, c);",
        "            {}",
    ),
    Mutant(
        "the ring of a new number is read the wrong way round",
        "state.hpp",
        "after = TABLE.pattern[left << 6 | right << 3 | number];",
        "after = TABLE.pattern[right << 6 | left << 3 | number];",
    ),
    Mutant(
        "a bridge with two shared edges pays",
        "rules.hpp",
        "BridgeRule::STRICT: bridge = !left && !right;",
        "BridgeRule::STRICT: bridge = !left || !right;",
    ),
    Mutant(
        "apex contact counts the tiles beside",
        "rules.hpp",
        "bridge = apex > left + right ||",
        "bridge = apex > 0 ||",
        tuple(TESTS),
    ),
    Mutant(
        "six tiles make a hexagon only with a seventh",
        "rules.hpp",
        "(first == 5) + (second == 5) + (apex == 5)",
        "(first == 6) + (second == 5) + (apex == 5)",
    ),
    Mutant(
        "the third tile beside a cell is not seen",
        "state.hpp",
        "if (!by_right) right = open_cell",
        "if (!by_right && !by_left) right = open_cell",
    ),
    Mutant(
        "the last draw costs nothing more where it should",
        "state.hpp",
        "if (rules.extra_on_last_draw) charge_no_play(seat, rules, log);",
        "",
    ),
    Mutant(
        "a pass with tiles in the pool pays the penalty",
        "state.hpp",
        "if (dry && rules.scoring && rules.empty_pool_penalty)",
        "if (rules.scoring && rules.empty_pool_penalty)",
    ),
    Mutant(
        "only the tile just drawn counts, though any may be placed",
        "state.hpp",
        "if (draws && rules.drawn_only &&",
        "if (draws &&",
    ),
    Mutant(
        "a fitting card cannot be kept after the last draw",
        "state.hpp",
        "return !(rules.must_place_after_last_draw && draws >= rules.max_draws);",
        "return draws < rules.max_draws;",
    ),
    Mutant(
        "one who can place may draw a second time on purpose",
        "state.hpp",
        "(rules.voluntary_draw == triomino::VoluntaryDraw::FIRST_ONLY && !draws);",
        "rules.voluntary_draw == triomino::VoluntaryDraw::FIRST_ONLY;",
    ),
    Mutant(
        "one may end a turn although able to place",
        "state.hpp",
        "if (rules.must_place_after_last_draw && able) return false;",
        "",
    ),
    Mutant(
        "random playouts by other rules of drawing are played as the classic ones",
        "engine.cpp",
        "if (P::PLACES_IF_ABLE ? places_as_classic(rules) : plays_as_classic(rules))",
        "if (places_as_classic(rules))",
        tuple(TESTS),
    ),
    Mutant(
        "the search thinks of moves that are classic, not legal",
        "search.hpp",
        "const int legal = world.legal(given_, moves);",
        "const int legal = world.legal(rules(), moves);",
        tuple(TESTS),
    ),
    Mutant(
        "a small set is dealt with all numbers",
        "playout.hpp",
        "    const Deck<Tiles>& deck = deck_of<Tiles>(given);",
        "    const Deck<Tiles>& deck = DECKS<Tiles>[4];",
        tuple(TESTS),
    ),
    Mutant(
        "a fair deal of a small set has all numbers",
        "fair.hpp",
        "    const auto& deck = deck_of<Tiles>(rules);",
        "    const auto& deck = DECKS<Tiles>[4];",
        tuple(TESTS),
    ),
    Mutant(
        "a round won is not counted in a series without points",
        "state.hpp",
        "if (!counts_rounds(rules)) return;",
        "return;",
    ),
    Mutant(
        "who leads wins although the round goes to whoever ended it",
        "ledger.cpp",
        "if (ended && won_by_ending(rules)) return end.winners;",
        "",
        tuple(TESTS),
    ),
    Mutant(
        "the winner who starts next is looked for from the last starter on",
        "ledger.cpp",
        "int seat = std::max(after, 0);",
        "int seat = std::max(starter, 0);",
        tuple(TESTS),
    ),
    Mutant(
        "a target once met is forgotten in the next round",
        "ledger.cpp",
        "next.latched_at = rules.target && is_last_round() ? 0 : NONE;",
        "next.latched_at = NONE;",
        tuple(TESTS),
    ),
    Mutant(
        "one may pass although able",
        "state.hpp",
        "return rules.voluntary_pass || !able;",
        "return true;",
    ),
    Mutant(
        "a blocked round goes on",
        "state.hpp",
        "next == pool_end && !lap && !somebody_can_place()",
        "next == pool_end && !lap && false",
    ),
    Mutant(
        "idle turns are counted on after a placement",
        "state.hpp",
        "note_placed(seat, move.tile);\n                idle = 0;",
        "note_placed(seat, move.tile);",
    ),
    Mutant(
        "going out brings nothing for the others' tiles",
        "state.hpp",
        "        score(seat, others, rules, Reason::OTHERS_LEFT, log);",
        "        score(seat, 0, rules, Reason::OTHERS_LEFT, log);",
    ),
    Mutant(
        "differences are taken once",
        "state.hpp",
        "score(seat, -left[seat] * others, rules, Reason::OWN_LEFT, log)",
        "score(seat, -left[seat], rules, Reason::OWN_LEFT, log)",
        tuple(TESTS),
    ),
    Mutant(
        "no floor at zero",
        "state.hpp",
        "if (points < 0 && rules.floor_at_zero)",
        "if (points < 0 && rules.floor_at_zero && total[seat] < 0)",
    ),
    Mutant(
        "the target is met by reaching it",
        "ledger.hpp",
        "return rules.reach ? total >= rules.target : total > rules.target;",
        "return total >= rules.target;",
        tuple(TESTS),
    ),
    Mutant(
        "0-0-0 may not be chosen for the start",
        "state.hpp",
        "tiles = tiles | (rack[turn] & TABLE.of_value[0]);",
        "{}",
        tuple(TESTS),
    ),
    Mutant(
        "legal moves come by tile, not by cell",
        "state.hpp",
        "cell_of(spot[slot]) * 128 + TABLE.public_index[tile]",
        "TABLE.public_index[tile] * 8192 + cell_of(spot[slot])",
    ),
    Mutant(
        "a random placement is never the last one",
        "policy.hpp",
        "placement(state, tiles, int(dice.below(std::uint32_t(placements(state, tiles)))))",
        "placement(state, tiles, int(dice.below(std::uint32_t(placements(state, tiles) + 1) / 2)))",
        tuple(TESTS),
    ),
    Mutant(
        "a draw of a playout is always the next tile",
        "playout.hpp",
        "if (move.kind == Kind::DRAW) draw_at_random(state, dice);",
        "",
        tuple(TESTS),
    ),
    Mutant(
        "greedy takes the last of equal places",
        "policy.hpp",
        "if (key >= first) return;",
        "if (key >= first && first < (1 << 30) && key < first) return;",
        tuple(TESTS),
    ),
    Mutant(
        "hidden tiles with fewer ways are dealt too often",
        "worlds.hpp",
        "dice.below(std::uint32_t(way.most[g] - i))",
        "dice.below(std::uint32_t(fitting.count()))",
        tuple(TESTS),
    ),
    Mutant(
        "moves that contradict playing for points hardly count",
        "hidden.hpp",
        "UNLIKELY = 4",
        "UNLIKELY = 1",
        tuple(TESTS),
    ),
    Mutant(
        "the draw for the start lets all draw again",
        "fair.hpp",
        "} else if (!rules.all_redraw) {",
        "} else if (rules.all_redraw) {",
        tuple(TESTS),
    ),
]


def build(folder: Path) -> Path:
    """Build a copy for the portable engine, with little optimisation; return the module's path."""
    out = folder / "build"
    options = [f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=Release"]
    options += ["-DTRIOMINO_V3=OFF", "-DTRIOMINO_QUICK=ON"]
    configure = ["cmake", "-S", str(folder), "-B", str(out), "-G", "Ninja", *options]
    for command in (configure, ["cmake", "--build", str(out)]):
        run = subprocess.run(  # noqa: S603 - our own build
            command, capture_output=True, text=True, check=False
        )
        if run.returncode:
            sys.exit(f"{run.stdout}{run.stderr}")
    return next((out / "module").glob("_native*"))


def caught(mutant: Mutant, folder: Path) -> str | None:
    """Return the line that reports the failure, or ``None`` if the mutant survived."""
    path = folder / mutant.file
    right = path.read_text("utf-8")
    if right.count(mutant.old) != 1:
        sys.exit(f"{mutant.what}: {mutant.old!r} is not in {mutant.file} exactly once")
    path.write_text(right.replace(mutant.old, mutant.new), "utf-8")
    command = [sys.executable, "tools/with_native.py", str(build(folder)), *mutant.tests]
    run = subprocess.run(  # noqa: S603 - our own tests
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    path.write_text(right, "utf-8")
    if not run.returncode:
        return None
    if run.returncode > 1:  # neither a failed test nor a crash: pytest itself could not run
        sys.exit(f"{run.stdout}{run.stderr}")
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("FAILED", "Python and"))]
    return (told or lines or ["it crashed"])[-1][:110]


def main() -> None:
    """Run all mutants, or those selected on the command line."""
    wanted = sys.argv[1:] or [""]
    missed = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "native"
        shutil.copytree(ROOT / "native", folder)
        for mutant in MUTANTS:
            if not any(word in mutant.what for word in wanted):
                continue
            how = caught(mutant, folder)
            print(f"{'caught' if how else 'MISSED'}  {mutant.what}: {how or ''}", flush=True)
            if not how:
                missed.append(mutant)
    if missed:
        sys.exit(f"{len(missed)} deliberate errors went unnoticed")


if __name__ == "__main__":
    main()
