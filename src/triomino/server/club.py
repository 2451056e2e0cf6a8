"""One club evening: the state that its events add up to, and what may happen next.

As at a table, commands check and return the event to store; :meth:`Club.apply` carries it out and
cannot fail.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from triomino.errors import TriominoError
from triomino.protocol.api import (
    ClubPlayer,
    ClubRound,
    ClubRow,
    ClubSource,
    ClubState,
    ClubTable,
)
from triomino.server.club_events import (
    AnyClubEvent,
    ClubClosed,
    ClubOpened,
    PairedTable,
    PlayerBack,
    PlayerJoined,
    PlayerLeft,
    PointsGranted,
    ResultConfirmed,
    ResultEntered,
    RoundPaired,
    TableSwitched,
)
from triomino.server.table import RefusedError, clean_name
from triomino.tournament import (
    Entrant,
    PlayedRound,
    PlayedTable,
    System,
    TableResult,
    standings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_PLAYERS: Final = 120
MOST_ROUNDS: Final = 40
MOST_EVENTS: Final = 5000
"""Of one evening: forty rounds of sixty tables are about half as many."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who came."""

    name: str
    device: str | None
    points: int
    present: bool = True


@dataclass(slots=True)
class ClubSeating:
    """A table of a round, with its result once there is one."""

    paired: PairedTable
    result: TableResult | None = None
    source: ClubSource | None = None
    confirmed: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether nothing but the host changes its result any more."""
        return self.result is not None and (self.confirmed or self.source != "sheet")


@dataclass(slots=True)
class ClubSession:
    """A round of the evening."""

    tables: list[ClubSeating]
    byes: list[int] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether every table has a result."""
        return all(seating.result is not None for seating in self.tables)


class Club:
    """The state of a club evening after its events."""

    def __init__(self, club_id: str, opened: ClubOpened) -> None:
        self.id, self.version = club_id, 1
        self.options, self.host = opened.options, opened.host
        self.guests: list[Guest] = []
        self.rounds: list[ClubSession] = []
        self.closed = False
        self._rows: list[ClubRow] | None = None

    @classmethod
    def load(cls, club_id: str, events: Iterable[AnyClubEvent]) -> Club:
        """Build an evening from its events."""
        rest = iter(events)
        first = next(rest)
        if not isinstance(first, ClubOpened):
            raise TriominoError(f"the log of evening {club_id} does not begin with its opening")
        club = cls(club_id, first)
        for event in rest:
            club.apply(event)
        return club

    # --- Queries ---------------------------------------------------------------------------------

    @property
    def entrants(self) -> list[Entrant]:
        """The players for pairings and standings."""
        return [
            Entrant(number, guest.points, guest.present) for number, guest in enumerate(self.guests)
        ]

    @property
    def played(self) -> list[PlayedRound]:
        """The rounds for pairings and standings."""
        return [
            PlayedRound(
                tuple(PlayedTable(one.paired.players, one.result) for one in session.tables),
                tuple(session.byes),
            )
            for session in self.rounds
        ]

    @property
    def system(self) -> System:
        """How rounds are paired."""
        return System(self.options.system)

    def player_of(self, device: str | None) -> int | None:
        """The player of a device, given by its hash."""
        return next(
            (
                number
                for number, guest in enumerate(self.guests)
                if device is not None and guest.device == device
            ),
            None,
        )

    def unsettled(self) -> list[tuple[int, int, ClubSeating]]:
        """The tables whose result may still come by itself, with round and table from 0."""
        if self.closed:
            return []
        return [
            (number, at, seating)
            for number, session in enumerate(self.rounds)
            for at, seating in enumerate(session.tables)
            if not seating.is_settled
        ]

    def seen_by(self, device: str | None, *, is_host: bool) -> ClubState:
        """The evening as a device, or the host, may see it."""
        you = self.player_of(device)
        return ClubState(
            club=self.id,
            version=self.version,
            options=self.options,
            closed=self.closed,
            players=[
                ClubPlayer(guest.name, guest.present, guest.points, guest.device is not None)
                for guest in self.guests
            ],
            rounds=[
                ClubRound(
                    [
                        self._table(one, shown=is_host or you in one.paired.players)
                        for one in session.tables
                    ],
                    session.byes,
                )
                for session in self.rounds
            ],
            standings=self._standings(),
            you=you,
            is_host=is_host,
        )

    def _standings(self) -> list[ClubRow]:
        """The standings, computed once for everybody who looks."""
        if self._rows is None:
            self._rows = [
                ClubRow(
                    row.rank,
                    row.player,
                    row.points,
                    round(float(row.buchholz), 2),
                    row.direct,
                    round(float(row.difference), 2),
                    row.tables,
                    row.wins,
                    row.byes,
                )
                for row in standings(self.entrants, self.played)
            ]
        return self._rows

    def _table(self, seating: ClubSeating, *, shown: bool) -> ClubTable:
        """A table; *shown* is whether the way to write on its sheet is told, too."""
        paired, result = seating.paired, seating.result
        path = None
        if shown and paired.secret:
            # Behind the # it stays in the browser: no log of a server or a proxy sees it.
            path = f"/club/{self.id}/pad/{paired.id}#write={paired.secret}"
        return ClubTable(
            players=list(paired.players),
            tiles=paired.tiles,
            id=paired.id,
            totals=None if result is None else list(result.totals),
            winners=[] if result is None else list(result.winners),
            source=seating.source,
            confirmed=seating.confirmed,
            path=path,
        )

    # --- Commands: check, and return the event ---------------------------------------------------

    def join(self, name: str, device: str | None, points: int, at: int) -> PlayerJoined:
        """Let somebody come."""
        self._must_be_open()
        if len(self.guests) >= MOST_PLAYERS:
            raise RefusedError("club_full", f"an evening has room for {MOST_PLAYERS}")
        if self.player_of(device) is not None:
            raise RefusedError("joined", "this device has come already")
        name = clean_name(name)
        if name.casefold() in {guest.name.casefold() for guest in self.guests}:
            raise RefusedError("name_taken", f"somebody here is already called {name}")
        return PlayerJoined(at=at, name=name, device=device, points=points)

    def leave(self, player: int, at: int) -> PlayerLeft:
        """Let somebody leave; the table they are at is played on or written down."""
        self._must_be_open()
        if not self._guest(player).present:
            raise RefusedError("gone", "this player has left already")
        return PlayerLeft(at=at, player=player)

    def come_back(self, player: int, at: int) -> PlayerBack:
        """Let somebody be there again."""
        self._must_be_open()
        if self._guest(player).present:
            raise RefusedError("present", "this player is here")
        return PlayerBack(at=at, player=player)

    def grant(self, player: int, points: int, at: int) -> PointsGranted:
        """Decide with how many points somebody began."""
        self._must_be_open()
        self._guest(player)
        return PointsGranted(at=at, player=player, points=points)

    def check_next_round(self, number: int) -> None:
        """Raise unless round *number*, from 1, may begin now."""
        self._must_be_open()
        if number != len(self.rounds) + 1:
            raise RefusedError("stale", f"round {len(self.rounds) + 1} is next")
        if number > MOST_ROUNDS:
            raise RefusedError("club_full", f"an evening has at most {MOST_ROUNDS} rounds")
        if self.rounds and not self.rounds[-1].is_over:
            raise RefusedError("round_runs", "some tables have no result yet")
        if sum(guest.present for guest in self.guests) < 2:
            raise RefusedError("alone", "two have to be there for a round")

    def pair(
        self, number: int, tables: list[PairedTable], byes: Sequence[int], at: int
    ) -> RoundPaired:
        """Begin round *number*, from 1."""
        self.check_next_round(number)
        return RoundPaired(at=at, tables=tables, byes=list(byes))

    def check_switch(self, table: int, to: Literal["screen", "real"]) -> ClubSeating:
        """The table of the current round, if it may be played otherwise; raise if not."""
        self._must_be_open()
        if not self.rounds or table >= len(self.rounds[-1].tables):
            raise RefusedError("no_club_table", "there is no such table")
        seating = self.rounds[-1].tables[table]
        if seating.result is not None:
            raise RefusedError("has_result", "this table has a result already")
        if seating.paired.tiles == to:
            raise RefusedError("same", "this table is played so already")
        devices = [self.guests[player].device for player in seating.paired.players]
        if to == "screen" and None in devices:
            raise RefusedError("no_device", "somebody at this table has no device here")
        return seating

    def enter(
        self, number: int, table: int, result: TableResult, source: ClubSource, at: int
    ) -> ResultEntered:
        """Write a result down; *number* and *table* count from 0."""
        self._must_be_open()
        seating = self._seating(number, table)
        if len(result.totals) != len(seating.paired.players):
            raise RefusedError("wrong_totals", "every player of the table needs a total")
        if source != "host" and (
            seating.is_settled or (seating.result, seating.source) == (result, source)
        ):
            raise RefusedError("has_result", "this table has a result already")
        return ResultEntered(
            at=at,
            round=number,
            table=table,
            totals=list(result.totals),
            winners=list(result.winners),
            source=source,
        )

    def confirm(self, number: int, table: int, at: int) -> ResultConfirmed:
        """Confirm a result; *number* and *table* count from 0."""
        self._must_be_open()
        seating = self._seating(number, table)
        if seating.result is None:
            raise RefusedError("no_result", "this table has no result yet")
        return ResultConfirmed(at=at, round=number, table=table)

    def close(self, at: int) -> ClubClosed:
        """End the evening."""
        self._must_be_open()
        return ClubClosed(at=at)

    def _must_be_open(self) -> None:
        if self.closed:
            raise RefusedError("club_closed", "this evening is over")
        if self.version >= MOST_EVENTS:
            raise RefusedError("club_full", "this evening is too long")

    def _guest(self, player: int) -> Guest:
        if not 0 <= player < len(self.guests):
            raise RefusedError("no_player", "there is no such player")
        return self.guests[player]

    def _seating(self, number: int, table: int) -> ClubSeating:
        if not 0 <= number < len(self.rounds) or not 0 <= table < len(self.rounds[number].tables):
            raise RefusedError("no_club_table", "there is no such table")
        return self.rounds[number].tables[table]

    # --- Carrying out ----------------------------------------------------------------------------

    def apply(self, event: AnyClubEvent) -> None:
        """Carry out an event that was checked before it was stored."""
        match event:
            case PlayerJoined():
                self.guests.append(Guest(event.name, event.device, event.points))
            case PlayerLeft():
                self._change(event.player, present=False)
            case PlayerBack():
                self._change(event.player, present=True)
            case PointsGranted():
                self._change(event.player, points=event.points)
            case RoundPaired():
                tables = [ClubSeating(paired) for paired in event.tables]
                self.rounds.append(ClubSession(tables, list(event.byes)))
            case TableSwitched():
                self.rounds[event.round].tables[event.table] = ClubSeating(event.to)
            case ResultEntered():
                seating = self.rounds[event.round].tables[event.table]
                seating.result = TableResult(tuple(event.totals), tuple(event.winners))
                seating.source, seating.confirmed = event.source, event.source == "host"
            case ResultConfirmed():
                self.rounds[event.round].tables[event.table].confirmed = True
            case ClubClosed():
                self.closed = True
            case ClubOpened():
                raise TriominoError("an evening is opened once")
        self.version += 1
        self._rows = None

    def _change(self, player: int, **fields: int | bool) -> None:
        self.guests[player] = replace(self.guests[player], **fields)  # type: ignore[arg-type]
