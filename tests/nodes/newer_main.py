"""``python -m tests.nodes.newer_main serve …``: a server of a version that is not written yet.

It has one migration more, in the folder ``NEWER``, and tells notices of a kind that today's servers
do not know.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

from alembic.script import ScriptDirectory
from msgspec import Struct

from triomino.server import bus
from triomino.store import upgrade

if TYPE_CHECKING:
    from alembic.config import Config

TODAY = upgrade.newest_revision()
NUMBER = f"{int(TODAY) + 1:04}"

ADDS = f"""
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{NUMBER}", "{TODAY}"


def upgrade():
    op.create_table("leagues", sa.Column("id", sa.String(40), primary_key=True))
    op.add_column("tables", sa.Column("league", sa.String(40)))
"""
"""A migration that leaves older servers alone."""

TAKES = (
    ADDS
    + """    op.drop_column("tables", "address")
"""
)


class Rated(Struct, frozen=True, array_like=True, tag="zz"):
    """What no server of today knows."""

    table: str


def become_newer(folder: Path) -> None:
    """Let this process have the migrations of *folder*, too."""
    upgrade.newest_revision = lambda: NUMBER
    read = ScriptDirectory.from_config

    def read_more(config: Config) -> ScriptDirectory:
        scripts = read(config)
        scripts.version_locations = [str(Path(scripts.dir, "versions")), str(folder)]
        return scripts

    ScriptDirectory.from_config = read_more  # type: ignore[method-assign]
    pack = bus.pack
    bus.pack = lambda node, notices: pack(node, [Rated("t"), *notices])  # type: ignore[list-item]


if __name__ == "__main__":
    become_newer(Path(os.environ["NEWER"]))
    runpy.run_module("tests.server.process_main", run_name="__main__")
