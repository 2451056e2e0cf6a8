"""An insert that leaves alone what is there already, in the words of each kind of database."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection


def insert_or_nothing(connection: AsyncConnection, table: Table) -> Any:
    """An insert into *table* that does nothing about rows whose key is there."""
    dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    return dialect.insert(table).on_conflict_do_nothing()
