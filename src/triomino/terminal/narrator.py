"""The sentences that a table shows, in the language of the players.

Reasons are keyed by :class:`Why` and :class:`Reason`, so that a new one cannot be forgotten: a
test looks for their texts. What happens is told as a name and a fact, "Ann: bridge +51".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

from triomino.bots import CAST, localized
from triomino.ledger import EndReason
from triomino.moves import Draw, End, Keep, Move, Pass, Place
from triomino.rules import NextStarter, Seat, Starter, TargetTest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triomino.deal import StartDraw
    from triomino.errors import Why
    from triomino.game import Game, Ply
    from triomino.match import Match, Player
    from triomino.rules import Rules
    from triomino.scoring import Reason, Score
    from triomino.terminal.menu import Menu, Option, Other
    from triomino.tile import Tile
    from triomino.words import Words

HELP: Final = (
    ("7", "number"),
    ("7b", "letter"),
    ("1-3-4", "tile"),
    ("D(-1,0)=1-2-3", "full"),
    ("d", "draw"),
    ("p", "pass"),
    ("e", "end"),
    ("k", "keep"),
    ("u", "undo"),
    ("sheet", "sheet"),
    ("board", "board"),
    ("rack", "rack"),
    ("rules", "rules"),
    ("s", "save"),
    ("q", "quit"),
)
"""What can be typed, the same in every language, and the text that explains it."""


def points_of(tiles: Iterable[Tile]) -> int:
    """Return the points of tiles together."""
    return sum(tile.points for tile in tiles)


def key(move: Move) -> str:
    """Return the letter that is typed for a move."""
    return str(move)[0]


def turns_of(plies: Iterable[Ply]) -> Iterator[list[Ply]]:
    """Split plies into turns, each all that one seat did before the next."""
    turn: list[Ply] = []
    for ply in plies:
        turn.append(ply)
        if ply.passes_on:
            yield turn
            turn = []
    if turn:
        yield turn


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the score sheet: what a seat did, why it scored, and its total after it."""

    seat: Seat
    what: str
    total: int


class Narrator:
    """The sentences of a table in one language."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.say = words.say

    # --- Small words -----------------------------------------------------------------------------

    @property
    def you(self) -> str:
        """The name of a person who gave none."""
        return self.say("you")

    def why(self, why: Why) -> str:
        """Return why a move is not legal."""
        return self.say(f"cli.why.{why}")

    def where(self, chapter: str) -> str:
        """Return where the rule book says it: the heading of a chapter."""
        return self.say("cli.why.see", chapter=self.say(f"rules.chapter.{chapter}"))

    def reason(self, reason: Reason) -> str:
        """Return the name of a reason for points."""
        return self.say(f"reason.{reason}")

    def _points(self, points: int) -> str:
        """Return points with their sign after a space; empty for none."""
        return f" {self.words.signed(points)}" if points else ""

    def _score(self, score: Score) -> str:
        return f"{self.reason(score.reason)} {self.words.signed(score.points)}"

    def tiles(self, tiles: Iterable[Tile]) -> str:
        """Return tiles, separated by spaces."""
        return " ".join(self.words.isolated(str(tile)) for tile in tiles)

    def display_name(self, player: Player) -> str:
        """Return a player's name; for a bot without a name of its own, the name of its level."""
        if player.bot is not None and player.name in CAST:
            return localized(player.name, self.words.language)
        plain, _, number = player.name.partition(" ")
        key = f"bot.{player.bot}"
        if plain.lower() != player.bot or not self.words.has(key):
            return player.name
        return f"{self.words.say(key)} {number}".rstrip()

    def name_and_level(self, player: Player) -> str:
        """Return a player's name, and for a bot of the cast its level after a comma."""
        name, key = self.display_name(player), f"bot.{player.bot}"
        if player.name not in CAST or not self.words.has(key):
            return name
        return f"{name}, {self.say(key)}"

    def names(self, people: Sequence[Player]) -> str:
        """Return the players' names as a list in a sentence."""
        return self.words.listed([self.display_name(player) for player in people])

    def move(self, move: Move) -> str:
        """Return the name of a move: the tile, or the label of its button on the page."""
        match move:
            case Place() as place:
                return self.words.isolated(str(place.tile))
            case Draw():
                return self.say("act.draw")
            case Pass():
                return self.say("act.pass")
            case End():
                return self.say("act.end")
            case Keep():
                return self.say("act.keep")
            case _:
                assert_never(move)

    # --- What can be done ------------------------------------------------------------------------

    def gain(self, option: Option) -> str:
        """Return what a placement scores, like ``+51 bridge``; empty for nothing."""
        said = [self.words.signed(option.points)] if option.points else []
        if option.bonus:
            said.append(self.reason(option.bonus))
        if option.goes_out:
            said.append(self.say("cli.out"))
        return " ".join(said)

    def offer(self, option: Option) -> str:
        """Return a placement with its label, like ``7 +51 bridge``."""
        return f"{self.words.isolated(option.label)} {self.gain(option)}".rstrip()

    def other(self, item: Other, menu: Menu, game: Game) -> str:
        """Return a move that is no placement, with its price."""
        said = f"{self.move(item.move)}{self._points(item.points)}"
        if isinstance(item.move, Keep):
            return f"{said} {self.words.isolated(str(game.drawn[-1]))}"
        if not isinstance(item.move, Draw):
            return said
        if game.rules.draw_ends_turn:
            return f"{said} ({self.say('cli.endsTurn')})"
        return f"{said} ({self.say('act.left', count=menu.draws_left)})"

    def advice(self, menu: Menu) -> str:
        """Return what to do now, in a few words."""
        if menu.opening:
            return self.say("cli.advice.open")
        if menu.is_able:
            return self.say("cli.advice.place")
        return self.say(f"cli.advice.{menu.forced or 'none'}")

    def cut_note(self, above: int, below: int) -> str:
        """Return the note below a board that is too high for its window."""
        which = "both" if above and below else "above" if above else "below"
        return self.say(f"cli.cut.{which}", above=above, below=below)

    def confirmation(self, move: Move, menu: Menu) -> str:
        """Return the question before a move that forgoes a placement."""
        best = max(menu.options, key=lambda option: option.points)
        action = f"{self.move(move)}{self._points(menu.price(move))}"
        worth = self.offer(best)
        return self.say("cli.ask.sure", tile=str(best.place.tile), worth=worth, action=action)

    def which_tile(self, options: Sequence[Option]) -> str:
        """Return the question where several tiles fit one place."""
        found = ", ".join(
            f"{item.letter} {self.words.isolated(str(item.place.tile))} {self.gain(item)}".rstrip()
            for item in options
        )
        return self.say("cli.ask.tile", place=options[0].number, options=found)

    def which_place(self, options: Sequence[Option]) -> str:
        """Return the question where one tile fits several places."""
        found = ", ".join(map(self.offer, options))
        return self.say("cli.ask.place", tile=str(options[0].place.tile), options=found)

    # --- What happened ---------------------------------------------------------------------------

    def turn_line(self, turn: Sequence[Ply], name: str, *, own: bool) -> str:
        """Return what a player did in a turn, in one line; *own* names the tiles drawn.

        ``Greedy: one draw -5, 3-4-4, bridge +51``.
        """
        draws = [ply for ply in turn if isinstance(ply.move, Draw)]
        said = []
        if draws:
            if own:
                drawn = self.words.listed([str(ply.tile) for ply in draws])
                what = self.say("cli.drawn", tiles=drawn)
            else:
                what = self.say("pad.drew", count=len(draws))
            said.append(f"{what}{self._points(sum(ply.points for ply in draws))}")
        last = turn[-1]
        if last not in draws:
            said.append(self._ply_text(last))
        return f"{self.words.isolated(name)}: {', '.join(said)}"

    def _ply_text(self, ply: Ply) -> str:
        points = self._points(ply.points)
        match ply.move:
            case Place() as place:
                bonus = f", {self.reason(ply.bonus)}" if ply.bonus else ""
                out = ply.end is not None and ply.end.reason is EndReason.OUT
                ending = f", {self.say('cli.out')}" if out else ""
                return f"{self.words.isolated(str(place.tile))}{bonus}{points}{ending}"
            case Pass():
                return f"{self.say('line.pass')}{points}"
            case End():
                return f"{self.say('reason.no_play')}{points}"
            case Keep():
                return f"{self.say('cli.kept')}{points}"
            case Draw():
                raise AssertionError(ply)
            case _:
                assert_never(ply.move)

    def start(self, match: Match) -> list[str]:
        """Return how the running round began: who drew what, and who starts."""
        game, names = match.game, [self.display_name(player) for player in match.players]
        name = names[game.starter]
        if len(match.rounds) > 1 and match.rules.next_starter is not NextStarter.SET_UP:
            rotates = match.rules.next_starter is NextStarter.ROTATE_LEFT
            return [self.say("cli.start.turns" if rotates else "cli.start.winner", name=name)]
        if match.rules.starter is Starter.HIGHEST_TRIPLE:
            triple = any(tile.is_triple for rack in game.start.racks for tile in rack)
            return [self.say("cli.start.triple" if triple else "cli.start.highest", name=name)]
        lines: list[str] = []
        for draws in _rounds_of_draws(game.start.start_draws):
            shown = ", ".join(self._drawn(draw, names) for draw in draws)
            lines.append(self.say("cli.start.again" if lines else "cli.start.draws", draws=shown))
        return [*lines, f"{self.say('start.starts', name=name)}."]

    def _drawn(self, draw: StartDraw, names: Sequence[str]) -> str:
        shown = self.words.isolated(f"{draw.tile} = {draw.tile.points}")
        return f"{self.words.isolated(names[draw.seat])} ({shown})"

    def news(self, match: Match, since_seat: Seat | None, *, knows: Seat | None) -> list[str]:
        """Return what happened since a seat's last turn, that turn included; else since the deal.

        The tiles that *knows* drew are named; before others, let it be ``None``.
        """
        game = match.game
        turns = [*turns_of(game.plies)]
        own = [index for index, turn in enumerate(turns) if turn[0].seat == since_seat]
        since = own[-1] if own else 0
        lines = [] if own else self.start(match)
        at = sum(map(len, turns[:since]))
        for turn in turns[since:]:
            seat = turn[0].seat
            lines.append(
                self.turn_line(turn, self.display_name(match.players[seat]), own=seat == knows)
            )
            if at < (game.ledger.latched_at or 0) <= at + len(turn):
                lines.append(self.last_round(match.rules))
            at += len(turn)
        return lines

    def last_round(self, rules: Rules) -> str:
        """Return the announcement of the last round."""
        which = "exceed" if rules.target_test is TargetTest.EXCEED else "reach"
        return self.say(f"cli.last.{which}", target=rules.target or 0)

    def round_title(self, match: Match) -> str:
        """Return which round it is, the target, and what is left to draw."""
        rules, game = match.rules, match.game
        parts = [self.say("sheet.round", number=len(match.rounds))]
        if rules.target is not None:
            parts.append(self._goal(rules, rules.target))
            if game.latched:
                parts.append(f"{self.say('sheet.lastRound')}!")
        return ", ".join([*parts, self.say("cli.pool", count=len(game.pool))])

    def _goal(self, rules: Rules, target: int) -> str:
        """Return the target of the match: points to reach or to exceed, or rounds to win."""
        if not rules.scoring:
            return self.say("cli.toWins", target=target)
        exceed = rules.target_test is TargetTest.EXCEED
        return self.say("sheet.targetOver" if exceed else "sheet.target", target=target)

    def standings(self, match: Match) -> list[str]:
        """Return each player's points and tiles; the first entry says what the number counts."""
        keeps = match.rules.scoring or match.rules.target is not None
        out = []
        for seat, player in enumerate(match.players):
            points = f": {self.words.number(match.scores[seat])}" if keeps else ""
            tiles = len(match.game.racks[seat])
            count = self.words.number(tiles) if seat else self.say("cli.ofTiles", count=tiles)
            out.append(f"{self.words.isolated(self.name_and_level(player))}{points} ({count})")
        return out

    # --- Endings ---------------------------------------------------------------------------------

    def round_over(self, match: Match) -> list[str]:
        """Return the end of a round, line by line: who went out, what was left, the settlement."""
        game, end = match.game, match.game.end
        if end is None:
            return []
        names = [self.display_name(player) for player in match.players]
        match end.reason:
            case EndReason.OUT:
                name = self.words.isolated(names[end.seats[0]])
                lines = [f"{name}: {self.say('cli.out')}"]
            case EndReason.BLOCKED if game.pool:
                lines = [self.say("cli.over.passed")]
            case EndReason.BLOCKED:
                lines = [self.say("cli.over.blocked")]
            case EndReason.ABANDONED:
                return [self.say("cli.over.abandoned")]
        for seat, rack in enumerate(game.racks):
            if rack:
                left = {"name": names[seat], "tiles": self.tiles(sorted(rack))}
                if match.rules.scoring:
                    lines.append("  " + self.say("cli.over.left", **left, points=points_of(rack)))
                else:
                    lines.append("  " + self.say("cli.over.leftCount", **left, count=len(rack)))
        lines += [
            f"  {self.say('end.line', name=names[score.seat], reason=self._score(score))}"
            for score in end.scores
        ]
        return lines

    def totals(self, match: Match) -> str:
        """Return the totals in one line."""
        if not match.rules.scoring and match.rules.target is None:
            return ""
        shown = ", ".join(
            f"{self.words.isolated(self.display_name(player))}: {self.words.number(total)}"
            for player, total in zip(match.players, match.scores, strict=True)
        )
        return self.say("cli.totals" if match.rules.scoring else "cli.roundsWon", scores=shown)

    def round_won(self, match: Match) -> str:
        """Return who won the round, and whether a tie needs another one."""
        names = [self.display_name(match.players[seat]) for seat in match.game.winners]
        line = self.say("cli.round.won", names=self.words.listed(names))
        return f"{line} {self.say('cli.round.tie')}" if match.is_last_round else line

    def match_won(self, match: Match) -> str:
        """Return who won the match; a shared victory names everybody."""
        winners = match.winners
        if not winners:
            return self.say("cli.won.nobody")
        names = self.words.listed([self.display_name(match.players[seat]) for seat in winners])
        how = "cli.won" if len(winners) == 1 else "cli.shared"
        best = max(match.scores[seat] for seat in winners)
        # By some rules points may belong to others: they are in the line above.
        if match.rules.scoring and not (match.rules.target is None and match.rules.wins_by_ending):
            return self.say(f"{how}.points", names=names, points=best)
        if match.rules.target is not None:
            return self.say(f"{how}.rounds", names=names, rounds=best)
        return self.say(f"{how}.plain", names=names)

    # --- The score sheet -------------------------------------------------------------------------

    def sheet(self, game: Game) -> list[Entry]:
        """Return all that scored in a round, with running totals; tiles drawn are not named."""
        totals = list(game.start_totals)
        out = []
        for turn in turns_of(game.plies):
            seat = turn[0].seat
            totals[seat] += sum(ply.points for ply in turn)
            out.append(Entry(seat, self._sheet_text(turn), totals[seat]))
        for score in game.end.scores if game.end is not None else ():
            totals[score.seat] += score.points
            out.append(Entry(score.seat, self._score(score), totals[score.seat]))
        return out

    def _sheet_text(self, turn: Sequence[Ply]) -> str:
        """Return the entry of a turn: its draws, then its move with every reason."""
        draws = [ply for ply in turn if isinstance(ply.move, Draw)]
        out = []
        if draws:
            count = self.say("pad.drew", count=len(draws))
            out.append(f"{count}{self._points(sum(ply.points for ply in draws))}")
        last = turn[-1]
        if last not in draws:
            scores = [self._score(score) for score in last.scores]
            out.append(f"{self.move(last.move)}{': ' if scores else ''}{', '.join(scores)}")
        return ", ".join(out)

    # --- Help ------------------------------------------------------------------------------------

    def help(self) -> list[tuple[str, str]]:
        """Return what can be typed, and what it does."""
        return [(typed, self.say(f"cli.help.{name}")) for typed, name in HELP]


def _rounds_of_draws(draws: Sequence[StartDraw]) -> list[list[StartDraw]]:
    """Group the draws for the start by round: a seat that draws again begins a new one."""
    out: list[list[StartDraw]] = []
    for draw in draws:
        if not out or draw.seat <= out[-1][-1].seat:
            out.append([])
        out[-1].append(draw)
    return out
