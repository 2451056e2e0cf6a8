"""Find tables by state and age, and those with a running clock."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the index, and a mark for tables with a clock."""
    op.add_column("tables", sa.Column("clock", sa.Boolean, nullable=False, server_default="0"))
    op.create_index("tables_by_state", "tables", ["state", "updated"])
