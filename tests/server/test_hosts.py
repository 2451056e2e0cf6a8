"""Under which names the server may be asked: what stands between it and DNS rebinding."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus

from tests.server.harness import in_loop, serving
from triomino.server.config import Config
from triomino.server.hosts import Hosts, split_host

if TYPE_CHECKING:
    from pathlib import Path

OWN = socket.gethostname()


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        (None, True),  # no browser
        ("127.0.0.1:8020", True),
        ("192.168.0.7", True),
        ("[2001:db8::1]:8020", True),
        ("localhost:8020", True),
        ("laptop.local:8020", True),
        ("laptop", True),
        (OWN, True),
        ("evil.example", False),
        ("evil.example:8020", False),
        ("127.0.0.1.evil.example", False),
        ("laptop.local.evil.example", False),
        ("local", True),
        ("", False),
        (":8020", False),
        ("a b", False),
        ("evil.example/", False),
        ("user@laptop", False),
        ("[::1", False),
        ("laptop:http", False),
        ("game.example", False),
    ],
)
def test_without_a_configured_name(host: str | None, allowed: bool) -> None:
    assert Hosts(Config(data="")).allows(host) is allowed


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("game.example", True),
        ("GAME.example:443", True),
        ("game.example.", True),
        ("www.game.example", False),
        ("one.club.example", True),
        ("club.example", False),
        ("two.one.club.example", False),
        ("other.example", True),
        ("127.0.0.1", True),
        ("evil.example", False),
    ],
)
def test_with_configured_names(host: str, allowed: bool) -> None:
    config = Config(
        data="", public_url="https://game.example", allowed_hosts="*.club.example, other.example"
    )
    assert Hosts(config).allows(host) is allowed


def test_a_page_at_a_configured_name_may_ask_through_a_proxy() -> None:
    hosts = Hosts(Config(data="", allowed_hosts="club.example"))
    assert hosts.allows_origin("https://club.example", "127.0.0.1:8020")
    assert not hosts.allows_origin("https://evil.example", "127.0.0.1:8020")


@given(st.text(max_size=30))
def test_any_text_is_a_host_or_not(text: str) -> None:
    found = split_host(text)
    assert found is None or (found[0].isascii() and " " not in found[0])
    Hosts(Config(data="")).allows(text)


@in_loop
async def test_a_name_of_somebody_else_is_refused_with_a_reason(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        foreign = {"host": "evil.example"}
        for path in ("/health", "/", "/api/tables", "/nothing"):
            answer = await served.get(path, headers=foreign)
            assert (answer.status_code, answer.json()["code"]) == (421, "host"), path
            assert "evil.example" in answer.json()["detail"]
            assert "allowed_hosts" in answer.json()["detail"]
        with pytest.raises(InvalidStatus):
            await served.wire(additional_headers=foreign)
        assert (await served.get("/health", headers={"host": "laptop.local"})).status_code == 200


@in_loop
async def test_the_page_may_open_its_own_socket_and_no_other(tmp_path: Path) -> None:
    async with serving(tmp_path, public_url="https://game.example") as served:
        for host, own in (
            ("game.example", "wss://game.example"),
            ("laptop.local:8020", "wss://laptop.local:8020"),
        ):
            answer = await served.get("/", headers={"host": host})
            policy = answer.headers["content-security-policy"]
            assert f"connect-src 'self' {own};" in policy
    async with serving(tmp_path) as served:
        policy = (await served.get("/")).headers["content-security-policy"]
        assert f"connect-src 'self' {served.url.replace('http', 'ws', 1)};" in policy
