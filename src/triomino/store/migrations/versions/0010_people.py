"""Add tables for people: profiles, their devices and keys, marks, reports and bans."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add profiles, and what hosts decide about people."""
    _add_profiles()
    _add_decency()


def _add_profiles() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("face", sa.String(20), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("deleted", sa.BigInteger, nullable=True),
    )
    op.create_table(
        "person_devices",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(20), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("removed", sa.BigInteger, nullable=True),
    )
    op.create_index("person_devices_by_person", "person_devices", ["person"])
    op.create_index("person_devices_by_removal", "person_devices", ["removed"])
    op.create_table(
        "person_keys",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(20), nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.create_index("person_keys_by_person", "person_keys", ["person"])
    op.create_table(
        "person_secrets",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=True),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=True),
        sa.Column("used", sa.BigInteger, nullable=True),
    )
    op.create_index("person_secrets_by_person", "person_secrets", ["person"])


def _add_decency() -> None:
    op.create_table(
        "person_marks",
        sa.Column("person", sa.String(20), primary_key=True),
        sa.Column("other", sa.String(20), primary_key=True),
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.create_index("person_marks_by_other", "person_marks", ["other"])
    op.create_table(
        "person_games",
        sa.Column("person", sa.String(20), primary_key=True),
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=True),
    )
    op.create_index("person_games_by_time", "person_games", ["person", "at"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("reporter", sa.String(20), nullable=False),
        sa.Column("about", sa.String(20), nullable=False),
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("handled", sa.BigInteger, nullable=True),
    )
    op.create_index("reports_by_time", "reports", ["at"])
    op.create_index("reports_by_reporter", "reports", ["reporter", "at"])
    op.create_table(
        "bans",
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("subject", sa.String(64), primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
