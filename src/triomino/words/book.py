"""The rule book as the server sends it: keys and values, for a reader of any language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triomino.protocol.api import (
    RuleAnswer,
    RuleBook,
    RuleChapter,
    RuleDeal,
    RuleLine,
    RuleScore,
    RuleSum,
    RuleTry,
)
from triomino.rulebook import deals, guide, paragraphs, rulebook
from triomino.rules import EDITIONS, Rules
from triomino.words import variant

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from triomino.rulebook import Answer, Line, ScoreRow


def book_of(rules: Rules) -> RuleBook:
    """Return the book of any rules, with what differs from their edition marked."""
    cards, base = rules.speaks_of_cards, EDITIONS[rules.edition]
    usual = [line for chapter in rulebook(base) for line in chapter.lines]
    usual_deals = deals(base)
    chapters = [
        RuleChapter(
            name=chapter.name,
            title=chapter.title,
            lines=_lines(chapter.lines, usual, cards=cards),
            figures=list(chapter.figures),
        )
        for chapter in rulebook(rules)
    ]
    own, standard = guide(rules), guide(base)
    return RuleBook(
        rules=rules.changes,
        cards=cards,
        chapters=chapters,
        deals=[RuleDeal(*deal, deal not in usual_deals) for deal in deals(rules)],
        minute=_lines(own.minute, standard.minute, cards=cards),
        scores=[_score(row, row not in standard.scores, cards=cards) for row in own.scores],
        answers=[_answer(answer, cards=cards) for answer in own.answers],
        sums=[
            RuleSum(
                variant(one.line.key, cards=cards),
                dict(one.line.values),
                one.start,
                list(one.parts),
                one.total,
            )
            for one in own.sums
        ],
        misses=list(own.misses),
        advice=_lines(own.advice, own.advice, cards=cards),
        leaflet=_lines(own.leaflet, own.leaflet, cards=cards),
        paragraphs={
            why.value: variant(key, cards=cards) for why, (_, key) in paragraphs(rules).items()
        },
    )


def _lines(lines: Iterable[Line], usual: Collection[Line], *, cards: bool) -> list[RuleLine]:
    return [
        RuleLine(variant(line.key, cards=cards), dict(line.values), line not in usual)
        for line in lines
    ]


def _score(row: ScoreRow, changed: bool, *, cards: bool) -> RuleScore:
    return RuleScore(
        key=variant(row.line.key, cards=cards),
        values=dict(row.line.values),
        points=row.points,
        worth=row.worth,
        figure=row.figure,
        changed=changed,
    )


def _answer(answer: Answer, *, cards: bool) -> RuleAnswer:
    return RuleAnswer(
        name=answer.name,
        question=variant(answer.question, cards=cards),
        key=variant(answer.line.key, cards=cards),
        values=dict(answer.line.values),
        yes=answer.yes,
        source=answer.source.value,
        figure=answer.figure,
        tries=[RuleTry(one.move, one.why, one.points) for one in answer.tries],
    )
