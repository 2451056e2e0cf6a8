"""A log without gaps: an event follows the one before it, or begins its table.

Without this, a server that still has a deleted table in memory could go on writing its events.
"""

from alembic import op

revision = "0003"
down_revision = "0002"

_GAP = (
    "NEW.version > 1 AND NOT EXISTS (SELECT 1 FROM events"
    " WHERE table_id = NEW.table_id AND version = NEW.version - 1)"
)


def upgrade() -> None:
    """Leave out an event whose predecessor is missing, as one whose version is there already."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER events_in_order BEFORE INSERT ON events"
            f" WHEN {_GAP} BEGIN SELECT RAISE(IGNORE); END"
        )
        return
    op.execute(
        "CREATE FUNCTION triomino_in_order() RETURNS trigger LANGUAGE plpgsql AS $$"
        f" BEGIN IF {_GAP} THEN RETURN NULL; END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER events_in_order BEFORE INSERT ON events"
        " FOR EACH ROW EXECUTE FUNCTION triomino_in_order()"
    )
