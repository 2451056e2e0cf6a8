"""Recovery phrases: seven made-up words that anybody can say and type, in any language.

A word is two syllables of a consonant and a vowel, so there are 4,096 of them. Seven carry 84 bits:
80 of chance, and 4 by which a slip of the pen is noticed before anything is looked up.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

CONSONANTS: Final = "bdfghjklmnprstvz"
VOWELS: Final = "aeio"
WORDS: Final = 7
_RANDOM_BITS: Final = 80
_CHECK_BITS: Final = 4
_COST: Final = {"n": 2**14, "r": 8, "p": 1}
"""Of scrypt: 16 MB and about 50 ms for every guess, for whoever has stolen the database."""


def _syllable(number: int) -> str:
    return CONSONANTS[number >> 2] + VOWELS[number & 3]


def _check(bits: int) -> int:
    digest = hashlib.sha256(bits.to_bytes(_RANDOM_BITS // 8, "big")).digest()
    return digest[0] >> (8 - _CHECK_BITS)


def spell(bits: int) -> str:
    """The phrase of 80 bits.

    >>> spell(0)
    'baba baba baba baba baba baba baba'
    """
    number = bits << _CHECK_BITS | _check(bits)
    words = [(number >> 12 * place) & 0xFFF for place in reversed(range(WORDS))]
    return " ".join(_syllable(word >> 6) + _syllable(word & 63) for word in words)


def new_phrase() -> str:
    """A phrase by chance."""
    return spell(secrets.randbits(_RANDOM_BITS))


def tidy(text: str) -> str | None:
    """A phrase as it was spelt, whatever separates its words; ``None`` if it is none.

    >>> tidy("  BABA-baba,baba baba baba baba baba ")
    'baba baba baba baba baba baba baba'
    """
    letters = re.sub(r"[^a-z]", "", text.casefold())
    if len(letters) != 4 * WORDS:
        return None
    number = 0
    for consonant, vowel in zip(letters[::2], letters[1::2], strict=True):
        if consonant not in CONSONANTS or vowel not in VOWELS:
            return None
        number = number << 6 | CONSONANTS.index(consonant) << 2 | VOWELS.index(vowel)
    found = spell(number >> _CHECK_BITS)
    return found if found.replace(" ", "") == letters else None


def look_up(phrase: str, key: bytes) -> str:
    """Under which id a phrase is stored; without the server's key nobody can compute it."""
    return hmac.new(key, phrase.encode(), "sha256").hexdigest()


def slow_hash(phrase: str) -> bytes:
    """What is stored of a phrase: a salt, and the hash with it."""
    salt = secrets.token_bytes(16)
    return salt + hashlib.scrypt(phrase.encode(), salt=salt, **_COST)


def matches(phrase: str, stored: bytes) -> bool:
    """Whether a phrase is the one of which *stored* is the hash."""
    made = hashlib.scrypt(phrase.encode(), salt=stored[:16], **_COST)
    return hmac.compare_digest(made, stored[16:])
