"""Who plays, and which game: read from options or from typed answers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from triomino.bots import BOTS, random_names, why_not_bot
from triomino.errors import TriominoError
from triomino.match import Player
from triomino.rulebook import TOURNAMENT
from triomino.rules import EDITIONS, Rules
from triomino.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triomino.dice import Dice

DEFAULT_BOT: Final = "easy"
_BOT_WORDS: Final = frozenset({"bot", "computer"})
LONGEST_NAME: Final = 20


class UnsuitedError(TriominoError):
    """An answer that does not suit the game; it has the key of the text that says why."""

    def __init__(self, text: str, **values: int | str) -> None:
        self.key, self.values = f"cli.wrong.{text}", values
        super().__init__(Words().say(self.key, **values).rstrip("."))


def read_seats(
    text: str | None,
    players: int | None,
    rules: Rules,
    you: str = "You",
    dice: Dice | None = None,
) -> list[Player]:
    """Read players like ``Ann,bot:hard,Ben``; bots fill what *players* leaves open.

    Without a text it is *you* against bots. Bots get names of the cast, drawn with *dice*.

    >>> from triomino.dice import Rng
    >>> from triomino.rules import CLASSIC
    >>> [player.name for player in read_seats("Ann, bot", 3, CLASSIC, dice=Rng(1))]
    ['Ann', 'Ravi', 'Milo']
    """
    seats = [you] if text is None else [part.strip() for part in text.split(",")]
    if players is not None:
        if players < len(seats):
            raise TriominoError(f"{len(seats)} seats are named, but {players} players asked for")
        seats += ["bot"] * (players - len(seats))
    elif len(seats) == 1:
        seats.append("bot")
    if len(seats) not in rules.racks:
        raise UnsuitedError("players", counts=", ".join(map(str, rules.racks)), count=len(seats))
    return _players(seats, dice or random.SystemRandom())


def _players(seats: Sequence[str], dice: Dice) -> list[Player]:
    people = [seat for seat in seats if _bot(seat) is None]
    for index, name in enumerate(people):
        check_name(name)
        if name.casefold() in [other.casefold() for other in people[:index]]:
            raise UnsuitedError("twice", name=name)
    names = iter(random_names(len(seats), people, dice))
    bots = map(_bot, seats)
    return [
        Player(seat) if bot is None else Player(next(names), bot)
        for seat, bot in zip(seats, bots, strict=True)
    ]


def check_name(name: str) -> None:
    """Refuse a name that cannot be shown."""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UnsuitedError("name", name=name, most=LONGEST_NAME)


def _bot(seat: str) -> str | None:
    """Return the bot that a seat asks for; ``None`` for a person."""
    kind, colon, name = seat.partition(":")
    if kind.strip().lower() not in _BOT_WORDS:
        if colon and kind.strip().lower() in BOTS:
            raise TriominoError(f"{seat!r} is no seat; write bot:{kind.strip().lower()}")
        return None
    name = name.strip().lower() or DEFAULT_BOT
    if why := why_not_bot(name):
        raise TriominoError(why)
    return name


# --- The two questions ---------------------------------------------------------------------------


_CHOICES: Final = (
    EDITIONS["classic"],
    EDITIONS["classic"].with_changes({"target": TOURNAMENT}),
    EDITIONS["six-player"],
    EDITIONS["card"],
    EDITIONS["casual"],
    EDITIONS["classic-hebrew"],
)


def choices_for(players: int) -> list[Rules]:
    """Return the games for so many players, the usual one first."""
    return [rules for rules in _CHOICES if players in rules.racks]


def choice_text(rules: Rules, words: Words) -> str:
    """Describe a game to choose, in a few words."""
    edition = words.say(f"edition.{rules.edition}")
    if rules.target is None:
        return words.say("cli.lobby.single", edition=edition)
    return words.say("match.to", edition=edition, target=rules.target)


def read_names(line: str, you: str = "You") -> list[Player]:
    """Read the answer to "who plays?": nothing, names with commas between, or how many.

    >>> [player.name for player in read_names("Ann and Ben")]
    ['Ann', 'Ben']
    """
    text = line.strip()
    if text in ("", "1"):
        return read_seats(None, None, EDITIONS["classic"], you)
    if len(text) == 1 and text in "23456":
        return read_seats(None, int(text), EDITIONS["six-player"], you)
    if "," not in text:
        text = text.replace(" and ", ",")
    return read_seats(text.rstrip(","), None, EDITIONS["six-player"], you)


def read_choice(line: str, choices: Sequence[Rules]) -> Rules:
    """Read the answer to "which game?": nothing, a number or the name of an edition."""
    text = line.strip().lower()
    if not text:
        return choices[0]
    if len(text) == 1 and text in "123456789" and int(text) <= len(choices):
        return choices[int(text) - 1]
    for rules in choices:
        if text == rules.edition:
            return rules
    raise UnsuitedError("choice", most=len(choices))
