"""What a release is made of: pinned with hashes, compatible licences, an image without rights."""

from __future__ import annotations

import re
from pathlib import Path

from tools import image_check, licences, release_check

ROOT = Path(__file__).parents[1]


def test_everything_pinned_has_a_hash_and_versions_agree() -> None:
    release = release_check.Release(Path(), Path())
    release.hashes()
    release.versions_agree()


def test_everything_shipped_has_a_compatible_licence() -> None:
    packages = [*licences.python_packages("triomino"), *licences.npm_packages()]
    assert {"numpy", "litestar", "svelte (page)"} <= {name for name, _ in packages}
    assert [each for each in packages if not licences.is_compatible(each[1])] == []


def test_a_licence_that_is_not_known_is_not_compatible() -> None:
    assert not licences.is_compatible("")
    assert not licences.is_compatible("MIT AND AGPL-3.0-only")


def test_an_audit_that_could_look_nothing_up_has_found_nothing_out() -> None:
    nothing = "No known vulnerabilities found"
    skipped = "numpy   Dependency not found on PyPI and could not be audited: numpy (2.4.0)\n"
    assert release_check.audited(nothing, 3) == "no known weakness"
    assert release_check.audited(f"{nothing}\n{skipped * 3}", 3).startswith("not checked")
    assert "1 of 3 could not" in release_check.audited(f"{nothing}\n{skipped}", 3)


def test_the_image_starts_the_server_as_a_user_without_rights() -> None:
    found = image_check.instructions()
    assert int(found["USER"]) > 999
    assert found["ENTRYPOINT"] == '["triomino"]'
    assert "/health" in found["HEALTHCHECK"]
    compose = (ROOT / "compose.yaml").read_text("utf-8")
    assert re.search(r"^    read_only: true$", compose, re.MULTILINE)
    assert "cap_drop: [ALL]" in compose


def test_wheels_are_made_for_every_python_that_is_promised() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    promised = re.findall(r"Python :: 3\.(\d+)", project)
    built = re.search(r'^build = "(.*)"$', project, re.MULTILINE)
    assert built
    assert built[1] == " ".join(f"cp3{minor}-*" for minor in promised)
