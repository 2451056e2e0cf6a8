"""``triomino verify``: whether the deals of a record are those of its seeds."""

from __future__ import annotations

from triomino.cli.options import AsJson, RecordFile
from triomino.errors import RecordError
from triomino.lab.record_files import matches_in, named
from triomino.record import verify_deals
from triomino.terminal.output import print_json


def verify(file: RecordFile, as_json: AsJson = False) -> None:
    """Deal every round of a record again from its seeds.

    A record says what was dealt, and carries the seeds that decided it, published only after the
    match. This deals again and compares; before it, the record is replayed by the rules.

    For example:

        triomino verify game.jsonl

    The commitment shown is what the server had to publish before the first deal: compare it with
    the one you noted down.
    """
    matches = rounds = 0
    commitments: list[str] = []
    for match in matches_in(file):
        matches += 1
        rounds += len(match.rounds)
        try:
            verify_deals(match)
        except RecordError as error:
            place = f"{named(file)}, record {matches}, {error.place}"
            raise RecordError(place, error.reason) from error
        if match.seeds is not None:
            commitments.append(match.seeds.commitment)
            if as_json:
                print_json(
                    {
                        "record": matches,
                        "rounds": len(match.rounds),
                        "commitment": match.seeds.commitment,
                        "verified": True,
                    }
                )
    if as_json:
        return
    if matches == 1:
        print(f"commitment {commitments[0]}")
    said = f"{matches} {'match' if matches == 1 else 'matches'}"
    print(f"{said}, {rounds} {'round' if rounds == 1 else 'rounds'}: dealt as the seeds say")
