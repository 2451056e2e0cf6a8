"""The rule book as the server sends it: keys and values, for a reader of any language."""

from __future__ import annotations

from triomino.protocol.api import RuleBook, RuleChapter, RuleDeal, RuleLine
from triomino.rulebook import deals, rulebook
from triomino.rules import EDITIONS, Rules
from triomino.words import variant


def book_of(rules: Rules) -> RuleBook:
    """Return the book of any rules, with what differs from their edition marked."""
    cards, base = rules.speaks_of_cards, EDITIONS[rules.edition]
    usual = [line for chapter in rulebook(base) for line in chapter.lines]
    usual_deals = deals(base)
    chapters = [
        RuleChapter(
            name=chapter.name,
            title=chapter.title,
            lines=[
                RuleLine(variant(line.key, cards=cards), dict(line.values), line not in usual)
                for line in chapter.lines
            ],
            figures=list(chapter.figures),
        )
        for chapter in rulebook(rules)
    ]
    return RuleBook(
        rules=rules.changes,
        cards=cards,
        chapters=chapters,
        deals=[RuleDeal(*deal, deal not in usual_deals) for deal in deals(rules)],
    )
