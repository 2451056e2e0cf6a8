"""What tests of several servers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tools.services import Valkey

from tests.postgres import empty_postgres, shared_postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["database", "empty_postgres", "shared_postgres", "valkey"]


@pytest.fixture
def database(empty_postgres: str) -> str:
    """The address of an empty database."""
    return empty_postgres


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    """A bus of the test's own, which it may stop."""
    server = Valkey()
    try:
        server.start()
        yield server
    finally:
        server.remove()
