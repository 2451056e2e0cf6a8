"""Write ``vectors.json`` anew: ``python -m tests.ledger.update``, then read the difference.

What a case must come to is written here by hand, from the rules; the rest is filled in.
"""

from __future__ import annotations

import json
import random
from typing import Any

from tests.ledger.steps import FILE, shown, steps_of
from triomino.rules import Rules

Json = dict[str, Any]


def enter(*scores: tuple[int, int]) -> Json:
    return {"do": "enter", "scores": [list(score) for score in scores]}


def close(reason: str, *seats: int) -> Json:
    return {"do": "close", "reason": reason, "seats": list(seats)}


def start(seat: int) -> Json:
    return {"do": "start", "seat": seat}


def give_up(seat: int | None) -> Json:
    return {"do": "abandon", "seat": seat}


def seats(people: int, *who: int) -> Json:
    return {"do": "seats", "seats": list(who), "people": people}


NEXT = {"do": "round"}


def case(name: str, rules: str, *steps: Json, players: int = 2, **given: Any) -> Json:
    """A case; ``must`` is what it comes to, by hand."""
    edition, *changes = rules.split()
    settings = Rules.read(edition).with_settings(changes).changes
    return {"name": name, "rules": settings, "players": players, "steps": steps, **given}


CASES = [
    case(
        "a single round is won by the total, not by going out",
        "classic",
        start(0),
        enter((0, 11)),
        enter((0, 25), (0, 12)),
        close("out", 0),
        totals=[32, 120],
        must={"totals": [80, 120], "winners": [1], "end_winners": [1], "is_over": True},
    ),
    case(
        "equal totals share a single round",
        "classic",
        enter((0, 48)),
        close("out", 0),
        totals=[42, 90],
        must={"winners": [0, 1], "leaders": [0, 1]},
    ),
    case(
        "exactly 400 does not exceed 400",
        "classic target=400",
        enter((0, 11)),
        totals=[389, 0],
        must={"latched_at": None, "is_last_round": False},
    ),
    case(
        "401 exceeds 400",
        "classic target=400",
        enter((0, 11)),
        totals=[390, 0],
        must={"latched_at": 1, "is_last_round": True, "is_over": False, "winners": []},
    ),
    case(
        "reaching suffices in the Hebrew edition",
        "classic-hebrew target=400",
        enter((0, 11)),
        totals=[389, 0],
        must={"latched_at": 1, "is_last_round": True},
    ),
    case(
        "once exceeded, the target stays exceeded",
        "classic target=400",
        enter((0, 11)),
        enter((1, 12)),
        enter((0, -5)),
        enter((0, -5)),
        enter((1, 13)),
        enter((1, 25), (1, 16)),
        close("out", 1),
        totals=[390, 0],
        must={"totals": [391, 66], "latched_at": 1, "is_over": True, "winners": [0]},
    ),
    case(
        "tested at the end of a round only, a fall revokes it",
        "classic target=400 target_latch=round_end",
        enter((0, 11)),
        enter((0, -5)),
        enter((0, -5)),
        enter((1, 41)),
        close("out", 1),
        totals=[390, 0],
        must={"is_last_round": False, "is_over": False, "winners": []},
    ),
    case(
        "the target is met in the middle of an entry",
        "classic target=400",
        enter((0, 11), (0, -20)),
        totals=[395, 0],
        must={"totals": [386, 0], "latched_at": 1, "is_last_round": True},
    ),
    case(
        "the award for going out can meet the target",
        "classic target=400",
        enter((0, 11)),
        enter((0, 25), (0, 25)),
        close("out", 0),
        totals=[350, 390],
        must={"totals": [411, 390], "latched_at": 2, "winners": [0], "is_over": True},
    ),
    case(
        "the highest total wins, not who crossed first",
        "classic target=400",
        enter((0, 11)),
        enter((0, 25), (0, 12)),
        close("out", 0),
        totals=[372, 405],
        latched=True,
        must={"totals": [420, 405], "latched_at": 0, "winners": [0], "is_over": True},
    ),
    case(
        "a round of a match is won by what it brought",
        "classic target=1000",
        enter((1, 30)),
        close("blocked"),
        totals=[500, 0],
        must={"end_winners": [1], "leaders": [0], "is_over": False, "points": [0, 30]},
    ),
    case(
        "below the target another round follows",
        "classic target=400",
        start(1),
        enter((0, 48)),
        close("out", 0),
        NEXT,
        totals=[100, 90],
        must={"round": 2, "entries": 0, "points": [0, 0], "end_winners": None, "starter": None},
    ),
    case(
        "a card game of 200 in all is enough",
        "card",
        enter((0, 37)),
        close("out", 0),
        totals=[163, 0],
        must={"is_over": True, "winners": [0]},
    ),
    case(
        "a card game of 199 in all is not",
        "card",
        enter((0, 37)),
        close("out", 0),
        totals=[162, 0],
        must={"is_over": False, "is_last_round": False, "end_winners": [0]},
    ),
    case(
        "another agreed target of the card game",
        "card target=100",
        enter((0, 37)),
        close("out", 0),
        totals=[68, 0],
        must={"totals": [105, 0], "is_over": True},
    ),
    case(
        "a single card game goes to whoever ended it, whatever the points",
        "card target=none",
        enter((1, 50)),
        enter((0, 25), (0, 3)),
        close("out", 0),
        must={"end_winners": [0], "leaders": [0], "winners": [0], "totals": [28, 50]},
    ),
    case(
        "a blocked card game goes to the lowest hands",
        "card target=none",
        enter((0, 25), (1, 25)),
        close("blocked", 0, 1),
        players=3,
        must={"winners": [0, 1], "totals": [25, 25, 0]},
    ),
    case(
        "where a blocked round names nobody, points decide",
        "card target=none blocked=subtract_own",
        enter((0, -5), (1, -3)),
        close("blocked"),
        must={"winners": [1]},
    ),
    case(
        "a casual round is won by the empty rack",
        "casual",
        enter(),
        close("out", 1),
        players=3,
        must={"totals": [0, 0, 0], "winners": [1], "is_over": True},
    ),
    case(
        "a casual series counts rounds won",
        "casual target=2",
        close("out", 0),
        NEXT,
        close("blocked", 0, 1),
        must={"totals": [2, 1], "is_over": True, "winners": [0], "round": 2},
    ),
    case(
        "a match for a number of rounds goes on until then",
        "classic target=5000",
        enter((0, 30)),
        close("out", 0),
        most_rounds=2,
        must={"is_over": False, "is_last_round": False, "winners": []},
    ),
    case(
        "a match for a number of rounds goes to the highest total",
        "classic target=5000",
        enter((0, 30)),
        close("out", 0),
        NEXT,
        enter((1, 20)),
        close("out", 1),
        most_rounds=2,
        must={"latched_at": None, "is_last_round": True, "is_over": True, "winners": [0]},
    ),
    case(
        "the last of a number of rounds is known while it is played",
        "classic target=5000",
        close("blocked"),
        NEXT,
        enter((1, 20)),
        most_rounds=2,
        must={"is_last_round": True, "is_over": False, "winners": [], "next_starter": None},
    ),
    case(
        "a target ends a match before its number of rounds does",
        "classic target=100",
        enter((0, 110)),
        close("out", 0),
        most_rounds=3,
        must={"is_over": True, "winners": [0], "round": 1},
    ),
    case(
        "a tie after the last of a number of rounds can ask for an extra one",
        "classic target=5000 match_tie=extra_round",
        enter((0, 10), (1, 10)),
        close("blocked"),
        NEXT,
        enter((1, 5)),
        close("blocked"),
        most_rounds=1,
        must={"latched_at": None, "is_over": True, "winners": [1], "round": 2},
    ),
    case(
        "a casual series for a number of rounds goes to who won most of them",
        "casual target=50",
        close("out", 0),
        NEXT,
        close("out", 0),
        NEXT,
        close("out", 1),
        most_rounds=3,
        must={"totals": [2, 1], "is_over": True, "winners": [0]},
    ),
    case(
        "a tie can ask for an extra round",
        "classic target=100 match_tie=extra_round",
        enter((0, 110), (1, 110)),
        close("blocked"),
        NEXT,
        enter((1, 5)),
        close("blocked"),
        must={"latched_at": 0, "is_over": True, "winners": [1], "round": 2},
    ),
    case(
        "while it is tied, the match goes on",
        "classic target=100 match_tie=extra_round",
        enter((0, 110), (1, 110)),
        close("blocked"),
        must={"is_over": False, "is_last_round": True, "winners": [], "leaders": [0, 1]},
    ),
    case(
        "a tie is shared",
        "classic target=100",
        enter((0, 110), (1, 110)),
        close("blocked"),
        must={"is_over": True, "winners": [0, 1]},
    ),
    case(
        "the start goes to the left",
        "classic target=400 next_starter=rotate_left",
        start(2),
        enter((0, 10)),
        close("out", 0),
        players=3,
        must={"next_starter": 0},
    ),
    case(
        "the start goes to the winner of the round",
        "classic target=400 next_starter=round_winner",
        start(0),
        enter((2, 10)),
        close("out", 2),
        players=3,
        must={"next_starter": 2},
    ),
    case(
        "of several winners the first after the last starter begins",
        "classic target=400 next_starter=round_winner",
        start(0),
        enter((0, 10), (2, 10)),
        close("blocked"),
        players=3,
        must={"end_winners": [0, 2], "next_starter": 2},
    ),
    case(
        "nobody starts after the last round",
        "classic target=400 next_starter=rotate_left",
        start(0),
        enter((0, 401)),
        close("out", 0),
        must={"next_starter": None, "is_over": True},
    ),
    case(
        "of two, the other has won who did not give up",
        "classic target=400",
        enter((0, 50)),
        give_up(0),
        must={"is_over": True, "winners": [1], "end_winners": [1]},
    ),
    case(
        "among three the highest of the others has won",
        "classic",
        enter((0, 50), (2, 7)),
        give_up(0),
        players=3,
        must={"winners": [2], "leaders": [0]},
    ),
    case(
        "where all give up nobody wins",
        "casual target=2",
        give_up(None),
        must={"is_over": True, "winners": [], "totals": [0, 0]},
    ),
    case(
        "whoever leaves keeps a total, and wins nothing",
        "classic target=400 next_starter=rotate_left",
        start(1),
        enter((1, 90), (0, 10)),
        seats(3, 0, 2),
        enter((2, 30)),
        close("out", 2),
        must={"totals": [10, 90, 30], "leaders": [2], "end_winners": [2], "next_starter": None},
    ),
    case(
        "the order of turns is that of the seats",
        "classic target=400 next_starter=rotate_left",
        seats(3, 2, 0, 1),
        start(0),
        enter((0, 3)),
        close("out", 0),
        players=3,
        must={"next_starter": 1},
    ),
]


TARGETS = ("none", "60", "100")
EDITIONS = ("classic", "classic-hebrew", "card", "casual")


def by_chance(number: int) -> Json:
    """A case that nobody thought of."""
    dice = random.Random(number)
    rules = [
        dice.choice(EDITIONS),
        f"target={dice.choice(TARGETS)}",
        f"next_starter={dice.choice(('set_up', 'rotate_left', 'round_winner'))}",
        f"match_tie={dice.choice(('shared', 'extra_round'))}",
        f"target_test={dice.choice(('>', '>='))}",
        f"target_latch={dice.choice(('any_moment', 'round_end'))}",
    ]
    players = dice.randint(2, 4)
    steps: list[Json] = []
    for _ in range(dice.randint(1, 3)):
        steps.append(start(dice.randrange(players)))
        for _ in range(dice.randint(0, 4)):
            count = dice.choice((0, 1, 1, 1, 2))
            scores = [
                (dice.randrange(players), dice.choice((-25, 0, 10, 30, 60))) for _ in "x" * count
            ]
            steps.append(enter(*scores))
        out = dice.random() < 0.6
        ending = [dice.randrange(players)] if out else sorted(dice.sample(range(players), 2))
        steps.append(close("out" if out else "blocked", *ending[: 2 * (dice.random() < 0.8)]))
        steps.append(NEXT)
    return case(f"by chance {number}", " ".join(rules), *steps[:-1], players=players)


def main() -> None:
    """Fill in what follows from every step, and hold the end of each case to what it must be."""
    out = []
    for one in [*CASES, *map(by_chance, range(40))]:
        must = one.pop("must", {})
        ledgers = [*steps_of(one)]
        steps = [
            step | {"then": shown(now)} for step, now in zip(one["steps"], ledgers, strict=True)
        ]
        last = steps[-1]["then"]
        wrong = {key: last[key] for key, value in must.items() if last[key] != value}
        if wrong:
            raise SystemExit(f"{one['name']}: must be {must}, is {wrong}")
        out.append(one | {"steps": steps})
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in out)
    FILE.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
