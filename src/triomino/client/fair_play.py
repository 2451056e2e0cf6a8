"""A device's part in the deals: commit to a seed, check the opening, reveal, keep a receipt."""

from __future__ import annotations

import json
import logging
import re
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from triomino.claims import Receipt
from triomino.errors import TriominoError
from triomino.fair2 import ALGORITHM_2, FairSeat, Opening, device_commitment, rules_digest
from triomino.protocol.api import TableSummary
from triomino.rules import Rules
from triomino.signatures import is_signed
from triomino.store.folder import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.protocol.messages import State

log = logging.getLogger("triomino.client")

_FILE_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


class FairPlay:
    """The seeds and receipts of one device.

    With a *folder*, every receipt is kept there as a file that only its owner can read, so that a
    program that was restarted goes on with the seed it committed to.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self.receipts: dict[str, Receipt] = {}
        """By table."""
        self.refusals: dict[str, str] = {}
        """By table, why this device did not reveal its seed."""

    def receipt(self, table: str) -> Receipt | None:
        """The receipt of a table, from memory or from its file."""
        path = self._path(table)
        if table not in self.receipts and path is not None and path.is_file():
            self.receipts[table] = Receipt.read(path.read_bytes())
        return self.receipts.get(table)

    def commit(self, seen: State | TableSummary) -> str | None:
        """Return what to commit to at a table, or ``None`` if it is too late or done."""
        table, fair = _id(seen), seen.fair
        if seen.state != "open" or not seen.you or fair.algorithm != ALGORITHM_2:
            return None
        known, public_key = self.receipt(table), fair.public_key or ""
        if known is None:
            seed = secrets.token_hex(32)
            commitment = device_commitment(table, fair.commitment, seed)
            known = Receipt(table, fair.commitment, public_key, commitment, seed)
            self._keep(known)
        listed = known.commitment in [device.commitment for device in fair.devices]
        return None if listed else known.commitment

    def reveal(self, seen: State | TableSummary) -> str | None:
        """Return the seed to reveal at a table, once; ``None`` if there is none to reveal.

        If something is not as this device saw it when it committed, the seed is kept.
        """
        table, known = _id(seen), self.receipt(_id(seen))
        if seen.state != "opening" or known is None or known.revealed:
            return None
        if why := why_not_reveal(known, seen):
            self.refusals[table] = why
            log.warning("table %s: the seed is not revealed: %s", table, why)
            return None
        fair = seen.fair
        self._keep(
            replace(
                known,
                revealed=True,
                opening=fair.opening,
                opening_signature=fair.opening_signature,
            )
        )
        return known.seed

    def note(self, seen: State | TableSummary) -> None:
        """Keep what the server signed with the deal."""
        known, fair = self.receipt(_id(seen)), seen.fair
        if known is None or known.signature is not None or fair.signature is None:
            return
        if fair.opening is None:
            return
        seeds = [f"seed {n} {one.seed or '-'}\n" for n, one in enumerate(fair.devices)]
        settled = fair.opening.partition("\n")[2]
        transcript = f"triomino fair/2 transcript\n{settled}{''.join(seeds)}"
        self._keep(replace(known, transcript=transcript, signature=fair.signature))

    def forget(self, table: str) -> None:
        """Drop the receipt of a table where this device does not take part."""
        self.receipts.pop(table, None)
        if (path := self._path(table)) is not None:
            path.unlink(missing_ok=True)

    def _keep(self, receipt: Receipt) -> None:
        self.receipts[receipt.table] = receipt
        path = self._path(receipt.table)
        if path is not None:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(path, json.dumps(receipt.to_json(), indent=1) + "\n")

    def _path(self, table: str) -> Path | None:
        """The file of a receipt; the id comes from a server, so it is no path of its choice."""
        if self._folder is None or not _FILE_NAME.fullmatch(table):
            return None
        return self._folder / f"{table}.json"


def why_not_reveal(receipt: Receipt, seen: State | TableSummary) -> str | None:
    """Return what is wrong with an opening as a device sees it, or ``None`` if it may reveal."""
    fair = seen.fair
    if (fair.commitment, fair.public_key) != (receipt.server, receipt.public_key):
        return "the server has another commitment or key than before"
    try:
        opening = _opening(receipt, seen)
    except TriominoError as error:
        return f"the opening is malformed: {error}"
    if fair.opening != opening.text:
        return "the opening is not what the server shows"
    if receipt.opening not in (None, fair.opening):
        return "the server shows another opening than before"
    if receipt.commitment not in opening.devices:
        return "the commitment of this device is not listed"
    number = opening.devices.index(receipt.commitment)
    if any(number not in opening.seats[seat].devices for seat in seen.you):
        return "this device is not listed for its seats"
    bots = [seat.bot if seat.kind == "bot" else None for seat in seen.seats]
    if bots != [seat.bot for seat in opening.seats]:
        return "the people and bots of the opening are others"
    if not is_signed(opening.text, fair.opening_signature or "", receipt.public_key):
        return "the opening is not signed by the server"
    return None


def _opening(receipt: Receipt, seen: State | TableSummary) -> Opening:
    """The opening as it follows from everything that this device is shown."""
    fair = seen.fair
    return Opening(
        table=receipt.table,
        key=receipt.public_key,
        server=receipt.server,
        rules=rules_digest(Rules.read(seen.rules).to_json()),
        seats=tuple(FairSeat(tuple(seat.devices or ()), seat.bot) for seat in fair.seats),
        devices=tuple(device.commitment for device in fair.devices),
    )


def _id(seen: State | TableSummary) -> str:
    return seen.id if isinstance(seen, TableSummary) else seen.table
