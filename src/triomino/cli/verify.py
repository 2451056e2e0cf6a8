"""``triomino verify``: whether the deals are those of the seeds, and what that proves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triomino.claims import UNPROVEN, Case, Own, Part, Receipt, judge_deals
from triomino.cli.options import AsJson, RecordFile
from triomino.errors import RecordError, TriominoError
from triomino.lab.record_files import matches_in, named
from triomino.terminal.output import print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triomino.claims import Claims
    from triomino.match import Match

ReceiptFile = Annotated[
    Path | None,
    typer.Option("--receipt", metavar="FILE", help="What your device noted down of the match."),
]


def verify(file: RecordFile, receipt: ReceiptFile = None, as_json: AsJson = False) -> None:
    """Deal every round of a record again from its seeds, and say what that proves.

    A record says what was dealt, and carries the seeds that decided it, published only after the
    match. This deals again and compares; before it, the record is replayed by the rules. Then it
    says who took part in the deals, so that nobody could have arranged them.

    For example:

        triomino verify game.jsonl

        triomino verify game.jsonl --receipt receipt.json

    The commitment shown is what the server had to publish before the first deal: compare it with
    the one you noted down, or let a receipt do it.
    """
    mine = None if receipt is None else _read_receipt(receipt)
    judged: list[tuple[Match, Claims]] = []
    rounds = 0
    for number, match in enumerate(matches_in(file), 1):
        rounds += len(match.rounds)
        try:
            claims = judge_deals(match, mine)
        except RecordError as error:
            place = f"{named(file)}, record {number}, {error.place}"
            raise RecordError(place, error.reason) from error
        judged.append((match, claims))
        if as_json:
            print_json(_plain(number, match, claims))
    if as_json:
        return
    if len(judged) == 1:
        match, claims = judged[0]
        if match.seeds is not None:
            print(f"commitment {match.seeds.commitment}")
    said = f"{len(judged)} {'match' if len(judged) == 1 else 'matches'}"
    print(f"{said}, {rounds} {'round' if rounds == 1 else 'rounds'}: dealt as the seeds say")
    if len(judged) == 1:
        print("\n".join(spoken(*judged[0])))
    else:
        for case in Case:
            if count := sum(claims.case is case for _, claims in judged):
                print(f"{count}: {_CASES[case]}")


def _read_receipt(path: Path) -> Receipt:
    try:
        return Receipt.read(path.read_bytes())
    except OSError as error:
        raise TriominoError(f"{path} cannot be read: {error.strerror or error}") from error
    except RecordError as error:
        place = f"{path}, {error.place}" if error.place else str(path)
        raise RecordError(place, error.reason) from error


def _plain(number: int, match: Match, claims: Claims) -> dict[str, object]:
    seeds = match.seeds
    return {
        "record": number,
        "rounds": len(match.rounds),
        "commitment": None if seeds is None else seeds.commitment,
        "verified": True,
        "case": claims.case.value,
        "seats": [part.value for part in claims.seats],
        "withheld": claims.withheld,
        "choices": claims.choices,
        "own": None if claims.own is None else claims.own.value,
    }


_CASES = {
    Case.ALL: "every device took part",
    Case.SOME: "some devices took part",
    Case.NOBODY: "nobody but the server took part",
    Case.OLD: "fair/1, which proves less than fair/2",
}

_PARTS = {
    Part.TOOK_PART: "took part",
    Part.WITHHELD: "committed, then revealed nothing",
    Part.NO_COMMITMENT: "sent no commitment",
    Part.BOT: "a bot",
}

_OWN = {
    Own.TOOK_PART: "Your device took part: you could not have been cheated, whoever else worked"
    " together.",
    Own.WITHHELD: "Your device revealed nothing in time: it did not take part.",
    Own.DROPPED: "The server dealt without the seed that your device revealed.",
    Own.LEFT_OUT: "The server left out the commitment of your device.",
}


def spoken(match: Match, claims: Claims) -> Iterator[str]:
    """Say in sentences what a verified record proves."""
    match claims.case:
        case Case.ALL:
            yield "Every device took part: nobody could have arranged the deals, unless all of them"
            yield "worked together with the server."
        case Case.SOME:
            yield "Some devices took part: nobody could have arranged the deals, unless all those"
            yield "that did worked together with the server."
        case Case.NOBODY:
            yield "Nobody but the server took part: it could have chosen the deals."
        case Case.OLD:
            yield "This is fair/1. What it does not prove:"
            yield from (f"- {line}" for line in UNPROVEN)
    if claims.case in (Case.SOME, Case.NOBODY):
        for player, part in zip(match.players, claims.seats, strict=True):
            yield f"- {player.name}: {_PARTS[part]}"
    limited = claims.choices > 1 and claims.case in (Case.ALL, Case.SOME)
    if limited:
        yield "If the server and all devices but one worked together, they could choose among"
        yield f"{claims.choices} deals by withholding seeds, and no more."
    if claims.own is Own.TOOK_PART and limited:
        yield "Your device took part: more than that choice nobody had, whoever worked together."
    elif claims.own is not None:
        yield _OWN[claims.own]
