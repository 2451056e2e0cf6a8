"""Checks of what the texts say: names, numbers, English and the direction of writing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias

from triomino.analysis.review import BANDS, Mark
from triomino.notation import POSITION_FORMAT
from triomino.record import RECORD_FORMAT
from triomino.rules import EDITIONS
from triomino.tile import TILE_SETS
from triomino.words import CARD
from triomino.words.message import NUMBER, Message, Plural, Slot, parse

Catalogue: TypeAlias = Mapping[str, str]

# --- People’s names ------------------------------------------------------------------------------

NAMES: Final = r"\{(?:name|names|first|last|winner|host)\}"
"""Values that are the names of people, which no text may inflect."""
_ATTACHED: Final = rf"\w{NAMES}|{NAMES}\w"
_GENITIVE: Final = rf"(?<!‘){NAMES}[’']"
_AROUND_NAMES: Final = {
    "en": (_GENITIVE,),
    "de": (_GENITIVE, rf"\b(?:dem|den|des|der) {NAMES}"),
    "da": (_GENITIVE,),
    "nb": (_GENITIVE,),
    "nl": (_GENITIVE,),
    "sv": (_GENITIVE,),
    "fi": (
        rf"{NAMES}:\w",
        rf"{NAMES} (?:kanssa|jälkeen|vuoro|puolesta|luona|mukaan|laatat|kortit|pisteet)\b",
    ),
    "pl": (
        rf"\b(?:bez|dla|do|ku|na|nad|o|od|po|pod|przed|przez|przy|u|w|z|za)\s{NAMES}",
        rf"{NAMES}:?\s\w+(?:[aeiyą]ł|ła|[aeiy]li)\b",
    ),
    "he": (rf"[\u05d0-\u05ea]\u05be?{NAMES}",),
}
"""What next to a name would need another form of it, besides letters that touch it."""


def names(language: str, own: Catalogue) -> Iterator[str]:
    """Yield each text that would inflect somebody's name, or agree with it in gender."""
    patterns = [re.compile(one) for one in (_ATTACHED, *_AROUND_NAMES.get(language, ()))]
    for key, text in own.items():
        for pattern in patterns:
            if found := pattern.search(text):
                yield f"{key}: {found[0]!r} inflects a name; names stay as they are"
                break


# --- English -------------------------------------------------------------------------------------

HABITS: Final = {
    r"\b[Bb]rings?\b": "a tile scores, a bonus earns",
    r"^Who (?!plays\b|starts\b|wins\b)\w+[^?]*[^?…]$": "whoever, or a player who",
    r"\b[Aa]lthough\b": "even if",
    r"\d ?} %|\d %": "no space before a percent sign",
    r"\ball the same\b": "anyway",
    r"\bat last\b": "in the end",
    r"\bfor ever\b": "permanently",
    r"\bequal in front\b": "tied for first place",
    r"\b(first|front) page\b": "home page",
    r"\bnot to be had\b": "not available",
    r"\bof anybody\b|\bof yours\b": "nobody’s, your",
    r"\bthe own\b": "their own",
    r"\b(is|are) (lying|standing) \w+ already\b|\blies \w+ \w+ already\b": "is already",
    r"\bone (may|can|could|must)\b": "you may",
    r"\bso many\b": "that many",
    r"\bwithout a line\b|\bthe line is\b": "offline, connection",
    r"\b(did not come|comes? back by itself)\b": "did not load, reconnects",
    r"\} is no \w|\bholds no (match|record|JSON)\b": "is not a, contains no",
    r"\bof the form\b": "in the … format",
    r"\b[Tt]ake (it )?again\b": "redo",
    r"^A draw:": "a tie, as a draw is of a tile",
    r"\b[Bb]y chance\b": "random",
    r"\bthe neighbour on the left(?! of\b)": "to the left of whom",
    r"\b(informations|advices|hardwares)\b": "no plural",
    r"\bsince \d+ (days?|hours?|minutes?)\b": "for",
}
"""Turns that are not English, though each word is; with what to say instead."""


def english(own: Catalogue) -> Iterator[str]:
    """Yield each English text with a turn that a native speaker would not use."""
    habits = {re.compile(pattern): better for pattern, better in HABITS.items()}
    for key, text in own.items():
        for pattern, better in habits.items():
            if found := pattern.search(text):
                yield f"{key}: {found[0]!r} is no habit of English; rather: {better}"


# --- Numbers -------------------------------------------------------------------------------------

_NOTATION: Final = re.compile(
    r"\b\d-\d-\d\b|[UD]\(-?\d+,-?\d+\)|\b[\w-]+/\d+\b|\bSHA-256\b|\(\D*134\D*\)|\b134\b"
)
"""Tiles, cells, formats and the like, whose digits are no numbers of the rules."""
_DIGITS: Final = re.compile(r"\d+")
_FORMAT: Final = re.compile(r"\btriomino-\w+/\d+\b")


@cache
def facts() -> dict[str, tuple[int, ...]]:
    """Return the numbers that a text has to name, by its key and as the rules have them."""
    classic, hebrew = EDITIONS["classic"], EDITIONS["classic-hebrew"]
    six = EDITIONS["six-player"]
    in_all = classic.max_draws * classic.draw_cost + classic.no_play_extra
    out: dict[str, tuple[int, ...]] = {
        "edition.classic.about": (len(classic.tiles), min(classic.racks), max(classic.racks)),
        "edition.classic-hebrew.about": (hebrew.draw_cost + hebrew.no_play_extra,),
        "edition.six-player.about": (len(six.tiles), min(six.racks), max(six.racks)),
        "new.luck": (10,),
        "learn.readyAbout": (classic.out_bonus,),
        "learn.draw.do": (classic.draw_cost,),
        "learn.draw.done": (classic.draw_cost,),
        "learn.bridge.do": (classic.bridge_bonus,),
        "learn.bridge.done": (classic.bridge_bonus,),
        "learn.hexagon.do": (classic.hexagon_bonuses[0],),
        "learn.hexagon.done": (classic.hexagon_bonuses[0],),
        "learn.redraw.done": (2 * classic.draw_cost, in_all),
        "learn.out.done": (classic.out_bonus,),
        "learn.span.done": (classic.bridge_bonus,),
        "learn.card.done": (EDITIONS["card"].target or 0,),
        "analysis.none": (round(100 * BANDS[Mark.INACCURACY]),),
        "pad.people.about": (0,),
        "rules.tiles.count": (0,),
        "rules.tiles.value": (0,),
        # An example of a place, and the ends of lists that are counted from one.
        "cli.help.number": (7,),
        "cli.said.noPlace": (1,),
        "cli.lobby.number": (1,),
        "cli.wrong.choice": (1,),
        "cli.wrong.name": (1,),
    }
    return out | {f"rule.tile_set.{name}": (len(TILE_SETS[name]),) for name in TILE_SETS}


def numbers(own: Catalogue) -> Iterator[str]:
    """Yield each text that names a number or format which the rules do not have there."""
    for key, text in own.items():
        for name in _FORMAT.findall(text):
            if name not in (RECORD_FORMAT, POSITION_FORMAT):
                yield f"{key}: nothing is written as {name} any more"
        wanted = Counter(facts().get(key.removesuffix(CARD), ()))
        for said in _variants(parse(text)):
            found = Counter(map(int, _DIGITS.findall(_NOTATION.sub("", said))))
            if found != wanted:
                have = ", ".join(map(str, sorted(found.elements()))) or "none"
                need = ", ".join(map(str, sorted(wanted.elements()))) or "none"
                yield f"{key}: has the numbers {have}; by the rules they are {need}"
                break


def _variants(message: Message) -> Iterator[str]:
    """Yield a message without its values, once for every form of its plurals."""
    longest = max((len(part.cases) for part in message if isinstance(part, Plural)), default=1)
    for number in range(longest):
        yield "".join(_plain(part, number) for part in message)


def _plain(part: str | Slot | Plural, number: int) -> str:
    match part:
        case str():
            return part
        case Slot():
            return "…"
        case Plural():
            _, inside = part.cases[min(number, len(part.cases) - 1)]
            return "".join(_plain(one, number) for one in inside if one != Slot(NUMBER))


# --- Direction -----------------------------------------------------------------------------------

_MOVING: Final = re.compile(r"(?<![\w)(])[+−-]\d|(?<![\w(=-])\d+\s?[–×=]\s?\d")
"""Signs and ranges, whose parts change places in a text from right to left."""
_TERMINAL: Final = ("cli.", "rules.")
"""Texts that the terminal writes as they are; the page isolates the figures in its own."""


def direction(own: Catalogue) -> Iterator[str]:
    """Yield what would be shown in the wrong order in a text from right to left."""
    for key, text in own.items():
        if key.startswith(_TERMINAL) and (found := _MOVING.search(text)):
            yield f"{key}: {found[0]!r} would be turned round; put it in as a value"
