"""``python -m tools.words``: list what is missing or wrong in the texts of each language."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

from babel import Locale

from tools import card_words, wording
from triomino.words import ENGLISH, FOLDER, LOCALES, Words, languages, texts
from triomino.words.message import NUMBER, Message, MessageError, Plural, Slot, parse

Catalogue: TypeAlias = Mapping[str, str]

COUNTS: Final = range(1001)
"""The numbers that a plural must have a form for."""
STEERING: Final = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
STRAIGHT: Final = re.compile(r"['\"]")
LOOSE: Final = re.compile(r" %")
LOOSE_IN: Final = {"fr": re.compile(r" [%:;?!»]|« ")}
"""Signs that a line could begin or end with, where the space before or after them breaks."""
HYPHEN: Final = re.compile(r"(?<![\w)])-\d")


def check(language: str, own: Catalogue, english: Catalogue, same: set[str]) -> list[str]:
    """Return everything wrong with the texts of one language; missing ones are not wrong."""
    wrong = [f"{key}: there is no such text in en.json" for key in own if key not in english]
    known = [key for key in own if key in english]
    wanted = [key for key in english if key in own]
    for found, right in zip(known, wanted, strict=True):
        if found != right:
            wrong.append(f"{found}: stands where {right} should; keep the order of en.json")
            break
    for key in known:
        wrong += [f"{key}: {why}" for why in _text(language, key, own[key], english[key])]
        if own[key] == english[key] and key not in same and _has_words(english[key]):
            wrong.append(f"{key}: is as in English; translate it, or name it in same.json")
    for key in sorted(same):
        if own.get(key) != english.get(key):
            wrong.append(f"{key}: is named in same.json and is not as in English")
    return wrong


def check_wording(language: str, own: Catalogue) -> list[str]:
    """Return what is wrong with what the texts say, whatever stands in the English ones."""
    out = card_words.faults(language, own, card_words.shown_with_cards())
    out += [*wording.names(language, own), *wording.numbers(own)]
    if language == ENGLISH:
        out += wording.english(own)
    if Words(language).right_to_left:
        out += wording.direction(own)
    return out


def unknown_keys(code: str, english: Catalogue) -> list[str]:
    """Return the keys that Python code asks for and that have no text."""
    calls = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))
    said = (
        node.args[0].value
        for node in calls
        if isinstance(node.func, ast.Attribute)
        and node.func.attr == "say"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    )
    return [f"{key}: there is no such text" for key in map(str, said) if key not in english]


def missing(own: Catalogue, english: Catalogue) -> list[str]:
    """Return the keys that have no text yet; until then English is shown."""
    return [key for key in english if key not in own]


def _has_words(text: str) -> bool:
    """Whether there is anything to translate: ``{name}: {points}`` is the same everywhere."""
    return any(letter.isalpha() for letter in re.sub(r"\{\w+\}", "", text))


def _text(language: str, key: str, own: str, english: str) -> Iterator[str]:
    if STEERING.search(own):
        yield "holds an invisible sign for the direction; the program sets those"
    if STRAIGHT.search(own):
        yield "has a straight quote; write ’ or the quotes of the language"
    if own != own.strip() or "  " in own:
        yield "has a space too many"
    if LOOSE_IN.get(language, LOOSE).search(own):
        yield "has a plain space beside a sign; write a narrow one that does not break, U+202F"
    if HYPHEN.search(own) and not key.startswith("cli."):
        yield "has a hyphen before a number; a minus is −"
    try:
        message = parse(own)
    except MessageError as error:
        yield str(error)
        return
    have, need = _names(message), _names(parse(english))
    if have != need:
        lacks = ", ".join(f"{{{name}}}" for name in sorted(need - have))
        extra = ", ".join(f"{{{name}}}" for name in sorted(have - need))
        yield " and ".join(filter(None, [lacks and f"lacks {lacks}", extra and f"has {extra}"]))
    for plural in _plurals(message):
        yield from _forms(language, plural)


def _forms(language: str, plural: Plural) -> Iterator[str]:
    """Check that a plural has the forms of its language, each usable for all its numbers."""
    cases = dict(plural.cases)
    needed = _numbers(language)
    for form in cases:
        if form not in needed and form != "other" and not form.startswith("="):
            yield f"the language has no plural form {form!r}"
    for form, counts in needed.items():
        left = [count for count in counts if f"={count}" not in cases]
        if not left:
            continue
        if form not in cases:
            yield f"the plural form {form!r} is missing, as for {left[0]}"
        elif len(left) > 1 and not {NUMBER, plural.name} & _names(cases[form], numbers=True):
            some = ", ".join(map(str, left[:3]))
            yield f"the plural form {form!r} is for {some} and has no #"


@cache
def _numbers(language: str) -> dict[str, list[int]]:
    """Return the numbers that take each plural form of a language."""
    locale = Locale.parse(LOCALES.get(language, language))
    out: dict[str, list[int]] = {}
    for count in COUNTS:
        out.setdefault(locale.plural_form(count), []).append(count)
    return out


def _names(message: Message, *, numbers: bool = False) -> set[str]:
    """Return the names of the values in a message; with *numbers*, ``#`` as well."""
    out: set[str] = set()
    for part in message:
        if isinstance(part, Slot):
            out.add(part.name)
        elif isinstance(part, Plural):
            out.add(part.name)
            for _, inside in part.cases:
                out |= _names(inside, numbers=numbers)
    return out if numbers else out - {NUMBER}


def _plurals(message: Message) -> Iterator[Plural]:
    for part in message:
        if isinstance(part, Plural):
            yield part
            for _, inside in part.cases:
                yield from _plurals(inside)


def twice(language: str) -> list[str]:
    """Return the keys that occur more than once in a file; only the last would count."""

    def found(pairs: list[tuple[str, str]]) -> list[str]:
        keys = [key for key, _ in pairs]
        return sorted({key for key in keys if keys.count(key) > 1})

    text = (FOLDER / f"{language}.json").read_text("utf-8")
    out: list[str] = json.loads(text, object_pairs_hook=found)
    return out


def same_texts() -> dict[str, set[str]]:
    """Return, for each language, the keys whose text is rightly the same as in English."""
    found = json.loads((FOLDER / "same.json").read_text("utf-8"))
    return {language: set(keys) for language, keys in found.items()}


def main() -> None:
    """Print what is missing and what is wrong; exit with 1 if anything is."""
    english, same = texts(ENGLISH), same_texts()
    lost = [
        f"{path}: {line}"
        for path in sorted(FOLDER.parent.rglob("*.py"))
        for line in unknown_keys(path.read_text("utf-8"), english)
    ]
    print(*lost, sep="\n", end="\n" * bool(lost))
    good = not lost
    for language in languages():
        own = texts(language)
        wrong = check(language, own, english, same.get(language, set()) | _is_english(language))
        wrong += check_wording(language, own)
        wrong += [f"{key}: stands here twice" for key in twice(language)]
        left = missing(own, english)
        good = good and not wrong and not left
        print(f"{language}: {len(own)} texts, {len(left)} missing, {len(wrong)} wrong")
        for line in wrong:
            print(f"  {line}")
        for key in left:
            print(f"  {key}: missing; in English: {english[key]}")
    sys.exit(not good)


def _is_english(language: str) -> set[str]:
    return set(texts(ENGLISH)) if language == ENGLISH else set()


if __name__ == "__main__":
    main()
