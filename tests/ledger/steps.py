"""The shared vectors of the ledger, step by step: Python, the page and the kernel read one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triomino.ledger import EndReason, Ledger
from triomino.rules import Rules
from triomino.scoring import Reason, Score

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).parent / "vectors.json"


def vectors() -> list[dict[str, Any]]:
    """All cases."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return found


def steps_of(case: dict[str, Any]) -> Iterator[Ledger]:
    """The ledger after each step of a case."""
    ledger = Ledger.open(
        Rules.read(case["rules"]),
        case["players"],
        totals=case.get("totals", ()),
        latched=case.get("latched", False),
        most_rounds=case.get("most_rounds"),
    )
    for step in case["steps"]:
        ledger = _after(ledger, step)
        yield ledger


def _after(ledger: Ledger, step: dict[str, Any]) -> Ledger:
    match step["do"]:
        case "start":
            return ledger.started_by(step["seat"])
        case "enter":
            return ledger.after([Score(seat, Reason.TILE, n) for seat, n in step["scores"]])
        case "close":
            return ledger.close(EndReason(step["reason"]), step["seats"])
        case "round":
            return ledger.next_round()
        case "abandon":
            return ledger.abandon(step["seat"])
        case "seats":
            return ledger.seated(step["seats"], step["people"])
    raise AssertionError(step)


def shown(ledger: Ledger) -> dict[str, Any]:
    """All that a ledger says."""
    end = ledger.end
    return {
        "totals": list(ledger.totals),
        "points": list(ledger.points),
        "round": ledger.round,
        "entries": ledger.entries,
        "starter": ledger.starter,
        "latched_at": ledger.latched_at,
        "end_winners": None if end is None else list(end.winners),
        "is_last_round": ledger.is_last_round,
        "is_over": ledger.is_over,
        "leaders": list(ledger.leaders),
        "winners": list(ledger.winners),
        "next_starter": ledger.next_starter,
    }
