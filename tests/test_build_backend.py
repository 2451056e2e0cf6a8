"""Wheels and sdists carry the page, or the build says in one line why not."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tools import build_backend as backend

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source tree with a page that is up to date."""
    for name in ("web/src/main.ts", "src/triomino/words/en.json", "web/dist/index.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.touch()
        os.utime(path, (1_000, 1_000))
    return tmp_path


@pytest.fixture
def no_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Node."""
    monkeypatch.setattr(backend, "find_npm", lambda: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)


def test_a_page_that_is_up_to_date_is_not_built_again(tree: Path) -> None:
    assert not backend.needs_page(tree)


def test_a_missing_page_is_built(tree: Path) -> None:
    (tree / "web/dist/index.html").unlink()
    assert backend.needs_page(tree)


@pytest.mark.parametrize("source", ["web/src/main.ts", "src/triomino/words/en.json"])
def test_a_page_older_than_its_sources_is_built_again(tree: Path, source: str) -> None:
    os.utime(tree / source, (2_000, 2_000))
    assert backend.needs_page(tree)


def test_all_that_the_page_reads_of_the_package_is_a_source_of_it() -> None:
    sources = set(backend.page_sources(ROOT))
    named = re.compile(r"""["'][./]*(/src/triomino/[\w/]+\.(?:json|bin))["']""")
    code = [path for path in sources if path.suffix in {".ts", ".js", ".svelte"}]
    read = {ROOT / name[1:] for path in code for name in named.findall(path.read_text("utf-8"))}
    assert len(read) >= 4
    assert read <= sources


def test_a_folder_is_no_source(tree: Path) -> None:
    """The caches of tools are folders beside the sources."""
    (tree / "web/.svelte-check").mkdir()
    assert not backend.needs_page(tree)


def test_the_page_of_an_sdist_is_taken_as_it_is(tree: Path) -> None:
    os.utime(tree / "web/src/main.ts", (2_000, 2_000))
    (tree / "PKG-INFO").touch()
    assert not backend.needs_page(tree)


def test_a_page_can_be_left_out_on_purpose(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "web/dist/index.html").unlink()
    monkeypatch.setenv(backend.WITHOUT_PAGE, "none")
    assert not backend.needs_page(tree)
    backend.make_page(tree)  # does nothing


@pytest.mark.usefixtures("no_node")
def test_without_node_the_build_ends_with_one_clear_line(tree: Path) -> None:
    (tree / "web/dist/index.html").unlink()
    with pytest.raises(SystemExit, match=r"^the page cannot be built without Node "):
        backend.make_page(tree)


@pytest.mark.usefixtures("no_node")
def test_without_node_a_build_asks_for_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "web/dist/index.html").unlink()
    monkeypatch.setattr(backend, "ROOT", tree)
    assert backend.NODE_PACKAGE in backend.get_requires_for_build_wheel()
    assert backend.NODE_PACKAGE in backend.get_requires_for_build_sdist()


def test_with_node_a_build_asks_for_no_more(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "web/dist/index.html").unlink()
    monkeypatch.setattr(backend, "ROOT", tree)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert backend.NODE_PACKAGE not in backend.get_requires_for_build_wheel()


def test_a_failing_npm_ends_the_build_with_one_clear_line(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "web/dist/index.html").unlink()
    monkeypatch.setattr(backend, "find_npm", lambda: ["false"])
    with pytest.raises(SystemExit, match="npm ci failed"):
        backend.make_page(tree)


# --- The kernel ----------------------------------------------------------------------------------


@pytest.fixture
def builds(tree: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The settings of every build by scikit-build-core, which fails where it needs a compiler."""
    tried: list[dict[str, str]] = []

    def build(_folder: str, settings: dict[str, str] | None, _metadata: str | None) -> str:
        tried.append(settings or {})
        if tried[-1].get("wheel.cmake") != "false":
            raise SystemExit(1)
        return "triomino-py3-none-any.whl"

    monkeypatch.setattr(backend, "ROOT", tree)
    monkeypatch.setattr("scikit_build_core.build.build_wheel", build)
    monkeypatch.setattr("scikit_build_core.build.build_editable", build)
    monkeypatch.delenv(backend.KERNEL, raising=False)
    return tried


@pytest.mark.parametrize("build", [backend.build_wheel, backend.build_editable])
def test_without_a_compiler_the_wheel_is_pure_and_the_build_says_so(
    builds: list[dict[str, str]],
    capsys: pytest.CaptureFixture[str],
    build: Callable[..., str],
) -> None:
    assert build("", {"build.verbose": "true"}) == "triomino-py3-none-any.whl"
    assert builds == [{"build.verbose": "true"}, {"build.verbose": "true", **backend.PURE}]
    assert "the native kernel could not be built" in capsys.readouterr().err


def test_a_kernel_that_is_required_is_never_left_out(
    builds: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(backend.KERNEL, "required")
    with pytest.raises(SystemExit):
        backend.build_wheel("")
    assert builds == [{}]


def test_a_kernel_can_be_left_out_on_purpose(
    builds: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(backend.KERNEL, "none")
    backend.build_wheel("")
    assert builds == [backend.PURE]
