"""A PostgreSQL server for all tests of a worker, and a database for each: fixtures to import."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from tools.services import Postgres, program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def shared_postgres() -> Iterator[Postgres]:
    """One that no test stops."""
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def empty_postgres(shared_postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty database; the programs of PostgreSQL are found."""
    folder = program("pg_dump").parent
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return shared_postgres.create(f"test{next(_NUMBERS)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def data(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a server of a test stores its tables: each test runs on both kinds of database."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    where: str = request.getfixturevalue("empty_postgres")
    return where
