"""``python -m tests.nodes.older_main serve …``: a server of the older version in ``OLDER``.

Settings that it does not know yet are left out.
"""

from __future__ import annotations

import os
import runpy
import sys
from importlib import import_module


def become_older(folder: str) -> None:
    """Let this process import the package from *folder*, and not from where it is installed."""
    sys.meta_path[:] = [one for one in sys.meta_path if "ScikitBuild" not in type(one).__name__]
    sys.path.insert(0, folder)
    known = import_module("triomino.server.config").Config.__annotations__
    sys.argv[1:] = [
        part
        for part in sys.argv[1:]
        if not part.startswith("--set=") or part.split("=")[1] in known
    ]


if __name__ == "__main__":
    become_older(os.environ["OLDER"])
    runpy.run_module("tests.server.process_main", run_name="__main__")
