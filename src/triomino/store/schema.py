"""The tables of the database: game tables, events, keys, analyses, sheets, evenings, pushes."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
)

metadata: Final = MetaData()

tables: Final = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("state", String(10), nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("address", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("clock", Boolean, nullable=False, server_default="0"),
    Index("tables_by_state", "state", "updated"),
)
"""One row per game table, for queries; everything else is in its events."""

events: Final = Table(
    "events",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""The log. The primary key lets one of two writers of the same version win."""

keys: Final = Table(
    "keys",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("made", BigInteger, nullable=False),
)
"""Private keys of the server by their purpose; a backup has them, too."""

analyses: Final = Table(
    "analyses",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("form", Integer, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Index("analyses_by_time", "made"),
)
"""Analyses of matches, under the id of a table or the digest of a record."""

pads: Final = Table(
    "pads",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("secret", String(64), nullable=False),
    Column("address", String(64), nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("pads_by_address", "address", "updated"),
)
"""Live sheets: the digest of the secret that may write, and when it last did."""

pad_acts: Final = Table(
    "pad_acts",
    metadata,
    Column("pad_id", String(40), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""The steps of live sheets, in order."""

clubs: Final = Table(
    "clubs",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("address", String(64), nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("clubs_by_address", "address", "updated"),
)
"""Club evenings: where each was opened from, and when something last happened there."""

club_events: Final = Table(
    "club_events",
    metadata,
    Column("club_id", String(40), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""The logs of club evenings. Of two writers of the same version one wins, as at tables."""

push_subscriptions: Final = Table(
    "push_subscriptions",
    metadata,
    Column("device", String(64), primary_key=True),
    Column("endpoint", String(800), nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(10), nullable=False),
    Column("wishes", String(60), nullable=False),
    Column("quiet", String(20), nullable=False),
    Column("address", String(64), nullable=False),
    Column("made", BigInteger, nullable=False),
    Index("push_subscriptions_by_address", "address"),
)
"""Where browsers that are closed can be told something, and what they wish to be told."""

push_notes: Final = Table(
    "push_notes",
    metadata,
    Column("device", String(64), primary_key=True),
    Column("table_id", String(40), primary_key=True),
    Column("kind", String(10), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("due", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Index("push_notes_by_time", "due"),
)
"""What is still to be told, and when. The primary key lets nothing be told twice."""
