"""People made of code: a screen of paper, and hands that type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from triomino import Game, Match, Player, Rules, Seeds
from triomino.bots import make_bot
from triomino.dice import Rng
from triomino.terminal.layout import Display
from triomino.terminal.seats import read_seats
from triomino.terminal.table import Moved, Reply, Said, Stage, Sure, Table, Which

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.text import Text

    from triomino.words import Words

PLAIN = Display(width=10_000, plain=True)
TILE = re.compile(r"(?<![\d-])[0-5]-[0-5]-[0-5](?![\d-])")


def table_of(rules: Rules, seats: str = "Ann,bot", seed: object = 1) -> Table:
    """A new match, its deals and bots made from a seed."""
    players = read_seats(seats, None, rules)
    match = Match.start(rules, players, Seeds.named(len(players), "test", seed))
    return with_bots(match)


def with_bots(match: Match, words: Words | None = None) -> Table:
    bots = {
        seat: make_bot(player.bot, Rng.named("test", seat))
        for seat, player in enumerate(match.players)
        if player.bot is not None
    }
    return Table(match, bots, words=words)


def table_at(game: Game, *names: str) -> Table:
    """A table in the middle of a round; everybody named is a person, the rest are bots."""
    players = [
        Player(names[seat]) if seat < len(names) else Player(f"Bot {seat}", "greedy")
        for seat in range(game.players)
    ]
    return with_bots(Match(game.rules, players, [game]))


def bots_move(table: Table) -> None:
    while table.stage is Stage.BOT:
        table.bot_move()


def send(table: Table, *lines: str) -> Reply:
    """Type lines, bots moving in between; the last reply."""
    reply: Reply = Moved()
    for line in lines:
        bots_move(table)
        reply = table.answer(line)
    bots_move(table)
    return reply


def said(table: Table, line: str) -> str:
    """The answer to a line that changes nothing."""
    before = state(table)
    reply = send(table, line)
    assert isinstance(reply, Said), reply
    assert state(table) == before
    return reply.text


def state(table: Table) -> tuple[object, ...]:
    """All that a move changes."""
    game = table.game
    return (
        game.position,
        [*game.plies],
        game.end,
        len(table.match.rounds),
        table.match.scores,
        table.viewer,
        table.stage,
    )


class Hands:
    """Somebody who types at random, but sensibly."""

    def __init__(self, seed: object = 1) -> None:
        self.dice = Rng.named("hands", seed)

    def one_of(self, items: Sequence[str]) -> str:
        return items[self.dice.randrange(len(items))]

    def __call__(self, table: Table) -> str:
        """What to type now."""
        if table.stage is not Stage.TURN:
            return ""
        match table.asking:
            case Sure():
                return "y"
            case Which(options):
                return options[0].label
            case None:
                pass
        menu = table.menu
        words = [str(item.move) for item in menu.others]
        labels = [option.label for option in menu.options]
        # A voluntary draw now and then, a tile by its name now and then.
        if labels and self.dice.randrange(8):
            if self.dice.randrange(3):
                return self.one_of(labels)
            return str(menu.options[self.dice.randrange(len(labels))].place.tile)
        return self.one_of(words or labels)


class Paper:
    """A screen that keeps everything, in pages: a clear screen begins a new one."""

    def __init__(
        self, typed: Callable[[str], str] | Iterable[str], display: Display = PLAIN
    ) -> None:
        self.display = display
        self._typed = typed if callable(typed) else self._script(typed)
        self.pages: list[list[str]] = [[]]
        self.prompts: list[str] = []

    @staticmethod
    def _script(lines: Iterable[str]) -> Callable[[str], str]:
        left = iter(lines)

        def next_line(_: str) -> str:
            for line in left:
                return line
            raise EOFError

        return next_line

    @property
    def text(self) -> str:
        return "\n".join(line for page in self.pages for line in page)

    def clear(self) -> None:
        self.pages.append([])

    def hide(self) -> None:
        self.pages.append([])

    def show(self, lines: Iterable[Text]) -> None:
        self.pages[-1] += [line.plain for line in lines]

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        line = self._typed(prompt)
        self.pages[-1].append(prompt + line)
        return line
