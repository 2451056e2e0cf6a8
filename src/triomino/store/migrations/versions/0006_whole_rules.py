"""Write every rule out where tables and score pads are set up, and give levels their new names.

Until here an edition and what differed from it were stored, so a change of an edition would have
changed the games that were under way. A step of the log that cannot be read is left as it is, and
the log says where: one damaged table does not keep a server from starting.
"""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from triomino.legacy import bot_1, pad_act_1, rules_json_1

revision = "0006"
down_revision = "0005"

BATCH = 1000

log = logging.getLogger("triomino.server")

Json = dict[str, Any]


def upgrade() -> None:
    """Rewrite the events and the steps that hold rules or name a level."""
    events = sa.table(
        "events",
        sa.column("table_id", sa.String),
        sa.column("version", sa.BigInteger),
        sa.column("data", sa.LargeBinary),
    )
    acts = sa.table(
        "pad_acts",
        sa.column("pad_id", sa.String),
        sa.column("number", sa.Integer),
        sa.column("data", sa.LargeBinary),
    )
    # The type of an event was always written first, and the keys of a step in their order.
    _rewrite(events, "table", _event, [b'{"type":"created"', b'{"type":"bot_took"'], _compact)
    _rewrite(acts, "pad", pad_act_1, [b'{"do":"setup"', b'{"do":"correct"'], _in_order)


def _event(event: Json) -> Json:
    if event["type"] == "bot_took":
        return {**event, "bot": bot_1(event["bot"])}
    options = event["options"]
    seats = [
        seat if seat.get("bot") is None else {**seat, "bot": bot_1(seat["bot"])}
        for seat in options["seats"]
    ]
    # A table that was set up without rules was classic.
    rules = rules_json_1(options.get("rules", "classic"))
    return {**event, "options": {**options, "seats": seats, "rules": rules}}


def _rewrite(
    table: sa.TableClause,
    what: str,
    change: Callable[[Json], Json],
    beginnings: list[bytes],
    write: Callable[[Json], bytes],
) -> None:
    """Change the rows whose data begin so, some at a time."""
    bind = op.get_bind()
    name, number, _ = table.columns
    update = (
        sa.update(table)
        .where(name == sa.bindparam("of"), number == sa.bindparam("at"))
        .values(data=sa.bindparam("new", type_=sa.LargeBinary))
    )
    for rows in _batches(bind, table, beginnings):
        changed = []
        for one, at, old in rows:
            try:
                new = write(change(json.loads(bytes(old))))
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
                # What it holds, seeds among it, is for no log.
                facts = {what: one, "number": at, "error": type(error).__name__}
                log.warning("left as it was: cannot be brought up to date", extra={"facts": facts})
            else:
                changed.append({"of": one, "at": at, "new": new})
        if changed:
            bind.execute(update, changed)


def _batches(
    bind: sa.Connection, table: sa.TableClause, beginnings: list[bytes]
) -> Iterator[list[Any]]:
    """The rows whose data begin so, in the order of their key."""
    name, number, data = table.columns
    begins = [
        sa.func.substr(data, 1, len(text), type_=sa.LargeBinary) == sa.literal(text, sa.LargeBinary)
        for text in beginnings
    ]
    query = sa.select(name, number, data).where(sa.or_(*begins)).order_by(name, number)
    last: tuple[str, int] | None = None
    while True:
        after = query
        if last is not None:
            after = query.where(sa.tuple_(name, number) > last)
        rows = list(bind.execute(after.limit(BATCH)))
        if rows:
            yield rows
        if len(rows) < BATCH:
            return
        last = rows[-1][0], rows[-1][1]


def _compact(value: Json) -> bytes:
    """JSON as events are stored."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _in_order(value: Json) -> bytes:
    """JSON as the steps of pads are stored: in the order of the keys."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
