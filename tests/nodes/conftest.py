"""A PostgreSQL server for all tests of a worker, and a database for each."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from tools.services import Postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

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
def database(shared_postgres: Postgres) -> str:
    """The address of an empty database."""
    return shared_postgres.create(f"test{next(_NUMBERS)}")
