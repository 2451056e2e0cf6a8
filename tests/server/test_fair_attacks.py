"""Attackers on the deal: each is refused, or what it did is shown.

The attacker is mostly the server itself, which knows every seed and has the key. Its victim is the
honest device 0, whose receipt is held against the record.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import in_loop, serving, until
from tests.server.test_seed_exchange import Devices, seed_of
from tests.test_fair2 import KEY, digest, receipt_of, record_with, share
from triomino.claims import Case, Own, Part, Receipt, judge_deals
from triomino.deal import Deal, deal
from triomino.errors import RecordError, TriominoError
from triomino.fair import Seeds
from triomino.fair2 import (
    FairSeat,
    Opening,
    SharedSeeds,
    device_commitment,
    rules_digest,
    server_commitment,
)
from triomino.match import Match, Player
from triomino.record import match_from, record_of
from triomino.rules import CLASSIC

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.rules import Rules

TWO = [FairSeat((0,)), FairSeat((1,))]
HONEST = share(TWO, [True, True])
VICTIM = receipt_of(HONEST, 0)


def signed(opening: Opening, server: str, seeds: tuple[str | None, ...]) -> SharedSeeds:
    """What a server signs that signs anything."""
    return SharedSeeds(
        opening, server, seeds, KEY.sign(opening.text), KEY.sign(opening.transcript(seeds))
    )


def dealt(shared: SharedSeeds, rules: Rules = CLASSIC) -> Deal:
    return deal(rules, len(shared.opening.seats), shared.round(1))


def is_wanted(start: Deal) -> bool:
    """A deal that the attacker likes: seat 1 gets the two highest tiles."""
    held = {str(tile) for tile in start.racks[1]}
    return {"5-5-5", "4-5-5"} <= held


# --- A server that tries seeds -------------------------------------------------------------------


def test_under_fair_1_a_server_finds_the_deal_it_wants() -> None:
    """What fair/2 is for: the record verifies, and says what that does not prove."""
    for number in itertools.count():
        seeds = Seeds(digest(f"try {number}"), ("c0ffee", ""))
        if is_wanted(deal(CLASSIC, 2, seeds.round(1))):
            break
    assert number > 3
    match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], seeds)
    assert judge_deals(match_from(record_of(match))).case is Case.OLD


def test_another_server_seed_does_not_fit_the_commitment() -> None:
    for number in range(200):
        with pytest.raises(TriominoError, match="not the commitment of this server seed"):
            replace(HONEST, server=digest(f"try {number}"))


def grind() -> SharedSeeds:
    """With another commitment, the server can have any deal, if it makes the victim's up."""
    for number in itertools.count():
        server = digest(f"try {number}")
        commitment = server_commitment("t", server)
        opening = replace(
            HONEST.opening,
            server=commitment,
            devices=tuple(device_commitment("t", commitment, digest(f"seed {n}")) for n in (0, 1)),
        )
        shared = signed(opening, server, (digest("seed 0"), digest("seed 1")))
        if is_wanted(dealt(shared)):
            return shared
    raise AssertionError("unreachable")


def test_a_ground_commitment_is_not_the_one_the_victim_saw() -> None:
    match = match_from(record_with(grind()))
    assert judge_deals(match).case is Case.ALL  # nobody but the victim can know
    with pytest.raises(RecordError, match="commitment: your device was shown another one"):
        judge_deals(match, VICTIM)


def test_with_the_victim_s_own_commitment_its_seed_does_not_fit_another_server_seed() -> None:
    """The commitment of a device contains that of the server."""
    server = digest("try 1")
    opening = replace(HONEST.opening, server=server_commitment("t", server))
    with pytest.raises(TriominoError, match="the seed of device 0 is not the one it committed to"):
        signed(opening, server, HONEST.seeds)


# --- A server that changes what was settled ------------------------------------------------------


def changed_openings() -> dict[str, Opening]:
    """What a server could change when it knows the seeds, to deal once more."""
    opening = HONEST.opening
    extra = device_commitment("t", opening.server, digest("sybil"))
    other = CLASSIC.with_changes({"bridge_bonus": 41})
    return {
        "rules": replace(opening, rules=rules_digest(other.to_json())),
        "a bot": replace(opening, seats=(*TWO, FairSeat(bot="easy"))),
        "a seat": replace(opening, seats=(*TWO, FairSeat())),
        "a device": replace(
            opening, seats=(TWO[0], FairSeat((1, 2))), devices=(*opening.devices, extra)
        ),
        "who sits where": replace(opening, seats=(FairSeat((0, 1)), FairSeat((1,)))),
    }


@pytest.mark.parametrize("what", changed_openings())
def test_a_second_opening_is_proof_of_cheating(what: str) -> None:
    opening = changed_openings()[what]
    seeds = HONEST.seeds + (digest("sybil"),) * (len(opening.devices) - 2)
    shared = signed(opening, HONEST.server, seeds)
    assert dealt(shared).racks != dealt(HONEST).racks  # there is something to gain
    rules = CLASSIC.with_changes({"bridge_bonus": 41}) if what == "rules" else CLASSIC
    match = match_from(record_with(shared, rules))
    with pytest.raises(RecordError, match="signed two openings for one table"):
        judge_deals(match, VICTIM)


def test_rules_that_change_after_the_opening_do_not_verify() -> None:
    record = record_with(HONEST)
    record["rules"]["bridge_bonus"] = 41
    with pytest.raises(RecordError, match="did not sign this opening"):
        judge_deals(match_from(record))


def test_a_second_transcript_is_proof_of_cheating() -> None:
    shared = signed(HONEST.opening, HONEST.server, (HONEST.seeds[0], None))
    match = match_from(record_with(shared))
    with pytest.raises(RecordError, match="signed two transcripts for one table"):
        judge_deals(match, VICTIM)


def test_what_another_key_signed_does_not_verify() -> None:
    """A server cannot disown its key in the record without failing everybody's check."""
    record = record_with(HONEST)
    record["fair"]["opening_signature"] = "00" * 64
    with pytest.raises(RecordError, match="opening_signature: the server's key did not sign"):
        judge_deals(match_from(record))
    record = record_with(HONEST)
    record["fair"]["signature"] = record["fair"]["opening_signature"]
    with pytest.raises(RecordError, match=r"fair.signature: the server's key did not sign"):
        judge_deals(match_from(record))


# --- Withholding ---------------------------------------------------------------------------------


@pytest.mark.parametrize("colluders", [1, 3])
def test_who_colludes_with_the_server_chooses_among_few_deals_and_is_seen(colluders: int) -> None:
    """Two to the power of those who withhold; with every seed there is one deal."""
    numbers = tuple(range(1, 1 + colluders))
    seats = [FairSeat((0,)), FairSeat(numbers)]
    deals = set()
    for revealed in itertools.product([True, False], repeat=colluders):
        shared = share(seats, [True, *revealed])
        deals.add(dealt(shared))
        claims = judge_deals(match_from(record_with(shared)), receipt_of(shared, 0))
        assert claims.own is Own.TOOK_PART
        assert claims.withheld == revealed.count(False)
        assert (claims.case is Case.ALL) == all(revealed)
        assert (claims.seats[1] is Part.WITHHELD) == (not any(revealed))
    assert len(deals) == 2**colluders


def test_a_player_who_withholds_alone_knows_nothing_about_the_deals_it_chooses_from() -> None:
    """Without the server seed both deals look alike: here, over many server seeds."""
    better = 0
    for number in range(60):
        server = digest(f"server {number}")
        points = [
            sum(tile.points for tile in dealt(share(TWO, [True, told], server=server)).racks[1])
            for told in (True, False)
        ]
        better += points[0] > points[1]
    assert 15 < better < 45


def test_a_server_that_drops_a_seed_is_seen_by_its_device() -> None:
    shared = share(TWO, [False, True])
    receipt = receipt_of(shared, 0, revealed=True)
    assert judge_deals(match_from(record_with(shared)), receipt).own is Own.DROPPED


def test_a_server_that_leaves_a_commitment_out_is_seen_by_its_device() -> None:
    shared = share([FairSeat(), FairSeat((0,))], [True])
    out = Receipt("t", shared.opening.server, KEY.public, "ab" * 32, digest("mine"))
    claims = judge_deals(match_from(record_with(shared)), out)
    assert (claims.own, claims.case) == (Own.LEFT_OUT, Case.SOME)


# --- Replays, at a running server ----------------------------------------------------------------


@in_loop
async def test_a_commitment_of_another_table_opens_nothing(tmp_path: Path) -> None:
    """Neither of a table beside it, nor of the match before it."""
    async with serving(tmp_path) as served:
        at, other = Devices(served), Devices(served)
        await at.set_up("ann", "ben")
        await other.set_up("ann", "ben")
        old = await at.commitment("ann")
        await other.done("ann", f"/{other.table}/commitments", {"commitment": old})
        await other.start()
        seed = {"seed": seed_of("ann")}
        await other.refused("wrong_seed", "ann", f"/{other.table}/seeds", seed)
        # A rematch begins without any commitment, and with another one of the server.
        await at.commit("ann", "ben")
        await at.start()
        await at.reveal("ann", "ben")
        before = (await at.look())["fair"]
        await at.record()
        again = await at.done("ann", f"/{at.table}/rematch", {})
        assert again["fair"]["commitment"] != before["commitment"]
        assert again["fair"].get("devices", []) == []
        at.table = again["id"]
        await at.done("ann", f"/{at.table}/commitments", {"commitment": old})
        await at.start()
        await at.refused("wrong_seed", "ann", f"/{at.table}/seeds", seed)


@in_loop
async def test_a_seed_that_is_late_or_wrong_changes_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, reveal_seconds=1.5) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        await at.commit("ann", "ben")
        await at.start()
        path = f"/{at.table}/seeds"
        await at.refused("wrong_seed", "ben", path, {"seed": seed_of("ann")})
        await at.reveal("ann")
        await until(lambda: served.hub.tables[at.table].table.state == "playing")
        await at.refused("is_playing", "ben", path, {"seed": seed_of("ben")})
        claims = judge_deals(match_from(await at.record()))
        assert claims.seats == (Part.TOOK_PART, Part.WITHHELD, Part.BOT)
        assert (claims.case, claims.withheld) == (Case.SOME, 1)


@in_loop
async def test_a_server_that_restarts_in_the_middle_signs_one_opening(tmp_path: Path) -> None:
    """A crash is no second chance: the opening and the key are in the log and the database."""
    seen: list[dict[str, Any]] = []
    async with serving(tmp_path) as served:
        at = Devices(served)
        await at.set_up("ann", "ben")
        await at.commit("ann", "ben")
        seen.append((await at.start())["fair"])
    async with serving(tmp_path) as served:
        at = Devices(served, at.table, at.names)
        seen.append((await at.look())["fair"])
        assert (await at.reveal("ann", "ben"))["state"] == "playing"
    names = ("opening", "opening_signature", "public_key", "commitment", "devices")
    assert [seen[0][name] for name in names] == [seen[1][name] for name in names]
