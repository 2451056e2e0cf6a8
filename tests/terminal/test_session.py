"""Whole matches by scripted people, and what is on disk at every moment of them."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.terminal.playing import Hands, Paper, send, state, table_of, with_bots
from triomino import (
    CLASSIC,
    EDITIONS,
    Player,
    TriominoError,
    read_record,
    verify_deals,
    write_record,
)
from triomino.bots import CAST
from triomino.store.folder import write_atomically
from triomino.terminal.layout import Display
from triomino.terminal.lobby import PlayOptions, open_session
from triomino.terminal.narrator import Narrator
from triomino.terminal.saves import Save, read_save, unfinished
from triomino.terminal.session import Session
from triomino.terminal.table import Stage
from triomino.words import Words

if TYPE_CHECKING:
    from triomino.terminal.table import Table


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches the home folder."""
    folder = tmp_path / "data"
    monkeypatch.setenv("TRIOMINO_DATA", str(folder))
    return folder


def sit(table: Table, save: Save | None, seed: object = 1, display: Display | None = None) -> Paper:
    """One sitting with somebody who types at random, to the end of the match."""
    hands = Hands(seed)
    paper = (
        Paper(lambda _: hands(table)) if display is None else Paper(lambda _: hands(table), display)
    )
    session = Session(table, paper, save)
    session.run()
    paper.show(session.farewell())
    return paper


# --- Whole matches -------------------------------------------------------------------------------

MATCHES = [
    ("classic", "Ann,bot", None),
    ("classic", "Ann,Ben,bot:random", 300),
    ("classic", "bot,Ann,bot,Ben", None),
    ("classic-hebrew", "Ann,Ben", 300),
    ("classic-hebrew", "Ann,bot,bot,bot", None),
    ("six-player", "Ann,bot", None),
    ("six-player", "Ann,bot,Ben", 300),
    ("six-player", "Ann,bot,Ben,bot,bot", None),
    ("six-player", "Ann,Ben,Cleo,Dan,Eve,Finn", None),
    ("card", "Ann,bot", 60),
    ("card", "bot,Ann,Ben", None),
    ("card", "Ann,Ben,bot:random,bot", 300),
    ("casual", "Ann,bot", None),
    ("casual", "Ann,Ben", 2),
    ("casual", "bot,Ann,bot,bot", None),
    ("classic", "bot,bot:random", 300),
]


@pytest.mark.parametrize(
    ("edition", "seats", "target", "display"),
    [
        *((*match, None) for match in MATCHES),
        *((*match, Display(80, 24, color=True)) for match in MATCHES[1::3]),
    ],
)
def test_a_whole_match(
    edition: str, seats: str, target: int | None, display: Display | None, tmp_path: Path
) -> None:
    rules = EDITIONS[edition].with_changes({} if target is None else {"target": target})
    table, path = table_of(rules, seats, f"{edition} {seats}"), tmp_path / "match.json"
    paper = sit(table, Save(path), seats, display)
    assert table.stage is Stage.MATCH_OVER
    record = read_record(path.read_bytes())
    verify_deals(record)
    assert write_record(record) == write_record(table.match)
    result = json.loads(path.read_text())["result"]
    end = "\n".join(paper.pages[-1])
    for seat in result["winners"]:
        assert re.search(
            rf"^(Winner|A shared victory): .*\b{table.name(seat)}\b", end, re.MULTILINE
        ), end
    if rules.scoring:
        totals = re.findall(r"^Totals: (.*)\.$", end.replace("\n  ", " "), re.MULTILINE)
        shown = [int(part.split()[-1]) for part in totals[-1].split(", ")]
        assert shown == result["scores"]
    rounds = len(table.match.rounds)
    assert paper.text.count("is over.") == rounds
    assert paper.prompts.count("Enter for the next round. ") == rounds - 1
    assert rounds > 1 or target != 300, "choose another seed: this is to be a longer match"


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_what_a_label_offers_is_what_it_gives(edition: str) -> None:
    """The points beside a number on the screen are those the record gets."""
    table, hands = table_of(EDITIONS[edition], "Ann,bot", 12), Hands(12)
    offered: dict[tuple[int, int], int] = {}

    def type_and_note(_: str) -> str:
        line = hands(table)
        found = [text for text in paper.pages[-1] if text.startswith(f"{line}: ")]
        if table.stage is Stage.TURN and found:
            points = re.search(r", ([+-]\d+)", found[-1])
            at = len(table.match.rounds) - 1, len(table.game.plies)
            offered[at] = int(points[1]) if points else 0
        return line

    paper = Paper(type_and_note)
    Session(table, paper, None).run()
    given = {at: table.match.rounds[at[0]].plies[at[1]].points for at in offered}
    assert given == offered
    assert len(offered) > 3


# --- Saving --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", ["Ann,bot,bot:random", "Ann,Ben"])
def test_every_move_is_on_disk_before_it_is_shown(seats: str, tmp_path: Path) -> None:
    table, hands, path = table_of(CLASSIC, seats, 7), Hands(7), tmp_path / "match.json"
    asked = 0

    def look_and_type(_: str) -> str:
        nonlocal asked
        asked += 1
        saved = read_record(path.read_bytes())
        assert saved.game.plies == table.game.plies
        assert saved.game.position == table.game.position
        # Somebody who takes moves back is not written down.
        if asked % 5 == 0 and table.stage is Stage.TURN and table.can_undo:
            return "u"
        return hands(table)

    Session(table, Paper(look_and_type), Save(path)).run()
    assert asked > 10


def test_a_match_goes_on_from_its_file_as_if_nothing_had_happened(tmp_path: Path) -> None:
    for seats in ("Ann,bot", "Ann,bot,Ben"):
        path = tmp_path / f"{len(seats)}.json"
        table, hands = table_of(CLASSIC.with_changes({"target": 150}), seats, 11), Hands(11)
        save = Save(path)
        for _ in range(25):
            send(table, hands(table))
        save.keep(table.match)
        match, _ = read_save(path)
        again = with_bots(match)
        assert again.match.scores == table.match.scores
        assert again.game.position == table.game.position
        assert again.game.plies == table.game.plies
        assert len(again.match.rounds) == len(table.match.rounds)
        if seats == "Ann,bot":
            assert state(again) == state(table)
        else:
            # Nobody knows who sits before the screen now.
            assert again.viewer is None


def test_a_write_that_is_cut_off_leaves_the_old_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.json"
    write_atomically(path, "old\n")

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", cut)
        with pytest.raises(KeyboardInterrupt):
            write_atomically(path, "new\n")
    assert path.read_text() == "old\n"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            write_atomically(path, "new\n")
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["match.json"]
    write_atomically(path, "new\n")
    assert path.read_text() == "new\n"


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_atomically(tmp_path / "link.json", "text\n")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "text\n"


def test_two_windows_with_one_match_keep_both_lines_of_play(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    seed = next(n for n in range(99) if table_of(CLASSIC, "Ann,bot", n).game.starter == 0)
    Save(path).keep(table_of(CLASSIC, "Ann,bot", seed).match)
    (first, save_1), (second, save_2) = read_save(path), read_save(path)
    for match, save in ((first, save_1), (second, save_2)):
        table = with_bots(match)
        send(table, table.menu.options[0 if match is first else -1].label)
        save.keep(match)
    assert save_2.path == tmp_path / "match-2.json"
    assert read_save(path)[0].game.plies == first.game.plies
    assert read_save(save_2.path)[0].game.plies == second.game.plies
    assert first.game.plies != second.game.plies


def test_two_windows_that_chose_the_same_new_name_keep_both(tmp_path: Path) -> None:
    one, two = Save(tmp_path / "match.json"), Save(tmp_path / "match.json")
    matches = [table_of(CLASSIC, "Ann,bot", seed).match for seed in (1, 2)]
    one.keep(matches[0])
    two.keep(matches[1])
    assert one.path != two.path
    assert [read_save(save.path)[0].seeds for save in (one, two)] == [m.seeds for m in matches]


def test_a_full_disk_does_not_end_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, path = table_of(CLASSIC, "Ann,bot", 7), tmp_path / "match.json"
    hands = Hands(7)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    paper = Paper(lambda _: hands(table))
    session = Session(table, paper, Save(path))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        session.run()
    assert table.stage is Stage.MATCH_OVER
    assert f"Not saved: {os.strerror(errno.ENOSPC)}." in paper.text
    assert session.farewell()[-1].plain.startswith("Not saved")
    session.keep()
    assert session.trouble == ""
    assert read_record(path.read_bytes()).over


# --- The start -----------------------------------------------------------------------------------


def start(*lines: str, **options: object) -> tuple[Session, Paper]:
    paper = Paper(lines)
    return open_session(PlayOptions(**options), paper), paper  # type: ignore[arg-type]


def players(session: Session) -> list[tuple[str, str | None]]:
    return [(player.name, player.bot) for player in session.table.match.players]


def who_plays(session: Session) -> list[str]:
    """The names of people, and "bot" for each bot; the bots have different names of the cast."""
    names = [name for name, bot in players(session) if bot]
    assert len(set(names)) == len(names)
    assert set(names) <= set(CAST)
    return ["bot" if bot else name for name, bot in players(session)]


def test_a_bot_has_a_name_that_nobody_at_the_table_has() -> None:
    people = [name.upper() for name in list(CAST)[:5]]
    for seed in range(20):
        session, _ = start(edition="six-player", seats=",".join([*people, "bot"]), seed=seed)
        *_, (name, _) = players(session)
        assert name in list(CAST)[5:]


def test_the_same_seed_has_the_same_opponents_and_all_of_the_cast_are_met() -> None:
    met = [players(start(seed=seed)[0])[1][0] for seed in range(60)]
    assert met == [players(start(seed=seed)[0])[1][0] for seed in range(60)]
    assert set(met) == set(CAST)


def test_the_level_is_beside_the_name_and_hebrew_has_its_letters() -> None:
    bot = Player("Milo", "hard")
    assert Narrator(Words("en")).name_and_level(bot) == "Milo, Hard"
    assert Narrator(Words("de")).name_and_level(bot) == "Milo, Schwer"
    assert Narrator(Words("he")).display_name(bot) == "מילו"
    # A person called Milo keeps the letters they chose, and a bot with another name its name.
    assert Narrator(Words("he")).name_and_level(Player("Milo")) == "Milo"
    assert Narrator(Words("en")).name_and_level(Player("Robin", "hard")) == "Robin"
    session, _ = start(seed=1)
    name = players(session)[1][0]
    narrator = session.table.narrator
    assert narrator.standings(session.table.match)[1].startswith(f"{name}, Easy: ")


def test_enter_and_enter_is_a_round_of_classic_against_the_computer() -> None:
    session, paper = start("", "")
    (you, bot) = players(session)
    assert you == ("You", None)
    assert bot[0] in CAST
    assert bot[1] == "easy"
    assert session.table.match.rules == CLASSIC
    assert len(paper.prompts) == 2


@pytest.mark.parametrize(
    ("lines", "names", "edition", "target"),
    [
        (["Ann, Ben", "2"], ["Ann", "Ben"], "classic", 400),
        (["Ann and Ben", "card"], ["Ann", "Ben"], "card", 200),
        (["Ann,Ben,bot", "5"], ["Ann", "Ben", "bot"], "casual", None),
        (["Ann", "classic-hebrew"], ["Ann", "bot"], "classic-hebrew", None),
        (["3", ""], ["You", "bot", "bot"], "classic", None),
        # Five can play one game only, so nothing more is asked.
        (["a,b,c,d,e"], list("abcde"), "six-player", None),
        # Slips are explained, and the question comes again.
        (
            ["a,b,c,d,e,f,g", "Ann, Ann", "bot:gredy", "Ann", "9", "1"],
            ["Ann", "bot"],
            "classic",
            None,
        ),
    ],
)
def test_two_questions(
    lines: list[str], names: list[str], edition: str, target: int | None
) -> None:
    session, paper = start(*lines)
    assert who_plays(session) == names
    assert session.table.match.rules.edition == edition
    assert session.table.match.rules.target == target
    assert len(paper.prompts) == len(lines)


def test_slips_in_the_questions_are_explained() -> None:
    _, paper = start("a,b,c,d,e,f,g", "Ann, Ann", "bot:gredy", "Ann", "9", "1")
    assert "This game is for 2, 3, 4, 5, 6 players, not 7." in paper.text
    assert "Two players have the same name: Ann." in paper.text
    assert "did you mean 'greedy'?" in paper.text
    assert "Type a number from 1 to 6, or Enter for the first." in paper.text


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"edition": "card"}, ["You", "bot"]),
        ({"players": 4}, ["You", "bot", "bot", "bot"]),
        ({"seats": "Ann,bot:random,Ben"}, ["Ann", "bot", "Ben"]),
        ({"seats": "Ann,Ben", "players": 4}, ["Ann", "Ben", "bot", "bot"]),
        ({"seats": "Easy,bot"}, ["Easy", "bot"]),
        ({"seed": 1}, ["You", "bot"]),
        ({"seats": "bot, computer"}, ["bot", "bot"]),
    ],
)
def test_with_options_nothing_is_asked(options: dict[str, object], expected: list[str]) -> None:
    session, paper = start(**options)
    assert who_plays(session) == expected
    assert paper.prompts == []


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"edition": "clasic"}, "did you mean 'classic'?"),
        ({"players": 5}, "This game is for 2, 3, 4 players, not 5"),
        ({"players": 1}, "not 1"),
        ({"seats": "a,b,c", "players": 2}, "3 seats are named, but 2 players asked for"),
        ({"seats": "Ann,bot:gredy"}, "unknown bot 'gredy'; did you mean 'greedy'?"),
        ({"seats": "Ann,greedy:bot"}, "write bot:greedy"),
        ({"seats": "Ann,ann"}, "Two players have the same name: ann"),
        ({"seats": "Ann,,Ben"}, "is not a valid name"),
        ({"seats": "Ann,Be\tn"}, "is not a valid name"),
        ({"seats": "Ann," + "x" * 21}, "is not a valid name"),
        ({"target": 0}, "target"),
        ({"settings": ["bridge=3"]}, "bridge"),
        ({"rules": Path("missing.toml")}, "missing.toml"),
    ],
)
def test_wrong_wishes_are_refused(options: dict[str, object], reason: str, data: Path) -> None:
    with pytest.raises((TriominoError, OSError)) as caught:
        start(**options)
    assert reason in str(caught.value)
    assert not data.exists()


def test_the_same_seed_deals_the_same_and_no_seed_does_not() -> None:
    one, two = start(seed=3)[0].table.game, start(seed=3)[0].table.game
    assert one.start == two.start
    assert start(seed=4)[0].table.game.start != one.start
    fresh = [start(edition="classic")[0].table.game.start for _ in range(2)]
    assert fresh[0] != fresh[1]


def test_the_same_seed_and_lines_make_the_same_match(tmp_path: Path) -> None:
    records = []
    for name in ("one", "two"):
        path = tmp_path / name
        session, _ = start(seats="Ann,bot:random,bot", seed=5, save=path)
        hands = Hands(5)
        session.window = Paper(lambda _, session=session, hands=hands: hands(session.table))  # type: ignore[misc]
        session.run()
        records.append(path.read_text())
    assert records[0] == records[1]


# --- Going on ------------------------------------------------------------------------------------


def begun(seed: int = 1) -> Session:
    """A match left after its first move."""
    session, _ = start(seats="Ann,bot", seed=seed)
    session.window = Paper(["1"])
    with pytest.raises(EOFError):
        session.run()
    return session


def test_an_unfinished_match_is_offered() -> None:
    left = begun()
    session, paper = start("")
    assert session.table.game.plies == left.table.game.plies
    assert session.save is not None
    assert left.save is not None
    assert session.save.path == left.save.path
    assert f"Ann and {players(session)[1][0]} · Classic · round 1" in paper.text
    assert len(paper.prompts) == 1


def test_a_new_match_leaves_the_unfinished_one_alone(data: Path) -> None:
    left = begun()
    assert left.save is not None
    before = left.save.path.read_text()
    session, paper = start("what?", "n", "", "")
    assert session.table.game.plies == []
    assert f"It stays in {left.save.path}" in paper.text
    session.keep()
    assert left.save.path.read_text() == before
    assert len(os.listdir(data)) == 2


def test_the_newest_unfinished_match_is_offered(data: Path) -> None:
    old, new = begun(1), begun(2)
    assert old.save is not None
    assert new.save is not None
    os.utime(old.save.path, (1, 1))
    found = unfinished()
    assert found is not None
    assert found[1].path == new.save.path


def test_finished_and_damaged_matches_are_not_offered(data: Path) -> None:
    session = begun()
    sit(session.table, session.save)
    (data / "play-1.json").write_text("{")
    (data / "play-2.json").write_bytes(b"\xff\xfe")
    (data / "play-3.json").write_text("[" * 100_000)
    assert unfinished() is None
    _, paper = start("", "")
    assert "unfinished" not in paper.text


def test_without_a_data_folder_one_can_still_play(data: Path) -> None:
    data.write_text("a file where the folder should be")
    session, _ = start("", "")
    assert session.save is None
    assert session.trouble.startswith("This match cannot be saved")
    paper = Paper([])
    session.window = paper
    with pytest.raises(EOFError):
        session.run()
    assert "This match cannot be saved" in paper.text


def test_resume_from_a_named_file_writes_there(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "match.json"
    session, _ = start(seats="Ann,bot", seed=1, save=path)
    session, _ = start(resume=path)
    session.window = Paper(["1"])
    with pytest.raises(EOFError):
        session.run()
    assert read_record(path.read_bytes()).game.plies
    assert not data.exists()


def test_resume_with_another_file_to_save_in(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    start(seats="Ann,bot", seed=1, save=one)
    before = one.read_text()
    session, _ = start(resume=one, save=two)
    session.window = Paper(["1"])
    with pytest.raises(EOFError):
        session.run()
    assert one.read_text() == before
    assert read_record(two.read_bytes()).game.plies


def test_a_file_that_exists_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("precious")
    with pytest.raises(TriominoError, match="exists already"):
        start(seats="Ann,bot", save=path)
    assert path.read_text() == "precious"
    with pytest.raises(TriominoError, match="exists already"):
        start(seats="Ann,bot", save=tmp_path)
    with pytest.raises(TriominoError, match="there is no folder"):
        start(seats="Ann,bot", save=tmp_path / "missing" / "match.json")


def test_resume_takes_the_match_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    start(seats="Ann,bot", seed=1, save=path)
    with pytest.raises(TriominoError, match="leave out --edition"):
        start(resume=path, edition="card")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda text: text[:-20], "this is not JSON"),
        (lambda text: text.replace('"points": 0', '"points": 1').replace("+", "-"), None),
        (lambda text: text.replace('"format"', '"fromat"'), "did you mean 'format'?"),
        (lambda text: text.replace('"bot": "easy"', '"bot": "esy"'), "players[1].bot: unknown"),
        (lambda _: "", "this is not JSON"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(
    damage: object, reason: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "match.json"
    session = begun()
    assert session.save is not None
    text = session.save.path.read_text()
    assert callable(damage)
    path.write_text(damage(text))
    if reason is None:
        data = json.loads(text)
        data["rounds"][0]["turns"][0]["points"] += 1
        path.write_text(json.dumps(data))
        reason = "rounds[0].turns[0].points"
    before = path.read_bytes()
    with pytest.raises(TriominoError) as caught:
        start(resume=path)
    assert str(path) in str(caught.value)
    assert reason in str(caught.value)
    assert path.read_bytes() == before


def test_a_match_that_is_over_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    session, _ = start(seats="Ann,bot", seed=1, save=path)
    sit(session.table, session.save)
    with pytest.raises(TriominoError, match="this match is over"):
        start(resume=path)


# --- Pages on a screen ---------------------------------------------------------------------------


def test_a_long_page_stops_at_every_screen() -> None:
    table, hands = table_of(CLASSIC.with_changes({"target": 400}), "Ann,bot", 9), Hands(9)
    for _ in range(40):
        send(table, hands(table))
    asked = iter(["sheet", "q"])
    paper = Paper(lambda prompt: "" if prompt.startswith("Enter") else next(asked), Display(80, 12))
    Session(table, paper, None).run()
    pages = [page for page in paper.pages if page and page[-1].startswith("Enter for more")]
    assert len(pages) > 1
    assert all(len(page) <= 12 for page in pages)
    assert any(page[-1].startswith("Enter to go back.") for page in paper.pages if page)


def test_a_page_can_be_left_early() -> None:
    table, hands = table_of(CLASSIC.with_changes({"target": 400}), "Ann,bot", 9), Hands(9)
    for _ in range(40):
        send(table, hands(table))
    paper = Paper(["sheet", "q", "q"], Display(80, 12))
    Session(table, paper, None).run()
    assert len(paper.prompts) == 3


def test_a_long_prompt_is_wrapped_before_a_short_one() -> None:
    table = table_of(CLASSIC, "Ann with a long name,Ben with a long name", 1)
    paper = Paper(["q"], Display(40, 24))
    Session(table, paper, None).run()
    assert re.search(r"Now \w+ with a long name: take the\n  screen, then press Enter", paper.text)
    assert paper.prompts == ["> "]
    assert max(len(line) for page in paper.pages for line in page) <= 40


def test_plain_lines_are_not_told_again_after_a_slip() -> None:
    paper = Paper(["what?", "s", "q"])
    table = table_of(CLASSIC, "Ann,bot", 1)
    Session(table, paper, None).run()
    assert paper.text.count("Ann, your tiles:") == 1
    assert "“what?” is not known" in paper.text
    assert "This match is not saved." in paper.text
