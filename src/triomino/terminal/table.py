"""A match at one screen, as a state machine: lines in, replies out, no terminal.

The state follows from the match and from who sits before the screen, so a match that was read
from a file goes on like one that was never interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from triomino.bots import Limit
from triomino.errors import Why
from triomino.grid import ORIGIN
from triomino.moves import Draw, End, Keep, Move, Pass, Place
from triomino.rulebook import paragraphs
from triomino.terminal.commands import Lettered, Numbered, Unclear, Word, read_command
from triomino.terminal.menu import Menu
from triomino.terminal.narrator import Narrator
from triomino.tile import Tile, rotations
from triomino.view import View
from triomino.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triomino.bots import Bot
    from triomino.game import Game
    from triomino.match import Match
    from triomino.rules import Seat
    from triomino.terminal.commands import Command
    from triomino.terminal.menu import Option


class Stage(Enum):
    """What the table waits for next."""

    BOT = auto()
    """A bot to move: call :meth:`Table.bot_move`."""
    SECRET = auto()
    """Enter, from a person who has drawn a tile that the next one must not see."""
    HANDOVER = auto()
    """Enter, from the person who is next; no rack is shown."""
    TURN = auto()
    """A person's decision."""
    ROUND_OVER = auto()
    """Enter, for the next round."""
    MATCH_OVER = auto()
    """Nothing: the match is over."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The match changed, or the screen changed hands; *text* may say more."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """Nothing changed; this is the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Nothing changed; show the sheet, the rack, the board, the rules or the help."""

    what: Word


@dataclass(frozen=True, slots=True)
class Saved:
    """Nothing changed; say where the match is saved."""


@dataclass(frozen=True, slots=True)
class Left:
    """The person leaves."""


Reply: TypeAlias = Moved | Said | Shown | Saved | Left


@dataclass(frozen=True, slots=True)
class Sure:
    """The question whether to make this move although a tile could be placed."""

    move: Move


@dataclass(frozen=True, slots=True)
class Which:
    """The question which of these, all for one place or all of one tile."""

    options: tuple[Option, ...]


_MOVES: Final[dict[Word, Move]] = {
    Word.DRAW: Draw(),
    Word.PASS: Pass(),
    Word.END: End(),
    Word.KEEP: Keep(),
}
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"", "n", "no"})
_PRIVATE: Final = frozenset({Word.RACK})


class Table:
    """A match, its bots, and who sits before the screen.

    While :attr:`stage` is ``BOT`` call :meth:`bot_move`, otherwise :meth:`answer` with a line.
    """

    def __init__(
        self,
        match: Match,
        bots: Mapping[Seat, Bot],
        limit: Limit | None = None,
        words: Words | None = None,
    ) -> None:
        self.match = match
        self.narrator = Narrator((words or Words()).of_cards(match.rules.speaks_of_cards))
        self.bots = bots
        self.limit = limit or Limit(milliseconds=1000)
        self.people = [seat for seat in range(len(match.players)) if seat not in bots]
        self.viewer: Seat | None = None
        """Who sits before the screen; ``None`` while it changes hands."""
        self.asking: Sure | Which | None = None
        """A question put to the viewer, besides that of the stage."""
        self._secret = False
        self._menu: Menu | None = None
        self._clear_screen()

    def _clear_screen(self) -> None:
        self.viewer = self.people[0] if len(self.people) == 1 else None

    # --- Looking ---------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The running round."""
        return self.match.game

    @property
    def stage(self) -> Stage:
        """What the table waits for."""
        if self.match.over:
            return Stage.MATCH_OVER
        if self.game.over:
            return Stage.ROUND_OVER
        if self._secret:
            return Stage.SECRET
        if self.game.turn in self.bots:
            return Stage.BOT
        return Stage.TURN if self.game.turn == self.viewer else Stage.HANDOVER

    @property
    def menu(self) -> Menu:
        """What the player to move can do."""
        if self._menu is None:
            self._menu = Menu.of(self.game)
        return self._menu

    def name(self, seat: Seat) -> str:
        """The name of a player."""
        return self.narrator.display_name(self.match.players[seat])

    @property
    def question(self) -> str:
        """The text of :attr:`asking`; empty if nothing is asked."""
        match self.asking:
            case None:
                return ""
            case Sure(move):
                return self.narrator.confirmation(move, self.menu)
            case Which(options):
                numbers = {option.number for option in options}
                ask = self.narrator.which_tile if len(numbers) == 1 else self.narrator.which_place
                return ask(options)
            case _:
                assert_never(self.asking)

    # --- Bots ------------------------------------------------------------------------------------

    def bot_move(self) -> None:
        """Let the bot to move make one move."""
        seat = self.game.turn
        self._play(self.bots[seat].choose(View.of(self.game, seat), self.limit))

    # --- People ----------------------------------------------------------------------------------

    def answer(self, line: str) -> Reply:
        """Carry out a typed line and return the reply to it."""
        stage, text = self.stage, line.strip()
        if stage is Stage.TURN and self.asking is not None:
            reply = self._answer_question(text)
            if reply is not None:
                return reply
        if not text:
            return self._enter(stage)
        command = read_command(text)
        match command:
            case Word.QUIT:
                return Left()
            case Word.SAVE:
                return Saved()
            case Word.UNDO:
                return self._undo()
            case Word.SHEET | Word.RACK | Word.BOARD | Word.RULES | Word.HELP:
                if command in _PRIVATE and stage is not Stage.TURN:
                    return self._said("hidden")
                return Shown(command)
            case _ if stage is not Stage.TURN:
                return self._enter_first(stage)
            case _:
                return self._decide(command)

    def _enter(self, stage: Stage) -> Reply:
        match stage:
            case Stage.SECRET:
                self._secret = False
                return Moved()
            case Stage.HANDOVER:
                self.viewer = self.game.turn
                return Moved()
            case Stage.ROUND_OVER:
                self.match.next_round()
                self._changed()
                self._clear_screen()
                return Moved()
            case Stage.TURN:
                forced = self.menu.forced
                if forced is not None:
                    return self._play(forced)
                return self._said("type")
            case Stage.BOT | Stage.MATCH_OVER:
                raise AssertionError(f"nobody is asked anything: {stage}")

    def _said(self, text: str, **values: int | str) -> Said:
        return Said(self.narrator.say(f"cli.said.{text}", **values))

    def _enter_first(self, stage: Stage) -> Said:
        if stage is Stage.HANDOVER:
            return self._said("screen", name=self.name(self.game.turn))
        return self._said("enter")

    def _answer_question(self, text: str) -> Reply | None:
        """Take the answer to a question; return ``None`` if it is a new command instead."""
        asked, self.asking = self.asking, None
        if text.lower() in _NO:
            return self._said("asYouWere" if isinstance(asked, Sure) else "neverMind")
        command = read_command(text)
        match asked:
            case Sure(move):
                again = isinstance(command, Word) and _MOVES.get(command) == move
                return self._play(move) if again or text.lower() in _YES else None
            case Which(options):
                found = [option for option in options if _names(command, option)]
                return self._play(found[0].place) if len(found) == 1 else None
            case None:
                return None

    def _decide(self, command: Command) -> Reply:
        match command:
            case Word():
                return self._other(_MOVES[command])
            case Numbered(number, letter):
                return self._numbered(number, letter)
            case Tile():
                return self._tile(command)
            case Place():
                return self._written(command)
            case Lettered(letter):
                return self._said("letter", example=f"7{letter}")
            case Unclear(typed, text, word):
                return self._said(text, typed=typed, word=word)
            case _:
                assert_never(command)

    def _other(self, move: Move) -> Reply:
        why = self.game.why_not(move)
        if why is not None:
            return self._refused(why)
        if self.menu.is_able and not isinstance(move, Keep):
            self.asking = Sure(move)
            return Said("")
        return self._play(move)

    def _numbered(self, number: int, letter: str) -> Reply:
        found, here = self.menu.at(number, letter), self.menu.at(number)
        if found:
            return self._one_of(found)
        if here:
            known = self.narrator.words.listed([option.label for option in here])
            return self._said("noLabel", label=f"{number}{letter}", labels=known)
        most = max((option.number for option in self.menu.options), default=0)
        if not most:
            return self._said("noFit")
        return self._said("noPlace", number=number, most=most)

    def _tile(self, tile: Tile) -> Reply:
        found = self.menu.of_tile(tile)
        if found:
            return self._one_of(found)
        why = self.game.why_not(Place(ORIGIN, tile.numbers))
        if why in (Why.OCCUPIED, Why.NO_SHARED_EDGE, Why.CORNER_MISMATCH):
            told = self._said("nowhere", tile=str(tile))
            return Said(f"{told.text} {self.narrator.where('lay')}")
        return self._refused(why or Why.NOT_HELD)

    def _one_of(self, found: list[Option]) -> Reply:
        if len(found) == 1:
            return self._play(found[0].place)
        self.asking = Which(tuple(found))
        return Said("")

    def _written(self, place: Place) -> Reply:
        why = self.game.why_not(place)
        if why is None:
            return self._play(place)
        if why is Why.CORNER_MISMATCH:
            for numbers in rotations(place.numbers):
                turned = Place(place.cell, numbers)
                if self.game.why_not(turned) is None:
                    return self._said("turned", place=str(turned))
        return self._refused(why)

    def _refused(self, why: Why) -> Said:
        """Say why a move is refused, and where the rule book says so."""
        chapter, _ = paragraphs(self.game.rules)[why]
        return Said(f"{self.narrator.why(why)} {self.narrator.where(chapter)}")

    # --- Change ----------------------------------------------------------------------------------

    def _play(self, move: Move) -> Moved:
        ply = self.match.play(move)
        self._changed()
        # Where a draw ends the turn, the tile must be seen before the screen changes hands.
        shared = len(self.people) > 1 and ply.seat in self.people
        self._secret = shared and ply.tile is not None and ply.passes_on
        return Moved()

    def _changed(self) -> None:
        self._menu = None
        self.asking = None

    @property
    def can_undo(self) -> int:
        """How many plies an undo takes back: up to the viewer's own last one, bots' included.

        0 where another person has moved since, or where several have seen all racks.
        """
        if self.viewer is None or (self.game.over and len(self.people) > 1):
            return 0
        for count, ply in enumerate(reversed(self.game.plies), 1):
            if ply.seat == self.viewer:
                return count
            if ply.seat in self.people:
                return 0
        return 0

    def _undo(self) -> Reply:
        count = self.can_undo
        if not count:
            others = len(self.people) > 1 and self.game.plies
            return self._said("onlyOwn" if others else "nothingBack")
        taken = self.game.plies[-count]
        self.match.undo(count)
        self._secret = False
        self._changed()
        return Moved(self.narrator.say("cli.said.takenBack", move=self.narrator.move(taken.move)))


def _names(command: Command, option: Option) -> bool:
    """Return whether an answer to "which?" means this option."""
    match command:
        case Numbered(number, letter):
            return number == option.number and letter in ("", option.letter)
        case Lettered(letter):
            return letter == option.letter
        case Tile():
            return command == option.place.tile
        case Place():
            return command == option.place
        case _:
            return False
