"""Packages that only parts of the program need, asked for by name."""

from __future__ import annotations

from importlib.util import find_spec
from re import match

from triomino.errors import TriominoError


class MissingPackage(ModuleNotFoundError, TriominoError):  # noqa: N818 - as its base has it
    """A part of triomino was imported without the packages it needs; says how to install them."""


def require_packages(part: str, *names: str) -> None:
    """Raise :class:`MissingPackage` unless all packages *names* can be imported.

    >>> require_packages("triomino.chess", "json", "chess_of_tomorrow")
    Traceback (most recent call last):
    ...
    triomino.packages.MissingPackage: triomino.chess needs the package chess-of-tomorrow, which is \
not installed: pip install chess-of-tomorrow
    """
    missing = [name.replace("_", "-") for name in names if find_spec(name) is None]
    if missing:
        plural = "s" if len(missing) > 1 else ""
        text = (
            f"{part} needs the package{plural} {' and '.join(missing)}, which"
            f" {'are' if plural else 'is'} not installed:"
            f" pip install {' '.join(map(_requirement, missing))}"
        )
        raise MissingPackage(text, name=missing[0])


def _requirement(name: str) -> str:
    """What pip is asked for: the name, with the versions that this package allows."""
    from importlib.metadata import PackageNotFoundError, requires  # noqa: PLC0415 - slow to load

    try:
        wanted = requires("triomino") or []
    except PackageNotFoundError:  # run from its source alone
        wanted = []
    pattern = rf"({name}(?:\[[^]]*\])?)([<>=!~][^; ]*)?(?: *$| *;(?!.*extra))"
    found = next((hit for text in wanted if (hit := match(pattern, text))), None)
    return name if found is None else f'"{found[0].strip(" ;")}"'
