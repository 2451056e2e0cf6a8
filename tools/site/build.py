"""Build the documentation into ``build/docs``: ``make docs``.

The pages are those of ``docs/``, the doors to them those beside this file, and the reference is
made from docstrings. The game without a server, from ``dist/site``, goes into ``game/``: the folder
is the whole home page, for any web host. Any warning is an error.
"""

from __future__ import annotations

import re
import shutil
import sys
from enum import Enum
from importlib import import_module
from pathlib import Path
from textwrap import indent
from typing import Final

from sphinx.cmd.build import build_main
from sphinx.pycode import ModuleAnalyzer

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
SOURCE: Final = ROOT / "build" / "docs-source"
OUT: Final = ROOT / "build" / "docs"
GAME: Final = ROOT / "dist" / "site"

PAGES: Final = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Files of the root that are pages, too, and their names there."""
REFERENCE: Final = {
    "triomino": "The rules: tiles, boards, rounds, matches, views, records",
    "triomino.bots": "Bots",
    "triomino.kernel": "The native kernel",
    "triomino.analysis": "Analysis",
    "triomino.env": "Many games as arrays",
    "triomino.render": "Drawings",
    "triomino.client": "A player over the network",
    "triomino.lab": "Many matches: simulations, arenas, statistics",
}
"""The parts of the reference."""
LAB: Final = (
    *("simulation.simulate", "arena.run_arena", "tally.tally_rounds", "benchmark.measure"),
)
"""What is stable of the lab, which exports nothing by itself."""


def main() -> None:
    """Gather the sources, build, and put the game beside it."""
    if not (GAME / "index.html").is_file():
        sys.exit("the game without a server is missing: make site")
    for folder in (SOURCE, OUT):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    shutil.copytree(HERE / "static", SOURCE / "static")
    shutil.copy(ROOT / "web" / "public" / "icon.svg", SOURCE)
    shutil.copy(HERE / "conf.py", SOURCE)
    for page in HERE.glob("*.md"):
        shutil.copy(page, SOURCE)
    for name, target in PAGES.items():
        shutil.copy(ROOT / name, SOURCE / target)
    for path in SOURCE.glob("*.md"):
        path.write_text(linked(path.read_text("utf-8")), "utf-8")
    add_unlisted(SOURCE)
    write_reference(SOURCE / "api")
    code = build_main(["-q", "-W", "--keep-going", "-b", "html", str(SOURCE), str(OUT)])
    if code:
        sys.exit(code)
    shutil.copy(ROOT / "docs" / "protocol.schema.json", OUT)
    shutil.copytree(GAME, OUT / "game")
    (OUT / ".nojekyll").touch()  # a host that drops folders beginning with _ must not
    foreign = outside(OUT)
    if foreign:
        sys.exit(f"pages load from elsewhere: {', '.join(foreign)}")
    print(f"the home page is in {OUT.relative_to(ROOT)}")


def linked(text: str) -> str:
    """A page with its links as they are within the site; to files that are none, the name alone."""
    for name, page in PAGES.items():
        text = re.sub(rf"\]\((\.\./)?{re.escape(name)}", f"]({page}", text)
    text = re.sub(r"\]\(docs/", "](", text)
    return re.sub(r"\[([^]]*)\]\(\.\./[^)]*\)", r"\1", text)


def add_unlisted(source: Path) -> None:
    """Add the pages that no door leads to yet to the end of the list."""
    doors = [source / page.name for page in HERE.glob("*.md")]
    listed = {line.strip() for door in doors for line in door.read_text("utf-8").splitlines()}
    listed |= {"index", *(door.stem for door in doors)}
    rest = sorted(page.stem for page in source.glob("*.md") if page.stem not in listed)
    index = source / "index.md"
    contents = "".join(f"{name}\n" for name in rest)
    text = index.read_text("utf-8").removesuffix("```\n")
    index.write_text(f"{text}{contents}```\n", "utf-8")


def write_reference(folder: Path) -> None:
    """Write a page for each part of the reference, by the names that it exports."""
    folder.mkdir()
    names = [module.replace(".", "-") for module in REFERENCE]
    contents = "\n".join(names)
    index = (
        "# Reference\n\nEverything that [is stable](../stability.md), with its types.\n"
        f"\n\n```{{toctree}}\n:maxdepth: 1\n\n{contents}\n```\n"
    )
    (folder / "index.md").write_text(index, "utf-8")
    for (module, title), name in zip(REFERENCE.items(), names, strict=True):
        parts = [f"# {title}\n\n`import {module}`\n"]
        parts += [
            f"```{{eval-rst}}\n{directive(module, member)}\n```\n" for member in exported(module)
        ]
        (folder / f"{name}.md").write_text("\n".join(parts), "utf-8")


def exported(module: str) -> list[str]:
    """The public names of a part; constants come last."""
    names = getattr(import_module(module), "__all__", LAB)
    return sorted(names, key=lambda name: (name.isupper(), name.lower()))


def directive(module: str, name: str) -> str:
    """The instruction for Sphinx that documents one name."""
    inner, _, last = name.rpartition(".")
    value = getattr(import_module(f"{module}.{inner}" if inner else module), last)
    if isinstance(value, type):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
        text = f".. {kind}:: {module}.{name}\n   :members:\n   :undoc-members:"
        # Nobody calls these, and their signatures say nothing.
        if issubclass(value, Enum):
            text += "\n   :exclude-members: __new__"
        elif getattr(value, "_is_protocol", False):
            text += "\n   :exclude-members: __init__"
        return text
    if callable(value):
        return f".. autofunction:: {module}.{name}"
    said = indent(described(last, value), "   ")
    return f".. py:data:: {name}\n   :module: {module}\n\n{said}"


def described(name: str, value: object) -> str:
    """What stands below a constant in the module that defines it."""
    for module, loaded in sorted(sys.modules.items()):
        if module.startswith("triomino.") and vars(loaded).get(name) is value:
            said = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name))
            if said:
                return "\n".join(said)
    return ""


def outside(folder: Path) -> list[str]:
    """What the pages load from other hosts: scripts, styles, fonts, pictures."""
    pattern = r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["'](?:https?:)?//[^"']+"""
    found = set()
    for path in folder.rglob("*.html"):
        found |= set(re.findall(pattern, path.read_text("utf-8")))
    for path in folder.rglob("*.css"):
        found |= set(re.findall(r"(?:@import|url\()[^;)]*//[^;)]*", path.read_text("utf-8")))
    return sorted(found)


if __name__ == "__main__":
    main()
