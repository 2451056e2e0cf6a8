"""Every language has every text, in the order of the English ones."""

from __future__ import annotations

import pytest

from triomino.words import ENGLISH, languages, texts


@pytest.mark.parametrize("language", languages())
def test_every_text_is_there(language: str) -> None:
    assert list(texts(language)) == list(texts(ENGLISH))


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty(language: str) -> None:
    assert [key for key, text in texts(language).items() if not text.strip()] == []


def test_all_thirteen_languages_are_there() -> None:
    leaflets = "da de en es fi fr he it nb nl pl pt sv"
    assert set(leaflets.split()) <= set(languages())
