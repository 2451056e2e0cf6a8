"""What goes wrong with a database, as one kind of error with a message of one line."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from triomino.errors import TriominoError

if TYPE_CHECKING:
    from collections.abc import Iterator


class StoreError(TriominoError):
    """The database cannot be used."""


@contextlib.contextmanager
def store_errors(what: str) -> Iterator[None]:
    """Raise whatever the database or its file complains about as a ``StoreError``.

    Not an ``IntegrityError``: that a row is there already is an answer.
    """
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise StoreError(f"{what}: {first_line(error)}") from error
    except UnicodeDecodeError as error:
        # A message of SQLite that quotes what it found in a damaged file.
        raise StoreError(f"{what}: it is malformed") from error
    except ValueError as error:
        # A connection whose thread has ended, because the log was closed or could not be opened.
        if "no active connection" not in str(error).lower():
            raise
        raise StoreError(f"{what}: {first_line(error)}") from error


def first_line(error: BaseException) -> str:
    """The message of an error as one line."""
    reason = getattr(error, "orig", None) or error
    return str(reason).strip().partition("\n")[0] or type(reason).__name__


_REASONS = {
    "full": "the disk is full",
    "locked": "another program has locked it",
    "is gone": "its file is gone",
    "was replaced": "its file was replaced",
    "unable to open": "its file cannot be opened",
    "readonly": "it can only be read",
    "malformed": "it is damaged",
    "not a database": "it is damaged",
    "disk i/o": "the disk fails",
    "connect call failed": "it cannot be reached",
    "connection refused": "it cannot be reached",
    "connection reset": "it cannot be reached",
    "connection was closed": "it cannot be reached",
    "connection is closed": "it cannot be reached",
    "no such file": "it cannot be reached",
    "terminating connection": "it cannot be reached",
    "cannot switch to state": "it cannot be reached",  # asyncpg, of a connection that just broke
    "starting up": "it cannot be reached",
    "shutting down": "it cannot be reached",
    "in recovery": "it cannot be reached",
    "timeouterror": "it does not answer",
    "read-only transaction": "it can only be read",
}


def public_reason(error: StoreError) -> str:
    """Why the database fails, in a few words that say nothing about this machine.

    >>> public_reason(StoreError("the event log failed: database or disk is full"))
    'the disk is full'
    """
    text = str(error).lower()
    return next((reason for part, reason in _REASONS.items() if part in text), "it fails")
