"""The signing key: made once, the same for every server on a database, and in its backup."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from triomino.store.keys import KeyStore
from triomino.store.log import EventLog

if TYPE_CHECKING:
    from pathlib import Path


def test_of_servers_that_start_together_all_get_the_same_key(tmp_path: Path) -> None:
    async def main() -> None:
        path = tmp_path / "tables.db"
        logs = [await EventLog.open(path) for _ in range(4)]
        made = await asyncio.gather(
            *(KeyStore(log).get(bytes([number]) * 32, 1) for number, log in enumerate(logs))
        )
        assert len(set(made)) == 1
        assert await KeyStore(logs[0]).get(bytes(32), 2) == made[0]
        copy = tmp_path / "copy.db"
        await logs[0].backup(copy)
        for log in logs:
            await log.close()
        restored = await EventLog.open(copy)
        assert await KeyStore(restored).get(b"x" * 32, 3) == made[0]
        await restored.close()
        assert copy.stat().st_mode & 0o077 == 0

    asyncio.run(main())
