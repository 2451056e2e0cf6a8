"""The seeds of a table: who committed to one, what was settled, who revealed it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from triomino.errors import TriominoError
from triomino.fair import ALGORITHM, Seeds
from triomino.fair2 import FairSeat, Opening, SharedSeeds, rules_digest, server_commitment
from triomino.server.events import Committed, Started

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from triomino.server.events import Created, Opened, Revealed


@dataclass(slots=True)
class SeedExchange:
    """What the events of a table say about its seeds.

    Until the match is started, commitments come and go with the people who sit down. Then the
    :class:`Opening` settles them, and only seeds are added.
    """

    table: str
    algorithm: str
    public_key: str
    rules: Mapping[str, object]
    """Every rule, as it was stored."""
    server_seed: str = field(repr=False)
    """Secret until the match is over."""
    commitments: dict[str, str] = field(default_factory=dict)
    """What each device, given by its hash, committed to, in the order they came."""
    opening: Opening | None = None
    opening_signature: str = ""
    reveal_until: int | None = None
    """When the deal is made without the seeds that are missing."""
    devices: list[str] = field(default_factory=list)
    """The devices of the opening by number."""
    revealed: dict[str, str] = field(default_factory=dict, repr=False)
    """The seeds of the devices, secret until the deal."""

    @classmethod
    def of(cls, table: str, created: Created) -> SeedExchange:
        """The exchange at a table that was just set up."""
        return cls(
            table, created.algorithm, created.public_key, created.options.rules, created.server_seed
        )

    @property
    def is_fair_1(self) -> bool:
        """Whether this table is of the time before ``fair/2``."""
        return self.algorithm == ALGORITHM

    @property
    def commitment(self) -> str:
        """What the server committed to when the table was set up."""
        if self.is_fair_1:
            return Seeds(self.server_seed, ()).commitment
        return server_commitment(self.table, self.server_seed)

    @property
    def is_complete(self) -> bool:
        """Whether every device that committed has revealed its seed."""
        return len(self.revealed) == len(self.devices)

    @property
    def device_seeds(self) -> tuple[str | None, ...]:
        """The seeds of the devices by number; ``None`` for one that is missing."""
        return tuple(self.revealed.get(device) for device in self.devices)

    def in_order(self, owners: Sequence[Collection[str]]) -> list[str]:
        """The devices that committed by number: by their first seats, then as they came.

        *owners* are the devices of every seat.
        """
        found: list[str] = []
        for devices in owners:
            found += [one for one in self.commitments if one in devices and one not in found]
        return found

    def plan(self, owners: Sequence[Collection[str]], bots: Sequence[str | None]) -> Opening:
        """What would be settled if the match were started now."""
        devices = self.in_order(owners)
        seats = [
            FairSeat(tuple(n for n, one in enumerate(devices) if one in theirs))
            if bot is None
            else FairSeat(bot=bot)
            for theirs, bot in zip(owners, bots, strict=True)
        ]
        return Opening(
            table=self.table,
            key=self.public_key,
            server=self.commitment,
            rules=rules_digest(self.rules),
            seats=tuple(seats),
            devices=tuple(self.commitments[one] for one in devices),
        )

    def forget(self, devices: Collection[str]) -> None:
        """Drop the commitments of devices that have no seat any more."""
        for device in devices:
            self.commitments.pop(device, None)

    def apply(self, event: Committed | Revealed) -> None:
        """Keep a commitment or a seed that was checked."""
        if isinstance(event, Committed):
            self.commitments[event.device] = event.commitment
        else:
            self.revealed[event.device] = event.seed

    def settle(self, opening: Opening, devices: list[str], event: Opened | Started) -> None:
        """Settle everything but the seeds."""
        self.opening, self.devices = opening, devices
        if isinstance(event, Started):  # nobody committed, so it was dealt at once
            self.opening_signature = event.opening_signature
        else:
            self.opening_signature, self.reveal_until = event.signature, event.until

    def shared_seeds(self, signature: str) -> SharedSeeds:
        """The seeds of all deals, from what was revealed."""
        if self.opening is None:
            raise TriominoError("seeds are shared after an opening")
        return SharedSeeds(
            self.opening, self.server_seed, self.device_seeds, self.opening_signature, signature
        )
