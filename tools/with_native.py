"""Run a Python module with another build of the kernel instead of the installed one.

``python tools/with_native.py path/to/_native.so -m pytest tests/kernel``
"""

from __future__ import annotations

import importlib.util
import runpy
import sys
from pathlib import Path


def main() -> None:
    """Load the build under the name of the installed one, then do what ``python -m`` does."""
    path, dash_m, name = sys.argv[1:4]
    if dash_m != "-m":
        sys.exit("say -m and the name of a module")
    sys.path[0] = str(Path.cwd())
    spec = importlib.util.spec_from_file_location("triomino.kernel._native", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    sys.argv = [name, *sys.argv[4:]]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
