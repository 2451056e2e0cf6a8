"""The ledger of the kernel is that of Python: by the shared vectors, and by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.agreement.walk import house_rules
from tests.ledger.steps import shown, vectors
from triomino import Rng
from triomino.kernel.loader import native, native_rules
from triomino.ledger import EndReason, Ledger
from triomino.rules import Rules
from triomino.scoring import Reason, Score

if TYPE_CHECKING:
    from triomino import Dice
    from triomino.kernel import _native

REASONS = {EndReason.OUT: 1, EndReason.BLOCKED: 2}
# A match of the kernel is played by the same people to its end, however many rounds it takes.
CASES = [
    case
    for case in vectors()
    if "most_rounds" not in case
    and not {"seats", "abandon"} & {step["do"] for step in case["steps"]}
]


def shown_natively(ledger: _native.Ledger) -> dict[str, Any]:
    """All that a ledger of the kernel says."""
    return {name: getattr(ledger, name) for name in CASES[0]["steps"][0]["then"]}


def after(ledger: _native.Ledger, step: dict[str, Any]) -> _native.Ledger:
    match step["do"]:
        case "start":
            return ledger.started_by(step["seat"])
        case "enter":
            return ledger.after(step["scores"])
        case "close":
            return ledger.close(REASONS[EndReason(step["reason"])], step["seats"])
        case "round":
            return ledger.next_round()
    raise AssertionError(step)


def test_most_vectors_are_read_here() -> None:
    assert len(CASES) > 60


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_vector(case: dict[str, Any]) -> None:
    ledger = native().Ledger.open(
        native_rules(Rules.read(case["rules"])),
        case["players"],
        case.get("totals", []),
        case.get("latched", False),
    )
    for step in case["steps"]:
        ledger = after(ledger, step)
        assert shown_natively(ledger) == step["then"], step


def scores_by_chance(dice: Dice, players: int) -> list[tuple[int, int]]:
    return [(dice.randrange(players), dice.randrange(90) - 25) for _ in range(dice.randrange(4))]


def test_random_matches_by_random_rules_agree() -> None:
    over = rounds = 0
    for seed in range(400):
        dice = Rng.named("ledger", seed)
        rules = house_rules(dice)
        players = next(iter(rules.racks))
        totals = [dice.randrange(50) - 10 for _ in range(players)]
        latched = not dice.randrange(9)
        python = Ledger.open(rules, players, totals=totals, latched=latched)
        kernel = native().Ledger.open(native_rules(rules), players, totals, latched)
        for _ in range(12):
            if not dice.randrange(5):
                starter = dice.randrange(players)
                python, kernel = python.started_by(starter), kernel.started_by(starter)
            for _ in range(dice.randrange(5)):
                scores = scores_by_chance(dice, players)
                python = python.after([Score(seat, Reason.TILE, points) for seat, points in scores])
                kernel = kernel.after(scores)
                assert shown_natively(kernel) == shown(python)
            seats = [seat for seat in range(players) if not dice.randrange(3)]
            reason = [*REASONS][dice.randrange(2)]
            python, kernel = python.close(reason, seats), kernel.close(REASONS[reason], seats)
            assert shown_natively(kernel) == shown(python)
            if python.is_over:
                over += 1
                break
            python, kernel = python.next_round(), kernel.next_round()
            rounds += 1
            assert shown_natively(kernel) == shown(python)
    assert over > 100
    assert rounds > 100


@pytest.mark.parametrize(
    "wrong",
    [
        lambda ledger: ledger.after([(2, 1)]),
        lambda ledger: ledger.close(1, [-1]),
        lambda ledger: ledger.close(3, []),
        lambda ledger: ledger.started_by(7),
    ],
)
def test_what_cannot_be_is_refused(wrong: Any) -> None:
    ledger = native().Ledger.open(native_rules(Rules()), 2)
    with pytest.raises(ValueError, match="no such"):
        wrong(ledger)
