"""Find tables by state and age, and those with a running clock."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the index, and a mark for tables with a clock, which their first event names."""
    op.add_column("tables", sa.Column("clock", sa.Boolean, nullable=False, server_default="0"))
    op.create_index("tables_by_state", "tables", ["state", "updated"])
    bind = op.get_bind()
    tables = sa.table("tables", sa.column("id"), sa.column("clock"))
    events = sa.table("events", sa.column("table_id"), sa.column("version"), sa.column("data"))
    first = sa.select(events.c.table_id, events.c.data).where(events.c.version == 1)
    for table_id, data in bind.execute(first).all():
        clock = json.loads(data)["options"].get("clock_seconds") is not None
        bind.execute(sa.update(tables).where(tables.c.id == table_id).values(clock=clock))
