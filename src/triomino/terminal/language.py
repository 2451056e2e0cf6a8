"""The language that a user reads."""

from __future__ import annotations

import os

from triomino.words import Words, language_named, language_of_shell


def words_for(language: str | None) -> Words:
    """Return the texts in *language*; without one, in the language of the shell."""
    return Words(language_named(language) if language else language_of_shell(os.environ))
