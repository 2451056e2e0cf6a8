"""The event log of all tables."""

from triomino.packages import require_packages

require_packages("triomino.store", "aiosqlite", "alembic", "platformdirs", "sqlalchemy")
