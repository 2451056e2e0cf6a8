"""Matches at a table of the server, with every message: what a local table has to tell, too.

One device sets up the table, and everybody who is no bot sits at it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from tests.agreement.walk import house_rules
from triomino import EDITIONS, Place, Rng, Seeds, View
from triomino.bots import LEVELS
from triomino.errors import IllegalMove
from triomino.fair import ALGORITHM
from triomino.protocol.api import TableOptions
from triomino.protocol.messages import Ack, AskHint, ClientMessage, Hint, Reaction, Refused
from triomino.server import broadcast, commands
from triomino.server.bounds import why_too_far
from triomino.server.events import Created, MovePlayed, Rematched
from triomino.server.hints import EFFORT, best_moves
from triomino.server.open_tables import OpenTable
from triomino.server.snapshot import record
from triomino.server.table import Change, RefusedError, Table, check_options, name_bots

if TYPE_CHECKING:
    from triomino import Move, Rules
    from triomino.server.events import AnyEvent

    Json = dict[str, Any]

DEVICE = "d" * 64
HINTS = replace(EFFORT, rollouts=100)
HELPS = ("points", "places", "none")


class Page:
    """The one listener of a table."""

    def __init__(self) -> None:
        self.device: str | None = DEVICE
        self.heard: list[Json] = []

    def tell(self, message: bytes) -> None:
        """Take a message."""
        self.heard.append(json.loads(message))


@dataclass
class Script:
    """A table that is played at, and what was said."""

    name: str
    rules: Rules
    seats: list[Json]
    options: Json
    dice: Rng
    steps: list[Json] = field(default_factory=list)
    at: int = 1_000_000

    def __post_init__(self) -> None:
        self.page = Page()
        self.given = {"seats": self.seats, "rules": self.rules.changes, **self.options}
        options = check_options(msgspec.convert(self.given, TableOptions))
        self.given["seats"] = msgspec.to_builtins(name_bots(options, self.dice).seats)
        options = check_options(msgspec.convert(self.given, TableOptions))
        seed = Seeds.named(2, self.name).server
        self.created = Created(at=self.at, options=options, server_seed=seed, host=DEVICE)
        self.first_id = "first"
        self._open("first", self.created)

    def _open(self, table_id: str, created: Created) -> None:
        self.table = Table(table_id, created)
        self.opened = OpenTable(self.table)
        self.opened.listeners.add(self.page)

    # --- Steps -----------------------------------------------------------------------------------

    def _commit(self, change: Change[AnyEvent]) -> None:
        table = self.table
        since, state = table.version, table.state
        table.apply(change)
        if isinstance(change.event, MovePlayed) and table.state == state:
            broadcast.tell_moves(self.opened, since)
        else:
            broadcast.tell_state(self.opened)

    def _step(self, **what: Any) -> None:
        told, self.page.heard = self.page.heard, []
        self.steps.append({**what, "at": self.at, "told": told})
        self.at += 700

    def _told(self, message: msgspec.Struct) -> None:
        self.page.tell(msgspec.json.encode(message))

    def start(self) -> None:
        """Deal the first round."""
        self._commit(self.table.start(DEVICE, self.at))
        self._step(message={"type": "start"})

    def sit(self, seat: int) -> None:
        """Take a free seat, perhaps under the name of a bot."""
        bots = [chair.name for chair in self.table.chairs if chair.is_bot]
        name = (None, f"Cy {seat}", bots[0] if bots else "Dot")[self.dice.randrange(3)]
        try:
            self._commit(self.table.take_seat(name, DEVICE, "", seat, self.at))
        except RefusedError:  # somebody has this name
            name = f"Eve {seat}"
            self._commit(self.table.take_seat(name, DEVICE, "", seat, self.at))
        self._step(sit={"name": name, "seat": seat})

    def say(self, kind: str, **values: Any) -> None:
        """Send a message of the page."""
        message = {"type": kind, "id": len(self.steps), **values}
        parsed: Any = msgspec.convert(message, ClientMessage)
        table = self.table
        try:
            if isinstance(parsed, AskHint):
                seat = commands.seat_of(table, DEVICE, parsed.seat)
                commands.check_basis(table, parsed)
                table.check_hint(seat)
                moves = best_moves(View.of(table.game, seat), HINTS)
                self._told(Hint(parsed.id, parsed.ply, moves))
            else:
                self._commit(commands.check(table, parsed, DEVICE, self.at))
                self._told(Ack(parsed.id, table.version))
        except IllegalMove as error:
            self._told(Refused(parsed.id, error.why.value, str(error), table.version))
        except RefusedError as error:
            self._told(Refused(parsed.id, error.code, str(error), table.version))
        self._step(message=message)

    def hello(self, version: int | None) -> None:
        """Come to the table, or back to it."""
        self.page.tell(broadcast.catch_up(self.opened, DEVICE, version))
        message = {"type": "hello", "table": self.table.id, "version": version, "protocol": 2}
        self._step(message=message)

    def react(self) -> None:
        """Wave."""
        seat = commands.reacting_seat(self.table, DEVICE, None)
        self._told(Reaction(seat, "wow"))
        self._step(message={"type": "react", "sign": "wow"})

    def bot(self, move: Move | None) -> None:
        """Let a bot move, or begin the next round."""
        table = self.table
        if move is None:
            self._commit(table.next_round(self.at))
        else:
            self._commit(table.move(table.game.turn, str(move), self.at, by_bot=True))
        self._step(bot=None if move is None else str(move))

    def rematch(self) -> None:
        """Begin another match at another table."""
        old, changes = self.table, {"undo": not self.table.options.undo, "hints": True}
        options = msgspec.structs.replace(old.options, **changes)
        seed = Seeds.named(2, self.name, "again").server
        made = old.make_rematch(options, seed, DEVICE, self.at, public_key="")
        created = msgspec.structs.replace(made, algorithm=ALGORITHM)
        self._commit(Change(Rematched(at=self.at, table="again")))
        what = {
            "id": "again",
            "changes": changes,
            "created": msgspec.to_builtins(created),
            "record": record(old),
        }
        self._step(rematch=what)
        self._open("again", created)
        self.start()

    # --- Playing ---------------------------------------------------------------------------------

    def play(self, most: int) -> None:
        """Play for so many steps, or until the match is over."""
        self.hello(None)
        for seat, chair in enumerate(self.table.chairs):
            if chair.is_free:
                self.sit(seat)
        self.start()
        again = False
        while len(self.steps) < most:
            table = self.table
            if table.state != "playing":
                if again or table.match is None:
                    break
                again = True
                self.rematch()
                continue
            self._wander()
            if not self._goes_on():
                continue
            if table.paused is not None:
                self.say("resume")
            elif table.waits_for_bot() is not None:
                self.bot(self._any_move())
            elif table.waits_for_nobody:
                self.bot(None)
            elif table.game.over:
                self.say("next_round", ply=table.ply)
            else:
                self.say("move", move=str(self._any_move()), ply=table.ply)
        self.hello(None)

    def _goes_on(self) -> bool:
        return self.table.state == "playing"

    def _any_move(self) -> Move:
        moves = self.table.game.legal_moves()
        places = [move for move in moves if isinstance(move, Place)]
        chosen = places if places and self.dice.randrange(4) else moves
        return chosen[self.dice.randrange(len(chosen))]

    def _wander(self) -> None:
        """Perhaps do something else than play on, right or wrong."""
        table, dice = self.table, self.dice
        any_seat, ply = dice.randrange(len(table.chairs)), table.ply
        people = [seat for seat, chair in enumerate(table.chairs) if not chair.is_bot]
        moves = ("pass", "draw", "keep", "end", "U(0,0)=1-2-3", "D(-1,0)=5-5-5")
        every: list[Json] = [
            {"kind": "ask_hint", "ply": ply},
            {"kind": "pause"},
            {"kind": "move", "move": moves[dice.randrange(6)], "ply": ply},
            {"kind": "move", "move": "draw", "ply": max(0, ply - 1)},
            {"kind": "move", "move": "draw", "ply": ply, "seat": dice.randrange(6)},
            {"kind": "remind", "whom": any_seat},
            {"kind": "stand_in", "whom": any_seat},
            {"kind": "return", "seat": any_seat},
            {"kind": "next_round", "ply": ply},
            {"kind": "end_match"},
            {"kind": "answer_undo", "agree": True, "request": 0},
        ]
        if not dice.randrange(3):
            every.append({"kind": "give_up", "seat": people[dice.randrange(len(people))]})
        what = dice.randrange(40)
        if what < len(every):
            self.say(**every[what])
        elif what in (20, 21, 22):
            self.say("undo", ply=ply)
            if table.undo is not None:
                self._answer()
        elif what == 23:
            self.hello(max(1, table.version - dice.randrange(4)))
        elif what == 24:
            self.react()

    def _answer(self) -> None:
        """Answer a request for an undo, perhaps with a wrong number first."""
        table, dice = self.table, self.dice
        if not dice.randrange(3):
            self.say("answer_undo", agree=True, request=1)
        for seat in range(len(table.chairs)):
            if table.undo is None or not dice.randrange(6):
                return
            agree = bool(dice.randrange(4))
            self.say("answer_undo", agree=agree, request=table.undo.id, seat=seat)

    def to_json(self) -> Json:
        """The transcript."""
        over = self.table.is_seed_public
        return {
            "name": self.name,
            "id": self.first_id,
            "given": self.given,
            "created": msgspec.to_builtins(self.created),
            "steps": self.steps,
            "record": record(self.table) if over else None,
        }


def script(number: int, most: int) -> Script:
    """A random table: every edition, house rules, two to six seats, people and bots."""
    dice = Rng.named("local", number)
    rules = [*EDITIONS.values()][number % len(EDITIONS)]
    if number % 3 == 2:
        rules = house_rules(dice)
    if dice.randrange(2):
        rules = rules.with_changes({"target": 60 if rules.scoring else 2})
    elif why_too_far(rules):
        rules = rules.with_changes({"target": None})
    counts = list(rules.racks)
    players = counts[dice.randrange(len(counts))]
    people = 1 + dice.randrange(players)
    seats = [_seat(seat < people, rules, dice) for seat in range(players)]
    options = {
        "undo": bool(dice.randrange(4)),
        "hints": bool(dice.randrange(4)),
        "help": HELPS[dice.randrange(3)],
        "pace": "at_once",
    }
    made = Script(f"{number}: {rules.edition}, {players}", rules, seats, options, dice)
    made.play(most)
    return made


def _seat(is_person: bool, rules: Rules, dice: Rng) -> Json:
    seat: Json = (
        {"kind": "here"} if is_person else {"kind": "bot", "bot": LEVELS[dice.randrange(6)]}
    )
    if is_person and dice.randrange(2):
        seat["name"] = f"  Ann{dice.randrange(1000)} B. "
    if rules.scoring and not dice.randrange(3):
        seat["head_start"] = dice.randrange(60)
    if not dice.randrange(4):
        seat["help"] = HELPS[dice.randrange(3)]
    return seat
