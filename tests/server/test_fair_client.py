"""The client takes part in the deals by itself, and keeps its seed from a server that lies."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.server.harness import in_loop, serving, until
from triomino.claims import Case, Own, Receipt, judge_deals
from triomino.client import RemotePlayer, play_bot
from triomino.client.fair_play import FairPlay, why_not_reveal
from triomino.protocol.api import TableSummary
from triomino.record import match_from

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.harness import Served
    from triomino.protocol.messages import Choice, State

SHORT = {"edition": "casual", "racks": {"2": 3}, "target": 1}


def first(choices: list[Choice], _: State) -> str:
    return choices[0].move


async def pair(served: Served, **options: Any) -> tuple[str, RemotePlayer, RemotePlayer]:
    """Two people who sit at a table, each with a device that takes part."""
    ann, ben = served.player(takes_part=True), served.player(takes_part=True)
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "link"}]
    table = await ann.create(seats, **options)
    await ben.sit(table, "Ben")
    for player in (ann, ben):
        await player.enter(table)
    return table, ann, ben


@in_loop
async def test_two_devices_take_part_and_so_they_do_in_the_rematch(tmp_path: Path) -> None:
    async with serving(tmp_path, reveal_seconds=60) as served:
        table, ann, ben = await pair(served, rules=SHORT)
        for number in range(2):
            if number:
                table = await ann.rematch(table)
                await ann.enter(table)
                await ben.enter(table)
                exchange = served.hub.tables[table].table.exchange
                await until(lambda it=exchange: len(it.commitments) == 2)  # type: ignore[misc]
            await ann.start(table)
            await asyncio.gather(play_bot(ann, first), play_bot(ben, first))
            match = match_from(await ann.record(table))
            for player in (ann, ben):
                assert player.fair is not None
                receipt = player.fair.receipts[table]
                assert receipt.signature is not None
                claims = judge_deals(match, receipt)
                assert (claims.case, claims.own) == (Case.ALL, Own.TOOK_PART)
        assert ann.fair is not None
        assert len({receipt.seed for receipt in ann.fair.receipts.values()}) == 2


@in_loop
async def test_one_s_own_bot_starts_without_a_socket(tmp_path: Path) -> None:
    async with serving(tmp_path, reveal_seconds=60) as served:
        ann = served.player(takes_part=True)
        table = await ann.create([{"kind": "here"}, {"kind": "bot", "bot": "easy"}])
        await ann.start(table)
        assert served.hub.tables[table].table.state == "playing"
        assert None not in served.hub.tables[table].table.exchange.device_seeds


@in_loop
async def test_receipts_are_kept_in_a_folder_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "receipts"
    async with serving(tmp_path, reveal_seconds=60) as served:
        seats = [{"kind": "here"}, {"kind": "bot", "bot": "easy"}]
        async with RemotePlayer(served.url, receipts=folder) as ann:
            table = await ann.create(seats)
            secret = ann.secret
        # The same device, started again, goes on with the seed it committed to.
        async with RemotePlayer(served.url, secret, receipts=folder) as ann:
            await ann.start(table)
        file = folder / f"{table}.json"
        receipt = Receipt.read(file.read_bytes())
        assert receipt.revealed
        assert receipt.signature is not None
        assert served.hub.tables[table].table.exchange.device_seeds == (receipt.seed,)
        assert file.stat().st_mode & 0o077 == 0
        assert folder.stat().st_mode & 0o077 == 0
    assert FairPlay(folder).receipt("../etc/passwd") is None


def opened(tmp_path: Path) -> tuple[Receipt, TableSummary]:
    """What a device noted down when it committed, and what it sees when it is asked to reveal."""

    async def main() -> tuple[Receipt, TableSummary]:
        async with serving(tmp_path, reveal_seconds=60) as served:
            table, ann, ben = await pair(served)
            assert ann.fair is not None
            assert ben.fair is not None
            receipt = ann.fair.receipts[table]
            ann.fair = ben.fair = None  # they reveal nothing by themselves
            await ann.start(table)
            seen = await ann.request("GET", f"/api/tables/{table}")
            return receipt, msgspec.convert(seen, TableSummary)

    return asyncio.run(main())


def test_a_device_reveals_nothing_to_a_server_that_says_other_things(tmp_path: Path) -> None:
    receipt, seen = opened(tmp_path)
    assert why_not_reveal(receipt, seen) is None
    fair, change = seen.fair, msgspec.structs.replace
    lies: dict[str, tuple[TableSummary, str]] = {
        "commitment": (change(seen, fair=change(fair, commitment="0" * 64)), "another commitment"),
        "key": (change(seen, fair=change(fair, public_key="0" * 64)), "another commitment or key"),
        "rules": (change(seen, rules={"edition": "classic", "bridge_bonus": 41}), "not what the"),
        "seats": (change(seen, fair=change(fair, seats=fair.seats[::-1])), "malformed"),
        "listing": (change(seen, you=[1]), "not listed for its seats"),
        "signature": (change(seen, fair=change(fair, opening_signature="0" * 128)), "not signed"),
        "none": (change(seen, fair=change(fair, opening_signature=None)), "not signed"),
        "text": (change(seen, fair=change(fair, opening=f"{fair.opening}x")), "not what the"),
        "bots": (
            change(seen, seats=[seen.seats[0], change(seen.seats[1], kind="bot", bot="easy")]),
            "people and bots",
        ),
    }
    for lie, (told, why) in lies.items():
        assert why in str(why_not_reveal(receipt, told)), lie
    other = replace(receipt, commitment="1" * 64)
    assert "is not listed" in str(why_not_reveal(other, seen))
    before = replace(receipt, opening="triomino fair/2 opening\n")
    assert "another opening than before" in str(why_not_reveal(before, seen))


def test_a_seed_is_revealed_once_and_to_one_opening(tmp_path: Path) -> None:
    receipt, seen = opened(tmp_path)
    fair = FairPlay()
    fair.receipts[receipt.table] = receipt
    lie = msgspec.structs.replace(seen.fair, opening_signature="0" * 128)
    assert fair.reveal(msgspec.structs.replace(seen, fair=lie)) is None
    assert "not signed" in fair.refusals[receipt.table]
    assert fair.reveal(seen) == receipt.seed
    assert fair.reveal(seen) is None
    assert json.dumps(fair.receipts[receipt.table].to_json())


@pytest.mark.parametrize("state", ["opening", "playing"])
def test_nobody_commits_late(tmp_path: Path, state: str) -> None:
    _, seen = opened(tmp_path)
    late = msgspec.structs.replace(seen, state=state)
    assert FairPlay().commit(late) is None
