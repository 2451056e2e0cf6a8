"""The tables of the database: game tables, events, keys, analyses, sheets, evenings and so on."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
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

people: Final = Table(
    "people",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("face", String(20), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("deleted", BigInteger, nullable=True),
)
"""Profiles. One that was deleted keeps its row, without a name, so that its seats are nobody's."""

person_devices: Final = Table(
    "person_devices",
    metadata,
    Column("device", String(64), primary_key=True),
    Column("person", String(20), nullable=False),
    Column("label", String(40), nullable=False),
    Column("address", String(64), nullable=False),
    Column("joined", BigInteger, nullable=False),
    Column("removed", BigInteger, nullable=True),
    Index("person_devices_by_person", "person"),
    Index("person_devices_by_removal", "removed"),
)
"""The digests of the devices of profiles. One that was removed is refused everywhere."""

person_keys: Final = Table(
    "person_keys",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("person", String(20), nullable=False),
    Column("credential", LargeBinary, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("made", BigInteger, nullable=False),
    Index("person_keys_by_person", "person"),
)
"""Passkeys by the digest of their id."""

person_secrets: Final = Table(
    "person_secrets",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("person", String(20), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("hash", LargeBinary, nullable=True),
    Column("made", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=True),
    Column("used", BigInteger, nullable=True),
    Index("person_secrets_by_person", "person"),
)
"""Links that let a device join, by their digest; recovery phrases by a keyed look-up."""

person_marks: Final = Table(
    "person_marks",
    metadata,
    Column("person", String(20), primary_key=True),
    Column("other", String(20), primary_key=True),
    Column("kind", String(10), primary_key=True),
    Column("made", BigInteger, nullable=False),
    Index("person_marks_by_other", "other"),
)
"""Whom a person has muted or blocked."""

person_games: Final = Table(
    "person_games",
    metadata,
    Column("person", String(20), primary_key=True),
    Column("id", String(80), primary_key=True),
    Column("kind", String(10), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=True),
    Index("person_games_by_time", "person", "at"),
)
"""The tables that a person played at, and the games and pads that were uploaded."""

reports: Final = Table(
    "reports",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("reporter", String(20), nullable=False),
    Column("about", String(20), nullable=False),
    Column("table_id", String(40), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("reason", String(20), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("handled", BigInteger, nullable=True),
    Index("reports_by_time", "at"),
    Index("reports_by_reporter", "reporter", "at"),
)
"""What people have reported to the host."""

bans: Final = Table(
    "bans",
    metadata,
    Column("kind", String(10), primary_key=True),
    Column("subject", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("made", BigInteger, nullable=False),
)
"""People, devices and addresses (by their digests) that are refused until a time."""

waiting: Final = Table(
    "waiting",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("device", String(64), nullable=False),
    Column("name", String(40), nullable=False),
    Column("edition", String(40), nullable=False),
    Column("players", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("bots", Boolean, nullable=False),
    Column("table_id", String(40)),
    Column("paired", BigInteger),
    Index("waiting_by_table", "table_id"),
)
"""Who waits to play now, or plays at the table that came of it. The primary key gives everybody one
place, on however many devices and servers they ask for it."""

waits: Final = Table(
    "waits",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("at", BigInteger, primary_key=True, autoincrement=False),
    Column("edition", String(40), nullable=False),
    Column("players", Integer, nullable=False),
    Column("waited", BigInteger, nullable=False),
)
"""How long people waited lately, from which the next ones are told how long it may take."""

rated_matches: Final = Table(
    "rated_matches",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("number", BigInteger, unique=True),
    Column("edition", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("data", LargeBinary),
)
"""Rated matches; without a number while they are played. The numbers are the order in which results
count: the unique one lets servers add them one after the other, and each match once."""

ratings: Final = Table(
    "ratings",
    metadata,
    Column("edition", String(40), primary_key=True),
    Column("person", String(40), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Index("ratings_by_person", "person"),
)
"""What the rated matches add up to; computed again by ``triomino host ratings``."""

rating_changes: Final = Table(
    "rating_changes",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("edition", String(40), nullable=False),
    Column("table_id", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("before", Double, nullable=False),
    Index("rating_changes_by_table", "table_id"),
)
"""What each rated match made of the rating of a person."""

off_board: Final = Table(
    "off_board",
    metadata,
    Column("person", String(40), primary_key=True),
)
"""People who do not want to be on leaderboards."""
