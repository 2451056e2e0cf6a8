"""``fair/2``: the page, a second program written from the page, and the package agree."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.test_fair import vectors
from triomino.claims import Case, Claims, Own, Part, Receipt, judge_deals
from triomino.deal import deal
from triomino.errors import RecordError, TriominoError
from triomino.fair2 import (
    MOST_DEVICES,
    FairSeat,
    Opening,
    SharedSeeds,
    device_commitment,
    rules_digest,
    server_commitment,
)
from triomino.match import Match, Player
from triomino.notation import texts
from triomino.record import match_from, record_of
from triomino.rules import CLASSIC, Rules
from triomino.signatures import SigningKey, is_signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEY = SigningKey(bytes(32))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


# --- The second program: from the page, nothing of the package ------------------------------------


def settled(fair: dict[str, Any], rules: dict[str, Any]) -> list[str]:
    """The lines that opening and transcript share."""
    canonical = json.dumps(rules, sort_keys=True, separators=(",", ":"))
    lines = [f"table {fair['table']}", f"key {fair['public_key']}"]
    lines += [f"server {fair['commitment']}", f"rules {digest(canonical)}"]
    for number, seat in enumerate(fair["seats"]):
        if "bot" in seat:
            lines.append(f"seat {number} bot {seat['bot']}")
        else:
            lines.append(f"seat {number} devices {','.join(map(str, seat['devices'])) or '-'}")
    for number, device in enumerate(fair["devices"]):
        lines.append(f"device {number} {device['commitment']}")
    return lines


def signed_texts(fair: dict[str, Any], rules: dict[str, Any]) -> tuple[str, str]:
    """The opening and the transcript."""
    both = settled(fair, rules)
    seeds = [f"seed {n} {one['seed'] or '-'}" for n, one in enumerate(fair["devices"])]
    opening = ["triomino fair/2 opening", *both]
    transcript = ["triomino fair/2 transcript", *both, *seeds]
    return "".join(f"{one}\n" for one in opening), "".join(f"{one}\n" for one in transcript)


def key_of(server_seed: str, transcript: str, number: int) -> str:
    message = "triomino fair/2 round\n" + digest(transcript) + "\n" + str(number) + "\n"
    return hmac.new(bytes.fromhex(server_seed), message.encode(), hashlib.sha256).hexdigest()


# --- The vectors ---------------------------------------------------------------------------------


def test_the_page_has_vectors_of_every_kind() -> None:
    kinds = ("server commitment", "device commitment", "rules", "match")
    assert [len(vectors(f"fair/2 {kind}")) for kind in kinds] == [3, 4, 2, 3]


def test_commitments() -> None:
    for one in vectors("fair/2 server commitment"):
        text = f"triomino fair/2 server\n{one['table']}\n{one['server_seed']}\n"
        assert digest(text) == one["commitment"]
        assert server_commitment(one["table"], one["server_seed"]) == one["commitment"]
    for one in vectors("fair/2 device commitment"):
        table, server, seed = one["table"], one["server_commitment"], one["seed"]
        text = f"triomino fair/2 device\n{table}\n{server}\n{seed}\n"
        assert digest(text) == one["commitment"]
        assert device_commitment(table, server, seed) == one["commitment"]


def test_rules() -> None:
    for one in vectors("fair/2 rules"):
        assert json.loads(one["json"]) == one["rules"]
        assert digest(one["json"]) == one["digest"] == rules_digest(one["rules"])


@pytest.mark.parametrize("one", vectors("fair/2 match"), ids=lambda one: str(one["note"]))
def test_a_whole_match(one: dict[str, Any]) -> None:
    fair, server = one["fair"], one["fair"]["server_seed"]
    opening, transcript = signed_texts(fair, one["rules"])
    assert (opening, transcript) == (one["opening"], one["transcript"])
    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(one["private_key"]))
    assert private.public_key().public_bytes_raw().hex() == fair["public_key"]
    assert private.sign(opening.encode()).hex() == fair["opening_signature"]
    assert private.sign(transcript.encode()).hex() == fair["signature"]
    assert digest(transcript) == one["transcript_digest"]
    for item in one["keys"]:
        assert key_of(server, transcript, item["round"]) == item["key"]
    # The package says the same.
    shared = shared_of(one)
    assert (shared.opening.text, shared.transcript) == (opening, transcript)
    rules = Rules.from_json(one["rules"])
    dealt = deal(rules, len(fair["seats"]), shared.round(1))
    assert [texts(rack) for rack in dealt.racks] == one["racks"]
    assert (dealt.starter, texts(dealt.pool)) == (one["starter"], one["pool"])
    draws = [{"seat": draw.seat, "tile": str(draw.tile)} for draw in dealt.start_draws]
    assert draws == one["start_draws"]
    people = [Player(f"P{n}", seat.get("bot")) for n, seat in enumerate(fair["seats"])]
    claims = judge_deals(match_from(record_of(Match.start(rules, people, shared))))
    assert (claims.case, claims.withheld) == (one["case"], one["withheld"])
    assert list(claims.seats) == one["parts"]


def shared_of(one: dict[str, Any]) -> SharedSeeds:
    """The seeds of a vector."""
    fair = one["fair"]
    seats = [FairSeat(tuple(seat.get("devices", ())), seat.get("bot")) for seat in fair["seats"]]
    opening = Opening(
        fair["table"],
        fair["public_key"],
        fair["commitment"],
        rules_digest(one["rules"]),
        tuple(seats),
        tuple(device["commitment"] for device in fair["devices"]),
    )
    seeds = tuple(device["seed"] for device in fair["devices"])
    return SharedSeeds(
        opening, fair["server_seed"], seeds, fair["opening_signature"], fair["signature"]
    )


# --- Any match -----------------------------------------------------------------------------------


def share(
    seats: Sequence[FairSeat],
    revealed: Sequence[bool],
    *,
    rules: Rules = CLASSIC,
    table: str = "t",
    server: str = "5e" * 32,
    key: SigningKey = KEY,
) -> SharedSeeds:
    """The seeds of an honest server for devices that reveal or do not."""
    commitment = server_commitment(table, server)
    own = [digest(f"seed {number}") for number in range(len(revealed))]
    opening = Opening(
        table,
        key.public,
        commitment,
        rules_digest(rules.to_json()),
        tuple(seats),
        tuple(device_commitment(table, commitment, seed) for seed in own),
    )
    seeds = tuple(seed if does else None for seed, does in zip(own, revealed, strict=True))
    return SharedSeeds(
        opening, server, seeds, key.sign(opening.text), key.sign(opening.transcript(seeds))
    )


def record_with(shared: SharedSeeds, rules: Rules = CLASSIC, moves: int = 3) -> dict[str, Any]:
    """The record of a match that has just begun."""
    players = [Player(f"P{n}", seat.bot) for n, seat in enumerate(shared.opening.seats)]
    match = Match.start(rules, players, shared)
    for _ in range(moves):
        match.play(match.game.legal_moves()[0])
    return record_of(match)


@st.composite
def exchanges(draw: st.DrawFn) -> SharedSeeds:
    """Seats with bots, people with and without devices, devices that reveal or do not."""
    seats: list[FairSeat] = []
    devices = 0
    for _ in range(draw(st.integers(2, 4))):
        kind = draw(st.sampled_from(["bot", "person", "person"]))
        if kind == "bot":
            seats.append(FairSeat(bot=draw(st.sampled_from(["easy", "champion"]))))
            continue
        known = draw(st.sets(st.sampled_from(range(devices)))) if devices else set()
        fresh = draw(st.integers(0, 2))
        seats.append(FairSeat((*sorted(known), *range(devices, devices + fresh))))
        devices += fresh
    revealed = draw(st.lists(st.booleans(), min_size=devices, max_size=devices))
    server = draw(st.binary(min_size=32, max_size=32)).hex()
    return share(seats, revealed, server=server)


@given(exchanges())
def test_an_honest_match_verifies_and_says_who_took_part(shared: SharedSeeds) -> None:
    claims = judge_deals(match_from(record_with(shared)))
    for seat, part in zip(shared.opening.seats, claims.seats, strict=True):
        gave = [shared.seeds[number] is not None for number in seat.devices]
        if seat.bot is not None:
            assert part is Part.BOT
        elif not gave:
            assert part is Part.NO_COMMITMENT
        else:
            assert part is (Part.TOOK_PART if any(gave) else Part.WITHHELD)
    assert claims.withheld == shared.seeds.count(None)
    assert claims.choices == 2 ** max(0, len(shared.seeds) - 1)
    nobody = not any(shared.seeds)
    everybody = None not in shared.seeds and Part.NO_COMMITMENT not in claims.seats
    assert claims.case is (Case.NOBODY if nobody else Case.ALL if everybody else Case.SOME)


def leaves(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values that are no objects or lists, and of all lists."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        yield path
        for index, part in enumerate(value):
            yield from leaves(part, (*path, index))
    else:
        yield path


def altered(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value and value[-1] in "0123456789abcdef":
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case str():
            return value + "x"
        case list():
            return value[:-1] if value else [0]
        case _:
            return "00" * 32


@given(exchanges(), st.data())
def test_one_changed_field_makes_it_fail(shared: SharedSeeds, data: st.DataObject) -> None:
    record = record_with(shared)
    part = data.draw(st.sampled_from(["fair", "rules"]))
    path = (part, *data.draw(st.sampled_from(list(leaves(record[part])))))
    changed = copy.deepcopy(record)
    holder: Any = changed
    for key in path[:-1]:
        holder = holder[key]
    # A seed may also be hidden, or the name of a bot be exchanged.
    options = [altered(holder[path[-1]])]
    if path[-1] == "seed" and holder["seed"] is not None:
        options.append(None)
    if path[-1] == "bot":
        options.append("hard")
    holder[path[-1]] = data.draw(st.sampled_from(options))
    with pytest.raises(TriominoError):
        judge_deals(match_from(changed))


# --- Records that are malformed ------------------------------------------------------------------

TWO = share([FairSeat((0,)), FairSeat((1,))], [True, False])
RECORD = record_with(TWO)

DAMAGE: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "no text": (("table",), 7, "^fair.table: a text is needed"),
    "no id": (("table",), "a b", "^fair: the id of a table is 1 to 40"),
    "no key": (("public_key",), "ab", "^fair.public_key: a public key is 64"),
    "upper case": (("commitment",), "AB" * 32, "^fair.commitment: a commitment is 64"),
    "other table": (("table",), "u", "^fair.devices.0..seed: the seed of device 0 is not the one"),
    "other seed": (("server_seed",), "00" * 32, "^fair.commitment: it is not the commitment of"),
    "no seed": (("devices", 0, "seed"), "xyz", r"^fair.devices\[0\].seed: a seed is 64"),
    "wrong seed": (("devices", 0, "seed"), "00" * 32, r"^fair.devices\[0\].seed: the seed of dev"),
    "no commitment": (("devices", 1, "commitment"), 3, r"^fair.devices\[1\].commitment: a text"),
    "twice": (("devices", 1, "commitment"), TWO.opening.devices[0], "^fair: two devices have the"),
    "no signature": (("signature",), "00" * 63, "^fair.signature: a signature is 128"),
    "no list": (("seats",), {}, "^fair.seats: a list is needed"),
    "a bot": (("seats", 1), {"bot": "easy"}, "^fair.seats: they are not the people and bots of"),
    "both": (("seats", 1), {"bot": "x", "devices": []}, r"^fair.seats\[1\]: a seat has either"),
    "neither": (("seats", 1), {}, r"^fair.seats\[1\]: a seat has either"),
    "order": (("seats",), [{"devices": [1]}, {"devices": [0]}], "^fair: the devices are not numb"),
    "unused": (("seats", 1), {"devices": []}, "^fair: the devices are not numbered"),
    "unknown": (("seats", 1), {"devices": [2]}, "^fair: the devices are not numbered"),
    "repeated": (("seats", 0), {"devices": [0, 0]}, r"^fair.seats\[0\]: the devices of a seat are"),
    "no number": (("seats", 0), {"devices": [True]}, r"^fair.seats\[0\].devices\[0\]: a whole num"),
    "extra key": (("seat",), 1, "^fair: unknown key 'seat'"),
    "player seeds": (("player_seeds",), [], "^fair: unknown key 'player_seeds'"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_refused_with_its_place_and_reason(kind: str) -> None:
    path, value, reason = DAMAGE[kind]
    record = copy.deepcopy(RECORD)
    holder = record["fair"]
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(RecordError, match=reason):
        match_from(record)


@pytest.mark.parametrize("key", list(RECORD["fair"]))
def test_every_key_is_needed(key: str) -> None:
    record = copy.deepcopy(RECORD)
    del record["fair"][key]
    with pytest.raises(RecordError, match="is missing"):
        match_from(record)


def test_a_record_is_read_as_it_was_written() -> None:
    match = match_from(RECORD)
    assert match.seeds == TWO
    assert record_of(match) == RECORD


def test_there_are_not_too_many_devices() -> None:
    many = tuple(range(MOST_DEVICES + 1))
    with pytest.raises(TriominoError, match="at most 24 commit"):
        share([FairSeat(many), FairSeat()], [True] * len(many))


# --- Receipts ------------------------------------------------------------------------------------


def receipt_of(shared: SharedSeeds, number: int, **changes: Any) -> Receipt:
    """What the device with a number noted down."""
    opening = shared.opening
    facts: dict[str, Any] = {
        "table": opening.table,
        "server": opening.server,
        "public_key": opening.key,
        "commitment": opening.devices[number],
        "seed": digest(f"seed {number}"),
        "revealed": shared.seeds[number] is not None,
        "opening": opening.text,
        "opening_signature": shared.opening_signature,
        "transcript": shared.transcript,
        "signature": shared.signature,
    }
    return Receipt(**{**facts, **changes})


def judged(receipt: Receipt, shared: SharedSeeds = TWO) -> Claims:
    return judge_deals(match_from(record_with(shared)), receipt)


def test_a_receipt_says_what_one_s_own_device_did() -> None:
    assert judged(receipt_of(TWO, 0)).own is Own.TOOK_PART
    assert judged(receipt_of(TWO, 1)).own is Own.WITHHELD
    assert judged(receipt_of(TWO, 1, revealed=True)).own is Own.DROPPED
    assert judged(receipt_of(TWO, 0, commitment="00" * 32)).own is Own.LEFT_OUT
    assert judge_deals(match_from(RECORD)).own is None


def test_a_receipt_is_read_as_it_was_written() -> None:
    for receipt in (receipt_of(TWO, 0), Receipt("t", "a" * 64, "b" * 64, "c" * 64, "d" * 64)):
        assert Receipt.read(json.dumps(receipt.to_json())) == receipt
    plain = receipt_of(TWO, 0).to_json()
    for key, value in (("format", "x"), ("seed", "ab"), ("seed", None), ("revealed", 1)):
        with pytest.raises(RecordError, match=f"^{key}: "):
            Receipt.read(json.dumps({**plain, key: value}))


def test_who_was_shown_something_else_is_told_so() -> None:
    for name, field in (("table", "table"), ("server", "commitment"), ("public_key", "public_key")):
        with pytest.raises(RecordError, match=f"^fair.{field}: your device was shown another one"):
            judged(receipt_of(TWO, 0, **{name: "1" * 64}))
    with pytest.raises(RecordError, match="the seed of your device is another one"):
        judged(receipt_of(TWO, 0, seed="1" * 64))


def test_a_signature_is_of_one_key_and_one_text() -> None:
    other = SigningKey(bytes([1]) * 32)
    signature = KEY.sign("text")
    assert is_signed("text", signature, KEY.public)
    assert not is_signed("text", signature, other.public)
    assert not is_signed("text ", signature, KEY.public)
    assert not is_signed("text", other.sign("text"), KEY.public)
    assert not is_signed("text", signature, "ff" * 32)  # no point of the curve
    assert "0" * 64 not in repr(KEY)
    for bad in ("", "0" * 127, "0" * 128, signature.upper(), f"{signature}\n", "é" * 128):
        assert not is_signed("text", bad, KEY.public)
    for bad in ("", "0" * 63, KEY.public.upper()):
        assert not is_signed("text", signature, bad)
