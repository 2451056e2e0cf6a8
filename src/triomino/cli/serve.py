"""``triomino serve``: tables for everybody on the network."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import segno
import typer

from triomino.cli.options import ConfigFile, Data, ServerSettings
from triomino.cli.versions import version_of
from triomino.errors import TriominoError
from triomino.kernel import kernel_in_use
from triomino.server.config import read_config
from triomino.server.logs import note, set_up
from triomino.server.run import serve as serve_tables
from triomino.terminal.browser import open_page

if TYPE_CHECKING:
    from triomino.server.config import Config
    from triomino.server.listening import Listening


Host = Annotated[
    str | None, typer.Option(help="Listen on this address only; by default on every network.")
]
Local = Annotated[bool, typer.Option("--local", help="For this machine only; no phone can join.")]
Port = Annotated[int | None, typer.Option(help="The port; 8020 by default.")]
BusUrl = Annotated[
    str | None, typer.Option("--bus", help="Valkey, redis://host:6379, for several servers.")
]
PublicUrl = Annotated[
    str | None, typer.Option(help="How browsers reach it, like https://game.example.")
]
ProxyHeaders = Annotated[
    bool, typer.Option("--proxy-headers", help="Trust a proxy on this machine.")
]
Proxies = Annotated[str | None, typer.Option(help="Trust the proxies at these addresses.")]
Certificate = Annotated[Path | None, typer.Option(help="Serve https with this certificate.")]
Key = Annotated[Path | None, typer.Option(help="The certificate's key.")]
LogJson = Annotated[bool, typer.Option("--log-json", help="Log one JSON object per line.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Also log every move.")]
QrCode = Annotated[
    bool | None, typer.Option("--qr/--no-qr", help="Show a code for phones; on a terminal.")
]
OpenHouse = Annotated[
    bool, typer.Option("--open-house", help="Let people meet who do not know each other.")
]
Opens = Annotated[
    bool, typer.Option("--open", help="Open the page in the browser of this machine.")
]


def serve(
    *,
    host: Host = None,
    local: Local = False,
    port: Port = None,
    data: Data = None,
    bus: BusUrl = None,
    public_url: PublicUrl = None,
    proxy_headers: ProxyHeaders = False,
    proxies: Proxies = None,
    tls_cert: Certificate = None,
    tls_key: Key = None,
    config: ConfigFile = None,
    settings: ServerSettings = None,
    log_json: LogJson = False,
    verbose: Verbose = False,
    qr: QrCode = None,
    opens: Opens = False,
    open_house: OpenHouse = False,
) -> None:
    """Serve tables that people and bots play at, from this machine.

    Everything is saved: stop it whenever you like, and continue later.

    For example:

        triomino serve

        triomino serve --local --port 9000

        triomino serve --config club.toml --set http_per_minute=600 --log-json
    """
    if local and host is not None:
        raise TriominoError("--local and --host contradict each other; give one of them")
    if proxy_headers and proxies is None:
        proxies = "127.0.0.1,::1"
    options = {
        "host": "127.0.0.1" if local else host,
        "port": port,
        "data": data,
        "bus": bus,
        "public_url": public_url,
        "proxy": proxies,
        "tls_cert": tls_cert and str(tls_cert),
        "tls_key": tls_key and str(tls_key),
        "open": open_house or None,
    }
    given = {name: value for name, value in options.items() if value is not None}
    found = read_config(config, settings or [], given)
    run(found, as_json=log_json, verbose=verbose, qr=qr, opens=opens)


def run(
    config: Config,
    *,
    as_json: bool,
    verbose: bool,
    qr: bool | None,
    opens: bool = False,
    quiet: bool = False,
) -> None:
    """Serve, and print the address when ready; *quiet* logs problems only."""

    def when_ready(listening: Listening) -> None:
        note("listening", host=config.host, port=listening.port)
        show_qr = sys.stdout.isatty() if qr is None else qr
        print(greeting(config, listening, qr=show_qr), flush=True)
        if opens:
            # A slow browser must not keep the server from answering it.
            Thread(target=open_page, args=(listening.here,), daemon=True).start()

    set_up(as_json=as_json, verbose=verbose, quiet=quiet)
    packages = ("triomino", "litestar", "uvicorn", "websockets", "sqlalchemy")
    about = {name: version_of(name) for name in packages} | {
        "python": ".".join(map(str, sys.version_info[:3])),
        "kernel": kernel_in_use(),
    }
    serve_tables(config, when_ready, about)


def greeting(config: Config, listening: Listening, *, qr: bool) -> str:
    """Return the text shown at start: the addresses, the data and how to stop."""
    lines = [f"Tables are served at {listening.here}"]
    if listening.others is None:
        lines.append("Only this machine can reach it.")
    else:
        lines.append(f"Phones and others on the network: {listening.others}")
        if qr:
            picture = io.StringIO()
            segno.make(listening.others, micro=False).terminal(picture, compact=True, border=2)
            lines.append(picture.getvalue().rstrip("\n"))
    if listening.host_key is not None:
        lines.append(f"Your page as the host: {listening.here}/host#key={listening.host_key}")
        lines.append("Keep this key; it is shown once. triomino host key makes a new one.")
    lines += [f"Data lies in {shown(config.data)}", "Ctrl-C stops it; nothing is lost."]
    return "\n".join(lines)


def shown(data: str) -> str:
    """Return the name of a database for display: a URL loses its password."""
    if "://" not in data:
        return data
    parts = urlsplit(data)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
