"""People whose page is closed are told what they wish to know, once."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.harness import FakeClock, Two, in_loop, serving, table_of_two, until
from tests.server.push_service import PushService, Subscribed
from triomino.server.push_messages import is_service
from triomino.server.pushes import FIRST_DELAY, TRIES, moment_of
from triomino.server.quiet_hours import QuietHours

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.server.harness import Served

HOUR = 3600


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as running:
        yield running


class Phones:
    """The closed browsers of Ann and Ben."""

    def __init__(self, two: Two, service: PushService) -> None:
        self.two, self.service = two, service
        self.browsers = [Subscribed("/ann"), Subscribed("/ben")]

    async def subscribe(self, seat: int, **changes: Any) -> dict[str, Any]:
        player = (self.two.ann, self.two.ben)[seat]
        body = self.browsers[seat].body(self.service.url, **changes)
        answer: dict[str, Any] = await player.request("PUT", "/api/push", body)
        return answer

    def told(self, seat: int) -> list[str]:
        """What the phone of a seat has shown."""
        browser = self.browsers[seat]
        return [
            str(browser.read(message)["body"])
            for path, message in list(self.service.taken)
            if path == browser.path
        ]

    async def move(self) -> None:
        """Somebody opens the page, plays and closes it, before anything else happens."""
        hub, table = self.two.served.hub, self.two.table
        await hub.change(
            table, lambda t: t.move(t.game.turn, str(t.game.legal_moves()[0]), hub.now())
        )

    async def quiet(self) -> None:
        """Wait until everything that is due was told."""
        hub = self.two.served.hub
        async with asyncio.timeout(20):
            while hub.pushes.is_busy or await hub.pushes.store.due(hub.now(), 1):
                await asyncio.sleep(0.005)


async def phones(served: Served, service: PushService, **options: Any) -> Phones:
    return Phones(await table_of_two(served, **options), service)


def turns(number: int) -> str:
    return f"It is your turn. At the table: {('Ben', 'Ann')[number]}."


@in_loop
async def test_every_turn_is_told_once(tmp_path: Path, service: PushService) -> None:
    # A push service does not take an http address for the host's.
    home = "http://table.test"
    async with serving(tmp_path, push_services=service.url, public_url=home) as served:
        both = await phones(served, service)
        for seat in (0, 1):
            assert (await both.subscribe(seat))["is_subscribed"]
        table = served.hub.tables[both.two.table].table
        wanted, before = [0, 0], moment_of(table)
        for _ in range(12):
            await both.move()
            await both.quiet()
            after = moment_of(table)
            if after.turn is not None and after.turn != before.turn:
                wanted[after.turn[1]] += 1
            before = after
        assert [both.told(seat) for seat in (0, 1)] == [
            [turns(seat)] * wanted[seat] for seat in (0, 1)
        ]
        assert min(wanted) >= 2
        for path, message in service.taken:
            browser = both.browsers[path == "/ben"]
            shown = browser.read(message)
            assert not re.search(r"\d-\d-\d", str(shown)), "no tile is in it"
            assert {*shown} == {"title", "body", "off", "path", "tag", "language"}
            assert shown["path"] == f"t/{both.two.table}"
        assert served.hub.metrics.pushes == sum(wanted)


@in_loop
async def test_who_is_here_or_wishes_nothing_is_not_told(
    tmp_path: Path, service: PushService
) -> None:
    async with serving(tmp_path, push_services=service.url) as served:
        both = await phones(served, service)
        await both.subscribe(0, wishes=["reminders"])
        await both.subscribe(1)
        wire = await both.two.wire(1)
        for _ in range(4):
            await both.move()
        await both.quiet()
        assert service.taken == []
        await wire.close()
        await until(lambda: not served.hub.tables[both.two.table].here)
        await both.two.ben.request("DELETE", "/api/push")
        assert not (await both.two.ben.request("GET", "/api/push"))["is_subscribed"]
        for _ in range(4):
            await both.move()
        await both.quiet()
        assert service.taken == []


@in_loop
async def test_nothing_is_told_in_quiet_hours_or_too_late(
    tmp_path: Path, service: PushService
) -> None:
    clock = FakeClock(1_700_000_000.0)  # 22:13 in Greenwich
    async with serving(tmp_path, clock=clock, push_services=service.url) as served:
        both = await phones(served, service)
        night = {"begin": 22 * 60, "end": 7 * 60, "offset": 0}
        for seat in (0, 1):
            await both.subscribe(seat, quiet=night, language="de")
        for _ in range(6):
            await both.move()
        await both.quiet()
        assert service.taken == []
        clock.at += 9 * HOUR
        served.hub.pushes.look()
        await both.quiet()
        seat = both.two.game.turn
        assert both.told(seat) == [f"Du bist dran. Am Tisch: {('Ben', 'Ann')[seat]}."]
        assert both.told(1 - seat) == [], "that turn is over"


@in_loop
async def test_a_slow_turn_has_a_reminder_and_so_has_who_waits(
    tmp_path: Path, service: PushService
) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock, push_services=service.url) as served:
        both = await phones(served, service, clock_seconds=24 * HOUR, away_seconds=None)
        for seat in (0, 1):
            await both.subscribe(seat, wishes=["reminders"])
        await both.move()
        seat, hub = both.two.game.turn, served.hub
        await hub.change(both.two.table, lambda t: t.remind(seat, 1 - seat, hub.now(), {}))
        await both.quiet()
        name = ("Ben", "Ann")[seat]
        assert both.told(seat) == [f"You are being waited for. At the table: {name}."]
        clock.at += 18 * HOUR
        hub.pushes.look()
        await both.quiet()
        late = f"Your time for this turn will soon be over. At the table: {name}."
        assert both.told(seat)[1:] == [late]
        assert both.told(1 - seat) == []


@in_loop
async def test_a_table_that_somebody_comes_to_and_another_match(
    tmp_path: Path, service: PushService
) -> None:
    async with serving(tmp_path, push_services=service.url) as served:
        ann, ben = served.player(), served.player()
        table = await ann.create([{"kind": "here", "name": "Ann"}, {"kind": "link"}])
        both = Phones(Two(served, table, ann, ben), service)
        await both.subscribe(0)
        await ben.sit(table, "Ben")
        await both.quiet()
        assert both.told(0) == ["Somebody has come to your table: Ben."]
        await ann.start(table)
        await both.subscribe(1, wishes=["invitations"])
        hub = served.hub
        await hub.change(table, lambda t: t.give_up(0, hub.now()))
        await both.quiet()
        assert both.told(0)[-1] == "The match is over. At the table: Ben."
        new = await ann.rematch(table)
        await both.quiet()
        [(_, message)] = [one for one in service.taken if one[0] == "/ben"]
        shown = both.browsers[1].read(message)
        assert shown["body"] == "Another match is waiting for you. At the table: Ann."
        assert shown["path"] == f"t/{new}"


@in_loop
async def test_what_a_service_answers_is_heeded(tmp_path: Path, service: PushService) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock, push_services=service.url) as served:
        both = await phones(served, service)
        hub, store = served.hub, served.hub.pushes.store

        async def subscribed(seat: int) -> bool:
            player = (both.two.ann, both.two.ben)[seat]
            return bool((await player.request("GET", "/api/push"))["is_subscribed"])

        async def until_turn_of(seat: int) -> None:
            await both.move()
            while both.two.game.turn != seat:
                await both.move()

        for seat in (0, 1):
            await both.subscribe(seat)
        for browser in both.browsers:
            service.answers[browser.path] = 503
        await until_turn_of(0)
        await both.quiet()
        assert service.taken == []
        for _ in range(2):
            clock.at += 8 * FIRST_DELAY / 1000
            hub.pushes.look()
            await both.quiet()
        assert service.asked >= 3
        service.answers.clear()
        clock.at += 64 * FIRST_DELAY / 1000
        hub.pushes.look()
        await both.quiet()
        assert both.told(0) == [turns(0)], "tried again until it was taken, and told once"
        # The browser has ended its subscription.
        service.answers[both.browsers[0].path] = 410
        await until_turn_of(0)
        await both.quiet()
        assert not await subscribed(0)
        assert await subscribed(1)
        # Refused for what it is: not again.
        service.answers[both.browsers[1].path] = 400
        asked = service.asked
        await until_turn_of(1)
        await both.quiet()
        clock.at += 7200
        hub.pushes.look()
        await both.quiet()
        assert service.asked == asked + 1
        assert await store.next_due() is None
        assert hub.metrics.pushes_failed == 1
        assert hub.metrics.pushes_gone == 1


@in_loop
async def test_a_service_that_fails_for_ever_is_given_up(
    tmp_path: Path, service: PushService
) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock, push_services=service.url) as served:
        both = await phones(served, service)
        for seat in (0, 1):
            await both.subscribe(seat)
            service.answers[both.browsers[seat].path] = 500
        await both.move()
        for _ in range(TRIES + 2):
            await both.quiet()
            clock.at += 7200
            served.hub.pushes.look()
        await both.quiet()
        assert service.asked == TRIES
        assert await served.hub.pushes.store.next_due() is None


@in_loop
async def test_a_slow_service_holds_up_nobody(tmp_path: Path, service: PushService) -> None:
    async with serving(tmp_path, push_services=service.url) as served:
        both = await phones(served, service)
        for seat in (0, 1):
            await both.subscribe(seat)
        service.is_slow.set()
        for _ in range(6):
            await both.move()
        assert service.taken == []
        service.is_slow.clear()
        service.goes_on.set()
        await both.quiet()
        assert service.taken


@in_loop
async def test_what_is_left_is_told_after_a_restart(tmp_path: Path, service: PushService) -> None:
    clock = FakeClock()
    async with serving(tmp_path, clock=clock, push_services=service.url) as served:
        both = await phones(served, service)
        for seat in (0, 1):
            await both.subscribe(seat)
            service.answers[both.browsers[seat].path] = 503
        await both.move()
        await both.quiet()
        key = (await both.two.ann.request("GET", "/api/push"))["key"]
    service.answers.clear()
    clock.at += HOUR
    async with serving(tmp_path, clock=clock, push_services=service.url) as served:
        both.two.served = served
        await both.quiet()
        assert sorted(both.told(0) + both.told(1)) in ([turns(0)], [turns(1)])
        assert (await served.hub.pushes.key()).public == key


@in_loop
async def test_only_push_services_and_real_keys(tmp_path: Path, service: PushService) -> None:
    async with serving(tmp_path, push_services=service.url, pushes_per_address=1) as served:
        both = await phones(served, service)
        secret = both.two.ann.secret
        body = both.browsers[0].body(service.url)
        for changes, status, code in (
            ({"endpoint": "http://127.0.0.1:1/ann"}, 409, "no_push_service"),
            ({"endpoint": "https://example.org/ann"}, 409, "no_push_service"),
            ({"endpoint": service.url.replace("//", "//me@")}, 409, "no_push_service"),
            ({"endpoint": "http://["}, 409, "no_push_service"),
            ({"p256dh": "A" * 87}, 409, "wrong_keys"),
            ({"auth": "=" * 22}, 409, "wrong_keys"),
            ({"wishes": ["all"]}, 400, "http"),
            ({"quiet": {"begin": -1, "end": 0, "offset": 0}}, 400, "http"),
        ):
            answer = await served.http.put(
                "/api/push", json=body | changes, headers={"authorization": f"Bearer {secret}"}
            )
            assert (answer.status_code, answer.json()["code"]) == (status, code), changes
        assert (await served.http.put("/api/push", json=body)).status_code == 401
        await both.subscribe(0)
        await both.subscribe(0, wishes=["turns"])  # the same device again
        answer = await served.http.put(
            "/api/push", json=body, headers={"authorization": f"Bearer {both.two.ben.secret}"}
        )
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_pushes")
        # What nobody has renewed for long is forgotten.
        served.clock.at += 91 * 24 * HOUR
        await served.hub.clean()
        assert not (await both.two.ann.request("GET", "/api/push"))["is_subscribed"]


@in_loop
async def test_a_host_may_tell_nobody(tmp_path: Path, service: PushService) -> None:
    async with serving(tmp_path, push_services="") as served:
        both = await phones(served, service)
        assert (await both.two.ann.request("GET", "/api/push"))["key"] is None


@pytest.mark.parametrize(
    ("endpoint", "known"),
    [
        ("https://fcm.example/send", True),
        ("https://fcm.example:443/send", True),
        ("https://fcm.example:444/send", False),
        ("http://fcm.example/send", False),
        ("https://a.push.example/send", True),
        ("https://push.example/send", False),
        ("https://evilpush.example/send", False),
        ("https://fcm.example@evil.example/send", False),
        ("https://evil.example/fcm.example", False),
        ("//fcm.example", False),
    ],
)
def test_services_are_known_by_their_names(endpoint: str, known: bool) -> None:
    assert is_service(endpoint, ["fcm.example", "*.push.example"]) == known


@pytest.mark.parametrize("begin", [0, 360, 1380])
@pytest.mark.parametrize("length", [0, 60, 600])
@pytest.mark.parametrize("offset", [-300, 0, 345])
def test_quiet_hours_by_counting_minutes(begin: int, length: int, offset: int) -> None:
    end = (begin + length) % 1440
    hours = QuietHours(begin, end, offset)
    quiet = {(begin + step) % 1440 for step in range(length)}
    for minute in range(0, 2880, 37):
        expected = minute
        while (expected + offset) % 1440 in quiet:
            expected += 1
        assert hours.after(minute * 60_000) == expected * 60_000
