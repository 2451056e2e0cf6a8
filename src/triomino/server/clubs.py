"""Club evenings: a tournament of tables here and tables with real tiles.

An evening has a log of its own. Its tables are ordinary tables, and live sheets; what they come
to is taken over when they are over, and looked up again whenever the log may have missed it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import OrderedDict, defaultdict
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from triomino.protocol.api import (
    ClubClose,
    ClubConfirm,
    ClubGrant,
    ClubJoin,
    ClubLeave,
    ClubMade,
    ClubNextRound,
    ClubOptions,
    ClubRequest,
    ClubResult,
    ClubReturn,
    ClubState,
    ClubSwitch,
    SeatPlan,
    TableOptions,
)
from triomino.rules import Rules
from triomino.server.bounds import MOST_ROUNDS_WON, MOST_TARGET
from triomino.server.club import Club
from triomino.server.club_events import (
    ClubOpened,
    PairedTable,
    TableSwitched,
    decode_club,
    encode_club,
)
from triomino.server.credentials import digest
from triomino.server.locks import Locks
from triomino.server.retention import DAY
from triomino.server.table import FORMER, RefusedError, check_options, clean_name
from triomino.store.clubs import ClubStore
from triomino.store.failure import StoreError
from triomino.tournament import TableResult, pair_round

if TYPE_CHECKING:
    from collections.abc import Callable

    from triomino.protocol.api import ClubSource
    from triomino.server.budgets import Budgets
    from triomino.server.club import ClubSeating
    from triomino.server.club_events import AnyClubEvent
    from triomino.server.hub import Hub
    from triomino.server.pads import Pads

OPENING: Final = 5
"""What opening an evening costs, in acts."""

IN_MEMORY: Final = 200
"""Evenings that are kept in memory; each is a cache of its log."""

LOOK_AGAIN: Final = 5.0
"""Seconds after which tables are looked at again although nothing was announced."""

TRIES: Final = 10
"""How often an act is checked again because another server was faster."""

E = TypeVar("E", bound="AnyClubEvent")


def with_an_end(options: ClubOptions) -> ClubOptions:
    """Return the options with the farthest target, if matches end after a number of rounds.

    Without a target a match is a single round by any rules.
    """
    rules = Rules.read(options.rules)
    if options.match_rounds is None or rules.target is not None:
        return options
    if options.match_rounds == 1:
        return msgspec.structs.replace(options, match_rounds=None)
    target = MOST_TARGET if rules.scoring else MOST_ROUNDS_WON
    rules = rules.with_changes({"target": target})
    return msgspec.structs.replace(options, rules=rules.changes)


class Clubs:
    """The club evenings of this server."""

    def __init__(self, hub: Hub, pads: Pads, budgets: Budgets) -> None:
        self.hub, self._pads, self._budgets = hub, pads, budgets
        self.store = ClubStore(hub.events)
        self._locks, self._opening = Locks(), Locks()
        self._known: OrderedDict[str, Club] = OrderedDict()
        self._looked: dict[str, float] = {}
        self._sheets: dict[str, str] = {}  # live sheets of known evenings
        self._watchers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._tasks: set[asyncio.Task[None]] = set()
        hub.on_club_result = self._settle_soon
        pads.on_written = self._sheet_written
        hub.cluster.on_club = self._wake

    # --- Requests --------------------------------------------------------------------------------

    async def open(self, options: ClubOptions, address: str, network: str) -> ClubMade:
        """Open an evening."""
        self._spend(network, OPENING)
        options = with_an_end(options)
        for seats in range(2, options.seats + 1):  # tables may have fewer players
            plans = tuple(SeatPlan("link") for _ in range(seats))
            checked = check_options(TableOptions(seats=plans, rules=options.rules))
        options = msgspec.structs.replace(
            options, name=clean_name(options.name), rules=checked.rules
        )
        club, secret, now = secrets.token_urlsafe(9), secrets.token_urlsafe(18), self.hub.now()
        async with self._opening.held(address):
            if await self.store.count(address, now - DAY) >= self.hub.config.clubs_per_address:
                raise RefusedError("too_many_clubs", "there are too many club evenings from here")
            opened = ClubOpened(at=now, options=options, host=digest(secret))
            await self.store.add(club, address, encode_club(opened), now)
        return ClubMade(club, secret, f"/club/{club}")

    async def see(self, club_id: str, device: str | None, secret: str | None) -> ClubState:
        """An evening as the one who asks may see it."""
        async with self._locks.held(club_id):
            club = await self._load(club_id)
            if asyncio.get_running_loop().time() - self._looked.get(club_id, -LOOK_AGAIN) >= (
                LOOK_AGAIN
            ):
                await self._settle(club)
            return self._shown(club, device, is_host=self._is_host(club, secret))

    async def act(
        self, club_id: str, body: ClubRequest, device: str | None, address: str, network: str
    ) -> ClubState:
        """Do something at an evening; return how it stands then."""
        self._spend(network, 1)
        async with self._locks.held(club_id):
            club = await self._load(club_id)
            is_host = self._is_host(club, body.secret)
            if body.secret is not None and not is_host:
                raise RefusedError("not_host", "this secret is of another evening")
            match body.act:
                case ClubNextRound(number):
                    self._must_host(is_host)
                    await self._next_round(club, number, address, network)
                case ClubSwitch():
                    self._must_host(is_host)
                    await self._switch(club, body.act, address)
                case _:
                    await self._commit(
                        club, lambda club: self._event(club, body, device, is_host=is_host)
                    )
            return self._shown(club, device, is_host=is_host)

    def _shown(self, club: Club, device: str | None, *, is_host: bool) -> ClubState:
        """The evening as a device sees it, without the names of deleted profiles."""
        state, former = club.seen_by(device, is_host=is_host), self.hub.people.former
        players = [
            msgspec.structs.replace(player, name=f"{FORMER} {number}")
            if guest.device in former
            else player
            for number, (player, guest) in enumerate(
                zip(state.players, club.guests, strict=True), 1
            )
        ]
        return msgspec.structs.replace(state, players=players)

    def _event(
        self, club: Club, body: ClubRequest, device: str | None, *, is_host: bool
    ) -> AnyClubEvent:
        """The event of an act of one step."""
        now, act = self.hub.now(), body.act
        if not isinstance(act, ClubJoin | ClubLeave | ClubReturn):
            self._must_host(is_host)
        match act:
            case ClubJoin():
                if act.here and device is None:
                    raise RefusedError("no_device", "ask for a device secret first")
                if not is_host and (not act.here or act.points):
                    self._must_host(is_host)
                return club.join(act.name, device if act.here else None, act.points, now)
            case ClubLeave() | ClubReturn():
                if club.player_of(device) != act.player:
                    self._must_host(is_host)
                change = club.leave if isinstance(act, ClubLeave) else club.come_back
                return change(act.player, now)
            case ClubGrant():
                return club.grant(act.player, act.points, now)
            case ClubResult():
                result = (
                    TableResult(tuple(act.totals), tuple(sorted(set(act.winners))))
                    if act.winners
                    else TableResult.of_totals(act.totals)
                )
                return club.enter(act.round - 1, act.table, result, "host", now)
            case ClubConfirm():
                return club.confirm(act.round - 1, act.table, now)
            case ClubClose():
                return club.close(now)
            case _:
                raise AssertionError("acts of more than one step are done elsewhere")

    def _spend(self, network: str, cost: float) -> None:
        if not self._budgets.club_acts.take(network, cost):
            raise RefusedError("too_fast", "too much is done from here; wait a little")

    @staticmethod
    def _is_host(club: Club, secret: str | None) -> bool:
        return secret is not None and secrets.compare_digest(club.host, digest(secret))

    @staticmethod
    def _must_host(is_host: bool) -> None:
        if not is_host:
            raise RefusedError("not_host", "only the host of the evening can do this")

    # --- Rounds ----------------------------------------------------------------------------------

    async def _next_round(self, club: Club, number: int, address: str, network: str) -> None:
        await self._settle(club)
        club.check_next_round(number)
        pairing = await asyncio.to_thread(
            pair_round, club.system, club.options.seats, club.entrants, club.played, SystemRandom()
        )
        await self.hub.check_room(address, len(pairing.tables))
        self._budgets.tables.charge(network, len(pairing.tables))
        # If the server dies before the round is stored, nobody has heard of these tables.
        tables = [
            await self._set_up(club, players, club.options.tiles == "real", address)
            for players in pairing.tables
        ]
        await self._commit(
            club, lambda club: club.pair(number, tables, pairing.byes, self.hub.now())
        )

    async def _set_up(
        self, club: Club, players: tuple[int, ...], real: bool, address: str
    ) -> PairedTable:
        """A table or a live sheet; who came without a device plays with real tiles."""
        guests = [club.guests[player] for player in players]
        owners = [guest.device for guest in guests if guest.device is not None]
        if real or len(owners) < len(guests):
            pad, secret = await self._pads.make_for_club(club.id)
            return PairedTable(players, "real", pad, secret)
        options = TableOptions(
            seats=tuple(SeatPlan("link", name=guest.name) for guest in guests),
            rules=club.options.rules,
        )
        rounds = club.options.match_rounds
        table = await self.hub.create_for_club(club.id, options, owners, address, rounds)
        return PairedTable(players, "screen", table.id)

    async def _switch(self, club: Club, act: ClubSwitch, address: str) -> None:
        await self._settle(club)
        old, number = club.check_switch(act.table, act.tiles).paired, len(club.rounds) - 1
        new = await self._set_up(club, old.players, act.tiles == "real", address)

        def switched(club: Club) -> TableSwitched:
            if len(club.rounds) - 1 != number:
                raise RefusedError("stale", "another round has begun")
            club.check_switch(act.table, act.tiles)
            return TableSwitched(at=self.hub.now(), round=number, table=act.table, to=new)

        await self._commit(club, switched)
        if old.tiles == "screen":
            with contextlib.suppress(RefusedError):
                await self.hub.change(old.id, lambda table: table.close("moved", self.hub.now()))

    # --- Results that come by themselves ---------------------------------------------------------

    def _settle_soon(self, club_id: str) -> None:
        task = asyncio.create_task(self._settle_now(club_id), name="club results")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle_now(self, club_id: str) -> None:
        try:
            async with self._locks.held(club_id):
                await self._settle(await self._load(club_id))
        except RefusedError:
            pass  # gone, or damaged
        except StoreError as error:  # looked at again with the next request
            self._looked.pop(club_id, None)
            self.hub.troubles.log_failure(error)

    def _sheet_written(self, pad: str) -> None:
        club_id = self._sheets.get(pad)
        if club_id is not None:
            self._settle_soon(club_id)

    async def _settle(self, club: Club) -> None:
        """Take over the results of tables that are over. Under the evening's lock."""
        self._looked[club.id] = asyncio.get_running_loop().time()
        for number, at, seating in club.unsettled():
            with contextlib.suppress(RefusedError):
                result = await self._result(club, seating)
                if result is None:
                    continue
                source: ClubSource = "table" if seating.paired.tiles == "screen" else "sheet"

                def entered(club: Club) -> AnyClubEvent:
                    return club.enter(number, at, result, source, self.hub.now())  # noqa: B023

                await self._commit(club, entered)

    async def _result(self, club: Club, seating: ClubSeating) -> TableResult | None:
        """What a table or a sheet has come to; ``None`` while it is played."""
        if seating.paired.tiles == "real":
            pad = await self._pads.pad(seating.paired.id)
            # Whatever a pad was set up with, the evening decides when its match ends.
            rounds = club.options.match_rounds
            ledger = None if pad is None else replace(pad.ledger, most_rounds=rounds)
        else:
            match = (await self.hub.look(seating.paired.id)).match
            ledger = None if match is None else match.ledger
        if ledger is None or not ledger.is_over:
            return None
        if len(ledger.totals) != len(seating.paired.players):
            return None
        if not ledger.winners:
            return TableResult.of_totals(ledger.totals)
        return TableResult(ledger.totals, ledger.winners)

    # --- The log ---------------------------------------------------------------------------------

    async def _load(self, club_id: str) -> Club:
        """An evening as the log has it now. Under its lock."""
        club = self._known.pop(club_id, None)
        fresh = await self.store.events(club_id, 0 if club is None else club.version)
        if club is None and not fresh:
            raise RefusedError("no_club", "there is no such club evening")
        try:
            events = [decode_club(data) for data in fresh]
            if club is None:
                club = Club.load(club_id, events)
            else:
                for event in events:
                    club.apply(event)
        except Exception as error:
            raise RefusedError("damaged", f"the evening {club_id} is damaged") from error
        self._keep(club)
        return club

    def _keep(self, club: Club) -> None:
        self._known[club.id] = club
        for _, _, seating in club.unsettled():
            if seating.paired.tiles == "real":
                self._sheets[seating.paired.id] = club.id
        if len(self._known) > IN_MEMORY:
            old, _ = self._known.popitem(last=False)
            self._looked.pop(old, None)
            self._sheets = {pad: of for pad, of in self._sheets.items() if of != old}

    async def _commit(self, club: Club, command: Callable[[Club], AnyClubEvent]) -> None:
        """Check, store, apply and tell; again if another server has been faster."""
        for _ in range(TRIES):
            event = command(club)
            if await self.store.append(club.id, club.version + 1, encode_club(event), event.at):
                club.apply(event)
                self._keep(club)
                self._wake(club.id)
                self.hub.cluster.announce_club(club.id)
                return
            await self._load(club.id)
        raise RefusedError("stale", "too much happens at once; try again")

    # --- Watching --------------------------------------------------------------------------------

    def _wake(self, club_id: str) -> None:
        for watcher in self._watchers.get(club_id, ()):
            watcher.set()

    @contextlib.contextmanager
    def watched(self, club_id: str) -> Any:
        """An event that is set whenever something happens at an evening."""
        changed = asyncio.Event()
        self._watchers[club_id].add(changed)
        try:
            yield changed
        finally:
            self._watchers[club_id].discard(changed)
            if not self._watchers[club_id]:
                del self._watchers[club_id]

    async def version(self, club_id: str) -> int:
        """The version of an evening."""
        async with self._locks.held(club_id):
            return (await self._load(club_id)).version

    async def close(self) -> None:
        """Take over no more results."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
