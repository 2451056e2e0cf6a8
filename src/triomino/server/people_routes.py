"""The requests of people about themselves: profile, devices, games, download and deletion."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import msgspec
from litestar import MediaType, Request, Response, delete, get, put
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody
from litestar.response import Stream

from triomino.protocol.people import (
    GameKind,
    GameUpload,
    Me,
    MyDevice,
    MyGame,
    MyKey,
    Profile,
    ProfileChange,
)
from triomino.server.budgets import network_of
from triomino.server.credentials import address_of, required_device
from triomino.server.page import COMPRESSED
from triomino.server.rated import ratings_of
from triomino.server.refusals import REFUSALS
from triomino.server.table import RefusedError, clean_name
from triomino.store.person_games import PersonGame
from triomino.store.waiting import WaitingStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from triomino.server.budgets import Budgets
    from triomino.server.hub import Hub
    from triomino.server.people import People
    from triomino.store.people import Person
    from triomino.store.person_games import PersonGameStore

AnyRequest = Request[Any, Any, State]


UPLOAD_BYTES: Final = 400_000
"""Of an uploaded game, with what is around it."""

DOWNLOAD_COST: Final = 10
"""What a file with all that is stored counts, in other requests."""


def hub_of(request: AnyRequest) -> Hub:
    """The hub."""
    hub: Hub = request.app.state.hub
    return hub


def people_of(request: AnyRequest) -> People:
    """What the server knows about people; refused if it is not open."""
    people = hub_of(request).people
    people.check_open()
    return people


def spend(request: AnyRequest, *, sign_in: bool = False, cost: float = 1) -> None:
    """Take from the budgets of the address that asks; refused if there is nothing left."""
    budgets: Budgets = request.app.state.budgets
    network = network_of(request.client.host if request.client else "")
    enough = budgets.people.take(network, cost)
    if sign_in and enough:
        enough = budgets.sign_ins.take(network) and budgets.all_sign_ins.take("")
    if not enough:
        raise RefusedError("too_fast", "too many from here; wait a little")


class Asking:
    """Who asks: their device, and their profile."""

    def __init__(self, request: AnyRequest, device: str) -> None:
        self.request, self.device = request, device
        self.people, self.hub = people_of(request), hub_of(request)

    async def person(self) -> Person:
        """The profile of whoever asks; refused if there is none."""
        found = await self.people.store.person_of(self.device)
        if found is None:
            raise RefusedError("no_person", "this device has no profile yet: PUT /api/me")
        return found

    async def profile(self, person: Person | None = None) -> Profile:
        """The profile as its own devices see it."""
        person = person or await self.person()
        return Profile(
            id=person.id,
            name=person.name,
            face=person.face,
            made=person.made,
            devices=[
                MyDevice(handle(one.device), one.label, one.joined, one.device == self.device)
                for one in await self.people.store.devices_of(person.id)
            ],
            keys=[
                MyKey(one.id[:16], one.made) for one in await self.people.secrets.keys_of(person.id)
            ],
            phrase=await self.people.secrets.phrase_of(person.id),
        )

    async def check_free(self, *, leave: bool) -> None:
        """Raise if the device has a profile already and does not wish to leave it."""
        if not leave and await self.people.store.person_of(self.device) is not None:
            raise RefusedError("has_profile", "this device has a profile; leave it first")

    async def join(self, person: str, label: str) -> Profile:
        """Let the device join a profile whose secret it has shown."""
        address = address_of(self.request)
        label = clean_label(label)
        if not await self.people.store.join(person, self.device, label, address):
            raise RefusedError("wrong_secret", "this profile is gone, or has too many devices")
        await self.people.changed()
        return await self.profile()


def handle(device: str) -> str:
    """What names a device in requests and lists: not its digest, which stands for it elsewhere."""
    return hashlib.sha256(f"handle {device}".encode()).hexdigest()[:16]


def clean_label(label: str) -> str:
    """What a device is called in the list."""
    return clean_name(label) if label.strip() else ""


def asking(request: AnyRequest, *, sign_in: bool = False, cost: float = 1) -> Asking:
    """Who asks; what they do is taken from the budgets of their address."""
    people_of(request)
    made = Asking(request, required_device(request))
    if cost:
        spend(request, sign_in=sign_in, cost=cost)
    return made


@get("/api/me", summary="My profile", tags=["people"], responses=REFUSALS)
async def get_me(request: AnyRequest) -> Me:
    """The profile of this device, if it has one."""
    who = asking(request, cost=0)
    person = await who.people.store.person_of(who.device)
    if person is None:
        return Me(None)
    await who.people.store.note_address(who.device, address_of(request))
    return Me(await who.profile(person))


@put("/api/me", summary="Make or change my profile", tags=["people"], responses=REFUSALS)
async def put_me(request: AnyRequest, data: JSONBody[ProfileChange]) -> Me:
    """Give this device a profile, or its profile another name and face."""
    who = asking(request)
    name = await who.people.decent_name(data.name)
    person = await who.people.store.ensure(
        who.device, name, data.face, clean_label(data.label), address_of(request)
    )
    if (person.name, person.face) != (name, data.face):
        await who.people.store.change(person.id, name, data.face)
    return Me(await who.profile())


@delete("/api/me", summary="Delete my profile", tags=["people"], responses=REFUSALS)
async def delete_me(request: AnyRequest) -> None:
    """Delete the profile of this device and all that belongs to it, for good.

    Matches stay whole for the others; the name in them is gone. All devices of the profile are
    refused from now on; each may ask for a new secret.
    """
    who = asking(request)
    person = await who.person()
    devices = await who.people.store.devices_of(person.id)
    await who.people.store.erase(person.id)
    for one in devices:
        await who.hub.pushes.store.forget(one.device)
    await who.people.changed()


@delete(
    "/api/me/devices/{device:str}",
    summary="Remove one of my devices",
    tags=["people"],
    responses=REFUSALS,
)
async def remove_device(request: AnyRequest, device: FromPath[str]) -> None:
    """Remove a device from my profile: it loses its seats, and its secret opens nothing."""
    who = asking(request)
    person = await who.person()
    for one in await who.people.store.devices_of(person.id):
        if handle(one.device) == device:
            await who.people.store.remove_device(person.id, one.device)
            await who.hub.pushes.store.forget(one.device)
            await who.people.changed()
            return
    raise RefusedError("no_person", "this profile has no such device")


@get(
    "/api/me/data",
    summary="All that is stored about me",
    tags=["people"],
    responses=REFUSALS,
    opt={COMPRESSED: True},
)
async def get_data(request: AnyRequest) -> Stream:
    """Everything that is stored about the profile of this device, as one file."""
    who = asking(request, cost=DOWNLOAD_COST)
    person = await who.person()
    about = msgspec.json.format(msgspec.json.encode(await all_about(who, person)), indent=2)
    headers = {"content-disposition": 'attachment; filename="triomino-profile.json"'}
    pieces = _with_games(about, who.people.games, person.id)
    return Stream(pieces, media_type=MediaType.JSON, headers=headers)


async def _with_games(about: bytes, store: PersonGameStore, person: str) -> AsyncIterator[bytes]:
    """Add the games to a file, one at a time: all together may have many megabytes."""
    yield about.removesuffix(b"\n}") + b',\n  "games": ['
    for number, one in enumerate(await store.list(person)):
        data = await store.get(person, one.kind, one.id)
        game = {
            "id": one.id,
            "kind": one.kind,
            "at": one.at,
            "data": None if data is None else msgspec.Raw(data),
        }
        yield (b",\n    " if number else b"\n    ") + msgspec.json.encode(game)
    yield b"\n  ]\n}\n"


async def all_about(who: Asking, person: Person) -> dict[str, Any]:
    """Everything that is stored about a person, but for their games."""
    people = who.people
    devices = await people.store.devices_of(person.id)
    told = await who.hub.pushes.store.get([one.device for one in devices])
    return {
        "format": "triomino profile 1",
        "id": person.id,
        "name": person.name,
        "face": person.face,
        "made": person.made,
        "devices": [
            {
                "digest": one.device,
                "label": one.label,
                "network_digest": one.address,
                "joined": one.joined,
                "push": None if one.device not in told else msgspec.to_builtins(told[one.device]),
            }
            for one in devices
        ],
        "passkeys": [
            {"id": one.id, "public_key": one.public_key.hex(), "made": one.made}
            for one in await people.secrets.keys_of(person.id)
        ],
        "recovery_phrase_made": await people.secrets.phrase_of(person.id),
        "marks": [
            {"person": other, "kind": kind}
            for other, kind in await people.store.marks_of(person.id)
        ],
        "reports": [
            {"table": one.table_id, "seat": one.seat, "reason": one.reason, "at": one.at}
            for one in await people.decency.reports_by(person.id)
        ],
        "waiting": await _place_of(who.hub, person.id),
        **await ratings_of(who.hub, person.id),
    }


async def _place_of(hub: Hub, person: str) -> dict[str, Any] | None:
    """The place of a person in the queue of Play now."""
    row = await WaitingStore(hub.events).get(person)
    return None if row is None else asdict(row)


@get("/api/me/games", summary="My games", tags=["people"], responses=REFUSALS)
async def list_games(request: AnyRequest) -> list[MyGame]:
    """The tables where any device of mine has played, and what was uploaded, latest first."""
    who = asking(request)
    found = await who.people.games.list((await who.person()).id)
    return [msgspec.convert(one, MyGame, from_attributes=True) for one in found]


@put(
    "/api/me/games/{kind:str}/{game:str}",
    summary="Upload a game",
    tags=["people"],
    responses=REFUSALS,
    request_max_body_size=UPLOAD_BYTES,
)
async def put_game(
    request: AnyRequest, kind: FromPath[str], game: FromPath[str], data: JSONBody[GameUpload]
) -> None:
    """Add a finished game or a score pad of a device to my profile, as its file."""
    who = asking(request)
    content = msgspec.json.encode(data.data)
    if len(content) > who.hub.config.record_bytes:
        raise RefusedError("too_large", "this file is too large")
    upload = PersonGame(_game_id(game), _kind(kind), data.at, content)
    if not await who.people.games.put((await who.person()).id, upload):
        raise RefusedError("too_many_games", "there is no room for more; delete some")


@get(
    "/api/me/games/{kind:str}/{game:str}",
    summary="An uploaded game",
    tags=["people"],
    responses=REFUSALS,
)
async def get_game(
    request: AnyRequest, kind: FromPath[str], game: FromPath[str]
) -> Response[bytes]:
    """A game or a pad that I have uploaded."""
    who = asking(request)
    found = await who.people.games.get((await who.person()).id, _kind(kind), _game_id(game))
    if found is None:
        raise RefusedError("no_game", "there is no such game")
    return Response(found, media_type=MediaType.JSON)


@delete(
    "/api/me/games/{kind:str}/{game:str}",
    summary="Delete a game of mine",
    tags=["people"],
    responses=REFUSALS,
)
async def delete_game(request: AnyRequest, kind: FromPath[str], game: FromPath[str]) -> None:
    """Delete an uploaded game; of a table, only that it is among my games."""
    who = asking(request)
    own = kind if kind == "table" else _kind(kind)
    if not await who.people.games.remove((await who.person()).id, own, _game_id(game)):
        raise RefusedError("no_game", "there is no such game")


def _kind(kind: str) -> GameKind:
    if kind == "match":
        return "match"
    if kind == "pad":
        return "pad"
    raise RefusedError("no_game", "games are of the kind match or pad")


def _game_id(game: str) -> str:
    if not game.isascii() or len(game) > 80 or not game.isprintable():
        raise RefusedError("no_game", "this is no id of a game")
    return game


PEOPLE_HANDLERS: Final = (
    get_me,
    put_me,
    delete_me,
    remove_device,
    get_data,
    list_games,
    put_game,
    get_game,
    delete_game,
)
