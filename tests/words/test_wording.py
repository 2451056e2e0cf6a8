"""What the texts say: cards at a table of cards, names, numbers, English, direction."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from tools import card_words, wording
from tools.words import check_wording, missing, unknown_keys

from triomino.rules import EDITIONS
from triomino.words import CARD, ENGLISH, FOLDER, Words, languages, texts

SHOWN = card_words.shown_with_cards()


@pytest.mark.parametrize("language", languages())
def test_nothing_is_wrong(language: str) -> None:
    assert check_wording(language, texts(language)) == []


def test_a_missing_text_is_found() -> None:
    assert missing({"a": "Eins"}, {"a": "One", "b": "Two"}) == ["b"]
    code = 'words.say("close"); words.say("no.such.key", name=1); words.say(key)'
    assert unknown_keys(code, texts(ENGLISH)) == ["no.such.key: there is no such text"]


def test_every_text_that_the_code_asks_for_is_there() -> None:
    for path in FOLDER.parent.rglob("*.py"):
        assert unknown_keys(path.read_text("utf-8"), texts(ENGLISH)) == [], path


# --- Cards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("da", "Læg brikken her"),
        ("da", "Den passer ikke der"),
        ("de", "Der Topf ist leer"),
        ("de", "Dort passt er nicht"),
        ("en", "Nothing fits on your rack"),
        ("es", "Quedan fichas"),
        ("fi", "Pino on tyhjä"),
        ("fi", "Valitse laatoista yksi"),
        ("fr", "La pioche est vide"),
        ("fr", "Posez la tuile"),
        ("he", "האבן לא מתאימה"),
        ("he", "נראתה"),
        ("it", "Ultima tessera"),
        ("nb", "Legg den der"),
        ("nl", "De pot is leeg"),
        ("pl", "Połóż go tutaj"),
        ("pl", "Nie ma kamieni"),
        ("pt", "A peça encaixa"),
        ("sv", "behållen"),
        ("sv", "På ditt ställ"),
    ],
)
def test_a_tile_at_a_table_of_cards_is_found(language: str, text: str) -> None:
    key = "status.noPlace"
    assert len(card_words.faults(language, {key: text}, SHOWN)) == 1
    # With a text of its own for cards it is right, unless that one names a tile as well.
    assert card_words.faults(language, {key: text, key + CARD: "…"}, SHOWN) == []
    assert card_words.faults(language, {"learn.place.do": text}, SHOWN) == []


@pytest.mark.parametrize("language", languages())
def test_a_text_for_cards_that_names_a_tile_is_found(language: str) -> None:
    tiles = texts(language)["players.tiles"]
    found = card_words.faults(language, {"key" + CARD: tiles}, SHOWN)
    assert len(found) == 1
    assert "is for cards" in found[0]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("sv", "Dra en gång i stället"),
        ("fr", "Après la dernière pioche permise"),
        ("fi", "Laatikossa on neljä pelaajaa"),
        ("en", "For a table with real tiles or cards"),
        ("en", "{tile} fits nowhere now"),
    ],
)
def test_what_only_looks_like_a_tile_is_left_alone(language: str, text: str) -> None:
    assert card_words.faults(language, {"status.noPlace": text}, SHOWN) == []


@pytest.mark.parametrize(
    "key",
    [
        *("status.open", "why.pool_empty", "why.must_place", "hint.points", "ask.cost"),
        *("pad.out", "pad.caution.pool_left", "referee.type", "referee.why.occupied"),
        *("fair.draws", "tiles.seen", "reason.others_left", "cli.why.must_draw", "cli.kept"),
        *("rules.draw.must", "rules.points", "rule.racks", "rule.blocked.subtract_own"),
        *("bot.hard.level", "edition.card.about", "rules.leaflet.reading.cards"),
    ],
)
def test_it_knows_what_a_table_of_cards_shows(key: str) -> None:
    assert key in texts(ENGLISH)
    assert key in SHOWN


@pytest.mark.parametrize(
    "key", ["learn.place.do", "home.padAbout", "edition.classic.about", "rules.leaflet.racks"]
)
def test_it_knows_what_a_table_of_cards_never_shows(key: str) -> None:
    assert key in texts(ENGLISH)
    assert key not in SHOWN


def test_the_words_for_tiles_and_cards_are_known_in_every_language() -> None:
    assert card_words.TILE.keys() == card_words.CARDS.keys() == set(languages())


# --- Names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "{name}’s turn"),
        ("de", "{name}s Steine"),
        ("de", "Das Blatt des {name}"),
        ("sv", "{names}s blad"),
        ("fi", "{name}lle"),
        ("fi", "{name}:n vuoro"),
        ("fi", "{name} vuoro"),
        ("pl", "Zapisz dla {name}"),
        ("pl", "{name} wygrała"),
        ("he", "רישום ל־{name}"),
        ("he", "ו{last}"),
    ],
)
def test_an_inflected_name_is_found(language: str, text: str) -> None:
    assert len([*wording.names(language, {"key": text})]) == 1


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Invitation from: {name}"),
        ("nl", "‘{name}’ is geen geldige naam"),
        ("fi", "{name} aloittaa"),
        ("pl", "{name} myśli…"),
        ("pl", "Zapisano w {path}"),
        ("he", "נשמר ב־{path}"),
    ],
)
def test_a_name_that_stays_as_it_is_is_left_alone(language: str, text: str) -> None:
    assert [*wording.names(language, {"key": text})] == []


# --- English -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A bridge brings 40 points.",
        "Who leaves keeps a column.",
        "You may draw although a tile fits.",
        "{percent} % to win",
        "Draw all the same?",
        "Players who are equal in front share the win.",
        "{file} is no record.",
        "The round is started by the neighbour on the left.",
        "When the pool is empty one may pass",
        "A draw: {names}",
    ],
)
def test_a_foreign_turn_is_found(text: str) -> None:
    text = text.replace("{percent} %", "{percent, plural, other {5 %}}")
    assert len([*wording.english({"key": text})]) == 1


def test_questions_may_begin_with_who() -> None:
    assert [*wording.english({"key": "Who plays? Press Enter,", "other": "Who starts"})] == []


# --- Numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("learn.bridge.done", "{points}: the sum plus 45 for the bridge."),
        ("learn.bridge.done", "{points}: the sum plus a bonus."),
        ("edition.classic.about", "56 tiles, for 2 to 6 players."),
        ("home.play", "Play to 400"),
        ("home.play", "{count, plural, one {one of 3} other {#}}"),
        ("analysis.none", "No move gave away 5% or more."),
        ("open.notRecord", "{file} is not in the triomino-record/1 format."),
    ],
)
def test_a_number_that_the_rules_do_not_have_is_found(key: str, text: str) -> None:
    assert len([*wording.numbers({key: text})]) == 1


def test_the_lesson_on_drawing_is_right_that_one_draws_three_times() -> None:
    assert EDITIONS["classic"].max_draws == 3


def test_every_number_that_is_accounted_for_stands_in_a_text() -> None:
    studied = {f"rule.tile_set.{name}" for name in ("4", "10", "20", "35", "11", "24", "45")}
    assert wording.facts().keys() - studied <= texts(ENGLISH).keys()


# --- Direction -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["קנס של −5", "ל 2–4 שחקנים", "+25 בסיום"])
def test_figures_that_would_be_turned_round_are_found(text: str) -> None:
    assert len([*wording.direction({"cli.key": text})]) == 1
    # The page isolates its figures itself.
    assert [*wording.direction({"learn.key": text})] == []


def test_signs_for_the_direction_take_no_room() -> None:
    hebrew = Words("he")
    for value in ("Ann", "1-2-3", "D(-1,0)", "דן"):
        marked = hebrew.isolated(value)
        assert len(marked) == len(value) + 2
        assert cell_len(marked) == cell_len(value)
