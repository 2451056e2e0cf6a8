"""The pad and the referee of the page answer as the library does, on the same random input."""

from __future__ import annotations

import json
import os
import random
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import Phase, given, settings

from tests.effort import count
from tests.padplay import random_entry, random_pad, written
from tests.play import random_match
from tests.strategies import boards, house_rules
from tests.test_scoring import BOARDS
from triomino.board import Board
from triomino.grid import ORIGIN, Cell
from triomino.judge import judge
from triomino.moves import Place
from triomino.pad import PadError, ScorePad, act_to_json, pad_to_csv
from triomino.rules import EDITIONS, Blocked, BlockedTie, BridgeRule
from triomino.scoring import BONUSES
from triomino.tile import SET_76, mask_of

if TYPE_CHECKING:
    from triomino.rules import Rules

ROOT = Path(__file__).parents[1]


def case(pad: ScorePad) -> dict[str, Any]:
    """A pad and what the library makes of it."""
    sheet = pad.sheet
    end = sheet.ledger.end
    return {
        "log": [act_to_json(act) for act in pad.log],
        "lines": [act_to_json(entry) for entry in pad.lines],
        "csv": pad_to_csv(pad),
        "sheet": {
            **{name: getattr(sheet, name) for name in ("names", "next", "laid")},
            **{name: getattr(sheet.ledger, name) for name in ("seats", "round")},
            **{name: getattr(sheet.ledger, name) for name in ("is_last_round", "is_over")},
            **{name: getattr(sheet.ledger, name) for name in ("leaders", "winners")},
            "end": end and {"reason": end.reason, "seats": end.seats, "winners": end.winners},
            "lines": [
                [
                    line.round,
                    [[score.seat, score.reason, score.points] for score in line.scores],
                    line.totals,
                    line.is_last_round,
                    line.cautions,
                ]
                for line in sheet.lines
            ],
        },
    }


def matches(seed: int) -> list[ScorePad]:
    """A match of every edition, as people would write it down."""
    out = []
    for rules in EDITIONS.values():
        match = random_match(rules, next(iter(rules.racks)), seed, most=2)
        log = [line.entry for line in written(match, random.Random(seed))]
        out.append(ScorePad((*ScorePad.start(rules, ["Ann", "Ben"]).log, *log)))
    return out


def wild(rules: list[Rules], seed: int) -> tuple[list[ScorePad], list[list[dict[str, Any]]]]:
    """Pads of all kinds, and steps that are refused on them."""
    dice = random.Random(seed)
    pads, refused = [], []
    for one in [*EDITIONS.values(), *rules]:
        pad = random_pad(dice, one, acts=30)
        pads.append(pad)
        for _ in range(6):
            entry = random_entry(dice, random_pad(dice, one, acts=4))
            try:
                pads.append(pad.write(entry))
            except PadError:
                refused.append([act_to_json(act) for act in (*pad.log, entry)])
    return pads, refused


def judged(table: Board, rules: Rules, dice: random.Random) -> list[dict[str, Any]]:
    """Questions about a board: what fits, what nearly does, and anything at all."""
    laid = [str(place) for place in table.places]
    ways = table.placements(mask_of(SET_76))
    questions = [place for place in ways if place.cell == ORIGIN][:2]
    questions += dice.sample(ways, min(len(ways), 6))
    for place in questions[:2]:
        a, b, c = place.numbers
        questions.append(Place(place.cell, (b, c, a)))
    for _ in range(3):
        cell = Cell(dice.randint(-2, 2), dice.randint(-2, 2), dice.random() < 0.5)
        questions.append(Place(cell, (dice.randrange(6), dice.randrange(6), dice.randrange(6))))
    out = []
    for place in questions:
        asked = {
            "rules": rules.changes,
            "board": laid,
            "place": str(place),
            "strict": dice.random() < 0.7,
        }
        out.append({**asked, "answer": judge(asked)})
    return out


WHYS = ("not_in_set", "already_laid", "occupied", "no_shared_edge", "corner_mismatch")

DAMAGED = [
    "",
    "[]",
    '{"format":"triomino-pad/1"}',
    '{"format":"triomino-pad/1","log":[]}',
    '{"format":"triomino-pad/1","log":[{"do":"setup","rules":{"edition":"chess"},"names":["A"]}]}',
    '{"format":"triomino-pad/1","log":[{"do":"setup","rules":{"draw_cost":-1},"names":["A"]}]}',
    '{"format":"triomino-pad/1","log":[{"do":"setup","rules":{"bridge":1},"names":["A"]}]}',
    '{"format":"triomino-pad/1","log":[{"do":"setup","rules":{},"names":["A\\u2028"]}]}',
    '{"format":"triomino-pad/1","log":[{"do":"setup","rules":{},"names":["A"]},{"do":"constructor"}]}',
]


def test_the_page_reckons_like_the_library(tmp_path: Path) -> None:
    rules: list[Rules] = []
    tables: list[Board] = []

    @settings(max_examples=count(500), phases=[Phase.generate], database=None)
    @given(house_rules(), boards())
    def collect(one: Rules, table: Board) -> None:
        rules.append(one)
        tables.append(table)

    collect()
    named = [Board.of(map(Place.parse, text.split())) for text in BOARDS.values()]
    ways = [
        replace(EDITIONS[name], bridge_rule=rule)
        for name in ("classic", "six-player", "card")
        for rule in BridgeRule
    ]
    settled = [
        replace(EDITIONS["classic"], blocked=blocked, blocked_tie=tie, target=90)
        for blocked in Blocked
        for tie in BlockedTie
    ]
    pads, refused = wild([*rules[:25], *settled], seed=25)
    dice = random.Random(7)
    cases: dict[str, Any] = {
        "pads": [case(pad) for pad in [*matches(3), *pads]],
        "refused": refused,
        "damaged": DAMAGED,
        "judged": [
            question
            for table in [*tables, *named]
            for chosen in (dice.choice(rules), *(ways if table in named else dice.sample(ways, 2)))
            for question in judged(table, chosen, dice)
        ],
    }
    assert len(pads) > 60
    assert len(refused) > 20
    answers = [question["answer"] for question in cases["judged"]]
    assert len(answers) >= count(10_000)
    assert {answer.get("bonus") for answer in answers} == {None, *BONUSES}
    assert {answer["why"] for answer in answers} == {None, *WHYS}
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases), "utf-8")
    run = subprocess.run(
        [ROOT / "tools" / "npm", "test", "--silent", "--", "src/lib/scorepad/agreement.test.ts"],
        env={**os.environ, "VITE_PAD_CASES": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
