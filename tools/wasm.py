"""Build the kernel as WebAssembly for the page: ``python -m tools.wasm``.

The compiler is that of the package ``ziglang``, the optimizer that of npm's ``binaryen``. The same
sources give the same bytes on every machine. There are two builds: one for browsers with SIMD, and
one without. Nothing is built if both are newer than their sources; ``--output`` builds anew.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "web" / "src" / "lib" / "kernel"
OPTIMIZER: Final = ROOT / "web" / "node_modules" / "binaryen" / "bin" / "wasm-opt"
PACKAGE: Final = "ziglang>=0.17,<0.18"

SOURCES: Final = (
    "board.cpp",
    "calls.cpp",
    "checks.cpp",
    "dispatch.cpp",
    "engine.cpp",
    "evidence.cpp",
    "ledger.cpp",
    "network.cpp",
    "review.cpp",
    "round.cpp",
    "rules.cpp",
    "thinking.cpp",
    "wasm.cpp",
)
BUILDS: Final = {"kernel.wasm": ["-msimd128"], "kernel-scalar.wasm": []}
"""The files, with the flags in which they differ."""

STACK: Final = 1 << 20
"""Bytes. The default traps in real searches."""

FLAGS: Final = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c++20", "-O3"),
    *("-fno-exceptions", "-fno-rtti", "-ffp-contract=off", "-Wall", "-Wextra"),
    *(
        "-DTRIOMINO_ARCH=portable",
        "-DTRIOMINO_PAGE",
        "-DNDEBUG",
        f"-Wl,-z,stack-size={STACK}",
        "-Wl,--strip-all",
    ),
)
OPTIMIZE: Final = ("-O3", "--strip-debug", "--strip-producers", "--strip-target-features")
# What the compiler may use, named for the optimizer.
FEATURES: Final = (
    *("--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int"),
    *("--enable-mutable-globals", "--enable-multivalue", "--enable-reference-types"),
    *("--enable-bulk-memory-opt", "--enable-call-indirect-overlong", "--enable-extended-const"),
)


def is_current() -> bool:
    """Whether both builds are newer than their sources."""
    built = [FOLDER / name for name in BUILDS]
    if not all(path.is_file() for path in built):
        return False
    oldest = min(path.stat().st_mtime for path in built)
    sources = [*(ROOT / "native").glob("*.[ch]pp"), Path(__file__)]
    return all(path.stat().st_mtime <= oldest for path in sources)


def build(folder: Path) -> None:
    """Write both builds into *folder*; exit with one line if that fails."""
    if find_spec("ziglang") is None:
        sys.exit(f"the kernel of the page cannot be built: install the package {PACKAGE}")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch, ThreadPoolExecutor() as pool:
        list(pool.map(lambda name: _build_one(name, Path(scratch), folder), BUILDS))


def _build_one(name: str, scratch: Path, folder: Path) -> None:
    plain, small = scratch / f"plain-{name}", scratch / name
    zig = [sys.executable, "-m", "ziglang", "c++"]
    # Relative names: paths of this machine must not be part of the build.
    _run([*zig, *FLAGS, *BUILDS[name], *SOURCES, "-o", str(plain)], ROOT / "native")
    simd = ["--enable-simd"] if BUILDS[name] else []
    optimizer = [shutil.which("node") or "node", str(OPTIMIZER)]
    if not OPTIMIZER.is_file():
        sys.exit("the kernel of the page cannot be built: run npm ci in web/ first")
    _run([*optimizer, *OPTIMIZE, *FEATURES, *simd, str(plain), "-o", str(small)], ROOT)
    shutil.move(small, folder / name)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        sys.exit(f"the kernel of the page could not be built: {Path(command[0]).name} failed")


def main() -> None:
    """Build if needed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="build there, even if nothing changed")
    folder = parser.parse_args().output
    if folder is not None or not is_current():
        build(folder or FOLDER)


if __name__ == "__main__":
    main()
