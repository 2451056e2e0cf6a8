"""One table: the state that its events add up to, and what may happen next.

Commands are methods that *check* and return a :class:`Change`; :meth:`Table.apply` carries it out
and cannot fail. Between the two the caller stores the event.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, TypeVar, assert_never

import msgspec

from triomino.bots import CAST, cast_member, free_names, random_names, why_not_bot
from triomino.errors import TriominoError
from triomino.fair import Seeds
from triomino.fair2 import ALGORITHM_2, MOST_DEVICES, check_hex
from triomino.match import Match, Player
from triomino.moves import parse_move
from triomino.protocol.api import Help, SeatPlan, SeatSummary, TableOptions
from triomino.rules import Rules, Seat
from triomino.server.absence import REMIND_AGAIN, end_after, stand_in_after
from triomino.server.bounds import extra_of, why_too_far
from triomino.server.events import (
    AnyEvent,
    BotTook,
    Claimed,
    Closed,
    Committed,
    Created,
    GaveUp,
    Left,
    Linked,
    MovePlayed,
    Opened,
    Paused,
    RatingAgreed,
    Rematched,
    Reminded,
    Renamed,
    Resumed,
    Returned,
    Revealed,
    RoundBegun,
    Seated,
    Started,
    UndoAnswered,
    UndoAsked,
    Undone,
    Unlinked,
)
from triomino.server.seed_exchange import SeedExchange

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping

    from triomino.dice import Dice
    from triomino.fair2 import AnySeeds, Opening
    from triomino.game import Game, Ply
    from triomino.signatures import SigningKey

TableState = Literal["open", "opening", "playing", "finished", "closed"]

SUBSTITUTE = "easy"
"""The bot that plays for people who are away."""

FORMER = "Former player"
"""What somebody is called who has deleted their profile; pages say it in their language."""

LONGEST_WAIT = 32
"""The most moves that a seat has to play before it may ask for an undo again."""

E_co = TypeVar("E_co", bound=AnyEvent, covariant=True)


@dataclass(frozen=True, slots=True)
class Change(Generic[E_co]):
    """What a command does to a table: the event to store and, for a move, its ply."""

    event: E_co
    ply: Ply | None = None
    """As the rules checked it; without one, :meth:`Table.apply` asks the rules."""


class RefusedError(TriominoError):
    """A command that cannot be carried out now; ``code`` is the reason for programs."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code

    def __reduce__(self) -> tuple[type[RefusedError], tuple[str, str]]:
        return type(self), (self.code, str(self))


@dataclass(frozen=True, slots=True)
class Reminder:
    """A seat waits for another one."""

    id: int
    """The version of its event."""
    by: Seat
    at: int


@dataclass(slots=True)
class Chair:
    """A seat and who plays there."""

    plan: SeatPlan
    default_name: str
    """The name shown if nobody gives one."""
    name: str | None = None
    owners: set[str] = field(default_factory=set)
    """Hashes of the devices that play here."""
    namers: set[str] = field(default_factory=set)
    """Hashes of the devices that the name came from."""
    links: set[str] = field(default_factory=set)
    """Hashes of the secrets that open this seat, each once."""
    used_links: dict[str, str] = field(default_factory=dict)
    """Which device used a link up."""
    seed: str = ""
    """Of ``fair/1`` only."""
    substitute: str | None = None
    moves: int = 0
    """How many moves the person has played, those taken back included."""
    undo_asked: int | None = None
    """The ply at which the seat last asked for an undo."""
    undo_refusals: int = 0
    """How often the others declined in a row."""
    undo_after: int = 0
    """How many *moves* it takes before the seat may ask again."""
    reminder: Reminder | None = None
    """Somebody waits for this seat, which has not moved since."""
    person: str = ""
    """The profile that is rated for this seat, once it has agreed to that."""
    reserve_used: int = 0
    """Milliseconds of the reserve that are gone."""
    has_left: bool = False
    """Whether the person gave up, or left the match to a bot, and did not come back."""

    @property
    def is_bot(self) -> bool:
        """Whether the table was set up with a bot here."""
        return self.plan.kind == "bot"

    @property
    def is_of_cast(self) -> bool:
        """Whether a bot plays here under a name of the cast."""
        return self.is_bot and self.name in CAST

    @property
    def is_free(self) -> bool:
        """Whether a person can take this seat."""
        return not self.is_bot and self.name is None

    @property
    def bot(self) -> str | None:
        """The bot that moves here now, or ``None``."""
        return self.plan.bot if self.is_bot else self.substitute

    @property
    def is_former(self) -> bool:
        """Whether the profile of whoever sat here is deleted."""
        return not self.is_bot and (self.name or "").startswith(FORMER)

    @property
    def summary(self) -> SeatSummary:
        """The seat as everybody sees it."""
        return SeatSummary(
            kind="bot" if self.is_bot else "person",
            name=self.name,
            bot=self.plan.bot,
            substitute=self.substitute,
            is_free=self.is_free,
            is_made_up=self.name == self.default_name or self.is_of_cast or self.is_former,
            help=self.plan.help,
            head_start=self.plan.head_start,
        )


@dataclass(slots=True)
class PendingUndo:
    """A request to take moves back that others have to agree to."""

    id: int
    """The version of the event that made it; an answer names it."""
    seat: Seat
    moves: int
    agreed: set[Seat]


class Table:
    """The state of a table after its events."""

    def __init__(self, table_id: str, created: Created) -> None:
        self.id = table_id
        self.version = 1
        self.created = self.updated = created.at
        self.options = created.options
        self.rules = Rules.from_json(created.options.rules)
        self.host = created.host
        self.host_devices = {created.host}
        """That of the host, and others of the same person that have joined."""
        self.club, self.most_rounds = created.club, created.rounds
        self.strangers = created.strangers
        self.is_arranged = bool(created.people)
        """Whether the server brought people together here who had asked to play now."""
        self.chairs = [
            Chair(plan, default_name(created.options, seat))
            for seat, plan in enumerate(created.options.seats)
        ]
        self.state: TableState = "open"
        self.match: Match | None = None
        self.by_bot: list[list[bool]] = []
        """For every round, which plies a bot played for a person."""
        self.undo: PendingUndo | None = None
        self.paused: Seat | None = None
        """The seat that paused the match."""
        self.closed_why: str | None = None
        self.rematch: str | None = None
        self.extras: Counter[Seat] = Counter()
        """How many events of a seat did not bring the match forward, such as undos."""
        self.gave_up: set[Seat] = set()
        self.ply = 0
        """The version of the event that made the current position: a position never has the number
        of an earlier one, not even if it is the same after an undo. 0 before the start."""
        self.turn_id = 0
        """The ply at which the current turn began, or was resumed by an undo."""
        self.turn_began = created.at
        self.turn_spent = 0
        """Milliseconds of the turn that had passed at *turn_began*: an undo does not give them
        back."""
        self.spent: list[int] = []
        """For every ply of the round, milliseconds of its turn that had passed by then."""
        self.moves_in_a_row = 0
        """How many of the latest events are moves of the current round."""
        self.exchange = SeedExchange.of(table_id, created)
        for seat, chair in enumerate(self.chairs):
            if chair.is_bot:
                chair.name = clean_name(chair.plan.name or chair.default_name)
            elif seat < len(created.owners) and created.owners[seat]:
                chair.owners = set(created.owners[seat])
                chair.namers = set(chair.owners)
                chair.name = created.names[seat]
                chair.seed = created.player_seeds[seat] if created.player_seeds else ""
            elif chair.plan.kind == "here":
                chair.owners = {created.host}
                chair.namers = {created.host}
                chair.name = clean_name(chair.plan.name or chair.default_name)
        for chair, person in zip(self.chairs, created.people, strict=False):
            chair.person = person

    @classmethod
    def load(cls, table_id: str, events: Iterable[AnyEvent]) -> Table:
        """Build a table from its events."""
        rest = iter(events)
        first = next(rest)
        if not isinstance(first, Created):
            raise TriominoError(f"the log of table {table_id} does not begin with its creation")
        table = cls(table_id, first)
        for event in rest:
            table.apply(Change(event))
        return table

    # --- Queries ---------------------------------------------------------------------------------

    @property
    def seeds(self) -> AnySeeds:
        """The seeds of the deals; under ``fair/2`` there are none before the first deal."""
        if self.exchange.is_fair_1:
            return Seeds(self.exchange.server_seed, tuple(chair.seed for chair in self.chairs))
        if self.match is None or self.match.seeds is None:
            raise RefusedError("not_started", "the match has not begun")
        return self.match.seeds

    @property
    def is_seed_public(self) -> bool:
        """Whether the server's seed is shown: nobody can play on with what it dealt."""
        return self.state == "closed" or (self.match is not None and self.match.over)

    def opening(self) -> Opening:
        """What was settled with the start, or would be if the match were started now."""
        if self.exchange.opening is not None:
            return self.exchange.opening
        bots = [chair.plan.bot if chair.is_bot else None for chair in self.chairs]
        return self.exchange.plan([chair.owners for chair in self.chairs], bots)

    @property
    def game(self) -> Game:
        """The current round."""
        if self.match is None:
            raise RefusedError("not_started", "the match has not begun")
        return self.match.game

    def seats_of(self, device: str | None) -> list[Seat]:
        """The seats that a device, given by its hash, plays at."""
        return [seat for seat, chair in enumerate(self.chairs) if device in chair.owners]

    def is_host(self, device: str | None) -> bool:
        """Whether a device may start the match: that of the host, or another of the same person.

        At a club evening and among strangers there is none; there every seat may. What the server
        arranged it starts itself, as a host without a device.
        """
        if self.is_arranged:
            return device == self.host
        anybody = bool(self.club) or self.strangers
        return device in self.host_devices or (anybody and bool(self.seats_of(device)))

    def waits_for_bot(self) -> Seat | None:
        """The seat to move if a bot plays there, else ``None``."""
        if self.state != "playing" or self.match is None or self.game.over:
            return None
        return self.game.turn if self.chairs[self.game.turn].bot else None

    @property
    def waits_for_nobody(self) -> bool:
        """Whether the next round must begin by itself because only bots are left."""
        if self.state != "playing" or self.match is None:
            return False
        return self.game.over and not self.match.over and not self.people

    @property
    def is_listed(self) -> bool:
        """Whether the lobby shows the table: it is public and has a free seat."""
        return self.options.listed and any(chair.is_free for chair in self.chairs)

    @property
    def people(self) -> list[Seat]:
        """The seats where a person plays now."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.name and not chair.bot]

    @property
    def is_rated(self) -> bool:
        """Whether the result counts: all seats are of different people who agreed to that."""
        people = {chair.person for chair in self.chairs}
        return "" not in people and len(people) == len(self.chairs)

    @property
    def gone(self) -> list[Seat]:
        """The seats of people who left the match, or stayed away: a bot plays there."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.substitute]

    def turn_limit(self) -> int | None:
        """Milliseconds that the current turn may take, with what is left of the reserve."""
        if self.options.clock_seconds is None:
            return None
        return 1000 * self.options.clock_seconds + self.reserve_left(self.game.turn)

    @property
    def _reserve(self) -> int:
        """Milliseconds that each person may spend beyond the clock of single turns."""
        return 1000 * (self.options.reserve_seconds or 0)

    def reserve_left(self, seat: Seat) -> int:
        """Milliseconds of the reserve that a seat still has."""
        return max(0, self._reserve - self.chairs[seat].reserve_used)

    def help_at(self, seat: Seat) -> Help:
        """How much a seat is shown of its legal placements."""
        return self.chairs[seat].plan.help or self.options.help

    @property
    def head_start(self) -> tuple[int, ...]:
        """The points that each seat gets at the end of the match."""
        return tuple(chair.plan.head_start for chair in self.chairs)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won the match, head starts included; empty while it runs."""
        return () if self.match is None else self.match.ledger.winners_with(self.head_start)

    # --- Commands: check, and return the change --------------------------------------------------

    def take_seat(
        self, name: str | None, owner: str, seed: str, seat: Seat | None, at: int
    ) -> Change[Seated]:
        """Take a free seat; without a *name* the seat's default name is used.

        A bot of the cast with the same name takes another one.
        """
        self._must_be("open")
        free = [number for number, chair in enumerate(self.chairs) if chair.is_free]
        if seat is None:
            if not free:
                raise RefusedError("full", "every seat is taken")
            seat = free[0]
        if seat not in free:
            raise RefusedError("taken", f"seat {seat} is not free")
        name = self.chairs[seat].default_name if name is None else clean_name(name)
        if name in {chair.name for chair in self.chairs if not chair.is_of_cast}:
            raise RefusedError("name_taken", f"somebody here is already called {name}")
        if not self.exchange.is_fair_1:
            seed = ""  # from an older client; under fair/2 devices commit first
        Seeds(self.exchange.server_seed, (seed,))  # raises if it cannot be used for a deal
        return Change(Seated(at=at, seat=seat, name=name, owner=owner, seed=seed))

    def make_link(self, seat: Seat, device: str, link: str, at: int) -> Change[Linked]:
        """Make a secret link, given by its hash, to a seat of the device; it replaces others."""
        self._must_own(seat, device)
        return Change(Linked(at=at, seat=seat, link=link))

    def withdraw_link(self, seat: Seat, device: str, at: int) -> Change[Unlinked]:
        """Withdraw the link to a seat of the device, so that it opens nothing any more."""
        self._must_own(seat, device)
        if not self.chairs[seat].links:
            raise RefusedError("no_link", "there is no link to this seat, or it was used")
        return Change(Unlinked(at=at, seat=seat))

    def claim(self, link: str, device: str, at: int) -> Change[Claimed]:
        """Add a device to the seat that a link opens; that uses the link up."""
        for seat, chair in enumerate(self.chairs):
            if link in chair.links:
                return Change(Claimed(at=at, seat=seat, owner=device, link=link))
        raise RefusedError("wrong_link", "this link leads to no seat here, or it has been used")

    def join_seat(self, device: str, siblings: Collection[str], at: int) -> Change[Claimed] | None:
        """Add a device to the next seat of *siblings*, the other devices of the same person.

        ``None`` if it has all of them already.
        """
        for seat, chair in enumerate(self.chairs):
            if device not in chair.owners and any(one in chair.owners for one in siblings):
                hosts = self.host in siblings
                return Change(Claimed(at=at, seat=seat, owner=device, hosts=hosts))
        return None

    def has_claimed(self, link: str, device: str) -> Seat | None:
        """The seat that *device* has, or opened, by a link: claiming it again changes nothing."""
        for seat, chair in enumerate(self.chairs):
            if device in chair.owners and (
                link in chair.links or chair.used_links.get(link) == device
            ):
                return seat
        return None

    def leave(self, seat: Seat, device: str, at: int) -> Change[Left | BotTook]:
        """Leave a seat: before the start it becomes free, later a bot plays on."""
        self._must_own(seat, device)
        if self.state == "open":
            return Change(Left(at=at, seat=seat))
        return self.substitute(seat, "left", at)

    def commit(self, device: str, commitment: str, at: int) -> Change[Committed]:
        """Commit a device to the seed that it will reveal."""
        self._must_exchange("open")
        check_hex(commitment, 64, "a commitment")
        known = self.exchange.commitments
        if not self.seats_of(device):
            raise RefusedError("not_seated", "only a device with a seat commits to a seed")
        if device in known:
            raise RefusedError("committed", "this device committed to another seed already")
        if commitment in known.values():
            raise RefusedError("same_commitment", "another device has this commitment")
        if len(known) >= MOST_DEVICES:
            raise RefusedError("too_many_devices", f"at most {MOST_DEVICES} devices commit")
        return Change(Committed(at=at, device=device, commitment=commitment))

    def start(
        self, device: str, at: int, key: SigningKey | None = None, reveal_until: int = 0
    ) -> Change[Opened | Started]:
        """Start the match once every seat is taken: deal, or ask for the seeds committed to.

        Under ``fair/2`` the *key* of the server signs it.
        """
        self._must_be("open")
        if not self.is_host(device):
            raise RefusedError("not_host", "only the host can start the table")
        if any(chair.is_free for chair in self.chairs):
            raise RefusedError("seats_free", "some seats are still free")
        if self.exchange.is_fair_1:
            return Change(Started(at=at))
        key, opening = self._own(key), self.opening()
        signature = key.sign(opening.text)
        if opening.devices:
            return Change(Opened(at=at, signature=signature, until=reveal_until))
        dealt = key.sign(opening.transcript(()))
        return Change(Started(at=at, signature=dealt, opening_signature=signature))

    def reveal(self, device: str, seed: str, at: int) -> Change[Revealed]:
        """Reveal the seed that a device committed to."""
        self._must_exchange("opening")
        if device not in self.exchange.devices:
            raise RefusedError("no_commitment", "this device committed to no seed in time")
        if device in self.exchange.revealed:
            raise RefusedError("revealed", "this device has revealed its seed already")
        number = self.exchange.devices.index(device)
        if why := self.opening().why_not_seed(number, seed):
            raise RefusedError("wrong_seed", why)
        return Change(Revealed(at=at, device=device, seed=seed))

    def deal(self, at: int, key: SigningKey) -> Change[Started]:
        """Deal the first round from the seeds that were revealed."""
        self._must_exchange("opening")
        transcript = self.opening().transcript(self.exchange.device_seeds)
        return Change(Started(at=at, signature=self._own(key).sign(transcript)))

    def _own(self, key: SigningKey | None) -> SigningKey:
        """The key that this table was set up with; refuse to sign with another one."""
        if key is None or key.public != self.exchange.public_key:
            raise RefusedError("other_key", "this table has another key; set up a new table")
        return key

    def agree_rating(self, seat: Seat, person: str, at: int) -> Change[RatingAgreed]:
        """Let the match count for the rating of *person*, or with an empty one, no longer."""
        self._must_be("open")
        if any(chair.is_bot for chair in self.chairs):
            raise RefusedError("bots_play", "only a match between people is rated")
        if self.is_arranged:
            raise RefusedError("rated", "this match is rated anyway")
        if person and any(chair.person == person for chair in self.chairs):
            raise RefusedError("same_person", "nobody is rated against themselves")
        if any(self.head_start):
            raise RefusedError("head_start", "a match with a head start is not rated")
        return Change(RatingAgreed(at=at, seat=seat, person=person))

    def move(self, seat: Seat, text: str, at: int, *, by_bot: bool = False) -> Change[MovePlayed]:
        """Play a move for a seat."""
        self._must_go_on()
        game = self.game
        if game.turn != seat and not game.over:
            raise RefusedError("not_your_turn", "it is not this seat's turn")
        if by_bot != (self.chairs[seat].bot is not None):
            raise RefusedError("not_yours", "a bot plays here; take your seat back first")
        ply = game.check(parse_move(text))
        for_person = by_bot and not self.chairs[seat].is_bot
        return Change(MovePlayed(at=at, seat=seat, move=text, by_bot=for_person), ply)

    def check_hint(self, seat: Seat) -> None:
        """Raise unless *seat* may ask for a hint now."""
        self._must_go_on()
        if self.is_rated:
            raise RefusedError("no_hints", "there are no hints in a rated match")
        if not self.options.hints:
            raise RefusedError("no_hints", "there are no hints at this table")
        if self.game.over or self.game.turn != seat:
            raise RefusedError("not_your_turn", "it is not this seat's turn")

    def next_round(self, at: int) -> Change[RoundBegun]:
        """Begin the next round."""
        self._must_go_on()
        if not self.game.over:
            raise RefusedError("round_running", "the round is not over yet")
        return Change(RoundBegun(at=at))

    def ask_undo(self, seat: Seat, at: int) -> Change[UndoAsked | Undone]:
        """Take back the seat's last move: at once, or after everyone asked has agreed."""
        self._must_go_on()
        if not self.options.undo:
            raise RefusedError("no_undo", "moves cannot be taken back at this table")
        if self.game.over:
            raise RefusedError("revealed", "the tiles of this round were shown; it stays as it is")
        plies = self.game.plies
        last = max((i for i, ply in enumerate(plies) if ply.seat == seat), default=None)
        if last is None:
            raise RefusedError("nothing_to_undo", "you have no move to take back in this round")
        moves = len(plies) - last
        if self._must_agree(seat, moves):
            self._check_request(seat)
            return Change(UndoAsked(at=at, seat=seat, moves=moves))
        return Change(Undone(at=at, moves=moves))

    def _check_request(self, seat: Seat) -> None:
        """Raise unless *seat* may ask the others for an undo now."""
        chair = self.chairs[seat]
        if self.undo is not None:
            raise RefusedError(
                "undo_open", "there is a request already; it ends with the next move"
            )
        if chair.undo_asked == self.ply:
            raise RefusedError("undo_wait", "you have asked already; wait for the next move")
        if chair.moves < chair.undo_after:
            wait = chair.undo_after - chair.moves
            raise RefusedError(
                "undo_wait", f"the others declined; {wait} more of your moves and you may ask again"
            )

    def _must_agree(self, seat: Seat, moves: int) -> set[Seat]:
        """The seats that have to agree before *seat* takes its last *moves* back.

        These are all other people, also those for whom a bot plays at the moment. Those who gave
        up are not asked, nor are those without a device of their own who have not played since.
        """
        moved = {ply.seat for ply in self.game.plies[-moves:]}
        owners = self.chairs[seat].owners
        return {
            other
            for other, chair in enumerate(self.chairs)
            if other != seat
            and not chair.is_bot
            and other not in self.gave_up
            and (other in moved or not chair.owners <= owners)
        }

    def answer_undo(self, seat: Seat, agree: bool, at: int) -> Change[Undone | UndoAnswered]:
        """Agree to a requested undo or decline it; the last agreement carries it out."""
        self._must_go_on()
        asked = self._must_agree(self.undo.seat, self.undo.moves) if self.undo else set()
        if self.undo is None or seat not in asked:
            raise RefusedError("nothing_asked", "nobody asks this seat to take a move back")
        missing = asked - self.undo.agreed - {seat}
        if agree and not missing:
            return Change(Undone(at=at, moves=self.undo.moves))
        return Change(UndoAnswered(at=at, seat=seat, agree=agree))

    def give_up(self, seat: Seat, at: int) -> Change[GaveUp | BotTook]:
        """Give up: with three or more players a bot goes on, with two the other one wins."""
        self._must_be("playing")
        if seat in self.gave_up:
            raise RefusedError("gave_up", "this seat has already given up")
        if len(self.chairs) > 2 and self.people != [seat]:
            return self.substitute(seat, "gave_up", at)
        return Change(GaveUp(at=at, seat=seat))

    def substitute(
        self, seat: Seat, reason: Literal["clock", "away", "gave_up", "left", "asked"], at: int
    ) -> Change[BotTook]:
        """Let a bot play for a person."""
        self._must_be("playing")
        if self.chairs[seat].bot:
            raise RefusedError("bot_plays", "a bot already plays here")
        return Change(BotTook(at=at, seat=seat, bot=SUBSTITUTE, reason=reason))

    def come_back(self, seat: Seat, at: int, *, time_is_up: bool = False) -> Change[Returned]:
        """Take the seat back from the bot that stood in.

        *time_is_up* says that the clock of the current turn has run out: the bot plays that turn.
        """
        self._must_be("playing")
        if self.chairs[seat].substitute is None:
            raise RefusedError("you_play", "no bot plays for this seat")
        if time_is_up and not self.game.over and self.game.turn == seat:
            raise RefusedError("time_up", "your time is up; the bot plays this turn")
        return Change(Returned(at=at, seat=seat))

    # *absence* below says how many milliseconds each person who is not connected has been away.

    def remind(
        self, whom: Seat, by: Seat, at: int, absence: Mapping[Seat, int]
    ) -> Change[Reminded]:
        """Remind a person who is away or to move; it is kept until that person moves."""
        self._must_be("playing")
        chair = self._waited_for(whom, by)
        to_move = not self.game.over and self.game.turn == whom and not chair.bot
        if whom not in absence and not to_move:
            raise RefusedError("not_awaited", "nobody waits for this seat now")
        if chair.reminder is not None and 0 <= at - chair.reminder.at < REMIND_AGAIN:
            raise RefusedError("reminded", "this person was reminded a moment ago")
        return Change(Reminded(at=at, seat=whom, by=by))

    def stand_in(
        self, whom: Seat, by: Seat, at: int, absence: Mapping[Seat, int]
    ) -> Change[BotTook]:
        """Let a bot play for a person who has been away for a while."""
        self._must_be("playing")
        self._waited_for(whom, by)
        self._must_be_away([whom], stand_in_after(self.options), absence)
        change = self.substitute(whom, "asked", at)
        return Change(msgspec.structs.replace(change.event, by=by))

    def end_match(self, seat: Seat, at: int, absence: Mapping[Seat, int]) -> Change[Closed]:
        """End the match without a winner: everybody else has been away for long."""
        self._must_be("playing")
        if self.is_rated or self.is_arranged:
            raise RefusedError("rated", "bots play on for those who left, and the result counts")
        owners = self.chairs[seat].owners
        others = [
            other
            for other, chair in enumerate(self.chairs)
            if not chair.is_bot and other not in self.gave_up and not chair.owners & owners
        ]
        if not others:
            raise RefusedError("nobody_away", "nobody else plays here; give up instead")
        self._must_be_away(others, end_after(self.options), absence)
        return self.close("absent", at)

    def pause(self, seat: Seat, at: int) -> Change[Paused]:
        """Pause the match: nobody moves, and clocks stand still."""
        if self.is_arranged:
            raise RefusedError("no_pause", "a match among strangers has no pauses")
        self._must_go_on()
        return Change(Paused(at=at, seat=seat))

    def resume(self, seat: Seat, at: int) -> Change[Resumed]:
        """End the pause, whoever made it."""
        self._must_be("playing")
        if self.paused is None:
            raise RefusedError("not_paused", "the match is not paused")
        return Change(Resumed(at=at, seat=seat))

    def _waited_for(self, whom: Seat, by: Seat) -> Chair:
        """The chair of a person that *by* may wait for; raise if there is none."""
        if not 0 <= whom < len(self.chairs) or self.chairs[whom].is_bot:
            raise RefusedError("no_seat", f"nobody sits at seat {whom}")
        if self.chairs[whom].owners & self.chairs[by].owners:
            raise RefusedError("not_awaited", "this is your own seat")
        return self.chairs[whom]

    def _must_be_away(
        self, seats: Iterable[Seat], seconds: int, absence: Mapping[Seat, int]
    ) -> None:
        if any(seat not in absence for seat in seats):
            raise RefusedError("not_away", "that person is here")
        if any(absence[seat] < 1000 * seconds for seat in seats):
            raise RefusedError("not_yet", f"wait until {seconds} seconds have passed")

    def make_rematch(
        self, options: TableOptions, server_seed: str, device: str, at: int, *, public_key: str
    ) -> Created:
        """The first event of a new table for a rematch; the devices of its people commit afresh."""
        if self.state not in ("finished", "closed"):
            raise RefusedError("not_finished", "the match is not over yet")
        if self.rematch is not None:
            raise RefusedError("rematched", f"the rematch is at table {self.rematch}")
        if not self.seats_of(device):
            raise RefusedError("not_seated", "only players of this match can ask for a rematch")
        seats = tuple(
            msgspec.structs.replace(plan, name=chair.name)
            if chair.is_bot and chair.name != chair.default_name
            else plan
            for plan, chair in zip(options.seats, self.chairs, strict=True)
        )
        return Created(
            at=at,
            options=check_options(msgspec.structs.replace(options, seats=seats)),
            server_seed=server_seed,
            host=device,
            owners=[sorted(chair.owners) for chair in self.chairs],
            names=[chair.name for chair in self.chairs],
            algorithm=ALGORITHM_2,
            public_key=public_key,
            rounds=self.most_rounds,
            strangers=self.strangers,
        )

    def check_replaceable(self, device: str) -> None:
        """Raise unless *device* may set up another table in place of this one."""
        self._must_be("open")
        if device not in self.host_devices:
            raise RefusedError("not_host", "only the host can change the table")
        if self.rematch is not None:
            raise RefusedError("rematched", f"it was replaced by table {self.rematch}")
        if any(chair.owners - self.host_devices for chair in self.chairs):
            raise RefusedError("seats_taken", "somebody else has a seat here")

    def rename(self, seat: Seat, name: str, at: int) -> Change[Renamed]:
        """Change the name of the person or bot at a seat."""
        if not 0 <= seat < len(self.chairs) or self.chairs[seat].is_free:
            raise RefusedError("no_seat", f"nobody sits at seat {seat}")
        name = clean_name(name)
        if name in {chair.name for other, chair in enumerate(self.chairs) if other != seat}:
            raise RefusedError("name_taken", f"somebody here is already called {name}")
        return Change(Renamed(at=at, seat=seat, name=name))

    def close(self, reason: str, at: int) -> Change[Closed]:
        """Close the table for good."""
        if self.state == "closed":
            raise RefusedError("closed", "the table is already closed")
        return Change(Closed(at=at, reason=reason))

    def _must_be(self, state: TableState) -> None:
        if self.state != state:
            wrong = {
                "open": "has not begun",
                "opening": "is about to be dealt",
                "playing": "has begun already",
            }
            raise RefusedError(f"is_{self.state}", f"the match {wrong.get(self.state, 'is over')}")

    def _must_go_on(self) -> None:
        self._must_be("playing")
        if self.paused is not None:
            raise RefusedError("paused", "the match is paused; end the pause first")

    def _must_exchange(self, state: TableState) -> None:
        self._must_be(state)
        if self.exchange.is_fair_1:
            raise RefusedError("no_commitments", "this table is of the time before commitments")

    def _must_own(self, seat: Seat, device: str) -> None:
        if not 0 <= seat < len(self.chairs) or device not in self.chairs[seat].owners:
            raise RefusedError("not_yours", f"seat {seat} is not yours")

    # --- Applying changes ------------------------------------------------------------------------

    def apply(self, change: Change[AnyEvent]) -> None:
        """Carry out a change that was checked and stored. Cannot fail."""
        event = change.event
        extra = extra_of(self, event)
        if extra is not None:
            self.extras[extra] += 1
        self.version += 1
        self.updated = event.at
        self.moves_in_a_row = self.moves_in_a_row + 1 if isinstance(event, MovePlayed) else 0
        match event:
            case Seated() | Linked() | Unlinked() | Claimed() | Left() | Renamed() | RatingAgreed():
                self._apply_to_chair(self.chairs[event.seat], event)
            case BotTook() | Returned():
                self._change_player(event)
            case UndoAsked() | UndoAnswered() | Undone():
                self._apply_undo(event)
            case Rematched():
                self.rematch = event.table
            case Reminded() | Paused() | Resumed() | Closed():
                self._apply_while_waiting(event)
            case MovePlayed():
                self._apply_move(event, change.ply or self.game.check(parse_move(event.move)))
            case Committed() | Revealed():
                self.exchange.apply(event)
            case Opened():
                self._settle(event)
                self.state = "opening"
            case Started() | RoundBegun() | GaveUp():
                self._apply_to_match(event)
            case Created():
                raise AssertionError("a table is created once")
            case _:
                assert_never(event)

    def _apply_to_chair(
        self,
        chair: Chair,
        event: Seated | Linked | Unlinked | Claimed | Left | Renamed | RatingAgreed,
    ) -> None:
        match event:
            case Seated():
                self._free_cast_name(event.name)
                chair.name, chair.seed = event.name, event.seed
                chair.owners.add(event.owner)
                chair.namers = {event.owner}
            case Linked():
                chair.links = {event.link}
            case Unlinked():
                chair.links = set()
            case Claimed():
                chair.owners.add(event.owner)
                if event.hosts:
                    self.host_devices.add(event.owner)
                if event.link:
                    chair.links.discard(event.link)
                    chair.used_links[event.link] = event.owner
            case Left():
                plan = msgspec.structs.replace(chair.plan, kind="link")
                self.chairs[event.seat] = Chair(plan, chair.default_name)
                self.exchange.forget([one for one in chair.owners if not self.seats_of(one)])
            case Renamed():
                chair.namers = set()  # it is the host's choice now
                self._rename(event.seat, event.name)
            case RatingAgreed():
                chair.person = event.person

    def _free_cast_name(self, name: str) -> None:
        """Give the bot that has a person's name the next one of the cast."""
        for chair in self.chairs:
            if chair.is_of_cast and chair.name == cast_member(name):
                chair.name = free_names(one.name for one in self.chairs if one.name)[0]

    def _change_player(self, event: BotTook | Returned) -> None:
        chair = self.chairs[event.seat]
        if isinstance(event, BotTook):
            chair.substitute = event.bot
            self.undo = None
            chair.has_left = event.reason in ("left", "gave_up")
            if event.reason == "clock":
                chair.reserve_used = self._reserve
            if event.reason == "gave_up":
                self.gave_up.add(event.seat)
            return
        # The clock goes on where it was: it belongs to the turn, whoever sits there.
        chair.substitute = chair.reminder = None
        chair.has_left = False
        self.gave_up.discard(event.seat)

    def _apply_while_waiting(self, event: Reminded | Paused | Resumed | Closed) -> None:
        """Remind, end the match, stop the clock of the turn or let it go on from where it was."""
        match event:
            case Reminded():
                reminder = Reminder(self.version, event.by, event.at)
                self.chairs[event.seat].reminder = reminder
            case Paused():
                self.turn_spent, self.paused = self._spent_by(event), event.seat
                self.turn_began = event.at
            case Resumed():
                self.turn_began, self.paused = event.at, None
            case Closed():
                self.state, self.closed_why, self.paused = "closed", event.reason, None

    def _apply_undo(self, event: UndoAsked | UndoAnswered | Undone) -> None:
        if isinstance(event, UndoAsked):
            self.undo = PendingUndo(self.version, event.seat, event.moves, set())
            self.chairs[event.seat].undo_asked = self.ply
        elif isinstance(event, Undone):
            self._take_back(event)
        elif event.agree and self.undo is not None:
            self.undo.agreed.add(event.seat)
        else:
            if self.undo is not None:
                self._decline(self.chairs[self.undo.seat])
            self.undo = None

    def _decline(self, chair: Chair) -> None:
        """Make a seat wait before it asks again: 1, 2, 4, … moves of its own."""
        chair.undo_refusals += 1
        chair.undo_after = chair.moves + min(2 ** (chair.undo_refusals - 1), LONGEST_WAIT)

    def _take_back(self, event: Undone) -> None:
        """Undo moves; a turn that is resumed has the time it had when its move was played."""
        game = self.game
        turn_passed = any(ply.passes_on for ply in game.plies[-event.moves :])
        game.undo(event.moves)
        left = len(game.plies)
        spent = self.spent[left]
        del self.by_bot[-1][left:], self.spent[left:]
        if self.undo is not None:
            self.chairs[self.undo.seat].undo_refusals = 0
        self.undo = None
        self.ply = self.version
        if turn_passed:
            self.turn_id, self.turn_began, self.turn_spent = self.ply, event.at, spent

    def _apply_move(self, event: MovePlayed, ply: Ply) -> None:
        self.game.apply(ply)
        self.by_bot[-1].append(event.by_bot)
        self.spent.append(self._spent_by(event))
        self.undo = None
        self.ply = self.version
        if not event.by_bot:
            self.chairs[event.seat].moves += 1
            self.chairs[event.seat].reminder = None
        if ply.passes_on:
            if self.options.clock_seconds is not None and not event.by_bot:
                over = self.spent[-1] - 1000 * self.options.clock_seconds
                self.chairs[event.seat].reserve_used += max(0, over)
            self._begin_turn(event.at)

    def _spent_by(self, event: MovePlayed | Paused) -> int:
        """Milliseconds of its turn that had passed when a move was played, or the match paused."""
        if event.spent is not None:
            return event.spent
        return self.turn_spent + max(0, event.at - self.turn_began)

    def _apply_to_match(self, event: Started | RoundBegun | GaveUp) -> None:
        if isinstance(event, Started):
            self._start(event)
        elif self.match is None:
            raise TriominoError("a match goes on before its start")
        elif isinstance(event, RoundBegun):
            self._next_round(self.match)
        else:
            if self.game.over:
                self._next_round(self.match)
            self.match.abandon(event.seat)
            self.undo = self.paused = None
        self.ply = self.version
        self._begin_turn(event.at)

    def _begin_turn(self, at: int) -> None:
        """Start the clock of the next turn, or finish the match if it is over."""
        self.turn_id, self.turn_began, self.turn_spent = self.ply, at, 0
        if self.match is not None and self.match.over:
            self.state = "finished"

    def _next_round(self, match: Match) -> None:
        self.undo = None  # it was about the round before
        match.next_round()
        self.by_bot.append([])
        self.spent = []

    def _settle(self, event: Opened | Started) -> None:
        devices = self.exchange.in_order([chair.owners for chair in self.chairs])
        self.exchange.settle(self.opening(), devices, event)

    def _start(self, event: Started) -> None:
        if self.exchange.is_fair_1:
            seeds = self.seeds
        else:
            if self.exchange.opening is None:
                self._settle(event)
            seeds = self.exchange.shared_seeds(event.signature)
        players = [
            Player(chair.name or "?", chair.plan.bot if chair.is_bot else None)
            for chair in self.chairs
        ]
        self.match = Match.start(self.rules, players, seeds, self.most_rounds)
        self.by_bot = [[]]
        self.state = "playing"

    def forget_names(self, devices: Container[str]) -> bool:
        """Replace the names that came from *devices*; return whether there were any.

        The log keeps them, so this is done whenever a table is read from it.
        """
        found = False
        for seat, chair in enumerate(self.chairs):
            if chair.name and not chair.is_former and any(one in devices for one in chair.namers):
                self._rename(seat, f"{FORMER} {seat + 1}")
                found = True
        return found

    def _rename(self, seat: Seat, name: str) -> None:
        self.chairs[seat].name = name
        if self.match is not None:
            players = list(self.match.players)
            players[seat] = Player(name, players[seat].bot)
            self.match.players = tuple(players)


def check_options(options: TableOptions) -> TableOptions:
    """Return valid options with every rule written out; raise if no such table is possible."""
    rules = Rules.read(options.rules)
    rules.check_players(len(options.seats))
    if why := why_too_far(rules):
        raise RefusedError("target_too_high", why)
    for plan in options.seats:
        if plan.kind == "bot" and (why := why_not_bot(str(plan.bot))):
            raise RefusedError("unknown_bot", why)
        if plan.kind != "bot" and plan.bot is not None:
            raise RefusedError("no_bot", "only the seat of a bot names a bot")
        if plan.name is not None:
            clean_name(plan.name)
        if plan.head_start and not rules.scoring:
            raise RefusedError("no_points", "a head start needs a game with points")
    if all(plan.kind == "bot" for plan in options.seats):
        raise RefusedError("no_people", "at least one seat is for a person")
    return msgspec.structs.replace(options, rules=rules.to_json())


def name_bots(options: TableOptions, dice: Dice) -> TableOptions:
    """Return the options with a name of the cast for every bot without one.

    A name of the cast that somebody else at the table has is replaced, too.
    """
    names = [plan.name for plan in options.seats if plan.name]
    fresh = iter(random_names(len(options.seats), names, dice))
    used = {cast_member(plan.name) for plan in options.seats if plan.kind != "bot" and plan.name}
    seats = []
    for plan in options.seats:
        if plan.kind == "bot" and (plan.name is None or plan.name in used):
            plan = msgspec.structs.replace(plan, name=next(fresh))  # noqa: PLW2901
        used.add(cast_member(plan.name or ""))
        seats.append(plan)
    return msgspec.structs.replace(options, seats=tuple(seats))


_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without a visible glyph."""


def clean_name(name: str) -> str:
    """Return a name fit for display: no invisible characters, single spaces, at most 40 long.

    Joiners are removed too because a record allows printable characters only.
    """
    visible = "".join(
        char
        for char in " ".join(name.split())
        if unicodedata.category(char)[0] != "C" and char not in _BLANK
    )
    text = " ".join(unicodedata.normalize("NFC", visible).split())[:40].strip()
    if not any(unicodedata.category(char)[0] in "LNS" for char in text):
        raise RefusedError("bad_name", "a name needs at least one letter, number or sign")
    return text


def default_name(options: TableOptions, seat: Seat) -> str:
    """The name of a seat that has none: a person's "Player" and number, or the name of a bot.

    Bots of tables from before the cast are called by their level, numbered from the second on.
    """
    if options.seats[seat].kind != "bot":
        return f"Player {seat + 1}"
    bot = str(options.seats[seat].bot)
    before = sum(plan.bot == bot and plan.name is None for plan in options.seats[:seat])
    return bot.capitalize() + (f" {before + 1}" if before else "")
