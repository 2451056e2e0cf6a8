"""The import line: who may import whom.

A room or a module may import what stands before it in the line, and what stands beside it as long
as that makes no circle. To add one, put its name where it belongs in ``MODULES`` or ``ROOMS``.

Imports inside functions count like any other. Those under ``if TYPE_CHECKING`` never run; they
are free of the order inside the rules room, but may not name a later room either.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import triomino

if TYPE_CHECKING:
    from collections.abc import Iterator

# The rules room: files at the top of the package and two folders, from the first to the last.
MODULES = [
    ["errors"],
    ["packages", "reading", "tile", "grid"],
    ["moves", "rules"],
    ["legacy"],
    ["board"],
    ["scoring"],
    ["ledger"],
    ["dice", "fair"],
    ["fair2"],
    ["signatures"],
    ["deal", "position"],
    ["choices"],
    ["game"],
    ["view", "worlds"],
    ["match"],
    ["record", "notation", "pad", "perft", "judge", "rulebook"],
    ["claims"],
]

# The folders, from the first to the last; the rules room comes before all of them.
ROOMS = [
    ["render"],
    ["kernel"],
    ["bots"],
    ["analysis"],
    ["lab", "env", "puzzles"],
    ["store", "protocol", "words", "tournament", "ratings"],
    ["client"],
    ["server", "terminal"],
    ["cli"],
]

# What a module of the rules room may import inside a function, beside the standard library.
LATE = {"signatures": {"cryptography"}}

# What opens the package from outside; nothing inside imports it.
DOORS = {"__init__", "__main__"}

SOURCE = Path(triomino.__file__).parent
RANK = {name: rank for rank, group in enumerate(MODULES) for name in group}
ROOM_RANK = {name: rank for rank, group in enumerate(ROOMS) for name in group}
RULES_ROOM = -1


@dataclass(frozen=True)
class Import:
    """A module that a file imports."""

    file: str
    line: int
    name: str
    """Dotted, from its root."""
    typing_only: bool
    names: tuple[str, ...] = ()
    """What is imported out of it."""

    @property
    def root(self) -> str:
        return self.name.split(".")[0]

    @property
    def part(self) -> str:
        """The file or folder of the package that is meant; empty for the package itself."""
        return [*self.name.split("."), ""][1]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.name}"


class Reader(ast.NodeVisitor):
    """Collects the imports of one file."""

    def __init__(self, path: Path, source: Path = SOURCE) -> None:
        self.file = path.relative_to(source).as_posix()
        self.package = ["triomino", *path.relative_to(source).parent.parts]
        self.known = {*RANK, *ROOM_RANK}
        self.typing_only = False
        self.found: list[Import] = []
        self.visit(ast.parse(path.read_text(encoding="utf-8")))

    def visit_If(self, node: ast.If) -> None:
        names = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node.test)}
        before = self.typing_only
        self.typing_only = before or "TYPE_CHECKING" in names
        for child in node.body:
            self.visit(child)
        self.typing_only = before
        for child in node.orelse:
            self.visit(child)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._add(node, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        above = self.package[: len(self.package) + 1 - node.level] if node.level else []
        name = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            # Out of the package itself one can take a module of it, or what it re-exports.
            inside = name == "triomino" and alias.name in self.known
            self._add(node, f"{name}.{alias.name}" if inside else name, alias.name)

    def _add(self, node: ast.Import | ast.ImportFrom, name: str, *names: str) -> None:
        self.found.append(Import(self.file, node.lineno, name, self.typing_only, names))


def files() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path.name != "__main__.py")


def imports_of(path: Path) -> list[Import]:
    return Reader(path).found


def part_of(path: Path) -> str:
    """The file or folder of the package that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def modules() -> list[Path]:
    """The files of the rules room."""
    return [path for path in files() if not room_of(path) and part_of(path) not in DOORS]


def rooms() -> list[Path]:
    return sorted({path.parent for path in SOURCE.glob("*/*.py") if room_of(path)})


def room_of(path: Path) -> str:
    """The folder a file is in, or nothing for the rules room."""
    part = part_of(path)
    return "" if part in RANK or (SOURCE / f"{part}.py").exists() else part


def rank_of_room(name: str) -> int:
    return RULES_ROOM if name in RANK or not name else ROOM_RANK.get(name, len(ROOMS))


def own(imports: list[Import]) -> Iterator[Import]:
    return (found for found in imports if found.root == "triomino")


def circle(edges: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


# --- The lists -----------------------------------------------------------------------------------


def test_every_module_and_room_is_in_the_list() -> None:
    lost = [part_of(path) for path in modules() if part_of(path) not in RANK]
    assert not lost, f"put {', '.join(lost)} in MODULES of {Path(__file__).name}, where it belongs"
    lost = [path.name for path in rooms() if path.name not in ROOM_RANK]
    assert not lost, f"put {', '.join(lost)} in ROOMS of {Path(__file__).name}, where it belongs"


def test_no_name_is_listed_twice() -> None:
    names = [name for group in [*MODULES, *ROOMS] for name in group]
    assert len(names) == len(set(names))


def test_what_is_imported_from_the_package_is_in_the_list() -> None:
    for path in files():
        for found in own(imports_of(path)):
            assert found.part in {*RANK, *ROOM_RANK, ""}, f"{found}, which no list knows"


# --- The rules room ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", modules(), ids=lambda path: path.relative_to(SOURCE).as_posix().removesuffix(".py")
)
def test_a_module_imports_only_the_library_and_modules_before_it(path: Path) -> None:
    for found in imports_of(path):
        if found.root != "triomino":
            known = {*sys.stdlib_module_names, *LATE.get(part_of(path), ())}
            assert found.root in known, f"{found}, not in the standard library"
            continue
        assert found.part, f"{found}: inside, name the module and not the front door"
        assert found.part in RANK, f"{found}, which is not in the rules room"
        if not found.typing_only:
            last = RANK.get(part_of(path), len(MODULES))
            assert RANK[found.part] <= last, f"{found}, which comes after it"


def test_modules_import_one_another_in_no_circle() -> None:
    edges: dict[str, set[str]] = {}
    for path in modules():
        parts = {found.part for found in own(imports_of(path)) if not found.typing_only}
        edges.setdefault(part_of(path), set()).update(parts - {part_of(path)})
    assert circle(edges) == []


# --- The folders ---------------------------------------------------------------------------------


def test_a_room_imports_only_rooms_before_it() -> None:
    for path in files():
        room = room_of(path)
        for found in own(imports_of(path)):
            if room and found.part != room:
                later = rank_of_room(found.part) > rank_of_room(room)
                assert not later, f"{found}, which comes after {room}"


def test_rooms_side_by_side_import_one_another_in_no_circle() -> None:
    edges: dict[str, set[str]] = {}
    for path in files():
        if room := room_of(path):
            parts = {found.part for found in own(imports_of(path))}
            edges.setdefault(room, set()).update(parts - {room, "", *RANK})
    assert circle(edges) == []


# --- Every module --------------------------------------------------------------------------------


def module_named(path: Path) -> str:
    parts = ["triomino", *path.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path, known: set[str]) -> set[str]:
    """The modules of the package that a file imports; of a name in one, the module it is in."""
    found = set()
    for each in Reader(path).found:
        if not each.typing_only:
            found |= {f"{each.name}.{name}" for name in each.names} & known or {each.name} & known
    return found - {module_named(path)}


def test_no_module_imports_itself_by_way_of_others() -> None:
    # The native module has no file here but its stub.
    known = {module_named(path) for path in [*files(), *SOURCE.rglob("*.pyi")]}
    edges = {module_named(path): imported_modules(path, known) for path in files()}
    assert circle(edges) == []


# --- The front door ------------------------------------------------------------------------------


def test_the_front_door_shows_what_it_imports() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = [alias.asname or alias.name for node in nodes for alias in node.names]
    assert sorted(imported) == sorted(triomino.__all__)
    assert len(set(imported)) == len(imported)
    assert all(hasattr(triomino, name) for name in triomino.__all__)


def test_the_front_door_imports_the_rules_room_and_nothing_else() -> None:
    for found in imports_of(SOURCE / "__init__.py"):
        assert found.root == "triomino", str(found)
        assert found.part in RANK, f"{found}, which is not in the rules room"


def test_importing_the_package_loads_the_standard_library_and_the_rules_room_only() -> None:
    code = (
        "import sys; before = set(sys.modules); import triomino;"
        " print(*sorted(set(sys.modules) - before), sep='\\n')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "triomino.game" in loaded
    foreign = {
        name for name in loaded if name.split(".")[0] not in {"triomino", *sys.stdlib_module_names}
    }
    assert foreign == set()
    inside = {name.split(".")[1] for name in loaded if name.startswith("triomino.")}
    assert inside <= set(RANK)


# --- The reader of imports itself ----------------------------------------------------------------


def test_imports_are_read_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "bots" / "greedy.py"
    path.parent.mkdir()
    path.write_text(
        "from __future__ import annotations\n"
        "import typing, numpy.linalg\n"
        "from triomino import Game, kernel\n"
        "from ..tile import Tile\n"
        "from . import levels\n"
        "if typing.TYPE_CHECKING:\n    from triomino.server.app import App\n"
        "else:\n    import triomino.view\n"
        "def late():\n    from triomino.cli import main\n",
        encoding="utf-8",
    )
    found = [(found.name, found.typing_only) for found in Reader(path, tmp_path).found]
    assert found == [
        ("__future__", False),
        ("typing", False),
        ("numpy.linalg", False),
        ("triomino", False),
        ("triomino.kernel", False),
        ("triomino.tile", False),
        ("triomino.bots", False),
        ("triomino.server.app", True),
        ("triomino.view", False),
        ("triomino.cli", False),
    ]


def test_a_circle_is_found() -> None:
    assert circle({"record": {"notation"}, "notation": {"pad"}, "pad": {"record"}})
    assert not circle({"record": {"notation", "pad"}, "notation": {"pad"}})
