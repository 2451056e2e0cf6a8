"""Add a table for analyses of matches."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "analyses",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("form", sa.Integer, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_index("analyses_by_time", "analyses", ["made"])
