"""Which texts can be shown at a table of cards, and whether they name a tile.

A text for cards has a key of its own that ends in ``.card``. Every text that a game with cards can
show has to have one, or has to name neither tile, rack nor pool, nor agree with one in gender.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from tools.web_data import UNASKED
from triomino.rulebook import guide
from triomino.rules import EDITIONS
from triomino.words import CARD, ENGLISH, texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

Pattern: TypeAlias = re.Pattern[str]

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "web" / "src"
PYTHON: Final = ROOT / "src" / "triomino"

SLOT: Final = re.compile(r"\{\w+\}|\{\w+, plural,")
TILE: Final = {
    "da": r"\bbrik(?!s)\w*|\bstativ\w*",
    "de": r"\b(Spiel)?[Ss]tein\w*|\bBänkchen\w*|\bTopf\w*",
    "en": r"\b(tile|rack|pool)s?\b",
    "es": r"\bfichas?\b|\bsoportes?\b|\bbote\b",
    "fi": r"\blaa(tt|ta|to)\w*|\bteline\w*|\bpino(?!k)\w*",
    # The act of drawing is a "pioche", too; only the place to draw from is not said of cards.
    "fr": r"\btuiles?\b|\bréglettes?\b|\b(de|dans|à) la pioche\b|\bla pioche (est|vide|n)\w*",
    "he": r"\b[ושהבלמכ]{0,3}(אבן|אבני\w*|אבנים|מעמד\w*|קופה|הקופה)\b",
    "it": r"\btesser[ae]\b|\bleggi[oi]+\b|\briserva\b",
    "nb": r"\bbrikke\w*|\bstativ\w*",
    "nl": r"\bste(en|nen)\b|\bplankjes?\b|\bpot\b",
    "pl": r"\b[Kk]amie[nń]\w*|\bpodstaw(k|ek)\w*|\bpul(a|i|ę|ą)\b",
    "pt": r"\bpeças?\b|\bsuportes?\b",
    # "i stället" only means "instead".
    "sv": r"\bbrick\w*|(?<!\bi )\bställ(et|ets|s)?\b",
}
"""The words for a tile, a rack and the pool."""
CARDS: Final = {
    "da": r"\bkort\w*",
    "de": r"\bKarten?\b",
    "en": r"\bcards?\b",
    "es": r"\bcartas?\b",
    "fi": r"\bkort(t|i|e)\w*",
    "fr": r"\bcartes?\b",
    "he": r"\w*קלפ?ף?\w*",
    "it": r"\bcart[ae]\b",
    "nb": r"\bkort\w*",
    "nl": r"\bkaart(en)?\b",
    "pl": r"\bkar(t|c)\w*",
    "pt": r"\bcartas?\b",
    "sv": r"\bkort\w*",
}
"""The words for a card: a text that names both is about both."""
GENDER: Final = {
    "da": r"\bden passer\b|\b(læg|behold|drej) den\b",
    "de": r"\bpasst er\b|\ber passt\b|\b(leg|behalte|dreh|zieh|tippe) ihn\b",
    "he": r"\b(נראתה|נמשכה|הונחה)\b|^מתאימה\b",
    "nb": r"\bden passer\b|\b(legg|behold|drei) den\b",
    "pl": r"\b(połóż|zatrzymaj|obróć) go\b|\bnim otworzyć\b|^(widziany|zatrzymany)$",
    "sv": r"\bden passar\b|\b(lägg|behåll|vrid) den\b|\b(behållen|sedd|dragen)\b",
}
"""Words that agree with a tile where a card has another gender."""


def faults(language: str, own: Mapping[str, str], shown: Collection[str]) -> list[str]:
    """Return each text of a table of cards that names a tile, or agrees with one."""
    tile, cards, agreeing = (
        re.compile(known.get(language, r"(?!)"), re.IGNORECASE) for known in (TILE, CARDS, GENDER)
    )
    out = []
    for key, text in own.items():
        said = SLOT.sub("", text)
        found = tile.search(said)
        if key.endswith(CARD):
            if found:
                out.append(f"{key}: says {found[0]!r}, and is for cards")
            continue
        found = found or agreeing.search(said)
        neutral = found is None or key + CARD in own or cards.search(said)
        if key in shown and found and not neutral:
            out.append(f"{key}: says {found[0]!r}, and can be shown at a table of cards")
    return out


@cache
def shown_with_cards() -> frozenset[str]:
    """Return the keys of all texts that a game with cards can show."""
    patterns = [*chain(_page_patterns(), _terminal_patterns())]
    keys = texts(ENGLISH)
    found = {key for key in keys if any(pattern.fullmatch(key) for pattern in patterns)}
    found |= {key for key in keys if key.startswith("rules.")}
    return frozenset(found - _about_tiles())


def _about_tiles() -> set[str]:
    """Return the keys of texts about editions with tiles, and of fields that no panel shows."""
    unasked = tuple(f"rule.{field}" for field in UNASKED)
    out = {key for key in texts(ENGLISH) if key.startswith(unasked)}
    with_cards: set[str] = set()
    for name, rules in EDITIONS.items():
        about = {f"edition.{name}.about", *(line.key for line in guide(rules).leaflet)}
        if rules.speaks_of_cards:
            with_cards |= about
        else:
            out |= about
    return out - with_cards


# --- Keys in the source --------------------------------------------------------------------------

_IMPORT: Final = re.compile(r"""(?:from|import)\s*\(?\s*"(\.[^"]+)\"""")
_TEXT: Final = re.compile(r"""["'`]([a-z]\w*\.[^"'`\s]*)["'`]""")
_HOLE: Final = re.compile(r"\$\{[^}]*\}")
CHOICE: Final = "usePieceWords("
"""What a page calls that shows games with cards."""


def _page_patterns() -> Iterator[Pattern]:
    """Yield what keys in the pages with cards, and in all they import, may look like."""
    for path in _page_files():
        for text in _TEXT.findall(path.read_text("utf-8")):
            # A message of another file: "why.${code}", chosen when it is shown.
            yield re.compile(r"[\w>=-]+(\.[\w>=-]+)*".join(map(re.escape, _HOLE.split(text))))


def _page_files() -> set[Path]:
    pages = [
        path
        for path in PAGE.rglob("*.svelte")
        if CHOICE in path.read_text("utf-8") and path.parent.name == "pages"
    ]
    found: set[Path] = set()
    while pages:
        path = pages.pop()
        if path not in found:
            found.add(path)
            # One page does not show another; it only links to it.
            pages += [one for one in _imports(path) if one.parent.name != "pages"]
    return found


def _imports(path: Path) -> Iterator[Path]:
    for name in _IMPORT.findall(path.read_text("utf-8")):
        base = (path.parent / name).resolve()
        for one in (base, base.with_name(f"{base.name}.ts")):
            if one.suffix in (".svelte", ".ts") and one.is_file():
                yield one


def _terminal_patterns() -> Iterator[Pattern]:
    """Yield what keys in the terminal's code may look like."""
    for path in (PYTHON / "terminal").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.compile(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                yield re.compile("".join(_piece(part) for part in node.values))


def _piece(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w>=.-]+"
