"""``python -m benchmarks.ratings``: do ratings find the order of players? With a picture.

200 players, as many of each of our levels, play 50 matches each at random tables of two, and of
four. ``--measure`` first plays the rounds that are missing in ``outcomes.jsonl``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.ratings.outcomes import PEOPLE, measure, read
from benchmarks.ratings.picture import picture
from benchmarks.ratings.simulation import TARGET, simulate, strengths

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "ratings.svg"
ROUNDS = {2: 60, 4: 20}
"""Of every line-up, by the number of players."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--matches", type=int, default=50, help="of each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help="play what is missing")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    options = parser.parse_args()
    if options.measure:
        measure(ROUNDS, jobs=options.jobs)
    outcomes = read()
    courses = {}
    for players in ROUNDS:
        rounds = sum(len(one) for lineup, one in outcomes.items() if len(lineup) == players)
        course = simulate(outcomes, players, options.people, options.matches, options.seed)
        courses[players] = course
        print(
            f"{players} players: {options.people} people, {options.matches} matches to {TARGET} "
            f"each, from {rounds} measured rounds: rank correlation {course.correlations[-1]:.3f}"
        )
        for level, more in enumerate(strengths(outcomes, players)):
            pairs = zip(course.levels, course.ratings, strict=True)
            own = [rating for of, rating in pairs if of == level]
            mean = sum(rating.points for rating in own) / len(own)
            spread = max(rating.uncertainty for rating in own)
            print(f"  {PEOPLE[level]:9} {more:+6.1f} points a round, rated {mean:.0f} ± {spread}")
    options.picture.write_text(picture(courses), "utf-8")
    print(f"wrote {options.picture}")


if __name__ == "__main__":
    main()
