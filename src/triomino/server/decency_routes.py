"""The requests of people about each other: mute, block, report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from litestar import Request, delete, get, post, put
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from triomino.protocol.people import Mark, MarkedPerson, NewReport, SeatPerson
from triomino.server.people_routes import asking
from triomino.server.refusals import REFUSALS
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from triomino.rules import Seat
    from triomino.server.people_routes import Asking
    from triomino.server.table import Table
    from triomino.store.people import Person

AnyRequest = Request[Any, Any, State]


async def _at_table(who: Asking, table_id: str) -> tuple[Table, Person, list[Person | None]]:
    """A table where whoever asks has a seat, their profile, and those of all seats."""
    person, table = await who.person(), await who.hub.look(table_id)
    at_seats = await who.people.at_seats(table)
    if person not in at_seats:
        raise RefusedError("not_seated", "only those who play at a table see who else does")
    return table, person, at_seats


def _other(person: Person, at_seats: list[Person | None], seat: Seat) -> Person:
    other = at_seats[seat] if 0 <= seat < len(at_seats) else None
    if other is None or other == person:
        raise RefusedError("no_person", "nobody else with a profile sits there")
    return other


def _mark(kind: str) -> Mark:
    if kind == "mute":
        return "mute"
    if kind == "block":
        return "block"
    raise RefusedError("no_person", "people are muted or blocked; see the protocol")


@get(
    "/api/tables/{table_id:str}/people",
    summary="Who plays here",
    tags=["people"],
    responses=REFUSALS,
)
async def list_seats(request: AnyRequest, table_id: FromPath[str]) -> list[SeatPerson]:
    """The seats with a profile, for those who play there: faces, and whom I muted or blocked."""
    who = asking(request)
    _, person, at_seats = await _at_table(who, table_id)
    marks = await who.people.store.marks_of(person.id)
    return [
        SeatPerson(
            seat=seat,
            face=other.face,
            is_you=other == person,
            marks=[_mark(kind) for marked, kind in marks if marked == other.id],
        )
        for seat, other in enumerate(at_seats)
        if other is not None
    ]


@put(
    "/api/tables/{table_id:str}/people/{seat:int}/{kind:str}",
    summary="Mute or block somebody",
    tags=["people"],
    responses=REFUSALS,
)
async def mark_seat(
    request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], kind: FromPath[str]
) -> None:
    """Mute somebody, for me alone, or block them: we are never brought together again."""
    who = asking(request)
    _, person, at_seats = await _at_table(who, table_id)
    other = _other(person, at_seats, seat)
    if not await who.people.store.mark(person.id, other.id, _mark(kind)):
        raise RefusedError("too_many_marks", "your list is full; take somebody off it first")


@post(
    "/api/tables/{table_id:str}/reports",
    summary="Report somebody to the host",
    tags=["people"],
    responses=REFUSALS,
)
async def report_seat(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[NewReport]
) -> None:
    """Tell the host of this server what is wrong with somebody at my table."""
    who = asking(request)
    _, person, at_seats = await _at_table(who, table_id)
    other = _other(person, at_seats, data.seat)
    decency = who.people.decency
    if not await decency.report(person.id, other.id, table_id, data.seat, data.reason):
        raise RefusedError("too_many_reports", "that is enough for a day; the host will look")


@get("/api/me/marks", summary="Whom I muted or blocked", tags=["people"], responses=REFUSALS)
async def list_marks(request: AnyRequest) -> list[MarkedPerson]:
    """Whom I muted or blocked."""
    who = asking(request)
    marks = await who.people.store.marks_of((await who.person()).id)
    known = await who.people.store.get_all({other for other, _ in marks})
    return [
        MarkedPerson(other, known[other].name or None, known[other].face, _mark(kind))
        for other, kind in marks
        if other in known
    ]


@delete(
    "/api/me/marks/{person:str}/{kind:str}",
    summary="Unmute or unblock somebody",
    tags=["people"],
    responses=REFUSALS,
)
async def unmark(request: AnyRequest, person: FromPath[str], kind: FromPath[str]) -> None:
    """Hear somebody again, or let us be brought together again."""
    who = asking(request)
    await who.people.store.unmark((await who.person()).id, person, _mark(kind))


DECENCY_HANDLERS: Final = (list_seats, mark_seat, report_seat, list_marks, unmark)
