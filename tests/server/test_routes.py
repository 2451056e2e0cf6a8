"""Every route is in the tests of leaks, of damaged messages and of floods: a new one is missed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from litestar.routes import HTTPRoute

from tests.server.harness import in_loop, serving, table_of_two
from tests.server.test_leaks import ASKED
from triomino.server.app import make_app
from triomino.server.budgets import Buckets
from triomino.server.config import Config
from triomino.server.host_key import new_host_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from litestar import Litestar


def an_app() -> Litestar:
    """The application, not running."""
    return make_app(Config(data="", open=True))


def routes() -> Iterator[tuple[str, str, Any]]:
    """The method, the path and the handler of every request, and ``WS`` for sockets."""
    for route in an_app().routes:
        path = re.sub(r":\w+}", "}", route.path)
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                for method in handler.http_methods - {"OPTIONS"}:
                    yield str(method), path, handler
        else:
            yield "WS", path, None


REQUESTS: Final = sorted(f"{method} {path}" for method, path, _ in routes() if method != "WS")
SOCKETS: Final = sorted(path for method, path, _ in routes() if method == "WS")

# --- Damaged messages ----------------------------------------------------------------------------

PAGES: Final = {
    f"GET /{path}" for path in ("", "schema", "schema/openapi.json", "schema/{path}", "{path}")
} | {"GET /t/{table_id}", "GET /t/{table_id}/{rest}"}
"""What has no place in the document by which requests are made up; see ``PATHS`` in the fuzz."""


def test_every_request_is_made_up_too() -> None:
    document = an_app().openapi_schema.to_schema()
    documented = {
        f"{method.upper()} {path}"
        for path, operations in document["paths"].items()
        for method in operations
    }
    assert set(REQUESTS) - documented == PAGES


NONSENSE: Final = (
    *("", "{", "[]", "null", '{"type":"dance"}', '{"type":"join"}', '{"type":"hello"}'),
    *("\x00", "9" * 5000, "[" * 4000, '{"type":"hello","table":["\\ud800"]}'),
    *(b"\xff\xfe", b'{"type":"join","name":"\xc3("}'),
)


@pytest.mark.parametrize("path", SOCKETS)
@in_loop
async def test_nonsense_to_every_socket(tmp_path: Path, path: str) -> None:
    async with serving(tmp_path, open=True) as served:
        pad = (await served.http.post("/api/pads")).json()["pad"]
        where = path.format(pad_id=pad, club_id="none")
        for text in NONSENSE:
            wire = await served.wire(path=where)
            await wire.send(text)
            await wire.close()
        assert served.hub.metrics.errors == 0
        assert (await served.get("/health")).is_success


# --- Floods --------------------------------------------------------------------------------------

BODIES: Final[dict[str, Any]] = {
    "POST /api/tables": {"seats": [{"kind": "here"}, {"kind": "link"}]},
    "POST /api/tables/{table_id}/replacement": {"seats": [{"kind": "here"}, {"kind": "link"}]},
    "POST /api/tables/{table_id}/seats": {"name": "Eve"},
    "POST /api/tables/{table_id}/rematch": {},
    "POST /api/tables/{table_id}/claims": {"secret": "x" * 40},
    "POST /api/tables/{table_id}/seats/{seat}/rating": {"agree": True},
    "POST /api/tables/{table_id}/reports": {"seat": 1, "reason": "name"},
    "PUT /api/me": {"name": "Ann"},
    "PUT /api/me/games/{kind}/{game}": {"at": 1, "data": {}},
    "POST /api/me/joins": {"secret": "x" * 40},
    "POST /api/me/recoveries": {"phrase": "baba"},
    "POST /api/me/keys": {"ticket": "x" * 40, "credential": {}},
    "POST /api/me/entries": {"ticket": "x" * 40, "credential": {}},
    "POST /api/ratings/boards": {"shown": True},
    "POST /api/host/bans": {"kind": "person", "hours": 1, "person": "x"},
}
"""What a request needs to be taken seriously."""

LIMITED_OTHERWISE: Final = {
    "POST /api/devices": "stores nothing",
    "POST /api/tables/arrivals": "its match is checked first; then it counts as a table",
    "POST /api/tables/{table_id}/commitments": "one for each device and table",
    "POST /api/tables/{table_id}/seeds": "one for each device and table",
    "POST /api/tables/{table_id}/start": "once for each table",
    "POST /api/tables/{table_id}/analysis": "in turns by address",
    "POST /api/analyses": "in turns by address",
    "POST /api/pads": "so many by address and day",
    "POST /api/pads/{pad_id}/acts": "the budget of its steps",
    "POST /api/clubs": "so many by address and day",
    "POST /api/clubs/{club_id}/acts": "the budget of its acts",
    "PUT /api/push": "the budget of seats, once the service is known",
    "DELETE /api/push": "deletes what there is",
}
"""Requests that change something, and what limits them beside the number of all requests."""


@in_loop
async def test_every_request_that_changes_something_has_a_budget(tmp_path: Path) -> None:
    async with serving(tmp_path, open=True) as served:
        two = await table_of_two(served)
        await two.ann.request("PUT", "/api/me", {"name": "Ann"})
        key = await new_host_key(served.events, 1)
        headers = {"authorization": f"Bearer {two.ann.secret}", "x-host-key": key}
        parts = dict.fromkeys(("device", "key", "game", "person", "report", "subject"), "x")
        parts |= {"table_id": two.table, "seat": "0", "kind": "mute"}
        budgets = vars(served.app.state.budgets)
        limited = budgets.keys() - {"requests", "files", "messages"}
        budgets |= {name: Buckets(0, 1) for name in limited}
        free = set()
        for request in REQUESTS:
            method, _, path = request.partition(" ")
            if method == "GET" or request in LIMITED_OTHERWISE:
                continue
            for name in limited:
                budgets[name].charge("127.0.0.1", 1)
            answer = await served.http.request(
                method, path.format(**parts), json=BODIES.get(request), headers=headers
            )
            if answer.status_code != 429 or answer.json()["code"] != "too_fast":
                free.add((request, answer.text))
        assert free == set()
        assert set(BODIES) | set(LIMITED_OTHERWISE) <= set(REQUESTS)


# --- Leaks ---------------------------------------------------------------------------------------

OWN: Final = {
    "POST /api/devices", "POST /api/tables/{table_id}/seats/{seat}/links", "POST /api/me/links",
    "POST /api/me/phrase", "POST /api/me/keys/options", "POST /api/me/entries/options",
    "POST /api/pads", "POST /api/pads/{pad_id}/acts", "POST /api/clubs", "PUT /api/push",
    "GET /api/push",
}  # fmt: skip
"""What says nothing but what was made for whoever asks."""

LIKE: Final = {
    "PUT /api/me": "GET /api/me",
    "POST /api/me/joins": "GET /api/me",
    "POST /api/me/recoveries": "GET /api/me",
    "POST /api/me/keys": "GET /api/me",
    "POST /api/me/entries": "GET /api/me",
    "POST /api/ratings/boards": "GET /api/ratings",
    **{
        f"POST /api/tables{rest}": "GET /api/tables/{table_id}"
        for rest in (
            "", "/arrivals", "/{table_id}/seats", "/{table_id}/claims", "/{table_id}/commitments",
            "/{table_id}/seeds", "/{table_id}/start", "/{table_id}/replacement",
            "/{table_id}/rematch",
        )
    },
    "POST /api/clubs/{club_id}/acts": "GET /api/clubs/{club_id}",
    "POST /api/analyses": "GET /api/analyses/{analysis_id}",
    "POST /api/tables/{table_id}/analysis": "GET /api/tables/{table_id}/analysis",
}  # fmt: skip
"""What answers with what another request shows."""

ELSEWHERE: Final = {
    "GET /api/tables": "test_leaks.py, every step",
    "GET /api/tables/{table_id}/record": "test_leaks.py, every step",
    "GET /api/tables/{table_id}/picture": "test_leaks.py, every step",
    "GET /api/tables/{table_id}/analysis": "not before the match is over",
    "GET /api/analyses/{analysis_id}": "of a file that was sent",
    "GET /api/tables/{table_id}/rules": "the rules alone",
    "GET /api/bots": "the same for all",
    "GET /api/address": "of this machine, to itself",
    "GET /api/qr": "of the text that was sent",
    "GET /health": "figures",
    "GET /metrics": "figures",
    "GET /api/pads/{pad_id}": "to whoever has its link",
    "GET /api/clubs/{club_id}": "test_club.py",
}


def asked() -> set[str]:
    """The requests that the tests of leaks make, as routes."""
    found = set()
    for path in ASKED:
        fits = [
            request
            for request in REQUESTS
            if re.fullmatch(re.sub(r"{\w+}", "[^/]+", request), f"GET {path}")
        ]
        found.add(min(fits, key=lambda request: request.count("{")))
    return found


def test_every_answer_is_looked_through_for_leaks() -> None:
    says = {
        f"{method} {path}"
        for method, path, handler in routes()
        if method != "WS" and handler.parsed_fn_signature.return_type.raw is not type(None)
    }
    listed = asked() | OWN | LIKE.keys() | ELSEWHERE.keys() | PAGES
    assert says - listed == set()
    assert listed <= set(REQUESTS)
    assert set(LIKE.values()) <= listed
