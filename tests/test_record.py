"""Records and positions: both ways, and every kind of damage refused with its place."""

from __future__ import annotations

import copy
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import random_game, random_match
from tests.strategies import house_rules
from triomino import (
    CARD,
    CASUAL,
    CLASSIC,
    EDITIONS,
    Match,
    Player,
    Position,
    RecordError,
    Rules,
    Seeds,
    position_from_json,
    position_to_json,
    read_record,
    read_records,
    verify_deals,
    write_record,
)
from triomino.record import match_from, record_of

if TYPE_CHECKING:
    from collections.abc import Callable


@given(house_rules(), st.integers(0, 1000))
@settings(max_examples=30)
def test_a_finished_match_reads_back_to_the_same_bytes(rules: Rules, seed: int) -> None:
    rules = rules.with_changes({"target": None, "match_tie": "shared"})
    match = random_match(rules, min(rules.racks), seed)
    text = write_record(match)
    again = read_record(text)
    assert write_record(again) == text
    assert (again.scores, again.winners, again.players) == (
        match.scores,
        match.winners,
        match.players,
    )
    assert [game.plies for game in again.rounds] == [game.plies for game in match.rounds]
    verify_deals(again)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_unfinished_match_resumes_at_every_move(edition: str) -> None:
    rules = EDITIONS[edition]
    finished = random_match(rules.with_changes({"target": None}), 2, seed=4)
    match = Match.start(finished.rules, finished.players, finished.seeds)
    for ply in finished.game.plies:
        record = record_of(match)
        assert "result" not in record
        assert not {"end", "scores"} & set(record["rounds"][-1])
        resumed = read_record(write_record(match))
        assert resumed.game.position == match.game.position
        assert resumed.play(ply.move) == ply
        match.play(ply.move)
    assert write_record(match) == write_record(finished)


def test_a_match_between_two_rounds_resumes_with_the_same_next_deal() -> None:
    match = random_match(CLASSIC.with_changes({"target": 400}), 2, seed=8)
    first = Match(match.rules, match.players, match.rounds[:1], match.seeds)
    resumed = read_record(write_record(first))
    assert not resumed.over
    assert resumed.next_round().start == match.rounds[1].start


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_match_given_up_keeps_who_won_by_it(seat: int | None) -> None:
    match = Match.start(CLASSIC, [Player("Ann"), Player("Ben")], Seeds.named(2, "x"))
    match.play(match.game.legal_moves()[0])
    match.abandon(seat)
    record = record_of(match)
    assert record["rounds"][0]["end"]["reason"] == "abandoned"
    assert record["result"]["winners"] == ([] if seat is None else [1 - seat])
    assert match_from(record).winners == match.winners


def test_the_keys_are_those_of_the_format() -> None:
    record = record_of(random_match(CLASSIC.with_changes({"target": 400}), 2, seed=3))
    assert list(record) == ["format", "rules", "players", "fair", "rounds", "result"]
    assert record["rules"] == CLASSIC.to_json() | {"target": 400}
    assert list(record["rules"]) == [item.name for item in fields(Rules)]
    assert list(record["fair"]) == ["algorithm", "commitment", "server_seed", "player_seeds"]
    assert list(record["rounds"][0]) == [
        *("starter", "start_draws", "racks", "pool", "turns", "end", "scores"),
    ]
    turns = [turn for item in record["rounds"] for turn in item["turns"]]
    assert {tuple(turn) for turn in turns} >= {
        ("seat", "move", "points"),
        ("seat", "move", "tile", "points"),
        ("seat", "move", "points", "bonus"),
    }
    assert list(record["result"]) == ["scores", "winners"]


def test_an_edition_without_scoring_writes_no_points_and_no_bonus() -> None:
    for seed in range(8):
        record = record_of(random_match(CASUAL, 2, seed))
        for turn in record["rounds"][0]["turns"]:
            assert turn["points"] == 0
            assert "bonus" not in turn
        assert record["result"]["scores"] == [0, 0]


def test_extra_is_ignored_at_every_level() -> None:
    record = record_of(random_match(CLASSIC, 2, seed=3))
    plain = write_record(match_from(record))
    for part in (
        record,
        record["players"][0],
        record["fair"],
        record["rounds"][0],
        record["rounds"][0]["turns"][0],
        record["rounds"][0]["end"],
        record["result"],
    ):
        part["extra"] = {"clock": [1, 2, {"deep": None}]}
    assert write_record(match_from(record)) == plain


def test_a_record_without_seeds_replays_but_cannot_be_verified() -> None:
    record = record_of(random_match(CLASSIC, 2, seed=3))
    del record["fair"]
    match = match_from(record)
    with pytest.raises(RecordError, match=r"^fair: .*no seeds"):
        verify_deals(match)


def test_names_of_all_languages_are_kept() -> None:
    names = ["Zoë", "שרה"]
    match = Match.start(CLASSIC, [Player(name) for name in names], Seeds.named(2, "n"))
    text = write_record(match)
    assert names[1] in text
    assert [player.name for player in read_record(text.encode()).players] == names


# --- Damage --------------------------------------------------------------------------------------

MATCH = random_match(CLASSIC.with_changes({"target": 400}), 2, seed=3)
RECORD = record_of(MATCH)
DRAW = next(i for i, t in enumerate(RECORD["rounds"][0]["turns"]) if "tile" in t)
ROUND, PLACE = next(
    (i, j)
    for i, item in enumerate(RECORD["rounds"])
    for j, turn in enumerate(item["turns"])
    if "bonus" in turn
)


def change(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Put *value* at a dotted path; a callable value gets the old one."""

    def apply(record: dict[str, Any]) -> None:
        *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        node: Any = record
        for part in parents:
            node = node[part]
        node[last] = value(node[last]) if callable(value) else value

    return apply


def remove(path: str) -> Callable[[dict[str, Any]], None]:
    def apply(record: dict[str, Any]) -> None:
        *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        node: Any = record
        for part in parents:
            node = node[part]
        del node[last]

    return apply


def swap_racks(record: dict[str, Any]) -> None:
    racks = record["rounds"][0]["racks"]
    racks[0], racks[1] = racks[1], racks[0]


def move_a_tile_to_the_pool(record: dict[str, Any]) -> None:
    first = record["rounds"][0]
    first["pool"].append(first["racks"][0].pop())


def double_a_tile(record: dict[str, Any]) -> None:
    first = record["rounds"][0]
    first["racks"][0][0] = first["racks"][1][0]


def repeat_the_last_turn(record: dict[str, Any]) -> None:
    turns = record["rounds"][0]["turns"]
    turns.append(turns[-1])


def repeat_the_last_round(record: dict[str, Any]) -> None:
    record["rounds"].append(record["rounds"][-1])


T0 = "rounds.0.turns.0"
DAMAGE: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "format": (change("format", "triomino-record/3"), r"^format: 'triomino-record/2' is needed"),
    "unknown key": (change("frobs", 1), r"^unknown key 'frobs'"),
    "misspelt key": (change("result.winers", [0]), r"^result: unknown key .* 'winners'"),
    "no players": (remove("players"), r"^'players' is missing"),
    "one player": (remove("players.1"), r"^players: player count"),
    "nameless": (change("players.0.name", "  "), r"^players\[0\].name: a name has"),
    "edition": (change("rules.edition", "clasic"), r"^rules: .*did you mean 'classic'"),
    "rule": (change("rules.brige_rule", "strict"), r"^rules: .*did you mean 'bridge_rule'"),
    "rule value": (change("rules.target", -1), r"^rules: target: -1"),
    "rules change points": (change("rules.draw_cost", 4), r"^rounds\[0\].turns\[\d+\].points: -5"),
    "commitment": (change("fair.commitment", "0" * 64), r"^fair.commitment: it is not"),
    "server seed": (change("fair.server_seed", "xyz"), r"^fair: a server seed is 64"),
    "seed missing": (remove("fair.player_seeds.0"), r"^fair.player_seeds: 1 seeds for 2"),
    "algorithm": (
        change("fair.algorithm", "fair/0"),
        r"^fair.algorithm: 'fair/1' or 'fair/2' is needed",
    ),
    "starter": (change("rounds.0.starter", lambda s: 1 - s), r"^rounds\[0\].starter: . is written"),
    "start draw": (remove("rounds.0.start_draws.1"), r"^rounds\[0\].start_draws: .*not decided"),
    "start draw seat": (change("rounds.0.start_draws.0.seat", 1), r"start_draws: the wrong seats"),
    "start draw tile": (
        change("rounds.0.start_draws.0.tile", RECORD["rounds"][0]["racks"][0][0]),
        r"start_draws\[0\].tile: .* is not in it",
    ),
    "tile twice": (double_a_tile, r"^rounds\[0\]: tile .* was dealt twice"),
    "rack too small": (move_a_tile_to_the_pool, r"^rounds\[0\].racks: 2 racks with 9 tiles"),
    "racks exchanged": (swap_racks, r"^rounds\[0\].turns\[\d+\].move: .*: not_held"),
    "no such tile": (change("rounds.0.pool.0", "0-0-6"), r"^rounds\[0\].pool\[0\]: '0-0-6' is no"),
    "not in the set": (change("rounds.0.pool.0", "0-2-1"), r"^rounds\[0\]: .*56 tiles of the set"),
    "wrong seat": (change(f"{T0}.seat", lambda s: 1 - s), r"turns\[0\].seat: . is written"),
    "no move": (change(f"{T0}.move", "fly"), r"turns\[0\].move: 'fly' is no move"),
    "illegal move": (change(f"{T0}.move", "pass"), r"turns\[0\].move: pass: must_open"),
    "points": (change(f"{T0}.points", 99), r"turns\[0\].points: 99 is written, the rules give"),
    "points as text": (change(f"{T0}.points", "8"), r"turns\[0\].points: \"8\" is written"),
    "drawn tile": (change(f"rounds.0.turns.{DRAW}.tile", "5-5-5"), rf"turns\[{DRAW}\].tile: "),
    "drawn tile missing": (
        remove(f"rounds.0.turns.{DRAW}.tile"),
        rf"turns\[{DRAW}\]: 'tile' is mis",
    ),
    "tile without a draw": (
        change(f"{T0}.tile", "0-0-0"),
        r"turns\[0\].tile: this move has no tile",
    ),
    "bonus missing": (
        remove(f"rounds.{ROUND}.turns.{PLACE}.bonus"),
        rf"^rounds\[{ROUND}\].turns\[{PLACE}\]: 'bonus' is missing",
    ),
    "bonus wrong": (
        change(f"rounds.{ROUND}.turns.{PLACE}.bonus", "triple_hexagon"),
        rf"^rounds\[{ROUND}\].turns\[{PLACE}\].bonus: ",
    ),
    "bonus for nothing": (
        change(f"{T0}.bonus", "bridge"),
        r"turns\[0\].bonus: this move has no bonus",
    ),
    "turn lost": (remove("rounds.0.turns.3"), r"^rounds\[0\].turns\[3\]"),
    "turn after the end": (repeat_the_last_turn, r"turns\[\d+\]: the round was over before it"),
    "end missing": (
        remove("rounds.0.end"),
        r"^rounds\[0\]: the round is over, but 'end' is missing",
    ),
    "end reason": (change("rounds.0.end.reason", "lost"), r"^rounds\[0\].end.reason: \"lost\" is"),
    "end seats": (change("rounds.0.end.seats", [0, 1]), r"^rounds\[0\].end.seats: \[0, 1\] is"),
    "settlement": (change("rounds.0.end.points.0", 1000), r"^rounds\[0\].end.points: "),
    "scores": (change("rounds.0.scores.1", 1000), r"^rounds\[0\].scores: "),
    "round after the match": (repeat_the_last_round, r"^rounds\[\d+\]: the match was over"),
    "no round": (change("rounds", []), r"^rounds: a match has at least one round"),
    "result missing": (remove("result"), r"^the match is over, but 'result' is missing"),
    "result scores": (change("result.scores.0", -1), r"^result.scores: "),
    "winners": (change("result.winners", []), r"^result.winners: \[\] is written"),
    "winner as truth": (change("result.winners", True), r"^result.winners: true is written"),
    "a list for an object": (change("fair", []), r"^fair: an object is needed, not \[\]"),
    "an object for a list": (change("rounds", {}), r"^rounds: a list is needed, not \{\}"),
    "a text for a number": (change("rounds.0.starter", "0"), r"^rounds\[0\].starter: \"0\" is"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_refused_with_its_place_and_reason(kind: str) -> None:
    damage, reason = DAMAGE[kind]
    record = copy.deepcopy(RECORD)
    damage(record)
    with pytest.raises(RecordError, match=reason):
        match_from(json.loads(json.dumps(record)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("null", "an object is needed, not null"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe", "not UTF-8"),
        ('{"format": 1' + "0" * 5000 + "}", "not JSON|is needed"),
        ("NaN", "an object is needed"),
    ],
)
def test_what_is_no_record_is_refused(text: str | bytes, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        read_record(text)


def test_an_unfinished_round_has_no_end_and_the_next_waits_for_it() -> None:
    record = copy.deepcopy(RECORD)
    del record["result"]
    last = record["rounds"][-1]
    del last["turns"][-1], last["end"]
    with pytest.raises(RecordError, match=r"scores: the round is not over"):
        match_from(record)
    del last["scores"]
    assert not match_from(record).over
    record["rounds"].append(last)
    with pytest.raises(RecordError, match=r"the round before it is not over"):
        match_from(record)
    record["rounds"].pop()
    record["result"] = {"scores": [0, 0], "winners": [0]}
    with pytest.raises(RecordError, match=r"^result: the match is not over"):
        match_from(record)


def test_a_deal_that_the_seeds_do_not_give_is_found() -> None:
    match = random_match(CARD, 2, seed=9)
    verify_deals(match)
    record = record_of(match)
    record["rounds"][1]["pool"].reverse()
    del record["rounds"][1]["turns"][1:], record["rounds"][2:]
    record["rounds"][1].pop("end")
    record["rounds"][1].pop("scores")
    record.pop("result")
    with pytest.raises(RecordError, match=r"^rounds\[1\].pool: the seeds deal something else"):
        verify_deals(match_from(record))


def test_a_line_of_many_is_named() -> None:
    good = write_record(MATCH)
    assert len(list(read_records([good, "\n", good]))) == 2
    with pytest.raises(RecordError, match=r"^line 3: this is not JSON"):
        list(read_records([good, "\n", "nonsense"]))


# --- Positions -----------------------------------------------------------------------------------


@given(st.sampled_from(list(EDITIONS)), st.integers(0, 1000), st.integers(1, 60))
@settings(max_examples=40)
def test_a_position_reads_back(edition: str, seed: int, moves: int) -> None:
    game = random_game(EDITIONS[edition], 3, seed, moves)
    position = game.position
    data = json.loads(json.dumps(position_to_json(position)))
    assert position_from_json(data) == position
    hidden = Position(
        rules=position.rules,
        board=position.board,
        racks=(position.racks[0], None, None),
        rack_sizes=position.rack_sizes,
        pool=None,
        pool_size=position.pool_size,
        turn=0,
    )
    assert position_from_json(json.loads(json.dumps(position_to_json(hidden)))) == hidden


EXAMPLE: dict[str, Any] = {
    "format": "triomino-position/2",
    "rules": CLASSIC.to_json(),
    "board": ["U(0,0)=5-5-5"],
    "racks": [["1-5-5", "0-0-1"], None],
    "rack_sizes": [2, 7],
    "pool": ["2-2-2"],
    "pool_size": 1,
    "turn": 0,
    "drawn": [],
    "scores": [20, 0],
    "latched": False,
}


def test_the_written_position_has_the_keys_of_the_format_in_order() -> None:
    assert list(position_to_json(position_from_json(EXAMPLE)).items()) == list(EXAMPLE.items())


def test_the_rules_of_a_position_may_be_an_edition_and_what_differs() -> None:
    short = EXAMPLE | {"rules": {"edition": "classic"}}
    assert position_from_json(short) == position_from_json(EXAMPLE)
    without = {key: value for key, value in EXAMPLE.items() if key != "rules"}
    assert position_from_json(without) == position_from_json(EXAMPLE)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("format", "x", "^format: 'triomino-position/2' is needed"),
        ("board.0", "U(0,0)=5-5-6", r"^board\[0\]: '5-5-6' is no tile"),
        ("board", ["U(0,0)=5-5-5", "D(0,0)=5-4-4"], "the corners disagree"),
        ("board", ["U(0,0)=5-5-5", "U(0,0)=5-5-5"], "two tiles on one cell"),
        ("racks.0.0", "5-5-5", "tile 5-5-5 is there 2 times"),
        ("racks.0.0", "0-2-1", "is not in the set of 56"),
        ("rack_sizes", [3, 7], "rack 0 has 2 tiles, rack_sizes says 3"),
        ("rack_sizes", [2], "sizes and scores must be as many"),
        ("rack_sizes", [2, 60], "63|64 tiles in all"),
        ("pool_size", 2, "the pool has 1 tiles, pool_size says 2"),
        ("turn", 2, "there is no seat 2"),
        ("turn", True, "^turn: a whole number is needed"),
        ("drawn", ["2-2-2"], "drawn tile 2-2-2 is not on the rack"),
        ("drawn", ["1-5-5", "1-5-5"], "a tile was drawn twice"),
        ("scores", [1], "sizes and scores must be as many"),
        ("latched", 0, "^latched: true or false is needed"),
        ("rules", 5, "^rules: an edition's name"),
        ("rules", {"target": 5}, "^rules: 'edition' is missing"),
        ("frob", 5, "unknown key 'frob'"),
    ],
)
def test_a_contradiction_is_refused(path: str, value: object, reason: str) -> None:
    data = copy.deepcopy(EXAMPLE)
    change(path, value)(data) if path != "frob" else data.update(frob=value)
    with pytest.raises(RecordError, match=reason):
        position_from_json(data)
