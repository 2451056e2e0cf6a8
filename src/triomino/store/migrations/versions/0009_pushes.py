"""Add tables for telling browsers that are closed."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add where to tell, and what is still to be told."""
    op.create_table(
        "push_subscriptions",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("endpoint", sa.String(800), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("language", sa.String(10), nullable=False),
        sa.Column("wishes", sa.String(60), nullable=False),
        sa.Column("quiet", sa.String(20), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.create_index("push_subscriptions_by_address", "push_subscriptions", ["address"])
    op.create_table(
        "push_notes",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("due", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_index("push_notes_by_time", "push_notes", ["due"])
