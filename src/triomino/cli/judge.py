"""``triomino judge``: the referee at the table, for other programs."""

from __future__ import annotations

import json
import sys

from triomino.errors import TriominoError
from triomino.judge import judge as judged
from triomino.reading import load_json


def judge() -> None:
    """Say which tiles may be laid, and what they score.

    Reads a case per line from standard input and answers each with a line, in order. A line that
    cannot be read is answered with an error in its place, and the rest goes on.

    For example:

        echo '{"board": [], "place": "U(0,0)=1-3-4"}' | triomino judge

        triomino judge < cases.jsonl

    "board" lists the tiles that lie, as placements. "rules" names an edition, or is an object as
    in a record; without it, classic. With "tiles", a list, in place of "place" the answer lists
    all their placements.
    """
    if sys.stdin.isatty():
        print("A case per line; Ctrl-D ends.", file=sys.stderr)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(answer(line))
        # The other program may wait for this answer before it asks again.
        sys.stdout.buffer.flush()


def answer(line: bytes) -> bytes:
    r"""Return the answer to one line of input, as a line.

    >>> answer(b'{"board": [], "place": "U(0,0)=1-3-4"}')
    b'{"legal": true, "why": null, "value": 8, "bonus": null, "points": 8}\n'
    >>> answer(b"")
    b'{"error": "the line is empty; a case is a JSON object"}\n'
    """
    try:
        if not line.strip():
            raise TriominoError("the line is empty; a case is a JSON object")
        out = judged(load_json(line))
    except TriominoError as error:
        out = {"error": str(error)}
    # A lone half of a surrogate pair cannot be UTF-8, but its escape is JSON.
    return json.dumps(out, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
