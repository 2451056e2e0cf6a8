"""A table by itself: what may happen at it, and that its log adds up to it."""

from __future__ import annotations

import copy
import unicodedata
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies  # noqa: F401 - the profile of the laws
from tests.server.harness import seed as server_seed
from triomino.bots import CAST
from triomino.deal import Deal
from triomino.dice import Rng
from triomino.errors import IllegalMove, RulesError, TriominoError
from triomino.game import Game
from triomino.moves import Draw
from triomino.protocol.api import SeatPlan, TableOptions, TakeSeat
from triomino.record import match_from, verify_deals
from triomino.rules import CLASSIC, EDITIONS
from triomino.server.events import (
    AnyEvent,
    BotTook,
    Claimed,
    Created,
    GaveUp,
    Left,
    MovePlayed,
    Rematched,
    Renamed,
    Returned,
    Seated,
    Started,
    UndoAnswered,
    UndoAsked,
    Undone,
    decode,
    encode,
)
from triomino.server.replay import read_table
from triomino.server.snapshot import Receiver, record, summary
from triomino.server.table import (
    SUBSTITUTE,
    Change,
    RefusedError,
    Table,
    check_options,
    clean_name,
    default_name,
    name_bots,
)
from triomino.signatures import SigningKey
from triomino.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triomino.game import Ply
    from triomino.moves import Move

E = TypeVar("E", bound=AnyEvent)

HERE, LINK = SeatPlan("here"), SeatPlan("link")
KEY = SigningKey(bytes(32))
GREEDY, RANDOM = SeatPlan("bot", bot="greedy"), SeatPlan("bot", bot="random")


def named(name: str) -> SeatPlan:
    return SeatPlan("here", name=name)


@dataclass
class Play:
    """A table that is played at, with the log it leaves."""

    table: Table
    log: list[bytes]
    at: int = 1000
    devices: list[str] = field(default_factory=list)

    @classmethod
    def create(cls, *seats: SeatPlan, host: str = "ann", number: int = 1, **options: Any) -> Play:
        created = Created(
            at=1000,
            options=check_options(TableOptions(seats=tuple(seats), **options)),
            server_seed=server_seed(number),
            host=host,
        )
        return cls(Table("t", created), [encode(created)], devices=[host])

    @classmethod
    def begin(cls, *seats: SeatPlan, **options: Any) -> Play:
        """A table where everybody sat down and the first round was dealt.

        Whoever comes by link at seat n has the device ``dn``.
        """
        play = cls.create(*seats, **options)
        for seat, chair in enumerate(play.table.chairs):
            if chair.is_free:
                play.do(play.table.take_seat(f"P{seat}", f"d{seat}", "", seat, play.now))
        play.do(play.table.start("ann", play.now))
        return play

    @property
    def state(self) -> str:
        return self.table.state

    @property
    def now(self) -> int:
        self.at += 1000
        return self.at

    def do(self, change: Change[E]) -> E:
        """Store the event of a change and apply it."""
        self.log.append(encode(change.event))
        self.table.apply(change)
        return change.event

    def move(self, text: str | None = None) -> MovePlayed:
        """Play for the seat to move: its bot if it has one, else its person."""
        table, game = self.table, self.table.game
        text = text or str(game.legal_moves()[0])
        by_bot = table.chairs[game.turn].bot is not None
        return self.do(table.move(game.turn, text, self.now, by_bot=by_bot))

    def play_until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self.move()

    def play_round(self) -> None:
        self.play_until(lambda: self.table.game.over)

    def loaded(self) -> Table:
        """The table as its log makes it."""
        return Table.load("t", map(decode, self.log))


def player_seeds(table: Table) -> list[str]:
    """The seeds of ``fair/1`` at the seats."""
    return [chair.seed for chair in table.chairs]


def everything(table: Table) -> dict[str, Any]:
    """All that a table is, to compare."""
    out: dict[str, Any] = {
        name: copy.deepcopy(value)
        for name, value in vars(table).items()
        if name != "match" and not name.startswith("_")
    }
    match = table.match
    if match is not None:
        out["match"] = {
            "facts": (match.players, match.seeds, match.ledger),
            "rounds": [
                (
                    game.start,
                    game.position,
                    tuple(game.plies),
                    game.end,
                    game.start_totals,
                    game.latched,
                    game.idle_turns,
                    tuple(game.legal_moves()),
                )
                for game in match.rounds
            ],
        }
    out["summary"] = summary(table, "ann")
    devices = {owner for chair in table.chairs for owner in chair.owners} | {None, table.host}
    out["states"] = {
        device: msgspec.json.encode(Receiver(table, table.seats_of(device)).state(device, [], 0))
        for device in devices
    }
    return out


def refused(code: str, command: Callable[[], object]) -> None:
    """The command is refused with that code."""
    with pytest.raises(RefusedError) as caught:
        command()
    assert caught.value.code == code
    assert "\n" not in str(caught.value)


def illegal(why: str, command: Callable[[], object]) -> None:
    with pytest.raises(IllegalMove) as caught:
        command()
    assert caught.value.why.value == why


# --- Setting up ----------------------------------------------------------------------------------


def test_who_sits_where_at_first() -> None:
    table = Play.create(named("Ann"), HERE, LINK, GREEDY, rules={"edition": "classic"}).table
    assert [chair.name for chair in table.chairs] == ["Ann", "Player 2", None, "Greedy"]
    assert [chair.is_free for chair in table.chairs] == [False, False, True, False]
    assert [chair.owners for chair in table.chairs] == [{"ann"}, {"ann"}, set(), set()]
    assert (table.version, table.state, table.host) == (1, "open", "ann")
    assert table.seats_of("ann") == [0, 1]
    assert table.seats_of("ben") == table.seats_of(None) == []
    summaries = [chair.summary for chair in table.chairs]
    assert [one.kind for one in summaries] == ["person", "person", "person", "bot"]
    assert [one.is_free for one in summaries] == [False, False, True, False]
    assert summaries[3].bot == "greedy"
    assert [one.is_made_up for one in summaries] == [False, True, False, True]


def test_a_name_that_nobody_gave_is_said_to_be_made_up() -> None:
    play = Play.create(LINK, LINK, GREEDY)
    play.table.apply(play.table.take_seat(None, "ann", "", 1, at=1))
    play.table.apply(play.table.take_seat("Ben", "ben", "", 0, at=1))
    summaries = [chair.summary for chair in play.table.chairs]
    assert [one.name for one in summaries] == ["Ben", "Player 2", "Greedy"]
    assert [one.is_made_up for one in summaries] == [False, True, True]
    play.table.apply(play.table.rename(1, "Cleo", at=2))
    assert not play.table.chairs[1].summary.is_made_up


def test_bots_are_numbered_where_they_sit_twice() -> None:
    options = TableOptions(seats=(HERE, GREEDY, RANDOM, GREEDY))
    assert [default_name(options, seat) for seat in (1, 2, 3)] == ["Greedy", "Random", "Greedy 2"]
    table = Play.create(HERE, SeatPlan("bot", name="Hal", bot="greedy"), GREEDY).table
    assert [chair.name for chair in table.chairs[1:]] == ["Hal", "Greedy"]


# --- The cast ------------------------------------------------------------------------------------


def bot(name: str | None = None) -> SeatPlan:
    return SeatPlan("bot", name=name, bot="easy")


def names_given(*seats: SeatPlan, seed: int = 1) -> list[str | None]:
    """The names of the seats of a new table."""
    options = TableOptions(seats=seats, rules={"edition": "six-player"})
    return [plan.name for plan in name_bots(options, Rng(seed)).seats]


@given(
    plans=st.lists(
        st.tuples(st.sampled_from(["here", "bot"]), st.sampled_from([None, "Hal", *CAST])),
        min_size=2,
        max_size=6,
    ),
    seed=st.integers(0, 1000),
)
def test_a_bot_takes_a_name_that_is_free_at_its_table(
    plans: list[tuple[Any, str | None]], seed: int
) -> None:
    names = names_given(*(SeatPlan(kind, name, "easy") for kind, name in plans), seed=seed)
    people = [name for (kind, _), name in zip(plans, names, strict=True) if kind != "bot"]
    bots = [name for (kind, _), name in zip(plans, names, strict=True) if kind == "bot"]
    assert people == [name for kind, name in plans if kind != "bot"]
    cast = [name for name in bots if name != "Hal"]
    assert set(cast) <= set(CAST)
    assert len(set(cast)) == len(cast)
    assert not set(cast) & set(people)
    wishes = [wish for _, wish in plans]
    for wish, name in zip(wishes, names, strict=True):
        assert name == wish or wish is None or wishes.count(wish) > 1


def test_everybody_of_the_cast_is_met() -> None:
    met = {names_given(named("Ann"), bot(), seed=seed)[1] for seed in range(100)}
    assert met == set(CAST)


def test_no_bot_has_the_name_of_a_person_in_other_letters() -> None:
    people = [named(name) for name in ("milo", "מיקה", "NOOR", "ג׳ונו", "vega")]
    met = {names_given(*people, bot(), seed=seed)[-1] for seed in range(100)}
    assert met == set(list(CAST)[5:])


def test_a_bot_gives_its_name_to_a_person_who_comes_with_it() -> None:
    for name in ("Milo", "milo", "מילו"):
        play = Play.create(named("Ann"), LINK, bot("Milo"), bot("Kai"))
        play.do(play.table.take_seat(name, "ben", "", 1, 1))
        assert [chair.name for chair in play.table.chairs] == ["Ann", name, "Mika", "Kai"]
        assert [chair.summary.is_made_up for chair in play.table.chairs[2:]] == [True, True]
        assert everything(play.loaded()) == everything(play.table)
        play.do(play.table.start("ann", 1))
        assert play.table.match is not None
        assert [one.name for one in play.table.match.players][1:3] == [name, "Mika"]
        assert [one.bot for one in play.table.match.players][1:3] == [None, "easy"]


def test_a_bot_with_another_name_keeps_it() -> None:
    play = Play.create(named("Ann"), LINK, bot("Hal"))
    refused("name_taken", lambda: play.table.take_seat("Hal", "ben", "", 1, 1))


def test_a_rematch_keeps_its_bots() -> None:
    six = {"edition": "six-player"}
    play = Play.create(named("Ann"), LINK, bot("Milo"), bot("Kai"), GREEDY, rules=six)
    play.do(play.table.take_seat("Milo", "ben", "", 1, 1))
    play.do(play.table.rename(3, "Robin", 1))
    play.do(play.table.start("ann", 1))
    play.do(play.table.give_up(1, 1))
    play.do(play.table.give_up(0, 1))
    again = rematch(play, "ann").table
    names = ["Ann", "Milo", "Mika", "Robin", "Greedy"]
    assert [chair.name for chair in play.table.chairs] == names
    assert [chair.name for chair in again.chairs] == names


def test_the_first_event_of_a_table_has_every_rule() -> None:
    options = check_options(TableOptions(seats=(HERE, LINK), rules={"target": 400}))
    assert options.rules == CLASSIC.with_changes({"target": 400}).to_json()
    again = check_options(options)
    assert again == options
    # Whoever sets up a table may leave out what the edition says; what is stored may not.
    part = TableOptions(seats=(HERE, LINK), rules={"edition": "classic"})
    with pytest.raises(TriominoError, match="every rule is needed"):
        Table("t", Created(at=1, options=part, server_seed="00" * 32, host=""))


def test_a_damaged_log_is_refused() -> None:
    for data in ([b"{"], [b'{"type":"started","at":1}'], [b'{"type":"created","at":1}']):
        with pytest.raises(RefusedError) as caught:
            read_table("t", data)
        assert caught.value.code == "damaged"


@pytest.mark.parametrize(
    ("options", "error", "part"),
    [
        ({"seats": (HERE, LINK), "rules": {"edition": "clasic"}}, RulesError, "'classic'"),
        ({"seats": (HERE, LINK), "rules": {"bridge_bonu": 1}}, RulesError, "'bridge_bonus'"),
        ({"seats": (HERE, LINK), "rules": {"target": -1}}, RulesError, "target"),
        ({"seats": (HERE,) * 5}, RulesError, "not 5"),
        ({"seats": (HERE, GREEDY, SeatPlan("bot", bot="gredy"))}, "unknown_bot", "'greedy'"),
        ({"seats": (HERE, SeatPlan("bot"))}, "unknown_bot", "None"),
        ({"seats": (SeatPlan("here", bot="greedy"), HERE)}, "no_bot", "bot"),
        ({"seats": (SeatPlan("link", bot="greedy"), HERE)}, "no_bot", "bot"),
        ({"seats": (GREEDY, RANDOM)}, "no_people", "person"),
        ({"seats": (named("\u200b"), HERE)}, "bad_name", "name"),
        ({"seats": (HERE, SeatPlan("link", name="..."))}, "bad_name", "name"),
        ({"seats": (HERE, SeatPlan("bot", name=" ", bot="greedy"))}, "bad_name", "name"),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    options: dict[str, Any], error: str | type[TriominoError], part: str
) -> None:
    with pytest.raises(TriominoError) as caught:
        check_options(TableOptions(**options))
    if isinstance(error, str):
        assert isinstance(caught.value, RefusedError)
        assert caught.value.code == error
    else:
        assert type(caught.value) is error
    assert part in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [
        '{"seats": [{"kind": "here"}]}',
        '{"seats": [' + ", ".join(['{"kind": "here"}'] * 7) + "]}",
        '{"seats": [{"kind": "here"}, {"kind": "there"}]}',
        '{"seats": [{"kind": "here"}, {"kind": "link"}], "clock_seconds": 4}',
        '{"seats": [{"kind": "here"}, {"kind": "link"}], "clock_seconds": 604801}',
        '{"seats": [{"kind": "here"}, {"kind": "link"}], "away_seconds": 0}',
        '{"seats": [{"kind": "here"}, {"kind": "link"}], "help": "all"}',
        '{"seats": [{"kind": "here"}, {"kind": "link"}], "undoo": true}',
        '{"seats": [{"kind": "here", "name": ""}, {"kind": "link"}]}',
        '{"seats": [{"kind": "here", "name": "%s"}, {"kind": "link"}]}' % ("x" * 41),
    ],
)
def test_options_of_the_wrong_shape_are_refused(body: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(body, type=TableOptions)


def test_sitting_down() -> None:
    play = Play.create(named("Ann"), LINK, LINK)
    table = play.table
    refused("taken", lambda: table.take_seat("Ben", "ben", "", 0, 1))
    refused("taken", lambda: table.take_seat("Ben", "ben", "", 3, 1))
    refused("taken", lambda: table.take_seat("Ben", "ben", "", -1, 1))
    refused("name_taken", lambda: table.take_seat(" Ann\u200b", "ben", "", 1, 1))
    refused("bad_name", lambda: table.take_seat("\u202e", "ben", "", 1, 1))
    event = play.do(table.take_seat("Ben", "ben", "0bad", 2, 1))
    assert isinstance(event, Seated)
    assert (event.seat, event.name, event.owner, event.seed) == (2, "Ben", "ben", "0bad")
    first_free = play.do(table.take_seat("Cleo", "cleo", "", None, 1))
    assert isinstance(first_free, Seated)
    assert first_free.seat == 1
    refused("full", lambda: table.take_seat("Dan", "dan", "", None, 1))
    assert table.seats_of("ben") == [2]
    assert player_seeds(table) == ["", "", "0bad"]


@pytest.mark.parametrize("seed", ["0", "0G", "AB", "00" * 33, "ab\n", "\nab"])
def test_a_seed_that_cannot_deal_is_refused_before_it_is_written_down(seed: str) -> None:
    play = Play.create(HERE, LINK)
    with pytest.raises(TriominoError):
        play.table.take_seat("Ben", "ben", seed, 1, 1)


def test_every_seed_of_a_request_can_deal_or_is_refused() -> None:
    for text in ("", "00", "0f" * 32, "ab\\n", "a", "AB"):
        try:
            body = msgspec.json.decode(f'{{"name": "Ben", "seed": "{text}"}}', type=TakeSeat)
            play = Play.create(HERE, LINK)
            play.do(play.table.take_seat(body.name, "ben", body.seed, 1, 1))
        except (msgspec.ValidationError, TriominoError):
            assert text in ("ab\\n", "a", "AB")
        else:
            assert player_seeds(play.table) == ["", text]


def test_starting() -> None:
    play = Play.create(named("Ann"), LINK)
    table = play.table
    refused("seats_free", lambda: table.start("ann", 1))
    play.do(table.take_seat("Ben", "ben", "", None, 1))
    refused("not_host", lambda: table.start("ben", 1))
    play.do(table.start("ann", 5000))
    assert play.state == "playing"
    assert table.turn_began == 5000
    assert table.match is not None
    assert [player.name for player in table.match.players] == ["Ann", "Ben"]
    refused("is_playing", lambda: table.start("ann", 1))
    refused("is_playing", lambda: table.take_seat("Cleo", "cleo", "", None, 1))


def test_nothing_is_played_before_the_start() -> None:
    table = Play.create(HERE, LINK).table
    for command in (
        lambda: table.move(0, "draw", 1),
        lambda: table.next_round(1),
        lambda: table.ask_undo(0, 1),
        lambda: table.answer_undo(0, True, 1),
        lambda: table.give_up(0, 1),
        lambda: table.substitute(0, "clock", 1),
        lambda: table.come_back(0, 1),
    ):
        refused("is_open", command)
    refused("not_started", lambda: table.game)
    refused("not_finished", lambda: rematch(Play(table, []), "ann"))
    assert table.waits_for_bot() is None
    assert not table.waits_for_nobody


def test_leaving_before_the_start_frees_the_seat_with_its_links_and_devices() -> None:
    play = Play.create(named("Ann"), LINK)
    table = play.table
    play.do(table.take_seat("Ben", "ben", "0b", 1, 1))
    play.do(table.make_link(1, "ben", "link", 1))
    refused("not_yours", lambda: table.leave(1, "ann", 1))
    assert isinstance(play.do(table.leave(1, "ben", 1)), Left)
    assert table.chairs[1].is_free
    assert table.seats_of("ben") == []
    assert player_seeds(table) == ["", ""]
    refused("wrong_link", lambda: table.claim("link", "ben", 1))
    # The maker's own seat is for whoever comes, too.
    play.do(table.leave(0, "ann", 1))
    play.do(table.take_seat("Cleo", "cleo", "", 0, 1))
    assert table.seats_of("cleo") == [0]
    assert everything(play.loaded()) == everything(table)


def test_links_and_claims() -> None:
    play = Play.create(named("Ann"), LINK)
    table = play.table
    play.do(table.take_seat("Ben", "ben", "", 1, 1))
    refused("not_yours", lambda: table.make_link(0, "ben", "link", 1))
    refused("not_yours", lambda: table.make_link(2, "ben", "link", 1))
    refused("not_yours", lambda: table.make_link(-1, "ann", "link", 1))
    play.do(table.make_link(1, "ben", "link", 1))
    refused("wrong_link", lambda: table.claim("other", "ben2", 1))
    event = play.do(table.claim("link", "ben2", 1))
    assert isinstance(event, Claimed)
    assert event.seat == 1
    assert table.seats_of("ben2") == table.seats_of("ben") == [1]
    refused("wrong_link", lambda: table.claim("link", "ben3", 1))  # it works once
    play.do(table.start("ann", 1))
    play.do(table.make_link(1, "ben2", "link 2", 1))
    play.do(table.claim("link 2", "ben3", 1))  # also in the middle of a match
    assert table.seats_of("ben3") == [1]
    assert b"ben3" in play.log[-1]
    assert everything(play.loaded()) == everything(table)


def test_a_new_link_replaces_the_old_one_and_may_be_withdrawn() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    refused("no_link", lambda: table.withdraw_link(1, "d1", 1))
    play.do(table.make_link(1, "d1", "first", 1))
    play.do(table.make_link(1, "d1", "second", 1))
    refused("wrong_link", lambda: table.claim("first", "phone", 1))
    refused("not_yours", lambda: table.withdraw_link(1, "ann", 1))
    play.do(table.withdraw_link(1, "d1", 1))
    refused("wrong_link", lambda: table.claim("second", "phone", 1))
    refused("no_link", lambda: table.withdraw_link(1, "d1", 1))
    assert everything(play.loaded()) == everything(table)


def test_a_link_of_an_old_log_is_used_up_by_the_next_claim() -> None:
    play = Play.begin(named("Ann"), LINK)
    play.do(play.table.make_link(1, "d1", "link", 1))
    play.do(Change(Claimed(at=1, seat=1, owner="phone")))  # as it was stored before
    play.do(play.table.claim("link", "tablet", 1))
    refused("wrong_link", lambda: play.table.claim("link", "another", 1))


# --- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("Ann", "Ann"),
        ("  Ann \t van\u00a0\u3000B  ", "Ann van B"),
        ("A\nn\r\nn", "A n n"),
        ("A\x00n\x7fn\x1b[31m", "Ann[31m"),
        ("\u202eAnn\u202c", "Ann"),
        ("A\u2066n\u2069n\u200f\u200e\ufeff", "Ann"),
        ("A\u200bnn\u00ad", "Ann"),
        ("A\ud800nn\ue000", "Ann"),
        ("A\u2800n\u3164n", "Ann"),
        ("אוֹרי", "אוֹרי"),
        ("علي", "علي"),
        ("Łucja Ð", "Łucja Ð"),
        ("李", "李"),
        ("e\u0301", "é"),
        ("e\u200b\u0301", "é"),
        ("🐙", "🐙"),
        ("👍🏽", "👍🏽"),
        ("7", "7"),
        ("$", "$"),
        ("x" * 100, "x" * 40),
        ("x" * 39 + " y", "x" * 39),
    ],
)
def test_names_are_cleaned(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\t\n",
        "\u200b",
        "\u202e\u202d",
        "...",
        "\u0301",
        "\u2800",
        "\u3164",
        "\u115f",
        "-_-",
    ],
)
def test_a_name_that_shows_nothing_is_refused(name: str) -> None:
    refused("bad_name", lambda: clean_name(name))


@given(st.text(max_size=60))
def test_a_cleaned_name_is_clean(name: str) -> None:
    try:
        clean = clean_name(name)
    except RefusedError:
        return
    assert clean_name(clean) == clean
    assert 1 <= len(clean) <= 40
    assert clean.isprintable()
    assert unicodedata.is_normalized("NFC", clean)
    assert not {unicodedata.category(char) for char in clean} & {"Cf", "Cc", "Cn", "Cs", "Co"}


def test_every_seat_shows_a_clean_name() -> None:
    dirty = "\u202eAnn\u200b"
    play = Play.create(named(dirty), SeatPlan("bot", name=dirty + "e", bot="greedy"), LINK)
    play.do(play.table.take_seat(dirty + "a", "ben", "", 2, 1))
    assert [chair.name for chair in play.table.chairs] == ["Ann", "Anne", "Anna"]


@pytest.mark.parametrize("name", ["👩\u200d👩\u200d👧", "می\u200cخواهم", "אורי", "x" * 90])
def test_the_record_of_any_name_can_be_read(name: str) -> None:
    play = Play.begin(named(name), GREEDY)
    play.do(play.table.give_up(0, play.now))
    assert match_from(record(play.table)).players[0].name == clean_name(name)


def test_the_host_of_the_server_can_remove_a_name() -> None:
    play = Play.begin(named("Rude"), LINK)
    play.do(Change(Renamed(at=1, seat=0, name="Player 1")))
    assert play.table.chairs[0].name == "Player 1"
    play.do(play.table.give_up(1, play.now))
    assert record(play.table)["players"][0] == {"name": "Player 1"}
    assert everything(play.loaded()) == everything(play.table)


# --- Playing -------------------------------------------------------------------------------------


def test_a_move_is_for_the_seat_to_move_and_for_its_player() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    seat, other = table.game.turn, 1 - table.game.turn
    move = str(table.game.legal_moves()[0])
    refused("not_your_turn", lambda: table.move(other, move, 1))
    refused("not_yours", lambda: table.move(seat, move, 1, by_bot=True))
    illegal("must_open", lambda: table.move(seat, "pass", 1))
    with pytest.raises(TriominoError, match="is no move"):
        table.move(seat, "hop", 1)
    before = everything(table)
    change = table.move(seat, move, 1)
    assert everything(table) == before  # checked, and nothing done yet
    play.do(change)
    assert [str(ply.move) for ply in table.game.plies] == [move]
    refused("not_your_turn", lambda: table.move(seat, move, 1))


def test_the_rules_are_asked_once_for_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking is what a move costs most; applying a change uses the ply that was checked."""
    asked: list[Move] = []
    check = Game.check

    def counted(game: Game, move: Move) -> Ply:
        asked.append(move)
        return check(game, move)

    monkeypatch.setattr(Game, "check", counted)
    play = Play.begin(named("Ann"), LINK)
    for _ in range(3):
        play.move()
    assert len(asked) == 3
    # From the log alone, the rules are asked again.
    assert everything(play.loaded()) == everything(play.table)
    assert len(asked) == 6


def test_a_turn_has_one_clock_however_often_one_draws() -> None:
    play = Play.begin(named("Ann"), LINK)
    play.move()
    began = play.table.turn_began
    assert began == play.at
    play.move("draw")
    assert play.table.turn_began == began
    play.play_until(lambda: len(play.table.game.drawn) == 0)
    assert play.table.turn_began == play.at > began


def test_a_bot_moves_at_its_own_seat_only() -> None:
    play = Play.begin(named("Ann"), GREEDY)
    table = play.table
    play.play_until(lambda: table.game.turn == 1)
    assert table.waits_for_bot() == 1
    move = str(table.game.legal_moves()[0])
    refused("not_yours", lambda: table.move(1, move, 1))
    event = table.move(1, move, 1, by_bot=True).event
    assert not event.by_bot  # it plays for itself, and not for a person
    play.play_until(lambda: table.game.turn == 0)
    assert table.waits_for_bot() is None


def small(edition: str = "classic", players: int = 2, **changes: Any) -> dict[str, Any]:
    """Rules with few tiles on the racks, so that rounds are short."""
    return {"edition": edition, "racks": {str(players): 3}, **changes}


def test_rounds_follow_one_another_until_the_target() -> None:
    play = Play.begin(named("Ann"), LINK, rules=small(target=120))
    table = play.table
    refused("round_running", lambda: table.next_round(1))
    play.play_round()
    assert play.state == "playing"
    illegal("round_over", lambda: table.move(0, "draw", 1))
    illegal("round_over", lambda: table.move(1, "draw", 1))
    assert not table.waits_for_nobody
    while play.state == "playing":
        play.do(table.next_round(play.now))
        assert table.turn_began == play.at
        play.play_round()
    assert table.match is not None
    assert len(table.match.rounds) > 1
    assert max(table.match.scores) > 120
    for command in (
        lambda: table.move(0, "draw", 1),
        lambda: table.next_round(1),
        lambda: table.ask_undo(0, 1),
        lambda: table.answer_undo(0, True, 1),
        lambda: table.give_up(0, 1),
        lambda: table.substitute(0, "clock", 1),
        lambda: table.come_back(0, 1),
        lambda: table.leave(0, "ann", 1),
        lambda: table.start("ann", 1),
    ):
        refused("is_finished", command)
    match = match_from(record(table))
    verify_deals(match)
    assert match.scores == table.match.scores


def test_bots_go_on_by_themselves_when_nobody_is_left_to_ask() -> None:
    play = Play.begin(named("Ann"), GREEDY, rules=small(target=1000))
    table = play.table
    play.play_round()
    waits = [table.waits_for_nobody]
    play.do(table.substitute(0, "away", play.now))
    waits.append(table.waits_for_nobody)
    play.do(table.next_round(play.now))
    waits.append(table.waits_for_nobody)
    assert waits == [False, True, False]
    assert table.waits_for_bot() is not None


def test_closing() -> None:
    play = Play.begin(named("Ann"), LINK)
    play.do(play.table.close("too rude", 1))
    assert play.state == "closed"
    refused("closed", lambda: play.table.close("again", 1))
    refused("is_closed", lambda: play.table.move(play.table.game.turn, "draw", 1))


# --- Taking back ---------------------------------------------------------------------------------


def ways(play: Play) -> tuple[Any, ...]:
    game = play.table.game
    return game.position, tuple(game.plies), tuple(play.table.by_bot[-1])


def test_against_bots_a_decision_is_taken_back_at_once() -> None:
    play = Play.begin(named("Ann"), GREEDY, RANDOM)
    table = play.table
    refused("nothing_to_undo", lambda: table.ask_undo(0, 1))
    play.play_until(lambda: table.game.turn == 0)
    before = ways(play)
    play.move()
    play.play_until(lambda: table.game.turn == 0)  # both bots have answered
    moves = len(table.game.plies) - len(before[1])
    assert moves >= 3
    event = play.do(table.ask_undo(0, play.now))
    assert event == Undone(at=play.at, moves=moves)
    assert ways(play) == before
    assert table.turn_began == play.at
    assert everything(play.loaded()) == everything(table)


def test_an_undone_draw_draws_the_same_tile_again() -> None:
    play = Play.begin(named("Ann"), GREEDY)
    game = play.table.game
    play.play_until(lambda: play.table.game.turn == 0 and not play.table.game.is_opening)
    play.move("draw")
    tile = game.plies[-1].tile
    assert isinstance(game.plies[-1].move, Draw)
    assert tile is not None
    play.do(play.table.ask_undo(0, play.now))
    assert tile not in game.racks[0]
    play.move("draw")
    assert game.plies[-1].tile == tile
    # Also when something else was played in between and taken back.
    play.do(play.table.ask_undo(0, play.now))
    placement = next(move for move in game.legal_moves() if not isinstance(move, Draw))
    play.move(str(placement))
    play.do(play.table.ask_undo(0, play.now))
    play.move("draw")
    assert game.plies[-1].tile == tile


def test_at_one_device_a_move_is_taken_back_until_the_next_one_plays() -> None:
    play = Play.begin(named("Ann"), named("Ben"))
    table = play.table
    play.play_until(lambda: len(table.game.plies) == 1)
    first = table.game.plies[0].seat
    assert play.do(table.ask_undo(first, 1)) == Undone(at=1, moves=1)
    play.play_until(lambda: {turn.seat for turn in table.game.plies} == {0, 1})
    moves = len(table.game.plies) - max(
        i for i, turn in enumerate(table.game.plies) if turn.seat == first
    )
    assert play.do(table.ask_undo(first, 1)) == UndoAsked(at=1, seat=first, moves=moves)
    assert play.do(table.answer_undo(1 - first, True, 1)) == Undone(at=1, moves=moves)


def test_who_sits_elsewhere_is_asked_by_people_at_one_device() -> None:
    play = Play.begin(named("Ann"), named("Ben"), LINK)
    table = play.table
    play.play_until(lambda: bool(table.game.plies) and table.game.plies[-1].seat == 0)
    play.do(table.ask_undo(0, 1))
    refused("nothing_asked", lambda: table.answer_undo(1, True, 1))
    assert isinstance(play.do(table.answer_undo(2, True, 1)), Undone)


def test_among_people_all_others_have_to_agree() -> None:
    play = Play.begin(named("Ann"), LINK, LINK)
    table = play.table
    play.play_until(lambda: len(table.game.plies) == 1)
    asker = table.game.plies[0].seat
    others = [seat for seat in range(3) if seat != asker]
    refused("nothing_asked", lambda: table.answer_undo(others[0], True, 1))
    refused("nothing_to_undo", lambda: table.ask_undo(others[0], 1))
    assert play.do(table.ask_undo(asker, 1)) == UndoAsked(at=1, seat=asker, moves=1)
    refused("nothing_asked", lambda: table.answer_undo(asker, True, 1))
    play.do(table.answer_undo(others[0], True, 1))
    assert table.undo is not None
    assert table.undo.agreed == {others[0]}
    assert len(table.game.plies) == 1
    loaded = play.loaded()
    assert everything(loaded) == everything(table)
    # Saying it twice does not stand in for the third.
    again = table.answer_undo(others[0], True, 1)
    assert isinstance(again.event, UndoAnswered)
    play.do(again)
    assert play.do(table.answer_undo(others[1], True, 1)) == Undone(at=1, moves=1)
    assert table.game.plies == []
    assert table.undo is None


def test_one_who_does_not_agree_ends_the_question() -> None:
    play = Play.begin(named("Ann"), LINK, LINK)
    play.move()
    asker = play.table.game.plies[0].seat
    play.do(play.table.ask_undo(asker, 1))
    other = (asker + 1) % 3
    assert isinstance(play.do(play.table.answer_undo(other, False, 1)), UndoAnswered)
    assert play.table.undo is None
    assert len(play.table.game.plies) == 1
    refused("nothing_asked", lambda: play.table.answer_undo((asker + 2) % 3, True, 1))


def test_bots_are_not_asked_but_those_they_play_for_are() -> None:
    play = Play.begin(named("Ann"), LINK, LINK, GREEDY)
    play.move()
    asker = play.table.game.plies[0].seat
    if play.table.chairs[asker].is_bot:
        play.move()
        asker = play.table.game.plies[1].seat
    one, two = (seat for seat in range(3) if seat != asker)
    play.do(play.table.substitute(one, "away", 1))
    play.do(play.table.ask_undo(asker, 1))
    refused("nothing_asked", lambda: play.table.answer_undo(3, True, 1))
    assert isinstance(play.do(play.table.answer_undo(two, True, 1)), UndoAnswered)
    assert isinstance(play.do(play.table.answer_undo(one, True, 1)), Undone)


def test_a_question_ends_with_the_next_move_and_with_a_change_of_players() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    play.move()
    asker = table.game.plies[0].seat
    play.do(table.ask_undo(asker, 1))
    play.move()
    refused("nothing_asked", lambda: table.answer_undo(1 - asker, True, 1))
    play.do(table.ask_undo(asker, 1))
    play.do(table.substitute(1 - asker, "clock", 1))
    assert table.undo is None


def test_a_question_of_one_round_is_no_question_of_the_next() -> None:
    """Taking back moves of a round that is not there would break the table for ever."""
    play = Play.begin(named("Ann"), LINK, rules=small(target=1000))
    table = play.table
    play.play_round()
    asker = table.game.plies[-1].seat
    play.do(Change(UndoAsked(at=play.now, seat=asker, moves=1)))  # an old log may have it
    play.do(table.next_round(play.now))
    refused("nothing_asked", lambda: table.answer_undo(1 - asker, True, 1))
    assert everything(play.loaded()) == everything(table)


def test_giving_up_ends_all_questions() -> None:
    play = Play.begin(named("Ann"), LINK)
    play.move()
    asker = play.table.game.plies[0].seat
    play.do(play.table.ask_undo(asker, 1))
    play.do(play.table.give_up(asker, 1))
    assert play.table.undo is None


def test_a_table_without_taking_back() -> None:
    play = Play.begin(named("Ann"), GREEDY, undo=False)
    play.play_until(lambda: any(turn.seat == 0 for turn in play.table.game.plies))
    refused("no_undo", lambda: play.table.ask_undo(0, 1))


@pytest.mark.parametrize("other", [GREEDY, LINK])
def test_nothing_is_taken_back_once_the_tiles_were_shown(other: SeatPlan) -> None:
    play = Play.begin(named("Ann"), other, rules=small(target=1000))
    play.play_round()
    refused("revealed", lambda: play.table.ask_undo(0, play.now))


def test_a_log_in_which_a_shown_round_was_taken_back_is_still_read() -> None:
    play = Play.begin(named("Ann"), GREEDY, rules=small(target=1000))
    table = play.table
    play.play_round()
    play.do(Change(Undone(at=play.now, moves=2)))
    assert not table.game.over
    play.play_round()
    assert everything(play.loaded()) == everything(table)


def test_the_record_keeps_the_line_that_was_played_on() -> None:
    play = Play.begin(named("Ann"), GREEDY)
    table = play.table
    play.play_until(lambda: table.game.turn == 0 and not table.game.is_opening)
    kept = len(table.game.plies)
    play.move("draw")
    play.do(table.ask_undo(0, play.now))
    play.play_round()
    turns = record(table)["rounds"][0]["turns"]
    assert [turn["move"] for turn in turns] == [str(turn.move) for turn in table.game.plies]
    assert sum(isinstance(decode(data), MovePlayed) for data in play.log) == len(turns) + 1
    assert turns[kept]["move"] != "draw" or table.game.plies[kept].tile is not None
    verify_deals(match_from(record(table)))


# --- People who go, bots that go on --------------------------------------------------------------


def test_of_two_the_other_has_won_when_one_gives_up() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    play.move()
    assert play.do(table.give_up(0, 1)) == GaveUp(at=1, seat=0)
    assert play.state == "finished"
    assert table.match is not None
    assert table.match.winners == (1,)
    written = record(table)
    assert written["rounds"][0]["end"]["reason"] == "abandoned"
    assert written["result"]["winners"] == [1]
    assert match_from(written).over


def test_one_can_give_up_between_rounds() -> None:
    play = Play.begin(named("Ann"), LINK, rules=small(target=1000))
    table = play.table
    play.play_round()
    assert table.match is not None
    scores = table.match.scores
    play.do(table.give_up(1, 1))
    assert play.state == "finished"
    assert table.match.winners == (0,)
    assert table.match.scores == scores
    verify_deals(match_from(record(table)))
    assert everything(play.loaded()) == everything(table)


def test_among_three_a_bot_goes_on_for_who_gives_up() -> None:
    play = Play.begin(named("Ann"), LINK, LINK)
    table = play.table
    assert play.do(table.give_up(1, 1)) == BotTook(at=1, seat=1, bot=SUBSTITUTE, reason="gave_up")
    assert play.state == "playing"
    assert table.people == [0, 2]
    assert table.chairs[1].summary.substitute == SUBSTITUTE
    refused("gave_up", lambda: table.give_up(1, 1))
    # Who thinks better of it can come back, and give up again.
    play.do(table.come_back(1, 1))
    assert table.people == [0, 1, 2]
    play.do(table.give_up(1, 1))
    # The last person who gives up ends it: nobody would be left to play for.
    play.do(table.give_up(2, 1))
    assert table.people == [0]
    assert isinstance(play.do(table.give_up(0, 1)), GaveUp)
    assert play.state == "finished"


def test_against_bots_alone_giving_up_ends_the_match() -> None:
    play = Play.begin(named("Ann"), GREEDY, GREEDY)
    assert isinstance(play.do(play.table.give_up(0, 1)), GaveUp)
    assert play.table.match is not None
    assert 0 not in play.table.match.winners


def test_a_bot_plays_for_a_person_until_the_person_is_back() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    refused("you_play", lambda: table.come_back(0, 1))
    play.play_until(lambda: table.game.turn == 0)
    play.do(table.substitute(0, "clock", 1))
    refused("bot_plays", lambda: table.substitute(0, "away", 1))
    assert table.waits_for_bot() == 0
    move = str(table.game.legal_moves()[0])
    refused("not_yours", lambda: table.move(0, move, 1))
    assert play.move(move).by_bot
    play.play_until(lambda: table.game.turn == 0)
    began = table.turn_began
    event = play.do(table.come_back(0, play.now))
    assert isinstance(event, Returned)
    assert table.turn_began == began
    assert not play.move().by_bot


def test_who_comes_back_out_of_turn_does_not_touch_the_clock() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    play.play_until(lambda: table.game.turn == 1)
    play.do(table.substitute(0, "clock", 1))
    began = table.turn_began
    play.do(table.come_back(0, play.now))
    assert table.turn_began == began


def test_nobody_comes_back_to_the_seat_of_a_bot() -> None:
    play = Play.begin(named("Ann"), GREEDY)
    refused("you_play", lambda: play.table.come_back(1, 1))
    refused("bot_plays", lambda: play.table.substitute(1, "clock", 1))


def test_leaving_in_the_middle_leaves_a_bot_there() -> None:
    play = Play.begin(named("Ann"), LINK)
    refused("not_yours", lambda: play.table.leave(0, "d1", 1))
    event = play.do(play.table.leave(1, "d1", 1))
    assert event == BotTook(at=1, seat=1, bot=SUBSTITUTE, reason="left")
    refused("bot_plays", lambda: play.table.leave(1, "d1", 1))
    play.do(play.table.come_back(1, 1))
    assert play.table.people == [0, 1]


def test_what_bots_played_for_people_is_marked_in_the_record() -> None:
    play = Play.begin(named("Ann"), LINK, GREEDY)
    table = play.table
    for _ in range(4):
        play.move()
    play.do(table.substitute(1, "away", 1))
    play.play_round()
    written = record(table)
    turns = written["rounds"][0]["turns"]
    marked = [turn.get("extra") == {"by_bot": True} for turn in turns]
    assert marked == [turn["seat"] == 1 and i >= 4 for i, turn in enumerate(turns)]
    assert any(marked)
    assert "bot" not in written["players"][1]
    verify_deals(match_from(written))


def test_marks_follow_what_is_taken_back() -> None:
    play = Play.begin(named("Ann"), LINK)
    table = play.table
    play.play_until(lambda: table.game.turn == 0)
    kept = table.by_bot[-1].copy()
    play.do(table.substitute(1, "away", 1))
    play.move()
    play.play_until(lambda: table.game.turn == 0)
    assert any(table.by_bot[-1])
    play.do(table.ask_undo(0, 1))
    play.do(table.answer_undo(1, True, 1))
    assert table.by_bot[-1] == kept
    assert len(table.by_bot[-1]) == len(table.game.plies)


def test_a_record_waits_for_the_end() -> None:
    with pytest.raises(AssertionError):
        record(Play.begin(named("Ann"), LINK).table)
    with pytest.raises(AssertionError):
        record(Play.create(named("Ann"), LINK).table)


# --- A rematch -----------------------------------------------------------------------------------


def rematch(play: Play, device: str, number: int = 7, **changes: Any) -> Play:
    options = msgspec.structs.replace(play.table.options, **changes)
    created = play.table.make_rematch(
        options, server_seed(number), device, 1, public_key=KEY.public
    )
    return Play(Table("t", created), [encode(created)])


def test_a_rematch_has_the_same_people_and_other_options() -> None:
    play = Play.create(named("Ann"), LINK, GREEDY)
    play.do(play.table.take_seat("Ben", "ben", "0b", 1, 1))
    play.do(play.table.make_link(1, "ben", "link", 1))
    play.do(play.table.claim("link", "ben2", 1))
    play.do(play.table.start("ann", 1))
    refused("not_finished", lambda: rematch(play, "ann"))
    play.do(play.table.give_up(1, 1))
    play.do(play.table.give_up(0, 1))
    refused("not_seated", lambda: rematch(play, "spectator"))
    with pytest.raises(RulesError):
        rematch(play, "ann", rules={"edition": "nothing"})
    again = rematch(play, "ben2", rules={"edition": "six-player"}, clock_seconds=30)
    table = again.table
    assert table.host == "ben2"
    assert [chair.name for chair in table.chairs] == ["Ann", "Ben", "Greedy"]
    assert table.seats_of("ann") == [0]
    assert table.seats_of("ben") == table.seats_of("ben2") == [1]
    assert table.people == [0, 1]
    assert player_seeds(table) == ["", "", ""]  # every match has seeds of its own
    assert table.exchange.server_seed == server_seed(7)
    assert (table.rules.edition, table.options.clock_seconds) == ("six-player", 30)
    again.do(table.start("ben2", 1, KEY))
    assert everything(again.loaded()) == everything(table)


def test_there_is_one_rematch() -> None:
    play = Play.begin(named("Ann"), LINK)
    play.do(play.table.give_up(0, 1))
    play.do(Change(Rematched(at=1, table="other")))
    assert play.table.rematch == "other"
    refused("rematched", lambda: rematch(play, "ann"))
    assert everything(play.loaded()) == everything(play.table)


# --- The log -------------------------------------------------------------------------------------


def test_a_log_begins_with_the_creation() -> None:
    with pytest.raises(TriominoError, match="does not begin"):
        Table.load("t", [Started(at=1)])


def test_a_table_is_created_once() -> None:
    play = Play.create(HERE, LINK)
    with pytest.raises(AssertionError):
        play.table.apply(Change(decode(play.log[0])))


def _random_options(dice: Random) -> tuple[list[SeatPlan], dict[str, Any]]:
    edition = dice.choice(list(EDITIONS))
    players = dice.choice(list(EDITIONS[edition].racks))
    kinds = [HERE, LINK, LINK, GREEDY, RANDOM]
    seats = [dice.choice([HERE, LINK])] + [dice.choice(kinds) for _ in range(players - 1)]
    dice.shuffle(seats)
    rules = small(edition, players)
    if dice.random() < 0.7:
        rules["target"] = 1 if edition == "casual" else dice.choice([60, 150])
    options = {
        "rules": rules,
        "undo": dice.random() < 0.8,
        "help": dice.choice(["points", "places", "none"]),
        "clock_seconds": dice.choice([None, 30]),
    }
    return seats, options


def _random_command(play: Play, dice: Random) -> Change[AnyEvent]:
    """Some command, by somebody, sensible or not."""
    table, at = play.table, play.now
    seats = range(len(table.chairs))
    seat, device = dice.choice(seats), dice.choice(play.devices)
    long_gone = {other: 10**7 for other in seats if dice.random() < 0.5}
    if table.paused is not None and dice.random() < 0.5:
        return table.resume(seat, at)
    rarely: dict[str, Callable[[], Change[AnyEvent]]] = {
        "sit": lambda: table.take_seat(
            dice.choice(["A", "B", "אורי", "D\u200b", "E"]),
            device,
            dice.choice(["", "00ff"]),
            dice.choice([None, seat]),
            at,
        ),
        "start": lambda: table.start(dice.choice([table.host, device]), at),
        "withdraw": lambda: table.withdraw_link(seat, device, at),
        "link": lambda: table.make_link(seat, device, f"link{dice.randrange(4)}", at),
        "claim": lambda: table.claim(f"link{dice.randrange(4)}", device, at),
        "leave": lambda: table.leave(seat, device, at),
        "next": lambda: table.next_round(at),
        "undo": lambda: table.ask_undo(seat, at),
        "answer": lambda: table.answer_undo(seat, dice.random() < 0.8, at),
        "give up": lambda: table.give_up(seat, at),
        "away": lambda: table.substitute(seat, dice.choice(["clock", "away"]), at),
        "back": lambda: table.come_back(seat, at),
        "remind": lambda: table.remind(seat, dice.choice(seats), at, long_gone),
        "stand in": lambda: table.stand_in(seat, dice.choice(seats), at, long_gone),
        "pause": lambda: table.pause(seat, at),
        "resume": lambda: table.resume(seat, at),
        "wrong": lambda: table.move(seat, dice.choice(["pass", "U(0,0)=0-0-0", "draw"]), at),
    }
    if table.undo is not None and dice.random() < 0.5:
        return table.answer_undo(seat, dice.random() < 0.8, at)
    if table.state == "playing" and not table.game.over and dice.random() < 0.75:
        game = table.game
        moves = game.legal_moves()
        by_bot = table.chairs[game.turn].bot is not None
        return table.move(game.turn, str(dice.choice(moves)), at, by_bot=by_bot)
    weights = [0.3 if name in ("give up", "leave", "pause") else 1.0 for name in rarely]
    return rarely[dice.choices(list(rarely), weights)[0]]()


def _random_tables(number: int, steps: int = 400) -> Iterator[tuple[Play, AnyEvent | None]]:
    """Random commands of random people; when a match is over, a rematch of it.

    Yields after every command, with the event or, if it was refused, with none.
    """
    dice = Random(number)
    seats, options = _random_options(dice)
    play = Play.create(*seats, number=number, **options)
    devices = play.devices = ["ann", "ben", "cleo", "dan"]
    for step in range(steps):
        try:
            change = _random_command(play, dice)
        except TriominoError:
            yield play, None
            continue
        yield play, play.do(change)
        if play.table.state == "finished":
            played = next((one for one in devices if play.table.seats_of(one)), None)
            if played is None:
                return
            play = rematch(play, played, number=step)
            play.devices = devices


@pytest.mark.parametrize("number", range(16))
def test_the_log_of_any_table_adds_up_to_it(number: int) -> None:
    """What is refused changes nothing, what is written down is carried out, and the log alone
    makes the same table at any moment."""
    before: tuple[Play, dict[str, Any]] | None = None
    for step, (play, event) in enumerate(_random_tables(number)):
        if event is None and before is not None and before[0] is play:
            assert everything(play.table) == before[1]
        over = play.table.state == "finished"
        if over or step % 40 == 0:
            before = play, everything(play.table)
            assert everything(play.loaded()) == before[1]
        else:
            before = None
        if over:
            match = match_from(record(play.table))
            verify_deals(match)
            assert play.table.match is not None
            assert match.scores == play.table.match.scores
    assert everything(play.loaded()) == everything(play.table)


def test_the_random_tables_reach_everything() -> None:
    """The law above is worth something only if all kinds of events happen in it."""
    seen: set[str] = set()
    plays: set[int] = set()
    rounds = refusals = 0
    for number in range(16):
        for play, event in _random_tables(number):
            plays.add(id(play))
            refusals += event is None
            seen.add(type(event).__name__)
            rounds = max(rounds, len(play.table.match.rounds) if play.table.match else 0)
    assert rounds > 2
    assert len(plays) > 20
    assert refusals > 1000
    assert seen == {
        "NoneType",
        "Seated",
        "Linked",
        "Unlinked",
        "Claimed",
        "Left",
        "Started",
        "MovePlayed",
        "RoundBegun",
        "UndoAsked",
        "UndoAnswered",
        "Undone",
        "GaveUp",
        "BotTook",
        "Returned",
        "Reminded",
        "Paused",
        "Resumed",
    }


# --- What is shown -------------------------------------------------------------------------------


def test_the_owner_of_a_seat_has_no_choices_while_a_bot_plays_there() -> None:
    play = Play.begin(named("Ann"), LINK)
    seat = play.table.game.turn
    assert Receiver(play.table, [seat]).now().choices
    play.do(play.table.substitute(seat, "clock", 1))
    assert Receiver(play.table, [seat]).now().choices is None
    play.do(play.table.come_back(seat, 1))
    assert Receiver(play.table, [seat]).now().choices


def _deal_of(racks: Sequence[str], pool: str, starter: int = 0) -> Deal:
    return Deal(
        tuple(tuple(map(Tile.parse, rack.split())) for rack in racks),
        tuple(map(Tile.parse, pool.split())),
        starter,
    )


def test_an_injected_deal_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of the server rely on this door."""
    wanted = _deal_of(["0-0-1 0-0-2", "1-1-1 1-1-2"], "5-5-5")
    monkeypatch.setattr("triomino.match.deal", lambda *_: wanted)
    assert Play.begin(named("Ann"), LINK).table.game.start is wanted
