"""Copies of a PostgreSQL database: dumps, and a new database from one, by its own programs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any, Final

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.engine import URL, make_url

from triomino.store.failure import StoreError, first_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

PAGE: Final = 500
"""Rows that are read at a time."""

CONNECT_SECONDS: Final = 10.0

MAGIC: Final = b"PGDMP"
"""How a dump begins."""


def plain(url: URL, *, with_password: bool = True) -> str:
    """A URL as PostgreSQL itself understands it.

    >>> plain(make_url("postgresql+asyncpg://ann:secret@db/tables?ssl=require"))
    'postgresql://ann:secret@db/tables?sslmode=require'
    """
    query = {"sslmode" if name == "ssl" else name: value for name, value in url.query.items()}
    password = url.password if with_password else None
    url = URL.create("postgresql", url.username, password, url.host, url.port, url.database, query)
    return url.render_as_string(hide_password=False)


def for_sqlalchemy(where: str) -> URL:
    """A URL as SQLAlchemy and its driver understand it.

    >>> str(for_sqlalchemy("postgresql://ann@db/tables?sslmode=require"))
    'postgresql+asyncpg://ann@db/tables?ssl=require'
    """
    url = make_url(where)
    query = {"ssl" if name == "sslmode" else name: value for name, value in url.query.items()}
    return url.set(drivername="postgresql+asyncpg", query=query)


def public_name(where: str) -> str:
    """A URL without its password.

    >>> public_name("postgresql+asyncpg://ann:secret@db/tables")
    'postgresql://ann@db/tables'
    """
    return plain(make_url(where), with_password=False)


def dump(url: URL, path: Path) -> None:
    """Write a consistent copy of a database to a file, which only its owner can read."""
    path.touch(mode=0o600)
    _run("pg_dump", url, "--format=custom", f"--file={path}")


class Snapshot:
    """A database as it is at one moment, to be read whole while others write."""

    def __init__(self, where: str) -> None:
        self._runner = asyncio.Runner()
        try:
            self._runner.run(self._open(where))
        except BaseException:
            self._runner.close()
            raise

    async def _open(self, where: str) -> None:
        with _errors("the database cannot be opened"):
            self._connection: Any = await asyncpg.connect(
                plain(make_url(where)), timeout=CONNECT_SECONDS
            )
            self._moment = self._connection.transaction(isolation="repeatable_read", readonly=True)
            await self._moment.start()

    def execute(self, query: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, with few of them in memory at a time."""
        with _errors("the database cannot be read"):
            cursor = self._runner.run(self._cursor(query))
            while page := self._runner.run(cursor.fetch(PAGE)):
                yield from map(tuple, page)

    async def _cursor(self, query: str) -> Any:
        return await self._connection.cursor(query)

    def close(self) -> None:
        """Give up the connection."""
        with contextlib.suppress(Exception):
            self._runner.run(self._connection.close())
        self._runner.close()


# --- Restoring -----------------------------------------------------------------------------------


def load(backup: Path, where: str, name: str) -> str:
    """Make a database *name* from a dump, on the server of the database *where*; return its URL."""
    if not backup.is_file():
        raise StoreError(f"there is no backup {backup}")
    with backup.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise StoreError(
                f"{backup} is no backup of PostgreSQL; to bring the tables of a SQLite database "
                "there, use triomino host move"
            )
    url = make_url(where).set(database=name)
    asyncio.run(_tell(where, f"CREATE DATABASE {_quoted(name)}"))
    try:
        _run("pg_restore", url, "--no-owner", "--no-privileges", "--exit-on-error", str(backup))
    except BaseException:
        drop(where, name)
        raise
    return url.render_as_string(hide_password=False)


def drop(where: str, name: str) -> None:
    """Delete the database *name* on the server of *where*."""
    asyncio.run(_tell(where, f"DROP DATABASE IF EXISTS {_quoted(name)}"))


def swap(where: str, new: str, kept: str) -> bool:
    """Rename the database *where* to *kept* and *new* to it, both or neither.

    Return whether there was one. Nobody may be connected to either.
    """

    async def work() -> bool:
        old = str(make_url(where).database)
        async with _beside(where) as connection, connection.transaction():
            there = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", old)
            if there:
                others = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1"
                if await connection.fetchval(others, old):
                    raise StoreError(f"{public_name(where)} is in use; stop all servers first")
                await connection.execute(f"ALTER DATABASE {_quoted(old)} RENAME TO {_quoted(kept)}")
            await connection.execute(f"ALTER DATABASE {_quoted(new)} RENAME TO {_quoted(old)}")
        return bool(there)

    return asyncio.run(work())


async def _tell(where: str, statement: str) -> None:
    async with _beside(where) as connection:
        await connection.execute(statement)


@contextlib.asynccontextmanager
async def _beside(where: str) -> AsyncIterator[Any]:
    """A connection to the server of a database, but not to the database itself."""
    with _errors("the databases of the server cannot be changed"):
        url = plain(make_url(where).set(database="postgres"))
        if make_url(where).database == "postgres":
            url = plain(make_url(where).set(database="template1"))
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
        try:
            yield connection
        finally:
            await connection.close()


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


@contextlib.contextmanager
def _errors(what: str) -> Iterator[None]:
    try:
        yield
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise StoreError(f"{what}: {first_line(error)}") from error


def _run(name: str, url: URL, *options: str) -> None:
    """Run a program of PostgreSQL on a database; the password is on no command line."""
    program = shutil.which(name)
    if program is None:
        raise StoreError(
            f"{name} is missing; install the client programs of PostgreSQL "
            "(on Debian: apt-get install postgresql-client)"
        )
    address = plain(url, with_password=False)
    secret = {"PGPASSWORD": str(url.password)} if url.password else {}
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL, without a shell
        [program, f"--dbname={address}", *options],
        env=os.environ | secret,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        why = done.stderr.strip().partition("\n")[0] or f"{name} failed"
        raise StoreError(f"the database cannot be copied: {why}")
