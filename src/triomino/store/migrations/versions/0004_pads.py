"""Score pads that others look at: one row a pad, one row for every step written on it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the two tables."""
    op.create_table(
        "pads",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
    )
    op.create_index("pads_by_address", "pads", ["address", "updated"])
    op.create_table(
        "pad_acts",
        sa.Column("pad_id", sa.String(40), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
