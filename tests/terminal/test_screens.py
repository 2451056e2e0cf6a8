"""What is shown: all of it true, nothing of it secret, and small enough."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.rulebook.boards import game_at, rules_of
from tests.terminal.playing import (
    PLAIN,
    TILE,
    Hands,
    Paper,
    bots_move,
    send,
    table_at,
    table_of,
    with_bots,
)
from triomino import EDITIONS, Game, Match, Player, Reason, Rules, Tile, View, Why
from triomino.dice import Rng
from triomino.terminal.commands import Word
from triomino.terminal.info_pages import page
from triomino.terminal.layout import Display
from triomino.terminal.narrator import Narrator, turns_of
from triomino.terminal.screens import prompt, screen
from triomino.terminal.session import Session
from triomino.terminal.table import Stage, Table
from triomino.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator

NARRATOR = Narrator(Words())
DISPLAYS = (Display(80, 24), Display(120, 40, color=True), Display(40, 24, ascii_only=True), PLAIN)
PAGES = (Word.SHEET, Word.RACK, Word.BOARD, Word.RULES, Word.HELP)
GAMES = [
    ("classic", "Ann,Ben"),
    ("classic-hebrew", "Ann,bot:random,Ben"),
    ("six-player", "Ann,Ben,Cleo,bot,Dan,Eve"),
    ("card", "Ann,Ben,bot"),
    ("casual", "Ann,Ben"),
]


def shown(table: Table, display: Display) -> str:
    return "\n".join(line.plain for line in screen(table, display))


def moments(edition: str, seats: str, seed: object) -> Iterator[Table]:
    """A round at every moment at which somebody is asked."""
    table, hands = table_of(EDITIONS[edition], seats, seed), Hands(seed)
    while not table.game.over:
        bots_move(table)
        yield table
        if not table.game.over:
            table.answer(hands(table))


# --- Words ---------------------------------------------------------------------------------------


def test_every_reason_has_words() -> None:
    assert len({NARRATOR.why(why) for why in Why}) == len(Why)
    assert len({NARRATOR.reason(reason) for reason in Reason}) == len(Reason)


@pytest.mark.parametrize(
    ("bundle", "own", "line"),
    [
        (["1"], False, "Ann: 1-5-5 +11"),
        (["d", "y", "1-5-5", "1"], False, "Ann: one draw -5, 1-5-5 +11"),
        (["d", "y", "1-5-5", "1"], True, "Ann: draw: 3-3-3 -5, 1-5-5 +11"),
        (["d", "y", "d", "y", "1-5-5", "1"], False, "Ann: 2 draws -10, 1-5-5 +11"),
        (
            ["d", "y", "d", "y", "d", "y", "e", "y"],
            True,
            "Ann: draw: 3-3-3, 4-4-4 and 2-2-2 -15, nothing placed -10",
        ),
    ],
)
def test_a_turn_is_told_in_one_line(bundle: list[str], own: bool, line: str) -> None:
    rules = "classic voluntary_draw=always must_place_after_last_draw=false"
    game = game_at(rules, "1-5-5 0-1-2 / 0-0-0 1-1-1", "3-3-3 4-4-4 2-2-2 0-0-1")
    table = table_at(game, "Ann", "Ben")
    table.answer("")
    for text in bundle:
        table.answer(text)
    told = [NARRATOR.turn_line(turns, "Ann", own=own) for turns in turns_of(game.plies)]
    assert told == [line]


def test_you_are_spoken_to_as_you() -> None:
    game = game_at("card", "0-1-2 0-1-3 / 1-5-5 2-5-5", "3-5-5 0-0-1")
    table = table_at(game, "You")
    table.answer("d")
    table.answer("k")
    assert NARRATOR.turn_line(game.plies, "You", own=True) == "You: draw: 3-5-5, tile kept"
    assert NARRATOR.turn_line(game.plies, "Ann", own=False) == "Ann: one draw, tile kept"


# --- How a round begins --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_the_draw_for_the_start_is_told_whole(seed: int) -> None:
    table = table_of(EDITIONS["six-player"], "Ann,bot,Ben,bot", seed)
    lines = NARRATOR.start(table.match)
    draws = [(table.name(draw.seat), str(draw.tile)) for draw in table.game.start.start_draws]
    assert re.findall(r"(\w+) \(([0-5]-[0-5]-[0-5]) =", "\n".join(lines)) == draws
    assert lines[-1] == f"First player: {table.name(table.game.starter)}."
    # Who draws again drew the same before.
    assert len(lines) == 2 + sum("tie" in line for line in lines)
    assert len(draws) > len(table.match.players) or len(lines) == 2


def test_some_draw_is_tied() -> None:
    """Or the test above would have seen no tie."""
    rules = EDITIONS["six-player"]
    assert any(
        len(NARRATOR.start(table_of(rules, "Ann,bot,Ben,bot", n).match)) > 2 for n in range(30)
    )


def test_the_card_game_says_why_somebody_starts() -> None:
    for seed in range(40):
        table = table_of(EDITIONS["card"], "Ann,bot", seed)
        dealt = [tile for rack in table.game.start.racks for tile in rack]
        triple = any(tile.is_triple for tile in dealt)
        name = table.name(table.game.starter)
        assert table.narrator.start(table.match) == [
            f"First player: {name}, with the highest {'triple' if triple else 'card'}."
        ]


@pytest.mark.parametrize(
    ("setting", "said"), [("rotate_left", "moves round"), ("round_winner", "The winner of a round")]
)
def test_later_rounds_say_how_the_starter_was_found(setting: str, said: str) -> None:
    rules = rules_of(f"classic target=400 next_starter={setting}")
    table = table_of(rules, "Ann,bot")
    hands = Hands()
    while len(table.match.rounds) == 1:
        bots_move(table)
        table.answer(hands(table))
    assert said in NARRATOR.start(table.match)[0]


# --- Secrets -------------------------------------------------------------------------------------


def same_but_for(table: Table, seat: int | None, seed: int) -> Table:
    """The same moment in another world that *seat* cannot narrator from this one."""
    game = View.of(table.game, seat).sample(Rng(seed))
    other = with_bots(Match(game.rules, table.match.players, [game], table.match.seeds))
    other.viewer, other._secret = table.viewer, table._secret
    return other


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_a_screen_shows_nothing_that_its_viewer_may_not_know(edition: str, seats: str) -> None:
    """Another world in which others hold other tiles gives the same screens and pages."""
    differed = 0
    for moment, table in enumerate(moments(edition, seats, "secrets")):
        if moment % 3 or table.game.over:
            continue
        # Between two people the screen may know no more than somebody who looks on.
        knows = None if table.stage is Stage.HANDOVER else table.viewer
        other = same_but_for(table, knows, moment)
        differed += other.game.racks != table.game.racks
        assert other.stage is table.stage
        assert prompt(other) == prompt(table)
        for display in DISPLAYS:
            assert shown(other, display) == shown(table, display)
            for what in PAGES:
                if what is not Word.RACK or table.stage is Stage.TURN:
                    assert page(other, what, display) == page(table, what, display)
    assert differed > 10


@pytest.mark.parametrize(("edition", "seats"), GAMES)
def test_the_tiles_of_others_are_never_on_the_screen(edition: str, seats: str) -> None:
    """The same said with names: every tile in a page is one that its reader may know."""
    table, hands = table_of(EDITIONS[edition], seats, 8), Hands(8)
    seen = 0

    def type_and_look(_: str) -> str:
        nonlocal seen
        text, game = "\n".join(paper.pages[-1]), table.game
        if not game.over:
            reader = table.viewer if table.stage in (Stage.TURN, Stage.SECRET) else None
            own = set(game.racks[reader]) if reader is not None else set()
            known = {place.tile for place in game.board.places} | own
            known |= {draw.tile for draw in game.start.start_draws}
            tiles = {Tile.parse(found) for found in TILE.findall(text)}
            assert tiles <= known, (reader, tiles - known)
            seen += len(tiles & own)
        return hands(table)

    paper = Paper(type_and_look)
    Session(table, paper, None).run()
    assert seen > 20


def test_what_was_drawn_is_named_to_nobody_else() -> None:
    game = game_at("casual", "0-1-2 0-1-3 / 1-5-5 2-5-5", "0-0-1 0-0-2")
    table = table_at(game, "Ann", "Ben")
    send(table, "", "d")
    assert "Ann: draw: 0-0-1" in shown(table, PLAIN)
    send(table, "")
    for _ in range(2):
        assert "0-0-1" not in shown(table, PLAIN)
        assert "Ann: one draw" in shown(table, PLAIN)
        send(table, "")


def test_what_happened_is_retold_to_the_next_person() -> None:
    racks = "1-5-5 0-0-5 0-1-2 / 2-5-5 1-1-2 1-1-3 / 3-5-5 0-4-5 0-2-2"
    game = game_at("classic", racks, "3-3-3 4-4-4 2-2-2")
    players = [Player("Ann"), Player("Easy", "easy"), Player("Ben")]
    table = with_bots(Match(game.rules, players, [game]))
    send(table, "", "d", "y", "1-5-5", "1")
    retold = ["Ann: one draw -5, 1-5-5 +11", "Easy: 2-5-5 +12"]
    assert [line for line in retold if line not in shown(table, PLAIN)] == []
    send(table, "")
    assert [line for line in retold if line not in shown(table, PLAIN)] == []


# --- Room ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 24), (120, 40), (60, 20), (200, 60)])
@pytest.mark.parametrize(
    ("edition", "seats"),
    [("classic", "Ann,bot"), ("six-player", "Ann,bot,bot,bot,bot,bot"), ("card", "bot,Ann,bot")],
)
def test_a_decision_fits_the_window(width: int, height: int, edition: str, seats: str) -> None:
    """With a line for an answer and one for the prompt."""
    display = Display(width, height)
    for seed in range(2):
        for table in moments(edition, seats, seed):
            lines = [line.plain for line in screen(table, display)]
            assert max(map(len, lines)) <= width, lines
            if table.stage is Stage.TURN:
                assert len(lines) + 2 <= height, "\n".join(lines)


@pytest.mark.parametrize(
    "display", [Display(80, 24), Display(40, 24), Display(100, 30, ascii_only=True)]
)
def test_every_place_that_is_offered_is_on_the_board(display: Display) -> None:
    """On a window that shows all of the board, each number stands there once."""
    checked = 0
    for table in moments("classic", "Ann,bot", "places"):
        text = shown(table, display)
        if table.stage is not Stage.TURN or table.menu.opening or "type board" in text:
            continue
        # A label has only blanks around it; offers are followed by points.
        for number in {option.number for option in table.menu.options}:
            assert len(re.findall(rf"(?<=[ ·.╲╱\\/]){number}(?=[ ·.╲╱\\/])(?! [+])", text)) >= 1
            checked += 1
        for option in table.menu.options:
            assert re.search(rf"\b{option.label} \{option.points:+d}\b", text) or not option.points
    assert checked > 10


def test_a_board_that_is_too_high_shows_where_tiles_can_go() -> None:
    """The places are in the part that is drawn, and the rest is said to be there."""
    places = 0
    for seed in range(20):
        if places > 3:
            break
        for table in moments("classic", "Ann,bot", f"high {seed}"):
            text = shown(table, Display(80, 16))
            if table.stage is Stage.TURN and "type board" in text:
                assert len(text.splitlines()) <= 14
                if len(table.menu.labels) == 1:
                    drawn = "\n".join(line[:50] for line in text.splitlines()[2:])
                    assert re.search(r"(?<=[ ·╲╱])1(?=[ ·╲╱])", drawn)
                    places += 1
    assert places > 3


def test_ascii_is_ascii() -> None:
    for table in moments("card", "Ann,bot,Ben", "ascii"):
        for display in (Display(80, 24, ascii_only=True), PLAIN):
            pages = [page(table, what, display) for what in PAGES if what is not Word.RACK]
            text = shown(table, display) + prompt(table) + "".join(map(str, pages))
            assert text.replace("…", "").isascii()


def test_without_colour_there_is_none() -> None:
    for display in (Display(80, 24), PLAIN):
        for table in moments("classic", "Ann,bot", "grey"):
            for line in screen(table, display):
                for span in line.spans:
                    assert "#" not in str(span.style), line.plain


def test_colour_is_there_when_wanted() -> None:
    table = table_at(game_at("classic", "1-5-5 0-1-2 / 0-0-0"), "You")
    styles = {str(span.style) for line in screen(table, Display(color=True)) for span in line.spans}
    assert any("#41306d" in style for style in styles)  # the colour of a five


def test_a_quiet_word_does_not_hush_the_rest_of_its_line() -> None:
    table = table_at(game_at("classic", "1-5-5 0-1-2 / 0-0-0", "3-3-3"), "You")
    for display in (Display(80, 24), Display(40, 24)):
        for line in screen(table, display):
            assert not line.style, line.plain
            quiet = [line.plain[s.start : s.end] for s in line.spans if "dim" in str(s.style)]
            assert not any(re.search(r"[+-]\d|You|Bot", part) for part in quiet), quiet


# --- Endings -------------------------------------------------------------------------------------


def over(game: Game, *names: str, lines: tuple[str, ...] = ("1",)) -> tuple[Table, list[str]]:
    table = table_at(game, *names)
    send(table, *([""] if len(names) > 1 else []), *lines)
    return table, shown(table, PLAIN).splitlines()


def test_going_out_is_spelled_out() -> None:
    # RULES.md 6: the placement, then 25 and the values on the other racks.
    game = game_at("classic", "1-5-5 / 0-1-2 3-4-4 / 5-5-4", "2-2-2", scores=[10, 20, 30])
    table, lines = over(game, "Ann", "Ben", "Cleo")
    assert table.stage is Stage.MATCH_OVER
    assert lines == [
        "Ann: 1-5-5 +11, out!",
        "Round 1 is over.",
        "Ann: out!",
        "  Ben, left over: 0-1-2 3-4-4 = 14",
        "  Cleo, left over: 4-5-5 = 14",
        "  Ann: went out +25",
        "  Ann: the others’ tiles +28",
        "Totals: Ann: 74, Ben: 20, Cleo: 30.",
        "Winner: Ann, 74 points!",
    ]


def test_a_blocked_round_is_spelled_out() -> None:
    game = game_at("classic target=400", "0-1-2 1-5-5 / 0-0-0 1-1-1", "")
    table, lines = over(game, "Ann", "Ben")
    assert table.stage is Stage.ROUND_OVER
    assert lines == [
        "Ann: 1-5-5 +11",
        "Round 1 is over.",
        "The pool is empty and nobody can place: the round is blocked.",
        "  Ann, left over: 0-1-2 = 3",
        "  Ben, left over: 0-0-0 1-1-1 = 3",
        "  Ann: own tiles left -3",
        "  Ben: own tiles left -3",
        "Totals: Ann: 8, Ben: -3.",
        "Winner of the round: Ann.",
    ]
    assert prompt(table) == "Enter for the next round. "


def test_a_blocked_card_game_goes_to_the_lowest_hand() -> None:
    game = game_at("card", "0-1-2 1-5-5 / 0-0-0 1-1-1", "")
    _, lines = over(game, "Ann", "Ben")
    assert "  Ann: the others’ cards +3" in lines
    assert "  Ben: the others’ cards +3" in lines
    assert "Winner of the round: Ann and Ben." in lines


@pytest.mark.parametrize(
    ("scores", "line"),
    [
        ([0, 0, 0], "Winner: Ann, 36 points!"),
        ([0, 36, 0], "A shared victory: Ann and Ben, 36 points each!"),
        ([0, 36, 36], "A shared victory: Ann, Ben and Cleo, 36 points each!"),
        ([0, 40, 36], "Winner: Ben, 40 points!"),
    ],
)
def test_shared_victories_are_named(scores: list[int], line: str) -> None:
    rules = rules_of("classic out_takes_opponents=false")
    game = game_at(rules, "1-5-5 / 0-0-0 / 0-0-1", "2-2-2", scores=scores)
    _, lines = over(game, "Ann", "Ben", "Cleo")
    assert lines[-1] == line


def test_you_win_and_you_share() -> None:
    _, lines = over(game_at("classic", "1-5-5 / 0-0-0", "2-2-2"), "You")
    assert lines[-1] == "Winner: You, 36 points!"
    _, lines = over(game_at("casual", "1-5-5 / 0-0-0", "2-2-2"), "You")
    assert lines[-1] == "Winner: You!"


def test_a_casual_series_counts_rounds() -> None:
    game = game_at("casual target=2", "1-5-5 / 0-0-0", "2-2-2", scores=[1, 0])
    table, lines = over(game, "You")
    assert table.stage is Stage.MATCH_OVER
    assert lines[-2:] == ["Rounds won: You: 2, Bot 1: 0.", "Winner: You, 2 rounds won!"]


def test_a_single_card_game_belongs_to_whoever_went_out() -> None:
    game = game_at("card target=none", "1-5-5 / 0-0-0", "2-2-2", scores=[0, 90])
    _, lines = over(game, "You")
    assert lines[-2:] == ["Totals: You: 25, Bot 1: 90.", "Winner: You!"]


def test_a_tie_that_needs_another_round_says_so() -> None:
    rules = "classic target=30 match_tie=extra_round out_takes_opponents=false"
    game = game_at(rules, "1-5-5 / 0-0-0", "2-2-2", scores=[0, 36])
    table, lines = over(game, "You")
    assert table.stage is Stage.ROUND_OVER
    assert lines[-1].endswith("A tie at the top: one more round decides.")


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("classic target=400", "Over 400: this is the last round!"),
        ("classic-hebrew target=400", "400 reached: this is the last round!"),
    ],
)
def test_the_last_round_is_announced(rules: str, said: str) -> None:
    game = game_at(rules, "1-5-5 0-1-2 / 2-5-5 0-0-0 1-1-1", "2-2-2", scores=[390, 0])
    table = table_at(game, "You")
    assert "last round" not in shown(table, PLAIN)
    send(table, "1a" if table.menu.at(1, "a") else "1")
    text = shown(table, PLAIN)
    assert said in text
    assert "last round!, pool" in text
    drawn = re.sub(r"\s+", " ", shown(table, Display(100, 30)))
    assert said in drawn


# --- Pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", sorted(EDITIONS))
@pytest.mark.parametrize("width", [40, 80, 10_000])
def test_the_sheet_adds_up(edition: str, width: int) -> None:
    """The points written in each line, added by player, are the totals; so is the last total."""
    rules = EDITIONS[edition]
    table, hands = table_of(rules.with_changes({"target": None}), "Ann,bot,Ben", "sheet"), Hands(4)
    while not table.match.over:
        send(table, hands(table))
    assert len(table.game.plies) > 8
    sums: dict[str, int] = dict.fromkeys(map(table.name, range(3)), 0)
    display = Display(width, 24, plain=width > 1000)
    # At 80 columns there is a column for each player, which is left out here.
    lines = [line.plain[: 48 if width == 80 else None] for line in page(table, Word.SHEET, display)]
    text = re.sub(r"\n  ", " ", "\n".join(lines))
    for line in text.splitlines()[1:]:
        name, _, what = line.partition(": ")
        sums[name] += sum(map(int, re.findall(r"(?<= )[+-]\d+\b", what.split(" = ")[0])))
    assert tuple(sums.values()) == table.match.scores
    last = {entry.seat: entry.total for entry in NARRATOR.sheet(table.game)}
    if rules.scoring:
        assert [last[seat] for seat in range(3)] == list(table.match.scores)


def test_the_sheet_has_reasons_and_running_totals_in_columns() -> None:
    game = game_at("classic", "1-5-5 0-1-2 / 2-5-5 0-0-0", "2-2-2 3-3-3", scores=[100, 50])
    table = table_at(game, "Ann")
    send(table, "d", "y", "1-5-5", "1")
    lines = [line.plain.split() for line in page(table, Word.SHEET, Display(80, 24))]
    assert lines == [
        ["Round", "1", "Ann", "Bot", "1"],
        ["Ann:", "one", "draw", "-5,", "1-5-5:", "tile", "+11", "106"],
        ["Bot", "1:", "2-5-5:", "tile", "+12", "62"],
    ]


@pytest.mark.parametrize("display", [Display(30, 24), PLAIN])
def test_a_narrow_or_plain_sheet_has_the_totals_behind(display: Display) -> None:
    game = game_at("classic", "1-5-5 0-1-2 / 2-5-5 0-0-0", "2-2-2 3-3-3", scores=[100, 50])
    table = table_at(game, "Ann")
    send(table, "d", "y", "1-5-5", "1")
    text = "\n".join(line.plain for line in page(table, Word.SHEET, display))
    assert text.replace("\n  ", " ").splitlines() == [
        "Round 1",
        "Ann: one draw -5, 1-5-5: tile +11 = 106",
        "Bot 1: 2-5-5: tile +12 = 62",
    ]


@pytest.mark.parametrize(
    ("rules", "parts"),
    [
        ("classic", ["bonus of 40 points", "costs 5 points", "10 points more: 25 in all"]),
        ("classic-hebrew", ["charged with the last draw"]),
        ("card", ["Shuffle the cards", "you may still keep it", "a target of 200 points"]),
        ("casual", ["Drawing ends your turn", "the fewest tiles win"]),
        ("classic target=77", ["a target of 77 points"]),
        ("classic bridge_bonus=33 draw_cost=7", ["bonus of 33 points", "costs 7 points"]),
    ],
)
def test_the_rules_are_those_that_are_played(rules: str, parts: list[str]) -> None:
    table = table_of(rules_of(rules))
    text = " ".join(line.plain for line in page(table, Word.RULES, PLAIN))
    assert [part for part in parts if part not in text] == []


def test_the_board_can_be_read_aloud() -> None:
    board = "U(0,0)=1-3-4 D(-1,0)=1-2-3 U(-1,1)=2-2-3"
    table = table_at(game_at("classic", "1-5-5 0-1-2 / 2-5-5", board=board), "You")
    text = [line.plain for line in page(table, Word.BOARD, PLAIN)]
    assert text == [
        "3 tiles, row by row from the top:",
        "U(-1,1)=2-2-3",
        "D(-1,0)=1-2-3, U(0,0)=1-3-4",
    ]
    table = table_of(Rules(), "Ann,bot")
    if table.game.is_opening:
        assert page(table, Word.BOARD, PLAIN)[0].plain == "The board is empty."


def test_a_turn_can_be_read_aloud() -> None:
    game = game_at("classic", "1-5-5 0-1-2 / 2-5-5 0-0-0", "3-3-3 4-4-4 0-0-1 0-0-2")
    assert shown(table_at(game, "You"), PLAIN).splitlines() == [
        "First player: You.",
        "Round 1, pool 4. You: 0 (2 tiles), Bot 1: 0 (2).",
        "Your tiles: 0-1-2, 1-5-5 fits.",
        "1: 1-5-5 on D(-1,0), beside 5-5-5, +11",
        "2: 1-5-5 on D(0,0), beside 5-5-5, +11",
        "3: 1-5-5 on D(0,-1), beside 5-5-5, +11",
        "Type the number of a place.",
        "d: Draw -5 (3 left); ?: help; q: leave",
    ]
