"""``triomino`` without a command: the game in this machine's browser."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import httpx

from triomino.cli.serve import run
from triomino.server.config import read_config
from triomino.server.listening import ServeError, addresses, listen
from triomino.server.page import name_of
from triomino.terminal.browser import open_page

if TYPE_CHECKING:
    from triomino.server.config import Config

PORTS: Final = 20
"""How many ports are tried, from the usual one on."""
PATIENCE: Final = 3.0
"""Seconds that a server on this machine may take to answer."""


def start() -> None:
    """Open the page, after starting a server unless one with the same data runs already."""
    config = read_config()
    config, running = choose(config)
    if running is not None:
        opened = open_page(running)
        print(f"Your tables are served already at {running}" + (": opened." if opened else ""))
        return
    run(config, as_json=False, verbose=False, qr=None, opens=True, quiet=True)


def choose(config: Config) -> tuple[Config, str | None]:
    """Return the settings with a free port, or the address of a running server of ours."""
    first = config.port
    for port in range(first, min(first + PORTS, 65536)):
        here = replace(config, port=port)
        try:
            listen(here).close()
        except ServeError:
            url = addresses(here, port).here
            if is_ours(url, config.data):
                return here, url
        else:
            if port != first:
                print(f"Port {first} is taken by another program; {port} is used instead.")
            return here, None
    raise ServeError(
        f"the ports {first} to {first + PORTS - 1} are all taken; choose one: triomino serve --port"
    )


def is_ours(url: str, data: str) -> bool:
    """Return whether a server with the same data answers there."""
    try:
        with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
            answer = client.get(f"{url}/api/address").json()
    except (httpx.HTTPError, ValueError):
        return False
    name = name_of(data)
    return isinstance(answer, dict) and name is not None and answer.get("data") == name
