"""The catalogues of texts: what the checker finds, and that it finds nothing in ours."""

from __future__ import annotations

import pytest
from tools.words import check, same_texts, twice

from triomino.words import ENGLISH, languages, texts

OTHERS = [language for language in languages() if language != ENGLISH]


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_wrong(language: str) -> None:
    same = same_texts().get(language, set())
    assert check(language, texts(language), texts(ENGLISH), same) == []
    assert twice(language) == []


def test_nothing_is_wrong_in_english() -> None:
    english = texts(ENGLISH)
    assert check(ENGLISH, english, english, set(english)) == []
    assert twice(ENGLISH) == []


def test_only_languages_that_there_are_have_texts_as_in_english() -> None:
    assert set(same_texts()) <= set(OTHERS)


TILES = "{count, plural, one {one tile} other {# tiles}}"


@pytest.mark.parametrize(
    ("language", "own", "english", "said"),
    [
        ("de", "Zug", "Turn {name}", "lacks {name}"),
        ("de", "Zug {name}", "Turn", "has {name}"),
        ("de", "Zug {nome}", "Turn {name}", "lacks {name} and has {nome}"),
        ("de", "Zug {name", "Turn {name}", "a '}' is missing"),
        ("de", "Turn", "Turn", "as in English"),
        ("fr", "l'as", "ace", "straight quote"),
        ("he", "\u200f\u05d0", "a", "invisible sign"),
        ("de", "Zug ", "Turn", "space too many"),
        ("de", "Zug -5", "Turn −5", "a minus is −"),
        ("de", "Zug 5 %", "Turn 5%", "plain space beside a sign"),
        ("fr", "Tour : {name}", "Turn: {name}", "plain space beside a sign"),
        ("de", "{count, plural, other {# Steine}}", TILES, "'one' is missing, as for 1"),
        ("de", "{count, plural, one {ein Stein} few {#} other {#}}", TILES, "no plural form 'few'"),
        ("pl", "{count, plural, one {a} few {#} other {#}}", TILES, "'many' is missing, as for 0"),
        ("he", "{count, plural, one {a} other {#}}", TILES, "'two' is missing, as for 2"),
        ("fr", "{count, plural, one {une} other {#}}", TILES, "is for 0, 1 and has no #"),
        ("de", "{count, plural, one {ein} other {viele}}", TILES, "is for 0, 2, 3 and has no #"),
    ],
)
def test_it_finds_what_is_wrong(language: str, own: str, english: str, said: str) -> None:
    found = check(language, {"key": own}, {"key": english}, set())
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.parametrize(
    ("language", "own"),
    [
        ("pt", "{count, plural, one {uma peça} other {# peças}}"),
        ("fr", "{count, plural, =0 {rien} one {une tuile} other {# tuiles}}"),
        ("pl", "{count, plural, one {kamień} few {{count} kamienie} many {# kamieni} other {o}}"),
        ("he", "{count, plural, =2 {שתיים} one {אחת} other {#}}"),
    ],
)
def test_it_leaves_alone_what_is_right(language: str, own: str) -> None:
    assert check(language, {"key": own}, {"key": TILES}, set()) == []


def test_keys_stand_as_in_english() -> None:
    english = {"a": "One", "b": "Two", "c": "Three"}
    assert check("de", {"a": "Eins", "c": "Drei"}, english, set()) == []
    assert check("de", {"c": "Drei", "a": "Eins"}, english, set()) == [
        "c: stands where a should; keep the order of en.json"
    ]
    assert check("de", {"a": "Eins", "d": "Vier"}, english, set()) == [
        "d: there is no such text in en.json"
    ]


def test_what_is_as_in_english_is_named_and_what_is_named_is_so() -> None:
    english = {"a": "App", "b": "{name}: {points}", "c": "Three"}
    own = {"a": "App", "b": "{name}: {points}", "c": "Drei"}
    assert check("de", own, english, {"a"}) == []
    assert check("de", own, english, {"a", "c"}) == [
        "c: is named in same.json and is not as in English"
    ]
