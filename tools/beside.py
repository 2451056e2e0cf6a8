"""Let the environment of this Python find what another one has: ``python tools/beside.py .venv``.

What both have is taken from this one.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path


def main() -> None:
    """Write a file that Python reads when it starts."""
    other = Path(sys.argv[1]).resolve()
    here = Path(sysconfig.get_path("purelib"))
    packages = other / here.relative_to(Path(sys.prefix).resolve())
    line = f"import site; site.addsitedir({str(packages)!r})\n"
    (here / "zz_beside.pth").write_text(line, encoding="utf-8")


if __name__ == "__main__":
    main()
