"""The window that things are shown in, and lines that fit it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.style import Style
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

Lines: TypeAlias = list[Text]

_STRONG: Final = Style(bold=True)
_QUIET: Final = Style(dim=True)


@dataclass(frozen=True, slots=True)
class Look:
    """A window: its size, and what it can show."""

    width: int = 80
    height: int = 24
    color: bool = False
    ascii_only: bool = False
    plain: bool = False
    """Lines that can be read aloud, in place of a drawing."""

    @property
    def strong(self) -> Style:
        """For what matters now."""
        return Style.null() if self.plain else _STRONG

    @property
    def quiet(self) -> Style:
        """For what can be passed over."""
        return Style.null() if self.plain else _QUIET


def flow(items: Iterable[Text], width: int, gap: int = 3) -> Lines:
    """Items one after the other, as many in a line as fit; a longer one is wrapped.

    >>> [line.plain for line in flow([Text("one"), Text("two"), Text("three")], 10)]
    ['one   two', 'three']
    """
    lines: Lines = []
    for item in items:
        if lines and lines[-1].cell_len + gap + item.cell_len <= width:
            lines[-1].append(" " * gap).append_text(item)
        else:
            lines += wrapped(item, width)
    return lines


def wrapped(text: Text, width: int) -> Lines:
    """A text in lines of at most *width*, all but the first indented.

    >>> [line.plain for line in wrapped(Text("to be or not to be"), 16)]
    ['to be or not to', '  be']
    """
    if text.cell_len <= width:
        return [_alone(text)]
    lines: Lines = []
    for piece in text.split(" "):
        if lines and lines[-1].cell_len + 1 + piece.cell_len <= width:
            lines[-1].append(" ").append_text(piece)
        else:
            lines.append(Text("  " if lines else "").append_text(piece))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def paragraphs(texts: Iterable[str], look: Look) -> Lines:
    """Sentences, each on lines of its own."""
    return [line for text in texts for line in wrapped(Text(text), look.width)]


def split(text: Text) -> Lines:
    """The lines of a drawing."""
    return list(text.split("\n", allow_blank=True))


def beside(left: Lines, right: Lines, column: int) -> Lines:
    """Two blocks side by side, the right one from *column* on."""
    out = []
    for index in range(max(len(left), len(right))):
        line = _alone(left[index]) if index < len(left) else Text()
        if index < len(right):
            line.append(" " * (column - line.cell_len)).append_text(right[index])
        out.append(line)
    return out


def _alone(text: Text) -> Text:
    """The text as part of a line whose other parts do not take on its style."""
    return Text().append_text(text)
