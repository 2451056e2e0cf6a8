"""Hours of a person's day in which nothing is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MINUTE: Final = 60_000
DAY: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From one minute of the day to another, which may be of the next day."""

    begin: int
    end: int
    offset: int
    """Minutes that the person's clock is ahead of UTC."""

    @classmethod
    def parse(cls, text: str) -> QuietHours | None:
        """The inverse of ``str``; ``None`` for an empty text.

        >>> str(QuietHours.parse("1320 420 60"))
        '1320 420 60'
        """
        if not text:
            return None
        begin, end, offset = map(int, text.split())
        return cls(begin, end, offset)

    def __str__(self) -> str:
        return f"{self.begin} {self.end} {self.offset}"

    def after(self, at: int) -> int:
        """The first moment from *at* on that is not quiet, in milliseconds since 1970.

        >>> hour = 60 * MINUTE
        >>> night = QuietHours(22 * 60, 7 * 60, offset=60)
        >>> night.after(20 * hour) // hour, night.after(21 * hour) // hour
        (20, 30)
        """
        minute = (at // MINUTE + self.offset) % DAY
        passed, length = (minute - self.begin) % DAY, (self.end - self.begin) % DAY
        if passed >= length:
            return at
        return (at // MINUTE + length - passed) * MINUTE
