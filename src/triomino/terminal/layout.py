"""The size and abilities of a display, and lines that fit it."""

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
class Display:
    """The size of a display, and what it can show."""

    width: int = 80
    height: int = 24
    color: bool = False
    ascii_only: bool = False
    plain: bool = False
    """Lines that can be read aloud, in place of a drawing."""

    @property
    def strong(self) -> Style:
        """The style of what matters now."""
        return Style.null() if self.plain else _STRONG

    @property
    def quiet(self) -> Style:
        """The style of what can be passed over."""
        return Style.null() if self.plain else _QUIET


def flow(items: Iterable[Text], width: int, gap: int = 3) -> Lines:
    """Put as many items in a line as fit; wrap an item that is longer than a line.

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
    """Break a text into lines of at most *width*, all but the first indented.

    >>> [line.plain for line in wrapped(Text("to be or not to be"), 16)]
    ['to be or not to', '  be']
    """
    if text.cell_len <= width:
        return [_as_span(text)]
    lines: Lines = []
    for piece in text.split(" "):
        if lines and lines[-1].cell_len + 1 + piece.cell_len <= width:
            lines[-1].append(" ").append_text(piece)
        else:
            lines.append(Text("  " if lines else "").append_text(piece))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def paragraphs(texts: Iterable[str], display: Display) -> Lines:
    """Put each text on lines of its own."""
    return [line for text in texts for line in wrapped(Text(text), display.width)]


def split(text: Text) -> Lines:
    """Split a drawing into its lines."""
    return list(text.split("\n", allow_blank=True))


def beside(left: Lines, right: Lines, column: int) -> Lines:
    """Put two blocks side by side, the right one from *column* on."""
    out = []
    for index in range(max(len(left), len(right))):
        line = _as_span(left[index]) if index < len(left) else Text()
        if index < len(right):
            line.append(" " * (column - line.cell_len)).append_text(right[index])
        out.append(line)
    return out


def _as_span(text: Text) -> Text:
    """Return the text as a span, so that what is appended does not take on its style."""
    return Text().append_text(text)
