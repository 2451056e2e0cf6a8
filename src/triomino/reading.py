"""Plain data from strangers, read with its place, so that a refusal says where and why."""

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
    """A value of a JSON text and where it stands, such as ``rounds[0].turns[3]``."""

    value: Any
    place: str = ""

    def wrong(self, reason: str) -> RecordError:
        """The error that this value deserves; raise it."""
        return RecordError(self.place, reason)

    def table(self, required: str = "", optional: str = "") -> Mapping[str, Node]:
        """An object that has all required keys, and none but these, the optional ones and extra."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"an object is needed, not {shown(self.value)}")
        known = [*required.split(), *optional.split(), "extra"]
        for key in self.value:
            if key not in known:
                raise self.wrong(f"unknown key {key!r}; {nearest(key, known)}")
        for key in required.split():
            if key not in self.value:
                raise self.wrong(f"{key!r} is missing")
        return {key: self.at(key) for key in self.value}

    def at(self, key: str) -> Node:
        """A member of an object."""
        return Node(self.value[key], f"{self.place}.{key}" if self.place else key)

    def items(self) -> Iterator[Node]:
        """The members of a list."""
        if not isinstance(self.value, list):
            raise self.wrong(f"a list is needed, not {shown(self.value)}")
        for index, value in enumerate(self.value):
            yield Node(value, f"{self.place}[{index}]")

    def number(self, least: int = -1_000_000_000, most: int = 1_000_000_000) -> int:
        """A whole number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.wrong(f"a whole number is needed, not {shown(self.value)}")
        if not least <= self.value <= most:
            raise self.wrong(f"{shown(self.value)} is not from {least} to {most}")
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.wrong(f"true or false is needed, not {shown(self.value)}")
        return self.value

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self.wrong(f"a text is needed, not {shown(self.value)}")
        return self.value

    def parsed(self, parse: Callable[[str], T]) -> T:
        """A text, parsed."""
        return self.read(parse, self.text())

    def read(self, make: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """What *make* makes; its refusal becomes ours, with the place."""
        try:
            return make(*args, **kwargs)
        except RecordError:
            raise
        except TriominoError as error:
            raise self.wrong(str(error)) from error

    def must_be(self, expected: object) -> None:
        """Refuse this value unless it is what the rules say."""
        if self.value != expected or isinstance(self.value, bool) != isinstance(expected, bool):
            raise self.wrong(f"{shown(self.value)} is written, the rules give {shown(expected)}")


def read_version(node: Node, today: str, before: str) -> bool:
    """Whether a ``format`` is that of version 1; refuses any but the two."""
    if node.value not in (today, before):
        raise node.wrong(f"{today!r} is needed")
    return bool(node.value == before)


def shown(value: object) -> str:
    """A value as it is quoted in a message: as JSON, and short."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    text = text.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be printed
    return text if len(text) <= 60 else text[:57] + "…"


def load_json(text: str | bytes) -> Node:
    """Read JSON text; any damage is a :class:`RecordError`."""
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
