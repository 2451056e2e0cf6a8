"""The key that opens the host's page. Only its digest is stored."""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING

from triomino.server.credentials import digest
from triomino.store.keys import HOST, KeyStore

if TYPE_CHECKING:
    from triomino.store.log import EventLog


async def new_host_key(events: EventLog, now: int) -> str:
    """Make a new key, which is shown once; an earlier one opens nothing any more."""
    key = secrets.token_urlsafe(24)
    await KeyStore(events).put(digest(key).encode(), now, HOST)
    return key


async def first_host_key(events: EventLog, now: int) -> str | None:
    """Make a key if there is none yet; ``None`` if there is one."""
    return await new_host_key(events, now) if await KeyStore(events).find(HOST) is None else None


async def is_host_key(events: EventLog, key: str) -> bool:
    """Whether this is the key."""
    known = await KeyStore(events).find(HOST)
    return known is not None and hmac.compare_digest(known, digest(key).encode())
