"""Reading cells of the database that may be damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import type_coerce
from sqlalchemy.types import NullType

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement


def untyped(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column as it is stored: a damaged value does not fail the query for all other rows."""
    return type_coerce(column, NullType())


def cell_bytes(value: object) -> bytes:
    """The content of a cell; nothing if it is of a kind that was never written."""
    if isinstance(value, str):
        return value.encode(errors="surrogatepass")
    return bytes(value) if isinstance(value, bytes | memoryview) else b""
