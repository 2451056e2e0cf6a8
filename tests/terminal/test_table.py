"""The table as a state machine: lines in, replies out."""

from __future__ import annotations

import pytest

from tests.rulebook.boards import PF, PG, PH, PI, game_at, rules_of, tiles
from tests.terminal.playing import (
    Hands,
    bots_move,
    said,
    send,
    state,
    table_at,
    table_of,
    with_bots,
)
from triomino import CLASSIC, EDITIONS, Deal, Game, Match, Player, Tile, Why
from triomino.bots import Limit
from triomino.record import write_record
from triomino.terminal.commands import WORDS, Word, read_command
from triomino.terminal.menu import LETTERS
from triomino.terminal.narrator import HELP, Narrator
from triomino.terminal.table import Left, Moved, Said, Saved, Shown, Stage, Sure, Table
from triomino.words import Words

NARRATOR = Narrator(Words())


def refusal(why: Why, chapter: str, narrator: Narrator = NARRATOR) -> str:
    """Return what a refused move is answered with: the reason, and where the rules say so."""
    return f"{narrator.why(why)} See “{chapter}” in the rules."


# Two tiles for every side of the triangle of fives, and one for no side at all.
TWO_TILES = "1-5-5 2-5-5 0-1-2 / 0-0-0 1-1-1"


def two_tiles(rules: str = "classic", pool: str = "3-3-3 4-4-4 0-0-1 0-0-2") -> Table:
    return table_at(game_at(rules, TWO_TILES, pool), "You")


def stuck(rules: str = "classic", pool: str = "0-0-1 0-0-2 0-0-3 0-0-4") -> Table:
    """Nothing fits the triangle of fives."""
    return table_at(game_at(rules, "0-1-2 0-1-3 / 1-5-5 2-5-5", pool), "You")


def offers(table: Table) -> list[str]:
    """What is offered beside placements, as it is written."""
    return [NARRATOR.other(item, table.menu, table.game) for item in table.menu.others]


def seen(table: Table) -> tuple[Stage, int | None]:
    return table.stage, table.viewer


def played(table: Table) -> str:
    return str(next(turn for turn in reversed(table.game.plies) if turn.seat == 0).move)


# --- Placing -------------------------------------------------------------------------------------


def test_places_are_numbered_from_the_top_and_tiles_on_one_place_lettered() -> None:
    menu = two_tiles().menu
    assert [(item.label, str(item.place)) for item in menu.options] == [
        ("1a", "D(-1,0)=5-1-5"),
        ("1b", "D(-1,0)=5-2-5"),
        ("2a", "D(0,0)=5-5-1"),
        ("2b", "D(0,0)=5-5-2"),
        ("3a", "D(0,-1)=1-5-5"),
        ("3b", "D(0,-1)=2-5-5"),
    ]
    assert sorted(menu.labels.values()) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("lines", "move"),
    [
        (["2b"], "D(0,0)=5-5-2"),
        (["2 B"], "D(0,0)=5-5-2"),
        (["#2b"], "D(0,0)=5-5-2"),
        (["2", "b"], "D(0,0)=5-5-2"),
        (["2", "2b"], "D(0,0)=5-5-2"),
        (["2", "2-5-5"], "D(0,0)=5-5-2"),
        (["1-5-5", "3"], "D(0,-1)=1-5-5"),
        (["5-1-5", "3a"], "D(0,-1)=1-5-5"),
        (["155", "1"], "D(-1,0)=5-1-5"),
        (["1 5 5", "D(-1,0)=5-1-5"], "D(-1,0)=5-1-5"),
        (["d( 0, -1 ) = 1-5-5"], "D(0,-1)=1-5-5"),
        # A question can be left for another command.
        (["2", "3b"], "D(0,-1)=2-5-5"),
    ],
)
def test_ways_to_say_where(lines: list[str], move: str) -> None:
    table = two_tiles()
    assert send(table, *lines) == Moved()
    assert played(table) == move


def test_which_tile_and_which_place_are_asked_with_what_they_give() -> None:
    table = two_tiles()
    assert send(table, "2") == Said("")
    assert table.question == "Which tile on 2? a 1-5-5 +11, b 2-5-5 +12"
    assert send(table, "") == Said("Nothing was done.")
    assert table.question == ""
    send(table, "2-5-5")
    assert table.question == "Where does 2-5-5 go? 1b +12, 2b +12, 3b +12"
    assert table.game.plies == []


def test_a_tile_with_one_place_goes_there_at_once() -> None:
    table = table_at(game_at("classic", "1-2-3 0-1-2 / 3-3-3", "2-2-2", board=PF), "You")
    assert send(table, "123") == Moved()
    assert str(table.game.plies[0].move) == "D(-1,1)=3-1-2"


@pytest.mark.parametrize(
    ("board", "tile", "offer"),
    [
        (PF, "3-4-4", "+51 bridge"),
        (PG, "1-5-5", "+61 hexagon"),
        (PH, "3-4-5", "+72 double hexagon"),
        (PI, "1-1-3", "+75 triple hexagon"),
    ],
)
def test_the_figures_are_offered_with_their_points_and_bonus(
    board: str, tile: str, offer: str
) -> None:
    table = table_at(game_at("classic", f"{tile} 0-2-5 / 2-2-2", "2-2-4", board=board), "You")
    best = table.menu.of_tile(Tile.parse(tile))[0]
    assert NARRATOR.gain(best) == offer
    send(table, best.label)
    assert table.game.plies[0].points == int(offer.split(maxsplit=1)[0])
    assert offer.split(maxsplit=1)[1] in NARRATOR.turn_line(table.game.plies[:1], "You", own=True)


def test_no_plus_nought_where_a_placement_gives_nothing() -> None:
    assert {NARRATOR.gain(item) for item in two_tiles("casual").menu.options} == {""}
    assert {NARRATOR.gain(item) for item in two_tiles("card").menu.options} == {""}
    assert {NARRATOR.gain(item) for item in two_tiles("card placement_sum=all").menu.options} == {
        "+11",
        "+12",
    }


def test_the_last_tile_is_said_to_go_out() -> None:
    table = table_at(game_at("classic", "1-5-5 / 0-0-0", "2-2-2"), "You")
    assert {NARRATOR.gain(item) for item in table.menu.options} == {"+11 out!"}


# --- Opening -------------------------------------------------------------------------------------


def opening(rules: str, *racks: str) -> Table:
    """Racks dealt as written; the first player is a person and starts."""
    chosen = rules_of(rules)
    hands = [tuple(tiles(rack)) for rack in racks]
    taken = {tile for hand in hands for tile in hand}
    pool = tuple(tile for tile in chosen.tiles if tile not in taken)
    names = [Player("You"), *[Player(f"Bot {n}", "greedy") for n in range(1, len(racks))]]
    return with_bots(Match(chosen, names, [Game(chosen, Deal(tuple(hands), pool, 0))]))


def test_the_first_tile_is_listed_once_and_can_be_turned_by_notation() -> None:
    table = opening("classic", "0-1-2 3-3-3 1-4-5", "0-0-0 1-1-1 2-2-2")
    found = [(item.label, str(item.place.tile), item.points) for item in table.menu.options]
    assert found == [("1", "0-1-2", 3), ("2", "1-4-5", 10), ("3", "3-3-3", 9)]
    assert table.menu.labels == {}
    assert said(table, "d") == refusal(Why.MUST_OPEN, "The opening")
    assert said(table, "D(0,0)=0-1-2") == refusal(Why.NOT_THE_START_CELL, "The opening")
    send(table, "U(0,0)=4-5-1")
    assert str(table.game.plies[0].move) == "U(0,0)=4-5-1"


def test_the_card_game_offers_the_highest_triple_or_the_noughts() -> None:
    table = opening("card", "5-5-5 0-0-0 1-4-5", "1-1-1 2-2-2 3-3-3")
    assert [(str(item.place.tile), item.points) for item in table.menu.options] == [
        ("0-0-0", 40),
        ("5-5-5", 25),
    ]
    assert said(table, "1-4-5") == refusal(Why.NOT_THE_OPENING_TILE, "The opening", table.narrator)
    send(table, "0-0-0")
    assert table.match.scores == (40, 0)


def test_the_card_game_without_the_noughts_leaves_no_choice() -> None:
    table = opening("card", "4-4-4 0-0-1 1-4-5", "1-1-1 2-2-2 3-3-3")
    assert [str(item.place.tile) for item in table.menu.options] == ["4-4-4"]


# --- Drawing, passing, ending, keeping: what they cost --------------------------------------------


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # RULES.md 5.1 and 5.2: -5, -5, -5, then -10 more; in the Hebrew game with the third.
        (
            "classic",
            ["Draw -5 (3 left)", "Draw -5 (2 left)", "Draw -5 (one left)", "End turn -10"],
        ),
        (
            "classic-hebrew",
            ["Draw -5 (3 left)", "Draw -5 (2 left)", "Draw -15 (one left)", "End turn"],
        ),
        ("card", ["Draw (3 left)", "Draw (2 left)", "Draw (one left)", "End turn"]),
        ("classic draw_cost=7", ["Draw -7 (3 left)", "Draw -7 (2 left)", "Draw -7 (one left)"]),
    ],
)
def test_prices_are_those_of_the_rules(rules: str, expected: list[str]) -> None:
    table = stuck(rules)
    for offer in expected:
        assert offers(table) == [offer]
        table.answer(offer[0])
        price = int(offer.split("-")[1].split()[0]) if "-" in offer else 0
        assert table.game.plies[-1].points == -price


def test_the_draws_left_are_no_more_than_the_pool_has() -> None:
    assert offers(stuck(pool="0-0-1")) == ["Draw -5 (one left)"]


def test_an_empty_pool_leaves_a_pass_with_its_price() -> None:
    table = stuck(pool="")
    assert offers(table) == ["Pass"]
    assert said(table, "d") == refusal(Why.POOL_EMPTY, "Passing")
    assert offers(stuck("classic empty_pool_penalty=10", pool="")) == ["Pass -10"]


def test_a_floor_at_zero_is_in_the_price() -> None:
    game = game_at("classic floor_at_zero=true", "0-1-2 / 1-5-5", "0-0-1 0-0-2", scores=[3, 0])
    assert offers(table_at(game, "You")) == ["Draw -3 (2 left)"]


def test_a_casual_draw_ends_the_turn() -> None:
    table = stuck("casual")
    assert offers(table) == ["Draw (ends the turn)"]
    table.answer("d")
    assert table.stage is Stage.BOT
    assert table.game.racks[0][-1] == Tile(0, 0, 1)


def test_a_drawn_card_that_fits_may_be_kept() -> None:
    table = stuck("card", pool="3-5-5 0-0-2")
    send(table, "draw")
    assert offers(table) == ["Keep 3-5-5"]
    assert said(table, "p") == refusal(Why.MUST_PLACE_OR_KEEP, "Drawing", table.narrator)
    table.answer("k")
    assert Tile(3, 5, 5) in table.game.racks[0]
    assert table.game.turn == 1


@pytest.mark.parametrize("enter", ["", "d"])
def test_enter_does_the_only_thing_there_is(enter: str) -> None:
    table = stuck()
    send(table, enter)
    assert played(table) == "draw"


def test_enter_alone_places_nothing() -> None:
    assert said(two_tiles(), "") == "Type the number of a place, or ? for help."


# --- Asking once ---------------------------------------------------------------------------------


@pytest.mark.parametrize("yes", ["y", "Yes", "d", "draw"])
def test_drawing_although_able_asks_once(yes: str) -> None:
    table = two_tiles()
    assert send(table, "d") == Said("")
    assert isinstance(table.asking, Sure)
    assert table.question == "You can play 2-5-5 (1b +12). Draw -5 anyway? y or n"
    assert table.game.plies == []
    assert send(table, yes) == Moved()
    assert played(table) == "draw"


@pytest.mark.parametrize("no", ["n", "No", ""])
def test_no_means_no(no: str) -> None:
    table = two_tiles()
    send(table, "d")
    assert send(table, no) == Said("Nothing was changed.")
    assert table.asking is None
    assert table.game.plies == []


def test_the_question_can_be_answered_by_a_move() -> None:
    table = two_tiles()
    send(table, "d", "2b")
    assert played(table) == "D(0,0)=5-5-2"


def test_ending_although_able_asks_once() -> None:
    rules = "classic voluntary_draw=always must_place_after_last_draw=false"
    table = two_tiles(rules)
    send(table, "d", "y", "d", "y", "d", "y")
    assert offers(table) == ["End turn -10"]
    assert send(table, "e") == Said("")
    assert table.question.endswith("End turn -10 anyway? y or n")
    table.answer("y")
    assert played(table) == "end"


def test_passing_although_able_asks_once() -> None:
    table = two_tiles("classic empty_pool_pass=voluntary", pool="")
    assert send(table, "p") == Said("")
    assert table.question.endswith("Pass anyway? y or n")
    table.answer("y")
    assert played(table) == "pass"


def test_a_forced_draw_asks_nothing() -> None:
    assert send(stuck(), "d") == Moved()


# --- Unclear and wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("4", "There is no place 4; the places are numbered 1 to 3."),
        ("0", "There is no place 0; the places are numbered 1 to 3."),
        ("2c", "There is no 2c. There is: 2a and 2b."),
        ("a", "Which place? Type its number too, like 7a."),
        ("0-1-2", "0-1-2 fits nowhere now. See “Your turn” in the rules."),
        ("3-4-5", refusal(Why.NOT_HELD, "Your turn")),
        ("5-5-5", refusal(Why.ALREADY_LAID, "What you need")),
        ("0-2-1", refusal(Why.NOT_IN_SET, "What you need")),
        ("U(0,0)=1-5-5", refusal(Why.OCCUPIED, "Your turn")),
        ("U(9,9)=1-5-5", refusal(Why.NO_SHARED_EDGE, "Your turn")),
        ("D(0,0)=1-5-5", "Turned another way it fits there: D(0,0)=5-5-1"),
        ("D(0,0)=0-1-2", refusal(Why.CORNER_MISMATCH, "Your turn")),
        ("p", refusal(Why.MUST_PLACE, "Drawing")),
        ("e", refusal(Why.MUST_DRAW, "Drawing")),
        ("k", refusal(Why.NOTHING_TO_KEEP, "Drawing")),
        ("u", "There is nothing to take back in this round."),
        ("shet", "“shet” is not known. Did you mean sheet?"),
        (
            "hello there",
            "“hello there” is not known: type a number, a tile like 1-3-4, or ? for help.",
        ),
        ("1-2-9", "“1-2-9” is not known: type a number, a tile like 1-3-4, or ? for help."),
        (
            "D(0,0)=1-5",
            "“D(0,0)=1-5” is not known: write a cell and its numbers, like D(-1,0)=1-2-3.",
        ),
        ("\x1b[A", "“?[A” is not known: type a number, a tile like 1-3-4, or ? for help."),
        ("999", "“999” is not known: type a number, a tile like 1-3-4, or ? for help."),
    ],
)
def test_unclear_and_wrong_lines_get_a_clear_answer(line: str, answer: str) -> None:
    assert said(two_tiles(), line) == answer


def test_a_long_line_is_quoted_in_part() -> None:
    assert len(said(two_tiles(), "x" * 5000)) < 120


def test_a_number_where_nothing_fits() -> None:
    assert said(stuck(), "1") == "None of your tiles fits now."


def test_no_letter_of_a_tile_is_a_command() -> None:
    assert not set(LETTERS) & set(WORDS)


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("q", Left()),
        ("quit", Left()),
        ("s", Saved()),
        ("sheet", Shown(Word.SHEET)),
        ("score", Shown(Word.SHEET)),
        ("RACK", Shown(Word.RACK)),
        ("board", Shown(Word.BOARD)),
        ("rules", Shown(Word.RULES)),
        ("?", Shown(Word.HELP)),
        ("help", Shown(Word.HELP)),
    ],
)
def test_words_that_change_nothing(line: str, reply: object) -> None:
    table = two_tiles()
    before = state(table)
    assert send(table, line) == reply
    assert state(table) == before


def test_every_word_of_the_help_is_one() -> None:
    for typed, _ in HELP:
        assert type(read_command(typed)).__name__ != "Unclear", typed


# --- Undo ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_undo_goes_back_decision_by_decision(edition: str) -> None:
    """Against bots: every state in which the person decided comes back, in reverse order."""
    rules = EDITIONS[edition].with_changes({"target": 1000})
    table, hands = table_of(rules, "Ann,bot:random,bot:greedy", seed=3), Hands(3)
    decisions: list[tuple[object, ...]] = []
    bots_move(table)
    while table.stage is Stage.TURN and len(decisions) < 12:
        before, turns = state(table), len(table.game.plies)
        send(table, hands(table))
        if len(table.game.plies) > turns:
            decisions.append(before)
    assert len(decisions) > 4
    while decisions:
        send(table, "u")
        assert state(table) == decisions.pop()
    assert send(table, "u") == Said("There is nothing to take back in this round.")


def test_an_undone_draw_draws_the_same_tile_again() -> None:
    table = stuck()
    send(table, "d")
    first = table.game.drawn[-1]
    assert send(table, "u") == Moved("Taken back: Draw.")
    assert table.game.drawn == []
    assert table.match.scores == (0, 0)
    send(table, "d")
    assert table.game.drawn == [first]


def test_undo_takes_back_the_bots_too_and_the_record_forgets() -> None:
    table = table_of(CLASSIC, "Ann,bot:greedy,bot:random", seed=5)
    bots_move(table)
    before, turns = write_record(table.match), len(table.game.plies)
    send(table, table.menu.options[0].label)
    assert {turn.seat for turn in table.game.plies[turns:]} == {0, 1, 2}
    send(table, "u")
    assert write_record(table.match) == before


def test_undo_at_the_end_of_a_round_against_bots() -> None:
    game = game_at("classic target=400", "1-5-5 / 0-0-0 1-1-1", "2-2-2")
    table = table_at(game, "You")
    before = state(table)
    send(table, "1")
    assert table.stage is Stage.ROUND_OVER
    send(table, "u")
    assert state(table) == before


def test_no_undo_into_the_round_before() -> None:
    game = game_at("classic target=400", "1-5-5 / 0-0-0 1-1-1", "2-2-2")
    table = table_at(game, "You")
    send(table, "1", "")
    assert len(table.match.rounds) == 2
    assert said(table, "u") == "There is nothing to take back in this round."


def people(rules: str = "classic") -> Table:
    """Ann, a bot, Ben; everybody can place."""
    racks = "1-5-5 0-0-5 0-1-2 / 2-5-5 1-1-2 1-1-3 / 3-5-5 0-4-5 0-2-2"
    return table_at_seats(game_at(rules, racks, "3-3-3 4-4-4 2-2-2"))


def table_at_seats(game: Game) -> Table:
    players = [Player("Ann"), Player("Greedy", "greedy"), Player("Ben")]
    return with_bots(Match(game.rules, players, [game]))


def test_several_people_undo_their_own_move_until_the_next_person_has_moved() -> None:
    table = people()
    send(table, "")
    before = state(table)
    send(table, "1-5-5", "1")
    assert table.stage is Stage.HANDOVER
    assert len(table.game.plies) == 2
    send(table, "u")
    assert state(table) == before
    send(table, "1-5-5", "1", "")
    assert table.viewer == 2
    # The screen is Ben's now, and Ann's move is not his to take back.
    assert said(table, "u").startswith("Only your own last move")
    send(table, "d", "y")
    drew = state(table)
    send(table, "u")
    assert table.game.drawn == []
    assert said(table, "u").startswith("Only your own last move")
    send(table, "d", "y")
    assert state(table) == drew


def test_a_move_from_before_another_persons_is_not_taken_back() -> None:
    table, hands, refused = table_of(CLASSIC, "Ann,bot,Ben", 2), Hands(), 0
    while refused < 5:
        bots_move(table)
        moved = any(turn.seat == table.viewer for turn in table.game.plies)
        if table.stage is Stage.TURN and moved and not table.game.drawn:
            assert said(table, "u").startswith("Only your own last move")
            refused += 1
        table.answer(hands(table))


def test_nobody_undoes_when_several_have_seen_all_racks() -> None:
    game = game_at("classic target=400", "1-5-5 / 2-5-5 1-1-2 / 3-5-5", "3-3-3")
    table = table_at_seats(game)
    send(table, "", "1")
    assert table.stage is Stage.ROUND_OVER
    assert said(table, "u").startswith("Only your own last move")


# --- One screen, several people ------------------------------------------------------------------


def test_the_screen_is_handed_over_between_people() -> None:
    table = people()
    assert seen(table) == (Stage.HANDOVER, None)
    assert said(table, "1") == "Ann: press Enter when you are at the screen."
    assert said(table, "rack") == "Racks are hidden now."
    assert send(table, "sheet") == Shown(Word.SHEET)
    send(table, "")
    assert seen(table) == (Stage.TURN, 0)
    send(table, "d", "y")
    assert seen(table) == (Stage.TURN, 0)
    send(table, "1-5-5", "1")
    assert seen(table) == (Stage.HANDOVER, 0)
    assert said(table, "2") == "Ben: press Enter when you are at the screen."
    send(table, "")
    assert seen(table) == (Stage.TURN, 2)


def test_one_person_against_bots_never_hands_over() -> None:
    table, hands = table_of(CLASSIC, "bot,Ann,bot", seed=2), Hands()
    for _ in range(40):
        bots_move(table)
        if table.stage is not Stage.TURN:
            break
        assert table.viewer == 1
        table.answer(hands(table))


def test_a_casual_draw_is_seen_before_the_screen_goes_on() -> None:
    game = game_at("casual", "0-1-2 0-1-3 / 1-5-5 2-5-5", "0-0-1 0-0-2")
    table = table_at(game, "Ann", "Ben")
    send(table, "", "d")
    assert seen(table) == (Stage.SECRET, 0)
    assert said(table, "1") == "Press Enter to continue."
    send(table, "")
    assert seen(table) == (Stage.HANDOVER, 0)


def test_a_casual_draw_can_be_taken_back_while_it_is_secret() -> None:
    table = table_at(game_at("casual", "0-1-2 / 1-5-5 2-5-5", "0-0-1 0-0-2"), "Ann", "Ben")
    send(table, "")
    before = state(table)
    send(table, "d", "u")
    assert state(table) == before


def test_a_match_without_people_waits_only_between_rounds() -> None:
    table = table_of(CLASSIC.with_changes({"target": 100}), "bot,bot:random", seed=4)
    assert table.viewer is None
    while table.stage is not Stage.MATCH_OVER:
        bots_move(table)
        if table.stage is Stage.ROUND_OVER:
            table.answer("")
    assert table.match.over


# --- Bots ----------------------------------------------------------------------------------------


def test_bots_get_a_view_of_their_own_seat_and_a_limit() -> None:
    shown: list[tuple[int | None, Limit | None]] = []
    table = table_of(CLASSIC, "Ann,bot", seed=6)
    real = table.bots[1]

    class Watched:
        name = "watched"

        def choose(self, view, limit=None):  # type: ignore[no-untyped-def]
            shown.append((view.seat, limit))
            return real.choose(view, limit)

    limit = Limit(milliseconds=5)
    table = Table(table.match, {1: Watched()}, limit)
    bots_move(table)
    send(table, table.menu.options[0].label)
    assert shown
    assert set(shown) == {(1, limit)}


def test_after_the_match_nobody_is_asked() -> None:
    table = table_at(game_at("classic", "1-5-5 / 0-0-0", "2-2-2"), "You")
    send(table, "1")
    assert table.stage is Stage.MATCH_OVER
    with pytest.raises(AssertionError):
        table.answer("")


def test_a_new_round_hides_everything_again() -> None:
    game = game_at("classic target=400", "1-5-5 / 2-5-5 1-1-2 / 3-5-5", "3-3-3")
    table = table_at_seats(game)
    send(table, "", "1", "")
    assert table.viewer is None
    assert table.stage is Stage.HANDOVER
