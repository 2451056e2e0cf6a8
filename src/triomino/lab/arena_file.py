"""The deals of an arena in a file, so that an interrupted arena can be resumed."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import IO, TYPE_CHECKING, Self

from triomino.errors import TriominoError
from triomino.lab.arena import Deal, Result
from triomino.legacy import bot_1, rules_json_1

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.lab.arena import Contest
    from triomino.rules import Json

FORMAT = "triomino-arena/2"
FORMAT_1 = "triomino-arena/1"


class ArenaFile:
    """A JSON Lines file: the contest in its first line, then one deal per line, in order."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self.path = path
        self.deals: list[Deal] = []
        """The deals that the file held when it was opened."""
        head = _head(contest)
        whole = 0
        if path.exists():
            whole = self._read(path.read_bytes(), head)
        self._file: IO[bytes] = path.open("ab")
        # A line that was cut off is removed; its deal is played again.
        self._file.truncate(whole)
        if not whole:
            self._write(head)

    def _read(self, content: bytes, head: Json) -> int:
        """Read the whole lines; return the length of what they take."""
        *lines, _rest = content.split(b"\n")
        try:
            first = _head_of(json.loads(lines[0])) if lines else head
            is_ours = first["format"] == FORMAT
            self.deals = [_deal(json.loads(line)) for line in lines[1:]] if is_ours else []
        except (ValueError, LookupError, TypeError, ArithmeticError) as error:
            raise TriominoError(f"{self.path} holds no results of an arena") from error
        if not is_ours:
            raise TriominoError(f"{self.path} holds no results of an arena")
        if first != head:
            changed = ", ".join(key for key in head if first.get(key) != head[key])
            raise TriominoError(f"{self.path} holds another contest ({changed}); take another file")
        if [deal.number for deal in self.deals] != list(range(1, len(self.deals) + 1)):
            raise TriominoError(f"{self.path} is damaged: its deals are not in order")
        return sum(len(line) + 1 for line in lines)

    def add(self, deal: Deal) -> None:
        """Append a deal."""
        self._write(
            {
                "deal": deal.number,
                "wins": [[str(won) for won in result.wins] for result in deal.results],
                "margins": [result.margins for result in deal.results],
                "moves": deal.moves,
                "seconds": deal.seconds,
                "records": [json.loads(record) for record in deal.records],
            }
        )

    def _write(self, line: Json) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _head(contest: Contest) -> Json:
    return {
        "format": FORMAT,
        "rules": contest.rules.to_json(),
        "bots": list(contest.bots),
        "players": contest.players,
        "seed": contest.seed,
        "ms": contest.limit.milliseconds,
        "rollouts": contest.limit.rollouts,
        "records": contest.with_records,
    }


def _head_of(line: Json) -> Json:
    """Return a first line in today's format: version 1 had only the rules that differed."""
    if line["format"] != FORMAT_1:
        return line
    return {
        **line,
        "format": FORMAT,
        "rules": rules_json_1(line["rules"]),
        "bots": [bot_1(name) for name in line["bots"]],
    }


def _deal(line: Json) -> Deal:
    return Deal(
        number=line["deal"],
        results=tuple(
            Result((Fraction(wins[0]), Fraction(wins[1])), (float(margins[0]), float(margins[1])))
            for wins, margins in zip(line["wins"], line["margins"], strict=True)
        ),
        moves=(int(line["moves"][0]), int(line["moves"][1])),
        seconds=(float(line["seconds"][0]), float(line["seconds"][1])),
        records=tuple(json.dumps(record, ensure_ascii=False) for record in line["records"]),
    )
