"""Migrating a database to today's schema: the revisions in ``migrations/``, run by Alembic."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import inspect

if TYPE_CHECKING:
    from sqlalchemy import Connection


class NewerDatabaseError(Exception):
    """The database was written by a newer version of this program."""


def newest_revision() -> str:
    """The revision of a database that is up to date."""
    scripts = files("triomino.store.migrations.versions").iterdir()
    return max(one.name for one in scripts if one.name.endswith(".py")).partition("_")[0]


def upgrade(connection: Connection) -> None:
    """Run the missing migrations, all of them or none."""
    if _revision(connection) == newest_revision():
        return  # the usual case; Alembic takes longer to import than a server to start
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


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)
