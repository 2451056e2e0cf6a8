"""Try a release as users will have it: ``python -m tools.release_check``.

Builds wheel and sdist, looks into them, installs them into throw-away environments on the oldest
Python that is supported and on the newest one there is, without Node and without a compiler, and
lets each of them serve the page. ``make release-check`` runs the tests before that.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from urllib.error import URLError
from urllib.request import urlopen
from zipfile import ZipFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
OUT: Final = ROOT / "build" / "release"
TOOLS: Final = ROOT / "build" / "release-tools" / "bin"
"""The environment with auditwheel and pip-audit."""
NEWEST: Final = ("3.14", "3.13", "3.12")
UV: Final = (sys.executable, "-m", "uv")
PATIENCE: Final = 120.0
"""Seconds until a server answers, on a machine that is busy."""
COMPILERS: Final = (
    *("c++", "cc", "g++", "gcc", "clang++", "clang"),
    *("ar", "as", "ld", "nm", "ranlib", "sh", "strip"),
)
OFFLINE: Final = ("ConnectionError", "Max retries", "Name or service", "Not Allowed", "ENOTFOUND")
"""What tools say that cannot reach their data."""
NOT_CHECKED: Final = "not checked, its data cannot be reached from here"


class Failed(Exception):  # noqa: N818 - a check that did not pass
    """A check did not pass; the message is one line."""


class Unreachable(Exception):  # noqa: N818 - not an error of the release
    """A check could not be made here; the message says why."""


# --- Running things ------------------------------------------------------------------------------


def run(*command: str | Path, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    """Run a command and return what it printed; raise :class:`Failed` with its last lines."""
    done = subprocess.run(  # noqa: S603
        list(map(str, command)),
        env=env,
        cwd=cwd or ROOT,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        last = "\n".join(done.stdout.splitlines()[-15:])
        raise Failed(f"{Path(str(command[0])).name} {command[1]} failed:\n{last}")
    return str(done.stdout)


def bare(programs: Path | None = None) -> dict[str, str]:
    """An environment with the programs of a folder alone: no Node, and no compiler without one."""
    kept = {"HOME", "LANG", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE"}
    env = {
        name: value
        for name, value in os.environ.items()
        if name in kept or name.startswith(("PIP_", "UV_"))
    }
    if programs is not None:
        return env | {"PATH": str(programs)}
    # CMake looks into the folders of the system, too, unless it is told a compiler.
    return env | {"PATH": os.devnull, "CC": "no-compiler", "CXX": "no-compiler"}


def compilers(folder: Path) -> Path:
    """A folder with this machine's compiler and nothing else."""
    programs = folder / "compilers"
    programs.mkdir()
    for name in COMPILERS:
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    return programs


def environment(folder: Path, python: Path, package: Path) -> Path:
    """Install a package into a new environment and return the folder of its programs."""
    run(*UV, "venv", "--quiet", "--python", python, folder)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    interpreter = programs / ("python.exe" if sys.platform == "win32" else "python")
    run(*UV, "pip", "install", "--quiet", "--python", interpreter, package)
    return programs


# --- Serving the page ----------------------------------------------------------------------------


def serves_the_page(programs: Path, folder: Path) -> None:
    """Start the installed server in an empty folder, fetch the page and its script, and stop it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = {**bare(), "TRIOMINO_DATA": str(folder / "data")}
    command = [programs / "triomino", "serve", "--local", "--port", str(port), "--no-qr"]
    with _started(list(map(str, command)), env, folder) as server:
        page = _fetch(f"http://127.0.0.1:{port}/", server)
        script = re.search(r'src="(/assets/[^"]+\.js)"', page)
        if not script:
            raise Failed(f"/ is not the page: {page[:200]!r}")
        if len(_fetch(f"http://127.0.0.1:{port}{script[1]}", server)) < 1000:
            raise Failed(f"{script[1]} is no script")


@contextmanager
def _started(
    command: list[str], env: dict[str, str], folder: Path
) -> Iterator[subprocess.Popen[bytes]]:
    log = folder / "server.log"
    with (
        log.open("wb") as output,
        subprocess.Popen(  # noqa: S603
            command, env=env, cwd=folder, stdout=output, stderr=subprocess.STDOUT
        ) as server,
    ):
        try:
            yield server
        finally:
            server.terminate()
            server.wait(PATIENCE)


def _fetch(address: str, server: subprocess.Popen[bytes]) -> str:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own server
                return str(answer.read().decode())
        except (URLError, ConnectionError) as error:
            if time.monotonic() > end or server.poll() is not None:
                raise Failed(f"{address}: {error}") from None
            time.sleep(0.2)


# --- The checks ----------------------------------------------------------------------------------


@dataclass
class Release:
    """What is built, and on which Pythons it is tried."""

    oldest: Path
    newest: Path
    wheel: Path = Path()
    sdist: Path = Path()
    notes: list[str] = field(default_factory=list)

    def versions_agree(self) -> None:
        """The version of the project, of the citation and of the newest dated changes."""
        found = {
            "pyproject.toml": r'^version = "(.*)"$',
            "CITATION.cff": r"^version: (.*)$",
            "CHANGELOG.md": r"^## (\d\S*) \(",
        }
        versions = {}
        for name, pattern in found.items():
            hit = re.search(pattern, (ROOT / name).read_text("utf-8"), re.MULTILINE)
            versions[name] = hit[1] if hit else "none"
        if len(set(versions.values())) > 1:
            raise Failed(f"versions differ: {versions}")

    def build(self) -> None:
        """Wheel and sdist, in build/release."""
        shutil.rmtree(OUT, ignore_errors=True)
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", OUT)
        (self.wheel,) = OUT.glob("*.whl")
        (self.sdist,) = OUT.glob("*.tar.gz")

    def wheel_holds_page_and_kernel(self) -> None:
        """The page with its kernel, the native kernel, the licence; nothing of tests or tools."""
        names = ZipFile(self.wheel).namelist()
        for pattern in (
            r"triomino/web/dist/index\.html",
            r"triomino/web/dist/assets/.*\.wasm",
            r"triomino/kernel/_native\..*\.(so|pyd)",
            r"triomino/py\.typed",
            r"triomino-.*\.dist-info/licenses/LICENSE",
        ):
            if not any(re.fullmatch(pattern, name) for name in names):
                raise Failed(f"{self.wheel.name} has no {pattern}")
        tops = {name.partition("/")[0] for name in names}
        if len(tops) != 2:
            raise Failed(f"{self.wheel.name} has more than the package: {sorted(tops)}")

    def wheel_is_portable(self) -> None:
        """It is a manylinux by auditwheel: no foreign library, no newest system."""
        if sys.platform != "linux":
            raise Unreachable("auditwheel is for Linux")
        said = run(TOOLS / "auditwheel", "show", self.wheel)
        tag = re.search(r'"(manylinux[^"]*)"', said)
        if not tag:
            raise Failed(f"auditwheel: {said}")
        self.notes.append(f"auditwheel: the wheel is {tag[1]}")

    def wheel_on_the_oldest(self) -> None:
        """The wheel on the oldest Python, with no compiler and no Node."""
        self._try(self.wheel, self.oldest, kernel=True)

    def sdist_on_the_newest(self) -> None:
        """The sdist on the newest Python, with a compiler and without Node."""
        with TemporaryDirectory() as folder:
            wheel = self._built(Path(folder), self.newest, compiler=True)
            if "none-any" in wheel.name:
                raise Failed(f"{wheel.name}: the kernel was not built")
            self._try(wheel, self.newest, kernel=True)

    def sdist_without_a_compiler(self) -> None:
        """A pure wheel from the sdist with no compiler and no Node, on both Pythons."""
        with TemporaryDirectory() as folder:
            wheel = self._built(Path(folder), self.oldest, compiler=False)
            if not wheel.name.endswith("-py3-none-any.whl"):
                raise Failed(f"{wheel.name} is not tagged as a pure wheel")
            for python in {self.oldest, self.newest}:
                self._try(wheel, python, kernel=False)

    def _built(self, folder: Path, python: Path, *, compiler: bool) -> Path:
        command = ("build", "--wheel", "--quiet", "--python", python, "--out-dir", folder)
        env = bare(compilers(folder) if compiler else None)
        run(*UV, *command, self.sdist, env=env, cwd=folder)
        (wheel,) = folder.glob("*.whl")
        return wheel

    def _try(self, wheel: Path, python: Path, *, kernel: bool) -> None:
        """Install a wheel, compare what ``doctor`` says with what is there, and serve the page."""
        with TemporaryDirectory() as name:
            folder = Path(name)
            programs = environment(folder / "venv", python, wheel)
            env = {**bare(), "TRIOMINO_DATA": str(folder / "data")}
            triomino = programs / "triomino"
            version = run(triomino, "--version", env=env, cwd=folder).split()[-1]
            if f"-{version}-" not in wheel.name:
                raise Failed(f"{wheel.name} says it is version {version}")
            found = json.loads(run(triomino, "doctor", "--json", env=env, cwd=folder))
            if found["page"] is None or found["kernel"]["native"] != kernel:
                raise Failed(f"doctor says {found}")
            if bool(found["missing"]) == kernel:
                raise Failed(f"doctor says that it misses {found['missing']}")
            serves_the_page(programs, folder)

    def uvx(self) -> None:
        """``uvx`` runs the program from the wheel."""
        said = run(
            *UV,
            "tool",
            "run",
            "--python",
            self.oldest,
            "--from",
            self.wheel,
            "triomino",
            "--version",
        )
        if "triomino " not in said:
            raise Failed(f"uvx: {said}")

    def pipx(self) -> None:
        """``pipx install`` puts the program of the wheel on the path."""
        with TemporaryDirectory() as name:
            folder = Path(name)
            places = {"PIPX_HOME": str(folder / "home"), "PIPX_BIN_DIR": str(folder / "bin")}
            env = {**os.environ, **places, "PIPX_MAN_DIR": str(folder / "man")}
            command = ("tool", "run", "pipx", "install", "--python", self.oldest, self.wheel)
            run(*UV, *command, env=env)
            said = run(folder / "bin" / "triomino", "--version", env=bare(), cwd=folder)
            if "triomino " not in said:
                raise Failed(f"pipx: {said}")

    def image(self) -> None:
        """What the Dockerfile starts, in a plain root directory: there may be no daemon here."""
        if sys.platform != "linux" or os.geteuid() != 0:
            raise Unreachable("a root directory of its own needs root on Linux")
        run(sys.executable, "-m", "tools.image_check", self.wheel)

    def licences(self) -> None:
        """All that is shipped is compatible with the MIT licence."""
        run(sys.executable, "-m", "tools.licences")

    def hashes(self) -> None:
        """Every pinned dependency has a hash."""
        for path in sorted((ROOT / "requirements").glob("*.txt")):
            text = re.sub(r"\\\n", " ", path.read_text("utf-8"))
            lines = [line for line in text.splitlines() if re.match(r"\w", line)]
            if bare_lines := [line for line in lines if "--hash=" not in line]:
                raise Failed(f"{path.name}: no hash of {bare_lines[0].strip()}")
        lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
        for name, package in lock["packages"].items():
            if name and "integrity" not in package:
                raise Failed(f"package-lock.json: no hash of {name}")

    def known_weaknesses(self) -> None:
        """``pip-audit`` of everything pinned and ``npm audit``, if their data can be reached."""
        requirements = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
        pinned = len(re.findall(r"^[\w.-]+==[^;\n]*$", requirements, re.MULTILINE))
        for name, command in {
            "pip-audit": (
                *(TOOLS / "pip-audit", "--disable-pip", "--require-hashes", "--progress-spinner"),
                *("off", "-r", "requirements/dev.txt"),
            ),
            "npm audit": (ROOT / "tools" / "npm", "audit"),
        }.items():
            try:
                said = run(*command)
            except Failed as error:
                if not any(word in str(error) for word in OFFLINE):
                    raise
                self.notes.append(f"{name}: {NOT_CHECKED}")
            else:
                self.notes.append(f"{name}: {audited(said, pinned)}")


def audited(said: str, pinned: int) -> str:
    """What an audit found that exited with 0: it does so, too, if it could look nothing up."""
    skipped = said.count("could not be audited")
    if skipped >= pinned:
        return NOT_CHECKED
    return "no known weakness" + f"; {skipped} of {pinned} could not be looked up" * bool(skipped)


def checks(release: Release) -> list[Callable[[], None]]:
    """All checks, the cheap ones first."""
    return [
        release.versions_agree,
        release.hashes,
        release.licences,
        release.known_weaknesses,
        release.build,
        release.wheel_holds_page_and_kernel,
        release.wheel_is_portable,
        release.uvx,
        release.pipx,
        release.image,
        release.wheel_on_the_oldest,
        release.sdist_without_a_compiler,
        release.sdist_on_the_newest,
    ]


def newest_python() -> Path:
    """The newest Python there is: on the path, of pyenv, of uv; this one if there is no newer."""
    pyenv = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"))
    for version in NEWEST:
        if found := shutil.which(f"python{version}"):
            works = subprocess.run([found, "-c", ""], check=False, capture_output=True)  # noqa: S603
            if works.returncode == 0:
                return Path(found)
        for path in pyenv:
            if path.parts[-3].startswith(f"{version}."):
                return path
        command = [*UV, "python", "find", version]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
        if done.returncode == 0:
            return Path(done.stdout.strip())
    return Path(sys.executable)


def main() -> None:
    """Make all checks, or those named; exit with 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--newest", type=Path, help="a newer Python to try, too")
    parser.add_argument("--keep", action="store_true", help="take what is in build/release")
    arguments = parser.parse_args()
    release = Release(Path(sys.executable), arguments.newest or newest_python())
    if arguments.keep:
        (release.wheel,), (release.sdist,) = OUT.glob("*.whl"), OUT.glob("*.tar.gz")
    version = run(release.newest, "--version").strip()
    print(f"oldest: Python {sys.version.split()[0]}; newest to be had here: {version}", flush=True)
    failed = 0
    for check in checks(release):
        if arguments.keep and check == release.build:
            continue
        start = time.monotonic()
        try:
            check()
        except Unreachable as error:
            said = f"not checked: {error}"
        except Failed as error:
            failed += 1
            said = f"FAILED: {error}"
        else:
            said = "ok"
        name = check.__name__.replace("_", " ")
        print(f"{name:<30}{said} ({time.monotonic() - start:.0f} s)", flush=True)
    print(*release.notes, sep="\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
