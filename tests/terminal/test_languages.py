"""The terminal in every language: a whole match, and nothing left in English by the program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Here, triomino
from tests.terminal.playing import Hands, Paper, with_bots
from triomino import EDITIONS, Match, Seeds
from triomino.errors import Why
from triomino.scoring import Reason
from triomino.terminal.commands import Word
from triomino.terminal.info_pages import page
from triomino.terminal.layout import Display
from triomino.terminal.lobby import PlayOptions, open_session
from triomino.terminal.seats import read_seats
from triomino.terminal.session import Session
from triomino.terminal.table import Stage
from triomino.words import Words, languages, texts

if TYPE_CHECKING:
    from pathlib import Path

    from triomino.terminal.table import Table

GAMES = ["classic", "card", "casual", "six-player", "classic-hebrew"]


def table_in(language: str, edition: str) -> Table:
    rules, words = EDITIONS[edition].with_changes({"target": None}), Words(language)
    players = read_seats(None, 3, rules, words.say("you"))
    return with_bots(Match.start(rules, players, Seeds.named(3, "test", edition)), words)


@pytest.mark.parametrize(("number", "language"), [*enumerate(languages())])
@pytest.mark.parametrize("plain", [True, False])
def test_a_match_from_start_to_end(number: int, language: str, plain: bool) -> None:
    table = table_in(language, GAMES[number % len(GAMES)])
    words, hands = table.narrator.words, Hands(number)
    display = Display(10_000, 24, plain=True) if plain else Display(80, 24)
    paper = Paper(lambda _: hands(table), display)
    session = Session(table, paper, None)
    session.run()
    paper.show(session.farewell())
    assert table.stage is Stage.MATCH_OVER
    assert paper.prompts[-1] == words.say("cli.prompt.your") + " "
    end = words.say("pad.roundOver", round=1)
    assert f"{end}." in paper.text
    assert words.say("cli.save.none") in paper.text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("edition", ["classic", "card"])
def test_every_answer_and_every_page_can_be_said(language: str, edition: str) -> None:
    table = table_in(language, edition)
    narrator = table.narrator
    for why in Why:
        assert narrator.why(why)
    for reason in Reason:
        assert narrator.reason(reason)
    while table.stage is Stage.BOT:
        table.bot_move()
    for what in (Word.SHEET, Word.RACK, Word.BOARD, Word.RULES, Word.HELP):
        for display in (Display(80, 24), Display(10_000, plain=True)):
            assert page(table, what, display)


def test_a_name_nobody_gave_is_you_in_the_language(tmp_path: Path) -> None:
    paper = Paper(["", "q"])
    options = PlayOptions(players=2, save=tmp_path / "match.json", language="fr")
    session = open_session(options, paper)
    assert session.table.name(0) == texts("fr")["you"]


def test_the_questions_at_the_start_are_asked_in_the_language(tmp_path: Path) -> None:
    paper = Paper(["Ann, Ann", "Ann, Ben", "99", "1"])
    open_session(PlayOptions(save=tmp_path / "match.json", language="de"), paper)
    words = Words("de")
    for key in ("cli.lobby.who", "cli.lobby.whoNames", "cli.lobby.game"):
        assert words.say(key) in paper.text
    assert words.say("cli.wrong.twice", name="Ann") in paper.text
    assert words.say("cli.wrong.choice", most=6) in paper.text
    assert words.say("match.to", edition=words.say("edition.classic"), target=400) in paper.text
    assert paper.prompts[0] == words.say("cli.lobby.players") + " "


def test_the_language_of_the_shell_and_of_the_option() -> None:
    by_shell = triomino("rules", LC_ALL="", LANG="pl_PL.UTF-8")
    by_option = triomino("rules", "--language", "pl", LC_ALL="C.UTF-8")
    english = triomino("rules", LC_ALL="C.UTF-8")
    assert by_shell.out == by_option.out != english.out
    assert Words("pl").say("rules.chapter.win") in by_shell.out


def test_an_unknown_language_is_refused_in_one_line(here: Here) -> None:
    for command in (["rules"], ["play", "--players", "2"]):
        result = here(*command, "--language", "klingon")
        assert result.code == 2
        assert "no such language 'klingon'" in result.complaint


def test_hebrew_is_plain_lines_with_isolated_numbers(here: Here) -> None:
    result = here("rules", "--language", "he", columns=200)
    assert "┃" not in result.out
    # No table is drawn; the lines of the figures are.
    assert "───────" not in result.out
    assert "\u20665-5-5\u2069" not in result.out
    assert "\u20665-5-5\u2069" in here("rules", "-e", "card", "--language", "he").out
    table = table_in("he", "classic")
    while table.stage is Stage.BOT:
        table.bot_move()
    news = "\n".join(table.narrator.news(table.match, None, knows=None))
    bare = re.sub("\u2066[^\u2069]*\u2069", "", news)
    assert not re.search(r"[0-5]-[0-5]-[0-5]|[+-]\d", bare)
