"""A record with its analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triomino.record import record_of

if TYPE_CHECKING:
    from triomino.analysis.review import Review
    from triomino.rules import Json


def annotated_record(review: Review) -> Json:
    """Return the record of a reviewed match, with the review under ``extra``."""
    data = record_of(review.match)
    extra, rounds = review.extra()
    data["extra"] = extra
    for round_data, turns in zip(data["rounds"], rounds, strict=True):
        for turn, found in turns.items():
            round_data["turns"][turn]["extra"] = found
    return data
