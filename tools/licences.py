"""List the licences of everything that is shipped: ``python -m tools.licences``.

Shipped are the Python packages that an installation brings along and the npm packages that are
part of the page. Exit with 1 if one of them is not known to be compatible with the MIT licence.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.metadata import Distribution

ROOT: Final = Path(__file__).resolve().parents[1]
COMPATIBLE: Final = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"),
        *("MPL-2.0", "PSF-2.0", "Zlib"),
    }
)
"""Licences, by their SPDX names, of what may be installed beside a program under MIT."""
NAMES: Final = {
    "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-2-Clause",
    "BSD License": "BSD-3-Clause",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""How older packages write them."""
READ: Final = {"resvg-py": "MIT"}
"""Packages whose metadata name no licence: what the file they bring along says."""
IN_THE_PAGE: Final = (
    *("@noble/ed25519", "@noble/hashes", "clsx", "esm-env", "icu-minify", "svelte"),
)
"""The npm packages whose code is part of the page; the others only build or test it."""


def main() -> None:
    """Print a line for each package; exit with 1 if one is not compatible."""
    kernel = [("nanobind (kernel)", _licence("nanobind", distribution("nanobind")))]
    packages = [*python_packages("triomino"), *kernel, *npm_packages()]
    strange = [name for name, licence in packages if not is_compatible(licence)]
    for name, licence in packages:
        print(f"{name:<28}{licence or 'unknown'}{'  <- not compatible' * (name in strange)}")
    if strange:
        sys.exit(f"not known to be compatible: {', '.join(strange)}")


def is_compatible(licence: str) -> bool:
    """Whether one choice of a licence expression is compatible in all its parts.

    >>> is_compatible("GPL-3.0-only OR (MIT AND Apache-2.0)"), is_compatible("GPL-3.0-only")
    (True, False)
    """
    choices = re.split(r" OR ", licence.replace("(", "").replace(")", ""))
    return any(all(part in COMPATIBLE for part in one.split(" AND ")) for one in choices)


def python_packages(root: str) -> list[tuple[str, str]]:
    """The packages that installing *root* brings along, with their licences, by name."""
    found: dict[str, str] = {}
    wanted = [root]
    while wanted:
        name = _normal(wanted.pop())
        if name in found:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system or Python
            continue
        found[name] = _licence(name, package)
        wanted += _names(package.requires or [])
    return sorted(found.items())


def npm_packages() -> Iterator[tuple[str, str]]:
    """The npm packages that are part of the page, with their licences."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    for name in IN_THE_PAGE:
        yield f"{name} (page)", lock["packages"][f"node_modules/{name}"]["license"]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _names(requirements: Iterable[str]) -> list[str]:
    """The packages of requirements that are no extras."""
    parts = [re.match(r"[\w.-]+", text) for text in requirements if "extra ==" not in text]
    return [part[0] for part in parts if part]


def _licence(name: str, package: Distribution) -> str:
    metadata = package.metadata
    for said in [*(metadata.get_all("License-Expression") or []), READ.get(name)]:
        if said:
            return str(said)
    old = str((metadata.get_all("License") or [""])[0]).partition("\n")[0].strip()
    classifiers = [
        text.rpartition(" :: ")[2]
        for text in metadata.get_all("Classifier") or []
        if text.startswith("License :: ") and not text.endswith("OSI Approved")
    ]
    if old:
        return NAMES.get(old, old)
    return " AND ".join(NAMES.get(text, text) for text in classifiers)


if __name__ == "__main__":
    main()
