"""The requests of the host's page: tables, people, reports, bans.

Every one needs the host's key in a header of its own, which no other site can make a browser send.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from litestar import Request, delete, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from triomino.protocol.people import (
    BanKind,
    HostBan,
    HostOverview,
    HostPerson,
    HostReport,
    HostTable,
    NewBan,
)
from triomino.server.host_key import is_host_key
from triomino.server.people_routes import handle, hub_of, people_of, spend
from triomino.server.refusals import REFUSALS
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from triomino.server.hub import Hub
    from triomino.store.decency import Ban

AnyRequest = Request[Any, Any, State]

HEADER: Final = "x-host-key"

MOST: Final = 100
"""Tables and people that are listed."""

NO_NAME: Final = "Player"
"""What somebody is called whose name the host has removed."""


async def _host(request: AnyRequest) -> Hub:
    """The hub, for the host; everybody else learns nothing."""
    people_of(request)
    spend(request, sign_in=False)
    hub, key = hub_of(request), request.headers.get(HEADER, "")
    if not key or not await is_host_key(hub.events, key):
        spend(request, sign_in=True)  # only wrong keys count as tries
        raise RefusedError("wrong_key", "this needs the host's key; see triomino host key")
    return hub


@get("/api/host", summary="The host's page", tags=["host"], responses=REFUSALS)
async def overview(request: AnyRequest) -> HostOverview:
    """The latest tables and people, the reports, and who is banned."""
    hub = await _host(request)
    people = hub.people
    bans = await people.decency.bans()
    reports = await people.decency.reports()
    shown = await people.store.latest(MOST)
    wanted = {one.about for one in reports} | {one.subject for one in bans if one.kind == "person"}
    known = await people.store.get_all(wanted) | {one.id: one for one in shown}
    until = {one.subject: one.until for one in bans if one.kind == "person"}
    names = {one.id: one.name or None for one in known.values()}
    return HostOverview(
        tables=await _tables(hub),
        people=[
            HostPerson(
                id=one.id,
                name=one.name,
                face=one.face,
                made=one.made,
                devices=len(await people.store.devices_of(one.id)),
                banned_until=until.get(one.id),
            )
            for one in shown
        ],
        reports=[
            HostReport(
                id=one.id,
                at=one.at,
                reason=one.reason,
                table=one.table_id,
                seat=one.seat,
                about=one.about,
                name=names.get(one.about),
                handled=one.handled is not None,
            )
            for one in reports
        ],
        bans=[HostBan(_kind(one), _shown(one), one.until, names.get(one.subject)) for one in bans],
    )


def _shown(ban: Ban) -> str:
    """What names a ban: the id of a profile, but no digest, which stands for a device elsewhere."""
    return ban.subject if ban.kind == "person" else handle(ban.subject)


def _kind(ban: Ban) -> BanKind:
    return "person" if ban.kind == "person" else "device" if ban.kind == "device" else "address"


async def _tables(hub: Hub) -> list[HostTable]:
    found = []
    for row in await hub.events.rows(states=["open", "opening", "playing"], most=MOST):
        try:
            table = await hub.look(row.id)
        except RefusedError:
            continue  # damaged, or deleted a moment ago
        at_seats = await hub.people.at_seats(table)
        found.append(
            HostTable(
                id=table.id,
                state=table.state,
                updated=table.updated,
                strangers=table.strangers,
                seats=[chair.summary for chair in table.chairs],
                people=[None if one is None else one.id for one in at_seats],
            )
        )
    return found


@post(
    "/api/host/tables/{table_id:str}/close",
    summary="Close a table",
    tags=["host"],
    responses=REFUSALS,
)
async def close_table(request: AnyRequest, table_id: FromPath[str]) -> None:
    """Close a table for good."""
    hub = await _host(request)
    await hub.change(table_id, lambda table: table.close("by the host", hub.now()))


@delete(
    "/api/host/tables/{table_id:str}/seats/{seat:int}/name",
    summary="Remove a name from a table",
    tags=["host"],
    responses=REFUSALS,
)
async def remove_seat_name(
    request: AnyRequest, table_id: FromPath[str], seat: FromPath[int]
) -> None:
    """Replace the name of a seat by one that offends nobody."""
    hub = await _host(request)
    name = f"{NO_NAME} {seat + 1}"
    await hub.change(table_id, lambda table: table.rename(seat, name, hub.now()))


@delete(
    "/api/host/people/{person:str}/name",
    summary="Remove the name of a profile",
    tags=["host"],
    responses=REFUSALS,
)
async def remove_name(request: AnyRequest, person: FromPath[str]) -> None:
    """Replace the name of a profile, and wherever it sits now, by one that offends nobody."""
    hub = await _host(request)
    found = await hub.people.store.get(person)
    if found is None or found.deleted is not None:
        raise RefusedError("no_person", "there is no such profile")
    await hub.people.store.change(person, NO_NAME, found.face)
    devices = {one.device for one in await hub.people.store.devices_of(person)}
    for one in await hub.people.games.list(person):
        if one.kind == "table":
            await _rename_seats(hub, one.id, devices)


async def _rename_seats(hub: Hub, table_id: str, devices: set[str]) -> None:
    try:
        table = await hub.look(table_id)
        for seat, chair in enumerate(table.chairs):
            if chair.namers & devices:
                name = f"{NO_NAME} {seat + 1}"
                await hub.change(
                    table_id,
                    lambda found, seat=seat, name=name: found.rename(seat, name, hub.now()),  # type: ignore[misc]
                )
    except RefusedError:
        pass  # the table is gone, or the name is taken by somebody else


@post(
    "/api/host/reports/{report:str}/handled",
    summary="A report was looked at",
    tags=["host"],
    responses=REFUSALS,
)
async def handle_report(request: AnyRequest, report: FromPath[str]) -> None:
    """Mark a report as looked at."""
    hub = await _host(request)
    if not await hub.people.decency.handle(report):
        raise RefusedError("no_report", "there is no such report")


@post("/api/host/bans", summary="Ban somebody for a time", tags=["host"], responses=REFUSALS)
async def ban(request: AnyRequest, data: JSONBody[NewBan]) -> None:
    """Refuse a profile, or the devices or addresses of a profile or a seat, for some hours."""
    hub = await _host(request)
    until = hub.now() + int(data.hours * 3600_000)
    for subject in await _subjects(hub, data):
        await hub.people.decency.ban(data.kind, subject, until)
    await hub.people.changed()


async def _subjects(hub: Hub, data: NewBan) -> list[str]:
    """What a ban is about: the id of a profile, or digests."""
    store = hub.people.store
    if data.person is not None:
        if await store.get(data.person) is None:
            raise RefusedError("no_person", "there is no such profile")
        people, devices = {data.person}, set[str]()
    elif data.table is not None and data.seat is not None:
        table = await hub.look(data.table)
        if not 0 <= data.seat < len(table.chairs):
            raise RefusedError("no_seat", f"there is no seat {data.seat}")
        devices = set(table.chairs[data.seat].owners)
        people = {one.id for one in (await store.people_of(devices)).values()}
    else:
        raise RefusedError("no_person", "name a profile, or a table and a seat")
    if data.kind == "person":
        found = people
    else:
        own = [one for person in people for one in await store.devices_of(person)]
        if data.kind == "device":
            found = devices | {one.device for one in own}
        else:
            found = {one.address for one in own} - {""}
    if not found:
        raise RefusedError("no_person", "nothing of that kind is known there")
    return sorted(found)


@delete(
    "/api/host/bans/{kind:str}/{subject:str}",
    summary="End a ban",
    tags=["host"],
    responses=REFUSALS,
)
async def lift(request: AnyRequest, kind: FromPath[str], subject: FromPath[str]) -> None:
    """End a ban."""
    hub = await _host(request)
    found = [
        one for one in await hub.people.decency.bans() if (one.kind, _shown(one)) == (kind, subject)
    ]
    for one in found:
        await hub.people.decency.lift(kind, one.subject)
    if not found:
        raise RefusedError("no_person", "there is no such ban")
    await hub.people.changed()


HOST_HANDLERS: Final = (
    overview,
    close_table,
    remove_seat_name,
    remove_name,
    handle_report,
    ban,
    lift,
)
