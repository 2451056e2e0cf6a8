"""Club evenings: one row an evening, one row for everything that happened there."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the two tables."""
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
    )
    op.create_index("clubs_by_address", "clubs", ["address", "updated"])
    op.create_table(
        "club_events",
        sa.Column("club_id", sa.String(40), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
