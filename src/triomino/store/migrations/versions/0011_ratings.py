"""Add the queue of those who want to play now, and ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the queue, how long people waited, rated matches, and what they add up to."""
    op.create_table(
        "waiting",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("bots", sa.Boolean, nullable=False),
        sa.Column("table_id", sa.String(40)),
        sa.Column("paired", sa.BigInteger),
    )
    op.create_index("waiting_by_table", "waiting", ["table_id"])
    op.create_table(
        "waits",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("waited", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "rated_matches",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("number", sa.BigInteger, unique=True),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary),
    )
    op.create_table(
        "ratings",
        sa.Column("edition", sa.String(40), primary_key=True),
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
    )
    op.create_index("ratings_by_person", "ratings", ["person"])
    op.create_table(
        "rating_changes",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("before", sa.Double, nullable=False),
    )
    op.create_index("rating_changes_by_table", "rating_changes", ["table_id"])
    op.create_table("off_board", sa.Column("person", sa.String(40), primary_key=True))
