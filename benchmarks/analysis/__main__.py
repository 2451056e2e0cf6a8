"""Whether the analysis tells the truth; fails if it does not.

``python -m benchmarks.analysis`` plays 2,000 rounds of two between bots of all strengths, a third
of them champion against itself, and some of every other edition and number of players, judges every
position as ``triomino analyse`` does at a cheaper setting, and then asks:

- Of the positions called 70 %, are 70 ± 3 % won? By self-play of the champion and by mixed pairs.
- Does luck sum to zero over the seats, and does its mean differ from zero for anybody?
- Do bots that lose in the arena give more away? All levels, and opponents of the pool.

Rounds are kept in ``build/analysis`` as they come: the same command resumes where it was stopped,
and starts anew when a bot changed.
With ``--fit`` the map from judgement to chance is fitted first, to the rounds with odd numbers, and
stored in the package; the checks of chances use those with even ones.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.analysis.checks import (
    calibration_bins,
    luck_means,
    rank_correlation,
    report,
    standings,
)
from benchmarks.analysis.fit import fit
from benchmarks.analysis.picture import picture
from benchmarks.analysis.rounds import BOTS, JUDGE, LIMITS, Kind, bots_version, rows
from triomino.analysis.calibration import DATA, Calibration
from triomino.lab.process_pool import default_jobs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.analysis.checks import Bin
    from benchmarks.analysis.rounds import Row

KEPT: Final = Path("build/analysis")
ALIKE: Final = 0.8
"""The least rank correlation; neighbours that are nearly equal may change places."""
DIFFERS: Final = 2.6
"""Standard errors: four means are tested, and by chance one in a hundred runs fails."""


def store(charts: dict[str, Calibration], path: Path, rounds: int) -> None:
    """Write the maps, with what they were fitted to."""
    data = {
        "made_by": "python -m benchmarks.analysis --fit",
        "rounds": rounds,
        "bots": {bot: str(LIMITS.get(bot, "as it is")) for bot in BOTS},
        "judge": f"{JUDGE.number} rollouts",
        "maps": {name: asdict(chart) for name, chart in charts.items()},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def stored(path: Path) -> dict[str, Calibration]:
    """Return the maps in a file."""
    data = json.loads(path.read_text("utf-8")) if path.exists() else {"maps": {}}
    return {name: Calibration(**one) for name, one in data["maps"].items()}


def even(found: Sequence[Row]) -> list[Row]:
    """Return the rounds that the map was not fitted to."""
    return [row for row in found if row.number % 2 == 0]


def groups(found: Sequence[Row], others: Sequence[Row], charts: dict[str, Calibration]) -> Groups:
    """Return the bins of the champion's self-play, of mixed pairs, and of all other games."""
    own = [row for row in found if set(row.bots) == {"champion"}]
    mixed = [row for row in found if len(set(row.bots)) > 1]
    return {
        "champion against itself": calibration_bins(own, charts),
        "mixed pairs": calibration_bins(mixed, charts),
        "other editions and players": calibration_bins(others, charts),
    }


Groups = dict[str, "list[Bin]"]


def check(
    found: Sequence[Row],
    others: Sequence[Row],
    pool: Sequence[Row],
    charts: dict[str, Calibration],
) -> list[str]:
    """Print the figures and return what is wrong."""
    ranked, wrong = standings([*found, *pool])
    strengths = {one.bot: one.strength for one in ranked}
    means, rest = luck_means(found, charts, strengths)
    parts = groups(even(found), even(others), charts)
    print(report(parts, means, ranked))
    failed = [
        f"{name}: called {one.called:.1%}, won {one.won:.1%}"
        for name, bins in parts.items()
        for one in bins
        if one.fails
    ]
    failed += [
        f"the luck of {one.name} is {one.mean:+.2%}" for one in means if abs(one.z) > DIFFERS
    ]
    failed += [f"given away ranks {pair} the wrong way round" for pair in wrong]
    alike = rank_correlation(ranked)
    print(f"\nrank correlation of strength and what was not given away: {alike:.2f}")
    if alike < ALIKE:
        failed.append(f"given away ranks the bots unlike the arena: {alike:.2f}")
    if rest > 1e-9:
        failed.append(f"luck does not sum to zero but to {rest:g}")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--others", type=int, default=500, help="rounds of all other games")
    parser.add_argument("--pool", type=int, default=400, help="rounds of opponents of the pool")
    parser.add_argument("--keep", type=Path, help="the folder of rounds")
    parser.add_argument("--jobs", type=int, default=default_jobs(), help="processes; all cores")
    parser.add_argument("--fit", action="store_true", help="fit and store the map first")
    parser.add_argument("--chart", type=Path, default=DATA, help="the file of the map")
    parser.add_argument("--svg", type=Path, help="draw the picture of calibration there")
    options = parser.parse_args()
    keep = options.keep or KEPT / bots_version()
    found = rows(options.rounds, keep, Kind.CLASSIC, options.jobs)
    others = rows(options.others, keep, Kind.OTHERS, options.jobs)
    pool = rows(options.pool, keep, Kind.POOL, options.jobs)
    if options.fit:
        odd = [row for row in (*found, *others) if row.number % 2]
        store(fit(odd), options.chart, len(odd))
    charts = stored(options.chart)
    failed = check(found, others, pool, charts)
    if options.svg is not None:
        options.svg.write_text(picture(groups(even(found), even(others), charts)), "utf-8")
    for line in failed:
        print(f"NOT TRUE: {line}")
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
