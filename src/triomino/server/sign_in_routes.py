"""How another device joins a profile: by a link, a recovery phrase, or a passkey."""

from __future__ import annotations

import asyncio
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from litestar import Request, delete, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from triomino.protocol.people import (
    DeviceLink,
    JoinProfile,
    Me,
    PasskeyAnswer,
    PasskeyOptions,
    RecoverProfile,
    RecoveryPhrase,
)
from triomino.server import passkeys, phrases
from triomino.server.credentials import digest
from triomino.server.people_routes import asking
from triomino.server.refusals import REFUSALS
from triomino.server.table import RefusedError
from triomino.store.keys import PHRASES, KeyStore

if TYPE_CHECKING:
    from triomino.server.hub import Hub
    from triomino.server.people_routes import Asking

AnyRequest = Request[Any, Any, State]

LINK_MINUTES: Final = 10
"""How long a link lets another device join."""

TICKET_MINUTES: Final = 5
"""How long a browser may take to make or show a passkey."""

_WRONG = "this link or phrase opens nothing: it was used, it is too old, or it was never there"


async def phrase_key(hub: Hub) -> bytes:
    """The key for looking up phrases; it is made once and kept in the database."""
    return await KeyStore(hub.events).get(secrets.token_bytes(32), hub.now(), PHRASES)


@post("/api/me/links", summary="A link for another device", tags=["people"], responses=REFUSALS)
async def make_link(request: AnyRequest) -> DeviceLink:
    """Make a link by which one more device joins my profile; an earlier one opens nothing."""
    who = asking(request)
    person, secret = await who.person(), who.hub.new_secret()
    expires = who.hub.now() + LINK_MINUTES * 60_000
    await who.people.secrets.put(digest(secret), person.id, "link", expires=expires)
    # Behind the # it stays in the browser: no log of a server or a proxy sees it.
    return DeviceLink(secret, f"/me#join={secret}", expires)


@post("/api/me/joins", summary="Join by a link", tags=["people"], responses=REFUSALS)
async def join(request: AnyRequest, data: JSONBody[JoinProfile]) -> Me:
    """Join the profile that a link leads to. This uses the link up."""
    who = asking(request, sign_in=True)
    link = digest(data.secret)
    found = await who.people.secrets.find(link, "link")
    if found is None:
        raise RefusedError("wrong_secret", _WRONG)
    await who.check_free(leave=data.leave)
    if not await who.people.secrets.use(link, "link"):
        raise RefusedError("wrong_secret", _WRONG)
    return Me(await who.join(found.person, data.label))


@post("/api/me/phrase", summary="A recovery phrase", tags=["people"], responses=REFUSALS)
async def make_phrase(request: AnyRequest) -> RecoveryPhrase:
    """Make a recovery phrase for my profile, in place of an earlier one; it is shown once."""
    who = asking(request, sign_in=True)  # the slow hash is as dear as trying one
    person, phrase = await who.person(), phrases.new_phrase()
    stored = await who.people.hashed(partial(phrases.slow_hash, phrase))
    found = phrases.look_up(phrase, await phrase_key(who.hub))
    await who.people.secrets.put(found, person.id, "phrase", content=stored)
    return RecoveryPhrase(phrase)


@post(
    "/api/me/recoveries",
    summary="Join by a recovery phrase",
    tags=["people"],
    responses=REFUSALS,
)
async def recover(request: AnyRequest, data: JSONBody[RecoverProfile]) -> Me:
    """Join the profile of a recovery phrase. This uses the phrase up."""
    who = asking(request, sign_in=True)
    phrase = phrases.tidy(data.phrase)
    if phrase is None:
        raise RefusedError("wrong_secret", _WRONG)
    place = phrases.look_up(phrase, await phrase_key(who.hub))
    found = await who.people.secrets.find(place, "phrase")
    if found is None or not await who.people.hashed(
        partial(phrases.matches, phrase, found.hash or b"")
    ):
        raise RefusedError("wrong_secret", _WRONG)
    await who.check_free(leave=data.leave)
    if not await who.people.secrets.use(place, "phrase"):
        raise RefusedError("wrong_secret", _WRONG)
    return Me(await who.join(found.person, data.label))


def _site(request: AnyRequest) -> passkeys.Site:
    # The guard refuses origins that are not this server's.
    return passkeys.site_of(request.headers.get("origin"))


async def _new_ticket(who: Asking) -> str:
    made = secrets.token_urlsafe(32)
    expires = who.hub.now() + TICKET_MINUTES * 60_000
    await who.people.secrets.put(_ticket_id(who, made), "", "ticket", expires=expires)
    return made


async def _use_ticket(who: Asking, made: str) -> bytes:
    if not await who.people.secrets.use(_ticket_id(who, made), "ticket"):
        raise RefusedError("bad_passkey", "that took too long; try again")
    return made.encode()


def _ticket_id(who: Asking, made: str) -> str:
    return digest(f"{who.device} {made}")  # another device cannot use it


@post("/api/me/keys/options", summary="Begin a passkey", tags=["people"], responses=REFUSALS)
async def begin_key(request: AnyRequest) -> PasskeyOptions:
    """What to ask the browser for, to make a passkey for my profile."""
    who, where = asking(request), _site(request)
    person, made = await who.person(), await _new_ticket(who)
    known = await who.people.secrets.keys_of(person.id)
    options = await asyncio.to_thread(passkeys.options_to_add, where, person, known, made.encode())
    return PasskeyOptions(options, made)


@post("/api/me/keys", summary="Add a passkey", tags=["people"], responses=REFUSALS)
async def add_key(request: AnyRequest, data: JSONBody[PasskeyAnswer]) -> Me:
    """Add the passkey that the browser has made to my profile."""
    who, where = asking(request), _site(request)
    person = await who.person()
    challenge = await _use_ticket(who, data.ticket)
    key = await asyncio.to_thread(
        passkeys.added, where, person.id, challenge, data.credential, who.hub.now()
    )
    known = await who.people.secrets.key(key.id)
    if known is not None and known.person != person.id:
        raise RefusedError("bad_passkey", "this passkey belongs to another profile")
    if not await who.people.secrets.add_key(key):
        raise RefusedError("bad_passkey", "this profile has enough passkeys; remove one first")
    return Me(await who.profile())


@delete("/api/me/keys/{key:str}", summary="Remove a passkey", tags=["people"], responses=REFUSALS)
async def remove_key(request: AnyRequest, key: FromPath[str]) -> None:
    """Remove a passkey from my profile."""
    who = asking(request)
    person = await who.person()
    for one in await who.people.secrets.keys_of(person.id):
        if one.id[:16] == key:
            await who.people.secrets.remove_key(person.id, one.id)
            return
    raise RefusedError("no_person", "this profile has no such passkey")


@post(
    "/api/me/entries/options",
    summary="Begin with a passkey",
    tags=["people"],
    responses=REFUSALS,
)
async def begin_entry(request: AnyRequest) -> PasskeyOptions:
    """What to ask the browser for, to join a profile by its passkey."""
    who, where = asking(request, sign_in=True), _site(request)
    made = await _new_ticket(who)
    options = await asyncio.to_thread(passkeys.options_to_enter, where, made.encode())
    return PasskeyOptions(options, made)


@post("/api/me/entries", summary="Join by a passkey", tags=["people"], responses=REFUSALS)
async def enter(request: AnyRequest, data: JSONBody[PasskeyAnswer]) -> Me:
    """Join the profile whose passkey the browser has shown."""
    who, where = asking(request, sign_in=True), _site(request)
    await who.check_free(leave=data.leave)
    challenge = await _use_ticket(who, data.ticket)
    key = await who.people.secrets.key(await asyncio.to_thread(passkeys.id_of, data.credential))
    if key is None:
        raise RefusedError("bad_passkey", "this passkey belongs to nobody here")
    count = await asyncio.to_thread(passkeys.count_of, where, key, challenge, data.credential)
    await who.people.secrets.count_use(key.id, count)
    return Me(await who.join(key.person, data.label))


SIGN_IN_HANDLERS: Final = (
    make_link,
    join,
    make_phrase,
    recover,
    begin_key,
    add_key,
    remove_key,
    begin_entry,
    enter,
)
