"""The page checks a deal as ``triomino verify`` does: the same findings on the same records."""

from __future__ import annotations

import copy
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.play import random_match
from triomino.claims import Receipt
from triomino.cli.verify import verify
from triomino.errors import TriominoError
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
from triomino.record import record_of
from triomino.rules import EDITIONS, Rules
from triomino.signatures import SigningKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest

    Record = dict[str, Any]
    Change = Callable[[Record], object]

ROOT = Path(__file__).parents[1]
KEY, OTHER_KEY = SigningKey(bytes(32)), SigningKey(bytes([1] * 32))
TABLE, SERVER_SEED = "kX3f9aQ2bC1d", "5e" * 32
LIES = ("another server seed, signed", "another seed, signed")
SEEDS = ["0a" * 32, "0b" * 32, "0c" * 32]


def shared(
    rules: Rules, seats: list[FairSeat], devices: int, withheld: set[int] | None = None
) -> SharedSeeds:
    """The seeds of a match whose devices reveal all but those *withheld*."""
    server = server_commitment(TABLE, SERVER_SEED)
    committed = tuple(device_commitment(TABLE, server, seed) for seed in SEEDS[:devices])
    digest = rules_digest(rules.to_json())
    opening = Opening(TABLE, KEY.public, server, digest, tuple(seats), committed)
    out = withheld or set()
    revealed = tuple(None if n in out else seed for n, seed in enumerate(SEEDS[:devices]))
    signatures = KEY.sign(opening.text), KEY.sign(opening.transcript(revealed))
    return SharedSeeds(opening, SERVER_SEED, revealed, *signatures)


def forged(honest: SharedSeeds, *, server: str, seed: str) -> SharedSeeds:
    """Other seeds than those committed to; the server signs them, and deals from them."""
    seeds = object.__new__(SharedSeeds)  # it refuses them otherwise
    revealed = (seed, *honest.seeds[1:])
    signature = KEY.sign(honest.opening.transcript(revealed))
    values = honest.opening, server, revealed, honest.opening_signature, signature
    for name, value in zip(SharedSeeds.__slots__, values, strict=True):
        object.__setattr__(seeds, name, value)
    return seeds


def dealt(rules: Rules, seeds: SharedSeeds | Seeds, bots: list[str | None]) -> Record:
    """The record of a match of which a round was played."""
    players = [Player(f"P{seat}", bot) for seat, bot in enumerate(bots)]
    match = Match.start(rules, players, seeds)
    for move in random_moves(match):
        match.game.play(move)
    return record_of(match)


def random_moves(match: Match) -> Iterator[Any]:
    """A few moves, with draws among them."""
    while len(match.game.plies) < 12 and not match.game.over:
        yield match.game.legal_moves()[-1]


def receipt(seeds: SharedSeeds, number: int, **changes: Any) -> Receipt:
    """What an honest device has kept."""
    opening = seeds.opening
    own: dict[str, Any] = {
        "table": TABLE,
        "server": opening.server,
        "public_key": opening.key,
        "commitment": device_commitment(TABLE, opening.server, SEEDS[number]),
        "seed": SEEDS[number],
        "revealed": True,
        "opening": opening.text,
        "opening_signature": seeds.opening_signature,
        "transcript": seeds.transcript,
        "signature": seeds.signature,
    }
    return Receipt(**own | changes)


def tampered() -> dict[str, Change]:
    """Single changes of a record, each of which has to be found."""

    def fair(name: str, value: object) -> Change:
        return lambda record: record["fair"].__setitem__(name, value)

    def swap(items: list[Any]) -> None:
        items[0], items[1] = items[1], items[0]

    zeros = "0" * 64
    return {
        "table": fair("table", "another"),
        "server seed": fair("server_seed", zeros),
        "commitment": fair("commitment", zeros),
        "key": fair("public_key", OTHER_KEY.public),
        "opening signature": fair("opening_signature", "0" * 128),
        "signature": fair("signature", "0" * 128),
        "upper case": lambda record: fair("signature", record["fair"]["signature"].upper())(record),
        "algorithm": fair("algorithm", "fair/3"),
        "missing": lambda record: record["fair"].pop("devices"),
        "seed": lambda record: record["fair"]["devices"][0].update(seed=zeros),
        "seed dropped": lambda record: record["fair"]["devices"][0].update(seed=None),
        "device commitment": lambda record: record["fair"]["devices"][1].update(commitment=zeros),
        "devices swapped": lambda record: swap(record["fair"]["devices"]),
        "device left out": lambda record: record["fair"]["devices"].pop(),
        "device twice": lambda record: record["fair"]["devices"].append(
            record["fair"]["devices"][0]
        ),
        "seat without its device": lambda record: record["fair"]["seats"][0].update(devices=[]),
        "seats swapped": lambda record: swap(record["fair"]["seats"]),
        "another bot": lambda record: record["fair"]["seats"][2].update(bot="hard"),
        "a bot for a person": lambda record: record["players"][0].update(bot="easy"),
        "rule": lambda record: record["rules"].update(bridge_bonus=41),
        "racks": lambda record: swap(record["rounds"][0]["racks"]),
        "pool": lambda record: record["rounds"][0]["pool"].reverse(),
        "starter": lambda record: record["rounds"][0].update(
            starter=(record["rounds"][0]["starter"] + 1) % 3
        ),
    }


def cases() -> Iterator[tuple[str, Record, Receipt | None]]:
    """Records and receipts, good and bad."""
    people = [FairSeat((0,)), FairSeat((0, 1)), FairSeat(bot="easy")]
    bots = [None, None, "easy"]
    for name in ("classic", "card", "six-player"):
        rules = EDITIONS[name]
        yield f"all, {name}", dealt(rules, shared(rules, people, 2), bots), None
    rules = EDITIONS["classic"].with_changes({"target": 90, "next_starter": "rotate_left"})
    whole = shared(rules, people, 2)
    good = dealt(rules, whole, bots)
    yield "house rules", good, None
    some = [FairSeat((0,)), FairSeat((1, 2)), FairSeat()]
    no_bots: list[str | None] = [None] * 3
    for withheld in (set(), {1}, {1, 2}, {0, 1, 2}):
        seeds = shared(rules, some, 3, withheld)
        yield f"withheld {withheld}", dealt(rules, seeds, no_bots), None
        for number in range(3):
            for revealed in (False, True):
                own = receipt(seeds, number, revealed=revealed)
                yield f"withheld {withheld}, {number}", dealt(rules, seeds, no_bots), own
    alone = [FairSeat(), FairSeat(bot="easy"), FairSeat()]
    yield "nobody", dealt(rules, shared(rules, alone, 0), [None, "easy", None]), None
    yield "old", record_of(random_match(rules, 2, 3, most=2)), None
    yield "old, by name", dealt(rules, Seeds.named(3, "old"), bots), None
    for name, seeds in {
        LIES[0]: forged(whole, server="0" * 64, seed=SEEDS[0]),
        LIES[1]: forged(whole, server=SERVER_SEED, seed="0" * 64),
    }.items():
        yield name, dealt(rules, seeds, bots), None
    for name, change in tampered().items():
        record = copy.deepcopy(good)
        change(record)
        yield name, record, None
        yield f"{name}, with a receipt", record, receipt(whole, 0)
    contradictions: dict[str, dict[str, Any]] = {
        "another server": {"server": "0" * 64},
        "another key": {"public_key": OTHER_KEY.public},
        "another opening": {"opening": whole.opening.text.replace("seat 2 bot", "seat 2 hard")},
        "another transcript": {"transcript": whole.transcript + "seed 2 -\n"},
        "not listed": {"commitment": "1" * 64},
        "nothing kept": dict.fromkeys(("opening", "opening_signature", "transcript", "signature")),
    }
    for name, changes in contradictions.items():
        yield name, good, receipt(whole, 0, **changes)


def verified(
    record: Record, own: Receipt | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> Record | None:
    """What ``triomino verify --json`` says; ``None`` if it refuses the record."""
    file, kept = folder / "game.jsonl", folder / "receipt.json"
    file.write_text(json.dumps(record), "utf-8")
    if own is not None:
        kept.write_text(json.dumps(own.to_json()), "utf-8")
    try:
        verify(file, None if own is None else kept, as_json=True)
    except TriominoError:
        return None
    finally:
        said = capsys.readouterr().out
    found: Record = json.loads(said)
    return {name: found[name] for name in ("case", "seats", "withheld", "choices", "own")}


def test_the_page_checks_as_verify_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written: list[dict[str, Any]] = [
        {
            "name": name,
            "record": record,
            "receipt": None if own is None else own.to_json(),
            "verified": verified(record, own, tmp_path, capsys),
        }
        for name, record, own in cases()
    ]
    refused = [one["name"] for one in written if one["verified"] is None]
    # Every single change is found, and nothing else is refused.
    both = [f"{name}{more}" for name in tampered() for more in ("", ", with a receipt")]
    assert refused == [
        *LIES,
        *both,
        *(f"another {one}" for one in ("server", "key", "opening", "transcript")),
    ]
    owns = {one["verified"]["own"] for one in written if one["verified"]}
    assert owns == {None, "took_part", "withheld", "dropped", "left_out"}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(written), "utf-8")
    result = subprocess.run(
        [ROOT / "tools/npm", "test", "--silent", "--", "src/lib/fair/agreement.test.ts"],
        env={**os.environ, "VITE_FAIR_CASES": str(file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(written)} passed" in result.stdout
