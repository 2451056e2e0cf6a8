"""What tests of several servers share."""

from __future__ import annotations

import pytest

from tests.postgres import empty_postgres, shared_postgres

__all__ = ["database", "empty_postgres", "shared_postgres"]


@pytest.fixture
def database(empty_postgres: str) -> str:
    """The address of an empty database."""
    return empty_postgres
