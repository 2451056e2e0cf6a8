"""The files for hosts of several servers: what they name is there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.server.harness import in_loop, serving, until

if TYPE_CHECKING:
    from tools.services import Valkey

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "cluster"


@in_loop
async def test_every_metric_that_is_named_exists(
    tmp_path: Path, database: str, valkey: Valkey
) -> None:
    async with serving(tmp_path, data=database, bus=valkey.url) as served:
        bus = served.hub.cluster.bus
        await until(lambda: bus is not None and bus.is_up)
        said = (await served.get("/metrics")).text
    there = {line.split()[0] for line in said.splitlines() if not line.startswith("#")}
    texts = {
        "alerts": (FOLDER / "alerts.yml").read_text("utf-8"),
        "dashboard": (FOLDER / "dashboard.json").read_text("utf-8"),
        "page": (ROOT / "docs" / "cluster.md").read_text("utf-8"),
    }
    for name, text in texts.items():
        named = set(re.findall(r"\btriomino_\w+", text))
        assert len(named) >= 5, name
        assert named <= there, (name, named - there)


def test_the_dashboard_and_the_alerts_are_whole() -> None:
    board = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"]) >= 9
    for panel in board["panels"]:
        assert panel["title"]
        assert all(target["expr"] for target in panel["targets"])
    [group] = yaml.safe_load((FOLDER / "alerts.yml").read_text("utf-8"))["groups"]
    for rule in group["rules"]:
        assert rule["expr"]
        assert rule["annotations"]["summary"].endswith(".")


def _compose() -> dict[str, Any]:
    text = (ROOT / "compose.cluster.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{\w+:(\?|-[^}]*)\}", "secret", text))
    return found


def test_what_compose_starts() -> None:
    made = _compose()
    services = made["services"]
    nodes = [name for name in services if name.startswith("node")]

    def is_internal(network: str) -> bool:
        return bool((made["networks"][network] or {}).get("internal"))

    proxy = (FOLDER / "haproxy.cfg").read_text("utf-8")
    watched = (FOLDER / "prometheus.yml").read_text("utf-8")
    assert len(nodes) == 3
    for name in nodes:
        assert f"server {name} {name}:8020" in proxy
        assert f'"{name}:8020"' in watched
        address = services["haproxy"]["networks"]["inside"]["ipv4_address"]
        assert f"--set=proxy={address}" in services[name]["command"]
        # The proxy comes from that address only; push services are elsewhere.
        assert set(services["haproxy"]["networks"]) & set(services[name]["networks"]) == {"inside"}
        assert not all(is_internal(network) for network in services[name]["networks"])
    # Nobody outside reaches the database, the bus or a server but through the proxy.
    assert [name for name, one in services.items() if "ports" in one] == ["haproxy"]
    assert is_internal("inside")
    # PostgreSQL listens on its socket alone while its files are made.
    assert "--host=127.0.0.1" in services["postgres"]["healthcheck"]["test"]
    for service in services.values():
        for volume in service.get("volumes", []):
            if volume.startswith("./"):
                assert (ROOT / volume.partition(":")[0]).is_file(), volume


@in_loop
async def test_the_servers_of_compose_start(tmp_path: Path, database: str, valkey: Valkey) -> None:
    """With the options that are written there, but for where the others are."""
    given = dict(
        part.removeprefix("--set=").removeprefix("--").split("=", 1)
        for part in _compose()["services"]["node1"]["command"]
        if "=" in part
    )
    given |= {"data": database, "bus": valkey.url, "public-url": "https://game.example"}
    settings = {name.replace("-", "_"): value for name, value in given.items()}
    async with serving(tmp_path, **settings) as served:
        bus = served.hub.cluster.bus
        await until(lambda: bus is not None and bus.is_up)


def test_haproxy_takes_its_file() -> None:
    program = shutil.which("haproxy")
    if program is None:
        pytest.skip("there is no HAProxy")
    said = subprocess.run(
        [program, "-c", "-f", str(FOLDER / "haproxy.cfg")], check=False, capture_output=True
    )
    assert said.returncode == 0, said.stderr
