"""Run the container image's program without a daemon: ``python -m tools.image_check WHEEL``.

A plain root directory takes the place of the image: the system's own folders and ``/opt/triomino``,
all read-only, and ``/data``. In it, and in a network of its own, run the entry point, the command
and the health check that the ``Dockerfile`` names, as its user. Needs root on Linux, and a Python
in ``/usr/bin``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SYSTEM: Final = ("bin", "etc", "lib", "lib64", "usr", "proc", "dev")
PYTHON: Final = Path("/usr/bin/python3")
PATIENCE: Final = 120.0
"""Seconds until the server is healthy, on a machine that is busy."""


def instructions() -> dict[str, str]:
    """The last instruction of each kind in the Dockerfile, with continued lines joined."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", "")
    found = re.findall(r"^([A-Z]+) +(.*)$", text, re.MULTILINE)
    return {name: rest.strip() for name, rest in found}


def inside(root: Path, user: str, command: list[str]) -> list[str]:
    """The command, to be run in the root directory as a user, with everything else read-only."""
    binds = " && ".join(
        f"mount --rbind /{name} {root}/{name}" for name in SYSTEM if (root / name).is_dir()
    )
    script = (
        f"mount --bind {root} {root} && {binds} && mount --bind {root}/data {root}/data && "
        f"mount -o remount,ro,bind {root} && mount -o remount,rw,bind {root}/data && "
        "ip link set lo up && "
        f'exec chroot --userspec={user}:{user} {root} "$@"'
    )
    return ["unshare", "--mount", "--net", "sh", "-c", script, "sh", *command]


def make_root(root: Path, wheel: Path, user: int) -> None:
    """Fill the root directory as the Dockerfile's steps do, with a wheel that is built already."""
    for name in SYSTEM:
        if Path("/", name).exists():
            (root / name).mkdir()
    (root / "data").mkdir()
    os.chown(root / "data", user, user)
    root.chmod(0o755)
    # Programs of an environment name its place: it is made where it will be.
    place = Path("/opt/triomino")
    target = root / "opt" / "triomino"
    target.mkdir(parents=True)
    uv = [sys.executable, "-m", "uv"]
    _run([*uv, "venv", "--quiet", "--python", str(PYTHON), str(target)])
    python = str(target / "bin" / "python")
    _run([*uv, "pip", "install", "--quiet", "--python", python, f"{wheel}[cluster]"])
    for script in (target / "bin").iterdir():
        if script.is_file() and not script.is_symlink():
            text = script.read_bytes().replace(str(target).encode(), str(place).encode())
            script.write_bytes(text)


def check(wheel: Path) -> None:
    """Exit with one line if the image would not serve, or not stop when asked."""
    found = instructions()
    command = [*json.loads(found["ENTRYPOINT"]), *json.loads(found["CMD"])]
    health = json.loads(found["HEALTHCHECK"].partition("CMD ")[2])
    settings = dict(re.findall(r"(\w+)=(\S+)", found["ENV"]))
    env = {**settings, "PATH": settings["PATH"].replace("$PATH", "/usr/sbin:/usr/bin:/bin")}
    user = found["USER"]
    with TemporaryDirectory() as name:
        root = Path(name)
        make_root(root, wheel, int(user))
        written = _run(inside(root, user, ["touch", "/opt/triomino/x"]), fails=True)
        if "Read-only" not in written:
            sys.exit(f"the root directory is not read-only: {written}")
        server = subprocess.Popen(inside(root, user, command), env=_with_path(env))  # noqa: S603
        try:
            # Each program in turn became the next one, so the server has this number.
            place = ["nsenter", "--target", str(server.pid), "--mount", "--net"]
            enter = [*place, "chroot", f"--userspec={user}:{user}", str(root)]
            _wait_until_healthy(server, [*enter, *health], _with_path(env))
        finally:
            server.terminate()
            code = server.wait(PATIENCE)
        if code:
            sys.exit(f"the server ended with {code} when it was asked to stop")
    print(f"{' '.join(command)}: healthy as user {user} on a read-only root, and stops when asked")


def _with_path(env: dict[str, str]) -> dict[str, str]:
    return {**env, "PATH": f"{env['PATH']}:/usr/sbin:/usr/bin:/sbin:/bin"}


def _wait_until_healthy(
    server: subprocess.Popen[bytes], health: list[str], env: dict[str, str]
) -> None:
    end = time.monotonic() + PATIENCE
    while subprocess.run(health, env=env, check=False, capture_output=True).returncode:  # noqa: S603
        if server.poll() is not None or time.monotonic() > end:
            sys.exit("the server is not healthy")
        time.sleep(0.5)


def _run(command: list[str], *, fails: bool = False) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    if bool(done.returncode) != fails:
        sys.exit(f"{' '.join(command[:3])}: {done.stderr or done.stdout}")
    return done.stderr


if __name__ == "__main__":
    check(Path(sys.argv[1]).resolve())
