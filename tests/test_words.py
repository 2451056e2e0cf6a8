"""The catalogues as Python reads them: which language, and how a message is written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from triomino.words import (
    ENGLISH,
    FOLDER,
    LanguageError,
    Words,
    _locale,
    language_named,
    language_of_shell,
    languages,
    texts,
    variant,
)
from triomino.words.message import MessageError, Plural, Slot, parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def other_catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """English and a little of some other languages, in a folder of their own."""
    monkeypatch.setattr("triomino.words.FOLDER", tmp_path)
    (tmp_path / "en.json").write_text((FOLDER / "en.json").read_text("utf-8"), "utf-8")
    plural = "{count, plural, one {# kamień} few {# kamienie} many {# kamieni} other {# kamienia}}"
    said = {
        "pl": {"cli.ofTiles": plural},
        "he": {"cli.over.left": "{name}: {tiles} = {points}"},
        "nb": {},
        "pt": {"close": "Fechar"},
        "de": {"close": "Schließen"},
    }
    for language, own in said.items():
        (tmp_path / f"{language}.json").write_text(json.dumps(own), "utf-8")
    (tmp_path / "same.json").write_text("{}", "utf-8")
    for function in (languages, texts):
        function.cache_clear()
    yield tmp_path
    for function in (languages, texts):
        function.cache_clear()


# --- Messages ------------------------------------------------------------------------------------


def test_a_plain_text_is_one_part() -> None:
    assert parse("Draw a tile first.") == ("Draw a tile first.",)
    assert parse("") == ()


def test_slots_and_plurals_are_read() -> None:
    (name, colon, plural) = parse("{name}: {n, plural, =0 {none} one {# tile} other {# of {all}}}")
    assert (name, colon) == (Slot("name"), ": ")
    assert isinstance(plural, Plural)
    assert dict(plural.cases) == {
        "=0": ("none",),
        "one": (Slot("#"), " tile"),
        "other": (Slot("#"), " of ", Slot("all")),
    }


@pytest.mark.parametrize(
    "text",
    [
        "{name",
        "name}",
        "{}",
        "{a b}",
        "{n, plural, one {# tile}}",
        "{n, plural, one {# tile} other {# tiles}",
        "{n, plural, one # other {#}}",
        "{n, plural}",
        "{n, select, a {b} other {c}}",
        "{n, plural, other {x} }}",
    ],
)
def test_a_text_with_wrong_braces_is_refused(text: str) -> None:
    with pytest.raises(MessageError, match="'"):
        parse(text)


def test_a_number_sign_outside_a_plural_is_only_a_sign() -> None:
    assert parse("# {n}") == ("# ", Slot("n"))


@pytest.mark.parametrize("language", languages())
def test_every_text_of_every_catalogue_is_well_formed(language: str) -> None:
    for text in texts(language).values():
        parse(text)


@pytest.mark.parametrize("language", languages())
def test_every_language_is_one_that_the_plural_rules_know(language: str) -> None:
    assert _locale(language).language == language


# --- Saying --------------------------------------------------------------------------------------


def test_an_exact_number_comes_before_its_form() -> None:
    words = Words(ENGLISH)
    said = [words.say("board.label", count=count) for count in (0, 1, 2, 1000)]
    assert said == [
        "Empty board",
        "Board with one tile",
        "Board with 2 tiles",
        "Board with 1,000 tiles",
    ]


def test_the_forms_are_those_of_the_language(other_catalogues: Path) -> None:
    words = Words("pl")
    said = [words.say("cli.ofTiles", count=count) for count in (1, 3, 5, 22, 12)]
    assert said == ["1 kamień", "3 kamienie", "5 kamieni", "22 kamienie", "12 kamieni"]


def test_nothing_is_many_in_portugal() -> None:
    form = {count: _locale("pt").plural_form(count) for count in (0, 1, 2)}
    assert form == {0: "other", 1: "one", 2: "other"}


def test_what_a_language_lacks_is_said_in_english_with_english_forms(
    other_catalogues: Path,
) -> None:
    words = Words("pl")
    assert words.say("rules.bridge.points", points=3) == "A bridge earns a bonus of 3 points."
    assert words.say("close") == "Close"


def test_values_are_isolated_in_hebrew_and_nowhere_else(other_catalogues: Path) -> None:
    values: dict[str, int | str] = {"name": "Ann", "tiles": "1-2-3", "points": -5}
    assert Words("he").say("cli.over.left", **values) == (
        "\u2066Ann\u2069: \u20661-2-3\u2069 = \u2066-5\u2069"
    )
    assert Words("he").isolated("דן") == "\u2068דן\u2069"
    assert Words("en").say("cli.over.left", **values) == "Ann, left over: 1-2-3 = -5"


def test_signs_and_thousands() -> None:
    words = Words(ENGLISH)
    assert [words.signed(points) for points in (51, -5, 0)] == ["+51", "-5", "+0"]
    assert words.number(-1234) == "-1,234"


def test_lists() -> None:
    words = Words(ENGLISH)
    assert [words.listed(["a", "b", "c"][:count]) for count in range(4)] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_the_card_game_has_its_own_words_where_they_differ() -> None:
    cards = Words(ENGLISH).of_cards(True)
    assert cards.say("cli.ofTiles", count=2) == "2 cards"
    assert cards.say("rules.pass.free") == Words(ENGLISH).say("rules.pass.free")
    assert variant("cli.ofTiles", cards=False) == "cli.ofTiles"


def test_texts_for_tiles_speak_of_no_cards() -> None:
    english = texts(ENGLISH)
    for key, text in english.items():
        if not key.startswith(("rules.", "cli.")):
            continue
        if key.endswith(".card"):
            assert key.removesuffix(".card") in english
        elif key + ".card" in english:
            words = {*text.lower().replace(",", " ").replace(".", " ").split()}
            assert not words & {"card", "cards", "hand", "hands", "stack"}, key


# --- Which language ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("de", "de"),
        ("DE_at.UTF-8", "de"),
        ("pt-BR", "pt"),
        ("pt_PT@euro", "pt"),
        ("no", "nb"),
        ("nn_NO.UTF-8", "nb"),
        ("nb", "nb"),
        ("iw", "he"),
        ("he_IL", "he"),
    ],
)
def test_a_language_is_found_by_its_names(name: str, language: str, other_catalogues: Path) -> None:
    assert language_named(name) == language
    assert language_of_shell({"LANG": name}) == language


@pytest.mark.parametrize("name", ["", "xx", "same", "klingon", "../en"])
def test_a_language_that_is_not_there_is_refused_by_name(name: str) -> None:
    with pytest.raises(LanguageError, match="no such language"):
        language_named(name)
    assert language_of_shell({"LANG": name}) == ENGLISH


def test_the_nearest_language_is_named() -> None:
    with pytest.raises(LanguageError, match="no such language 'ern'; did you mean 'en'"):
        language_named("ern")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LC_ALL": "pl_PL.UTF-8", "LC_MESSAGES": "de_DE", "LANG": "pt_PT"}, "pl"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_DE", "LANG": "pt_PT"}, "de"),
        ({"LANG": "pt_PT"}, "pt"),
        ({"LANG": "pt_PT", "LANGUAGE": "xx:nn:de"}, "nb"),
        ({"LANG": "pt_PT", "LANGUAGE": "xx"}, "pt"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "de_DE"}, "en"),
        ({"LANGUAGE": "de"}, "en"),
    ],
)
def test_the_shell_is_read_as_gettext_reads_it(
    environment: dict[str, str], language: str, other_catalogues: Path
) -> None:
    assert language_of_shell(environment) == language


def test_english_comes_first_and_only_catalogues_are_languages(other_catalogues: Path) -> None:
    assert languages() == ("en", "de", "he", "nb", "pl", "pt")
