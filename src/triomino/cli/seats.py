"""Who plays what: from options, or from two friendly questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from triomino.bots import BOTS, why_not_bot
from triomino.cli.words import YOU
from triomino.errors import TriominoError
from triomino.match import Player
from triomino.rules import EDITIONS, Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_BOT: Final = "greedy"
_BOT_WORDS: Final = frozenset({"bot", "computer"})
LONGEST_NAME: Final = 20


def read_seats(text: str | None, players: int | None, rules: Rules) -> list[Player]:
    """The players of ``Ann,bot:greedy,Ben``; bots fill what *players* leaves open.

    Without a text it is you against bots.

    >>> from triomino.rules import CLASSIC
    >>> [player.name for player in read_seats("Ann, bot", 3, CLASSIC)]
    ['Ann', 'Greedy', 'Greedy 2']
    """
    seats = [YOU] if text is None else [part.strip() for part in text.split(",")]
    if players is not None:
        if players < len(seats):
            raise TriominoError(f"{len(seats)} seats are named, but {players} players asked for")
        rules.check_players(players)
        seats += ["bot"] * (players - len(seats))
    elif len(seats) == 1:
        seats.append("bot")
    rules.check_players(len(seats))
    return _players(seats)


def _players(seats: Sequence[str]) -> list[Player]:
    people = [seat for seat in seats if _bot(seat) is None]
    for index, name in enumerate(people):
        check_name(name)
        if name.casefold() in [other.casefold() for other in people[:index]]:
            raise TriominoError(f"two players are called {name}")
    taken = {name.casefold() for name in people}
    out = []
    for seat in seats:
        bot = _bot(seat)
        name = seat if bot is None else _bot_name(bot, taken)
        taken.add(name.casefold())
        out.append(Player(name, bot))
    return out


def check_name(name: str) -> None:
    """Refuse a name that cannot be shown."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise TriominoError(f"{name!r} is no name; it has 1 to {LONGEST_NAME} characters")


def _bot(seat: str) -> str | None:
    """The bot that a seat asks for; ``None`` for a person."""
    kind, colon, name = seat.partition(":")
    if kind.strip().lower() not in _BOT_WORDS:
        if colon and kind.strip().lower() in BOTS:
            raise TriominoError(f"{seat!r} is no seat; write bot:{kind.strip().lower()}")
        return None
    name = name.strip().lower() or DEFAULT_BOT
    if why := why_not_bot(name):
        raise TriominoError(why)
    return name


def _bot_name(bot: str, taken: set[str]) -> str:
    number, name = 1, bot.capitalize()
    while name.casefold() in taken:
        number += 1
        name = f"{bot.capitalize()} {number}"
    return name


# --- The two questions ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """A game to choose at the start."""

    rules: Rules
    text: str


_CHOICES: Final = (
    Choice(EDITIONS["classic"], "classic, one round"),
    Choice(EDITIONS["classic"].with_changes({"target": 400}), "classic, a match to 400"),
    Choice(EDITIONS["six-player"], "six-player, one round with 76 tiles"),
    Choice(EDITIONS["card"], "the card game, to 200"),
    Choice(EDITIONS["casual"], "casual, no points"),
    Choice(EDITIONS["classic-hebrew"], "classic-hebrew, one round"),
)


def choices_for(players: int) -> list[Choice]:
    """The games that so many can play, the usual one first."""
    return [choice for choice in _CHOICES if players in choice.rules.racks]


def read_names(line: str) -> list[Player]:
    """The answer to "who plays?": nothing, names with commas between, or how many.

    >>> [player.name for player in read_names("Ann and Ben")]
    ['Ann', 'Ben']
    """
    text = line.strip()
    if text in ("", "1"):
        return read_seats(None, None, EDITIONS["classic"])
    if len(text) == 1 and text in "23456":
        return read_seats(None, int(text), EDITIONS["six-player"])
    if "," not in text:
        text = text.replace(" and ", ",")
    return read_seats(text.rstrip(","), None, EDITIONS["six-player"])


def read_choice(line: str, choices: Sequence[Choice]) -> Choice:
    """The answer to "which game?": nothing, a number or the name of an edition."""
    text = line.strip().lower()
    if not text:
        return choices[0]
    if len(text) == 1 and text in "123456789" and int(text) <= len(choices):
        return choices[int(text) - 1]
    for choice in choices:
        if text == choice.rules.edition:
            return choice
    raise TriominoError(f"type a number from 1 to {len(choices)}, or Enter for the first")
