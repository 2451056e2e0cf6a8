"""``triomino doctor``: what is installed, and what is missing."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

from triomino.cli.options import AsJson
from triomino.cli.versions import version_of
from triomino.kernel import instruction_set, why_missing
from triomino.server.built_page import page_folder
from triomino.store.folder import data_folder
from triomino.terminal.output import console, print_json

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.rules import Json


NO_PAGE = "in a checkout, run make web; otherwise install a released wheel"
NO_KERNEL = "install a released wheel, or install again where there is a C++20 compiler"


def doctor(as_json: AsJson = False) -> None:
    """Say what is installed: versions, kernel, page, where the data is, what is missing.

    For example:

        triomino doctor

        triomino doctor --json
    """
    found = examine()
    if as_json:
        print_json(found)
        return
    data = found["data"]
    state = "there" if data["exists"] else "not there yet"
    lines = [
        *((name, number or "not found") for name, number in found["versions"].items()),
        ("kernel", _kernel(found["kernel"])),
        ("page", found["page"] or f"none: {NO_PAGE}"),
        ("data", f"{data['folder']} ({state}{'' if data['writable'] else ', not writable'})"),
        ("missing", "; ".join(found["missing"]) or "nothing"),
    ]
    screen = console()
    for name, text in lines:
        screen.print(f"{name + ':':<10}{text}", markup=False, soft_wrap=True)


def examine() -> Json:
    """Return the findings as plain data."""
    versions = {
        "triomino": version_of("triomino"),
        "python": platform.python_version(),
        "rich": version_of("rich"),
        "typer": version_of("typer"),
        "numpy": version_of("numpy"),
    }
    folder, page, why = data_folder(), page_folder(), why_missing()
    writable = _may_write(folder)
    missing = [f"the package {name}" for name, number in versions.items() if number is None]
    if why is not None:
        missing.append(f"the native kernel ({NO_KERNEL})")
    if page is None:
        missing.append(f"the page ({NO_PAGE})")
    if not writable:
        missing.append(f"the right to write to {folder}")
    return {
        "versions": versions,
        "kernel": {
            "native": why is None,
            "why": why,
            "instruction_set": None if why else instruction_set(),
        },
        "page": None if page is None else str(page),
        "data": {"folder": str(folder), "exists": folder.is_dir(), "writable": writable},
        "missing": missing,
    }


def _kernel(found: Json) -> str:
    if not found["native"]:
        return f"none: {found['why']}; most bots, hints and analyses need it; {NO_KERNEL}"
    return f"native ({found['instruction_set']})"


def _may_write(folder: Path) -> bool:
    """Return whether the folder, or its nearest existing parent, may be written to."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)
