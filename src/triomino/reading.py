"""Reading untrusted plain data so that errors say where and why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from triomino.errors import RecordError, TriominoError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a JSON document and its path, such as ``rounds[0].turns[3]``."""

    value: Any
    place: str = ""

    def error(self, reason: str) -> RecordError:
        """Return an error about this value, to be raised."""
        return RecordError(self.place, reason)

    def table(self, required: str = "", optional: str = "") -> Mapping[str, Node]:
        """Return the members of an object that has all required keys and no unknown ones.

        Keys are separated by spaces; ``extra`` is always allowed.
        """
        if not isinstance(self.value, dict):
            raise self.error(f"an object is needed, not {shown(self.value)}")
        known = [*required.split(), *optional.split(), "extra"]
        for key in self.value:
            if key not in known:
                raise self.error(f"unknown key {key!r}; {nearest(key, known)}")
        for key in required.split():
            if key not in self.value:
                raise self.error(f"{key!r} is missing")
        return {key: self.at(key) for key in self.value}

    def at(self, key: str) -> Node:
        """Return a member of an object."""
        return Node(self.value[key], f"{self.place}.{key}" if self.place else key)

    def items(self) -> Iterator[Node]:
        """Iterate over the items of a list."""
        if not isinstance(self.value, list):
            raise self.error(f"a list is needed, not {shown(self.value)}")
        for index, value in enumerate(self.value):
            yield Node(value, f"{self.place}[{index}]")

    def number(self, least: int = -1_000_000_000, most: int = 1_000_000_000) -> int:
        """Return a whole number within bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.error(f"a whole number is needed, not {shown(self.value)}")
        if not least <= self.value <= most:
            raise self.error(f"{shown(self.value)} is not from {least} to {most}")
        return self.value

    def flag(self) -> bool:
        """Return a boolean."""
        if not isinstance(self.value, bool):
            raise self.error(f"true or false is needed, not {shown(self.value)}")
        return self.value

    def text(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str):
            raise self.error(f"a text is needed, not {shown(self.value)}")
        return self.value

    def parsed(self, parse: Callable[[str], T]) -> T:
        """Return a string as *parse* reads it."""
        return self.read(parse, self.text())

    def read(self, make: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Call *make*; a :class:`TriominoError` it raises becomes an error about this value."""
        try:
            return make(*args, **kwargs)
        except RecordError:
            raise
        except TriominoError as error:
            raise self.error(str(error)) from error

    def must_be(self, expected: object) -> None:
        """Raise unless this value is the one that the rules give."""
        if self.value != expected or isinstance(self.value, bool) != isinstance(expected, bool):
            raise self.error(f"{shown(self.value)} is written, the rules give {shown(expected)}")


def read_version(node: Node, today: str, before: str) -> bool:
    """Whether ``format`` is that of version 1; raises unless it is one of the two."""
    if node.value not in (today, before):
        raise node.error(f"{today!r} is needed")
    return bool(node.value == before)


def shown(value: object) -> str:
    """Return a value for a message: as JSON, shortened if necessary."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    text = text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be printed
    return text if len(text) <= 60 else text[:57] + "…"


def load_json(text: str | bytes) -> Node:
    """Read JSON text; raises :class:`RecordError` if it is malformed."""
    try:
        if isinstance(text, bytes):
            text = text.decode()
        return Node(json.loads(text))
    except UnicodeDecodeError as error:
        raise RecordError("", f"this is not UTF-8: {error.reason} at byte {error.start}") from error
    except RecursionError as error:
        raise RecordError("", "this is not JSON we can read: nested too deeply") from error
    except ValueError as error:
        raise RecordError("", f"this is not JSON: {error}") from error
