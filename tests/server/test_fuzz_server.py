"""Nonsense from strangers: no answer is a server error, no log shows one, no table stops."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, get_args

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok

from tests.effort import count, long_only
from tests.nodes.three import ThreeServers
from tests.server.damage import damage
from tests.server.process import PATIENCE, ServerProcess
from triomino import IllegalMove, Rng
from triomino.client import RemotePlayer
from triomino.client.player import play_bot
from triomino.fair2 import ALGORITHM_2, device_commitment
from triomino.protocol.api import SeatPlan, TableOptions
from triomino.server.credentials import digest
from triomino.server.events import (
    AnyEvent,
    Closed,
    Created,
    Rematched,
    Renamed,
    UndoAsked,
    decode,
    encode,
)
from triomino.server.snapshot import EncodedTurns, Receiver, Snapshot
from triomino.server.table import Change, RefusedError, Table, check_options
from triomino.signatures import SigningKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

KEY: Final = SigningKey(bytes(32))

EXAMPLES: Final = count(30, least=8)
"""Requests for each operation."""

MESSAGES: Final = count(100_000)

HERE: Final = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]

GOOD: Final[dict[str, Any]] = {
    "name": "Eve",
    "rules": {"edition": "classic"},
    "seat": 2,
    "seats": HERE,
    "seed": "00ff" * 16,
    "commitment": "0f" * 32,
}
"""What makes a request succeed, where it stands for something that was made up."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("fuzz"), open="true") as running:
        yield running
    assert "Traceback" not in running.log, running.log


# --- Over HTTP -----------------------------------------------------------------------------------


async def some_tables(url: str) -> tuple[str, list[str]]:
    """A device with tables of its own in every state, so that requests find something."""
    async with RemotePlayer(url, patience=PATIENCE, takes_part=False) as ann:
        waiting = [await ann.create([*HERE, {"kind": "link"}], listed=True) for _ in range(3)]
        full = [await ann.create(HERE) for _ in range(3)]
        playing = await ann.create(HERE)
        await ann.start(playing)
        finished = await ann.create(HERE, rules={"edition": "classic", "target": None})
        await ann.start(finished)
        await ann.enter(finished)
        await play_bot(ann, lambda choices, _: choices[0].move)
        return await ann.introduce(), [*waiting, *full, playing, finished]


def somebody(url: str) -> tuple[str, str]:
    """The secret of a device with a profile, and the id of that."""
    secret = httpx.post(f"{url}/api/devices", timeout=PATIENCE).json()["secret"]
    own = {"authorization": f"Bearer {secret}"}
    made = httpx.put(f"{url}/api/me", json={"name": "Eve"}, headers=own, timeout=PATIENCE)
    return secret, made.json()["profile"]["id"]


KINDS: Final = ("mute", "block", "match", "pad", "person")


def ask(
    operation: schemathesis.APIOperation[Any, Any, Any, Any],
    url: str,
    own: dict[str, str],
    tables: list[str],
    known: dict[str, str],
) -> Counter[int]:
    """Make requests as the document describes them, and others that it does not allow."""
    seen: Counter[int] = Counter()

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode)),
        table=st.sampled_from([None, *tables]),
        seat=st.sampled_from([None, 0, 1, 2]),
        good=st.just(set(GOOD)) | st.sets(st.sampled_from(sorted(GOOD))),
        is_own=st.integers(0, 9).map(bool),
        kind=st.sampled_from([None, *KINDS]),
        is_known=st.booleans(),
    )
    def one(
        case: Case[Any],
        table: str | None,
        seat: int | None,
        good: set[str],
        is_own: bool,
        kind: str | None,
        is_known: bool,
    ) -> None:
        parts = [("table_id", table), ("seat", seat), ("kind", kind)]
        for name, value in [*parts, *(known.items() if is_known else ())]:
            if value is not None and name in (case.path_parameters or {}):
                case.path_parameters[name] = value
        if isinstance(case.body, dict):
            case.body = case.body | {name: GOOD[name] for name in good & case.body.keys()}
        response = case.call(base_url=url, headers=own if is_own else None)
        seen[response.status_code] += 1
        checks: list[Any] = [not_a_server_error]
        if operation.path.startswith("/api/tables"):
            checks += [status_code_conformance, content_type_conformance]
            checks += [response_schema_conformance]
        case.validate_response(response, checks=checks)

    one()
    return seen


PEOPLE: Final = ("/api/me", "/api/host", "/api/ratings")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("about_people", [False, True])
def test_requests_by_the_openapi_document(server: ServerProcess, about_people: bool) -> None:
    statuses: dict[str, Counter[int]] = {}
    secret, tables = asyncio.run(some_tables(server.url))
    [key] = re.findall(r"/host#key=(\S+)", server.log)
    known = {"edition": "classic", "game": "g1"}
    document = httpx.get(f"{server.url}/schema/openapi.json", timeout=PATIENCE).json()
    for found in schemathesis.openapi.from_dict(document).get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if operation.path.startswith(PEOPLE) == about_people:
            if about_people:  # who deletes their profile is a stranger to all their tables
                secret, known["person"] = somebody(server.url)
            own = {"authorization": f"Bearer {secret}", "x-host-key": key}
            statuses[operation.label] = ask(operation, server.url, own, tables, known)
    assert len(statuses) >= 13
    assert "Traceback" not in server.log, server.log
    assert server.counters()["triomino_errors_total"] == 0
    # Not everything was turned away at the door.
    well = [label for label, seen in statuses.items() if any(status < 300 for status in seen)]
    assert len(well) >= (12 if about_people else 10), statuses


DEEP: Final = b'{"seats": [{"kind": "here"}, {"kind": "link"}], "rules": %s1%s}'

BODIES: Final = [
    *(b"", b"{", b"null", b"[]", b"1e999", b"[" * 8000, b'{"seats":' * 1500),
    *(b"\xff\xfe", b'{"name": "\xff"}', b'{"seats": [{"kind": "\xc3("}]}'),
    *(DEEP % (b'{"a":' * depth, b"}" * depth) for depth in (5, 500, 1500)),
    *(b'"' + b"x" * size + b'"' for size in (16_000, 20_000, 200_000)),
    *(b'{"name": "\\ud800"}', b'{"secret": "' + b"\\ud800" * 16 + b'"}'),
    b'{"seats": [{"kind": "here", "name": "\\udc00x"}, {"kind": "link"}]}',
    b'{"seats": [{"kind": "here"}, {"kind": "here"}], "rules": {"target": %s}}' % (b"9" * 5000),
]

TYPES: Final = ["application/json", "text/plain", "multipart/form-data; boundary=x", "", "x"]

PATHS: Final = [
    *("/api/tables/%00", "/api/tables/%FF", "/api/tables/%ED%A0%80", "/api/tables/" + "x" * 5000),
    *("//", "/api/tables/..%2f", "/%2e%2e/%2e%2e/etc/passwd", "/schema/%00", "/t/%00"),
    *("/" + "x" * 300, "/x" * 3000, "/%00", "/%FF", "/%ED%A0%80", "/assets/", "/assets/%FF"),
    *(f"/api/qr?text={text}" for text in ("", "%00", "http://[", "http://127.0.0.1", "x" * 301)),
    *(f"/api/tables/x/seats/{seat}/links" for seat in ("-1", "9" * 5000, "1.5", "%31", "１")),
    *(f"/api/ratings/boards/{edition}" for edition in ("%00", "%FF", "x" * 5000, "..%2f")),
    *("/api/tables/%00/ratings", "/api/tables/x/seats/-1/rating"),
]

HEADERS: Final = [
    *(
        {b"authorization": value}
        for value in (b"Bearer", b"Bearer \xff\xfe", b"Bearer " + b"x" * 9999)
    ),
    *({b"cookie": value} for value in (b";;;=;", b"triomino_device=\xff", b"triomino_device=")),
    *({b"origin": value} for value in (b"null", b"\xff", b"http://[::1", b"http://elsewhere")),
    *({name: b"\xff"} for name in (b"host", b"content-encoding", b"accept-encoding", b"range")),
]


def test_requests_that_no_program_of_ours_makes(server: ServerProcess) -> None:
    seen: Counter[int] = Counter()
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        own = {"authorization": f"Bearer {client.post('/api/devices').json()['secret']}"}
        for path in ("/api/tables", "/api/tables/x/seats", "/api/tables/x/claims"):
            for body, kind in itertools.product(BODIES, TYPES):
                headers = own | {"content-type": kind}
                seen[client.post(path, content=body, headers=headers).status_code] += 1
        for path, method in itertools.product(PATHS, ("GET", "POST", "DELETE", "BREW")):
            seen[client.request(method, path, headers=own).status_code] += 1
        for odd, path in itertools.product(HEADERS, ("/api/devices", "/api/tables")):
            seen[client.post(path, content=b"{}", headers=odd).status_code] += 1
    assert max(seen) < 500, seen
    assert seen.keys() >= {400, 403, 404, 405, 413}, seen
    assert "Traceback" not in server.log, server.log


# --- Over sockets --------------------------------------------------------------------------------


def test_damaged_messages(server: ServerProcess) -> None:
    check_damaged_messages(server, MESSAGES)


@long_only
def test_damaged_messages_to_three_servers(tmp_path: Path) -> None:
    """The people of a table are at different ones."""
    with ThreeServers(tmp_path) as servers:
        check_damaged_messages(servers, MESSAGES // 5)


def check_damaged_messages(server: ServerProcess, messages: int) -> None:
    report = asyncio.run(damage(server, messages=messages, seed=1))
    assert report.processed >= messages
    assert "Traceback" not in server.log, server.log
    assert set(report.sent) >= {"plausible", "bent", "broken", "junk", "noise", "too large"}
    # Some of it had an effect, or was refused for what it meant and not for how it was written.
    for code in ("ack", "malformed", "stale", "spectator", "not_yours", "no_hello", "no_table"):
        assert report.answered[code], (code, report.answered)


# --- At one table --------------------------------------------------------------------------------


def new_table(people: int, bots: int, **options: Any) -> tuple[Table, list[bytes]]:
    seats = [SeatPlan("here", f"Player {number}") for number in range(people)]
    seats += [SeatPlan("bot", bot="greedy")] * bots
    created = Created(
        at=0,
        options=check_options(TableOptions(seats=tuple(seats), **options)),
        server_seed="5eed" * 16,
        host="device",
        algorithm=ALGORITHM_2,
        public_key=KEY.public,
    )
    return Table("table", created), [encode(created)]


def commitment_of(table: Table, device: str) -> str:
    """The commitment of a device to the seed that follows from its name."""
    return device_commitment(table.id, table.exchange.commitment, digest(device))


def happen(table: Table, log: list[bytes], change: Change[AnyEvent]) -> None:
    """Store the event of a change, then apply it."""
    log.append(encode(change.event))
    table.apply(change)


def anything(table: Table, dice: Rng, at: int) -> Callable[[], Change[AnyEvent]]:
    """Some command by some seat, likely a move that can be played."""
    seat = dice.randrange(len(table.chairs))
    if table.state == "playing" and not table.game.over and dice.randrange(3):
        turn = table.game.turn
        moves = table.game.legal_moves()
        move = str(moves[dice.randrange(len(moves))])
        by_bot = table.chairs[turn].bot is not None
        return lambda: table.move(turn, move, at, by_bot=by_bot)
    agree = bool(dice.randrange(3))
    if table.undo is not None and dice.randrange(2):
        return lambda: table.answer_undo(seat, agree, at)
    device = ("device", "another device")[dice.randrange(2)]
    commands: list[Callable[[], Change[AnyEvent]]] = [
        lambda: table.next_round(at),
        lambda: table.next_round(at),
        lambda: table.ask_undo(seat, at),
        lambda: table.answer_undo(seat, agree, at),
        lambda: table.answer_undo(seat, agree, at),
        lambda: table.come_back(seat, at),
        lambda: table.come_back(seat, at),
        lambda: table.substitute(seat, "away", at),
        lambda: table.stand_in(seat, 1 - seat % 2, at, {seat: 10**7}),
        lambda: table.remind(seat, 1 - seat % 2, at, {seat: 10**7}),
        lambda: table.pause(seat, at),
        lambda: table.resume(seat, at),
        lambda: table.resume(seat, at),
        lambda: table.leave(seat, "device", at),
        lambda: table.make_link(seat, "device", f"link {at}", at),
        lambda: table.withdraw_link(seat, "device", at),
        lambda: table.claim(f"link {at - 1}", "another device", at),
        lambda: table.move(seat, "draw", at),
        lambda: table.start("device", at, KEY, at + 20),
        lambda: table.commit(device, commitment_of(table, device), at),
        lambda: table.reveal(device, digest(device), at),
        lambda: table.deal(at, KEY),
        lambda: table.take_seat(f"Guest {at}", device, "", seat, at),
        lambda: table.agree_rating(seat, ("", f"person {at}")[agree], at),
    ]
    if not dice.randrange(100):
        return lambda: table.give_up(seat, at)
    return commands[dice.randrange(len(commands))]


def test_whatever_is_accepted_can_be_applied_and_read_again() -> None:
    accepted: Counter[str] = Counter()
    for number in range(24):
        dice = Rng.named("commands", number)
        edition = ("classic", "casual", "six-player", "card")[number % 4]
        target = {"target": 400} if edition in ("classic", "six-player") else {}
        table, log = new_table(
            2 + number % 2, number // 4 % 2, rules={"edition": edition, **target}
        )
        encoded = EncodedTurns()
        for at in range(1, 600):
            try:
                change = anything(table, dice, at)()
            except (RefusedError, IllegalMove):
                continue
            happen(table, log, change)
            accepted[type(change.event).__name__] += 1
            if table.match is not None:
                Receiver(table, [at % 2]).now()
            if at % 7 == 0:
                Receiver(table, [at % 2], Snapshot(table, encoded)).state("device", [], 0)
        again = Table.load("table", map(decode, log))
        for seats in ([0], [1], [0, 1], []):
            # What was made for earlier states is as good as new.
            snapshots = [Snapshot(table, encoded), Snapshot(table), Snapshot(again)]
            states = [Receiver(one.table, seats, one).state("device", [], 0) for one in snapshots]
            assert len({msgspec.json.encode(state) for state in states}) == 1
    for kind in get_args(AnyEvent):
        rare = kind in (Created, Renamed, Rematched, Closed)  # by other endpoints
        assert rare or accepted[kind.__name__], (kind, accepted)
    assert accepted["MovePlayed"] > 1000


def test_an_undo_that_was_asked_for_ends_with_its_round() -> None:
    table, log = new_table(2, 0, rules={"edition": "classic", "target": 1000})
    happen(table, log, table.start("device", 1, KEY))
    while not table.game.over:
        move = str(table.game.legal_moves()[0])
        happen(table, log, table.move(table.game.turn, move, 2))
    happen(table, log, Change(UndoAsked(at=3, seat=0, moves=1)))  # an old log may have it
    assert Receiver(table, []).state(None, [], 0).undo is not None
    happen(table, log, table.next_round(4))
    assert Receiver(table, []).state(None, [], 0).undo is None
    with pytest.raises(RefusedError, match="nobody asks"):
        table.answer_undo(1, True, 5)
