"""Migrating a database to today's schema: the revisions in ``migrations/``, run by Alembic.

Servers of two versions may run on one PostgreSQL database while a host replaces them one by one.
Therefore a migration only adds: tables, and columns that may be left out. One that takes away or
changes the meaning of something raises :data:`OLDEST` to its own number; then the servers of older
versions have to be stopped first. Every start checks both.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from sqlalchemy import inspect

if TYPE_CHECKING:
    from sqlalchemy import Connection


OLDEST: Final = "0007"
"""The oldest revision whose programs may run beside today's on one database."""


class NewerDatabaseError(Exception):
    """The database was written by a newer version of this program."""


class ContractingError(Exception):
    """A migration takes something away without raising :data:`OLDEST`."""


_NOTE: Final = "oldest program: "


def newest_revision() -> str:
    """The revision of a database that is up to date."""
    scripts = files("triomino.store.migrations.versions").iterdir()
    return max(one.name for one in scripts if one.name.endswith(".py")).partition("_")[0]


def upgrade(connection: Connection) -> None:
    """Run the missing migrations, all of them or none."""
    found, newest = _revision(connection), newest_revision()
    if found == newest:
        return  # the usual case; Alembic takes longer to import than a server to start
    if found is not None and found > newest and _oldest(connection) <= newest:
        return  # another server is newer, and what it has added is none of our concern
    before = _columns(connection) if found is not None and found >= OLDEST else {}
    _migrate(connection)
    if why := _why_not_beside(before, connection):
        raise ContractingError(f"older servers could not go on: {why}")
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS '{_NOTE}{OLDEST}'")


def _migrate(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "triomino.store:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        if "locate revision" in str(error):
            raise NewerDatabaseError("it was written by a newer version of this program") from error
        raise


def _oldest(connection: Connection) -> str:
    """The oldest revision whose programs may use a database; that of SQLite is one server's own."""
    note: str | None = None
    if connection.dialect.name == "postgresql":
        note = inspect(connection).get_table_comment("alembic_version")["text"]
    return note.removeprefix(_NOTE) if note and note.startswith(_NOTE) else "9" * 9


def _columns(connection: Connection) -> dict[str, dict[str, bool]]:
    """The columns of each table, and whether a new row may leave them out."""
    seen = inspect(connection)
    return {
        table: {
            str(column["name"]): bool(column["nullable"]) or column["default"] is not None
            for column in seen.get_columns(table)
        }
        for table in seen.get_table_names()
    }


def _why_not_beside(before: dict[str, dict[str, bool]], connection: Connection) -> str | None:
    """What programs that know the tables *before* would miss, or not fill; ``None`` if nothing."""
    after = _columns(connection) if before else {}
    for table, columns in before.items():
        gone = sorted(set(columns) - set(after.get(table, {})))
        if gone:
            return f"{table}.{gone[0]} is gone"
        for name, may_miss in after[table].items():
            if name not in columns and not may_miss:
                return f"{table}.{name} cannot be left out"
    return None


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)
