"""Python and the kernel agree on everything that is asked through its calls."""

from __future__ import annotations

import hashlib

import pytest

from tests.agreement.calls import (
    BONUSES,
    WHYS,
    Answer,
    Call,
    Compared,
    Pair,
    call_native,
    deal_numbers,
    judge_numbers,
    rule_numbers,
    seed_numbers,
)
from tests.agreement.walk import house_rules
from tests.effort import WHOLE, count
from triomino import CARD, CLASSIC, EDITIONS, Board, Draw, Place, Rng, Rules, Seeds, Why
from triomino.deal import deal
from triomino.judge import judge
from triomino.kernel import Effort
from triomino.kernel.state import index_of, tuple_of

LIGHT = Effort(rollouts=60, endgame_nodes=2000)


def play(pair: Pair, dice: Rng, most: int) -> Compared:
    """Play for so many moves, or to the end of the match, comparing at every step."""
    for _ in range(most):
        if pair.match.over:
            break
        game = pair.match.game
        if game.over:
            pair.compare()
            pair.next_round()
        moves = pair.compare()
        pair.compare_refusals(dice, moves)
        if not dice.randrange(8):
            pair.compare_worlds(dice.bits(), 3, dice.randrange(game.players))
        if not dice.randrange(40):
            pair.compare_search(LIGHT, dice.bits(), moves[dice.randrange(len(moves))])
        if not dice.randrange(30):
            level = ("random", "beginner", "easy", "greedy", "medium")[dice.randrange(5)]
            pair.compare_bot(level, dice.bits())
        pair.play(moves[dice.randrange(len(moves))])
        plies = len(pair.match.game.plies)
        if not pair.match.game.over and not dice.randrange(25):
            pair.undo(1 + dice.randrange(plies))
    pair.compare()
    pair.done.rounds = len(pair.match.rounds)
    if not pair.match.game.over:
        pair.abandon(None if dice.randrange(2) else dice.randrange(len(pair.match.players)))
        pair.compare()
    pair.close()
    return pair.done


@pytest.mark.parametrize("first", [0, 1000])
def test_matches_by_random_rules_agree(first: int) -> None:
    positions, seed = 0, first
    whys: set[Why] = set()
    while positions < count(4000):
        dice = Rng.named("calls", seed)
        rules = house_rules(dice)
        counts = list(rules.racks)
        players = counts[dice.randrange(len(counts))]
        seeds = Seeds(Seeds.named(2, "calls", seed).server, ("ab", "", "cd", "", "", "")[:players])
        done = play(Pair(rules, players, seeds), dice, most=80)
        positions += done.positions
        whys |= done.whys
        seed += 1
    assert len(whys) > 12


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_match_of_every_edition_agrees(edition: str) -> None:
    rules = EDITIONS[edition].with_changes({"target": 3 if edition == "casual" else 150})
    for players in rules.racks:
        dice = Rng.named("edition", edition, players)
        done = play(Pair(rules, players, Seeds.named(players, edition)), dice, most=250)
        assert done.positions > 40


@pytest.mark.parametrize("rules", [CLASSIC, CARD, CARD.with_changes({"tile_set": "76"})])
def test_searches_worlds_and_bots_agree(rules: Rules) -> None:
    """Also where the start depends on the racks, and whole histories are sampled."""
    for seed in range(count(10, least=2)):
        dice = Rng.named("search", seed)
        players = 2 + seed % 3
        pair = Pair(rules, players, Seeds.named(players, "search", seed))
        while not pair.match.game.over:
            moves = pair.match.game.legal_moves()
            if not dice.randrange(12):
                pair.compare_worlds(dice.bits(), 5)
                judges = bool(dice.randrange(2))
                pair.compare_search(Effort(rollouts=120, judges=judges), dice.bits())
                pair.compare_bot(("medium", "hard", "expert")[dice.randrange(3)], dice.bits())
            # Many draws: they say most about racks.
            draws = [move for move in moves if isinstance(move, Draw)]
            pair.play((draws if draws and dice.randrange(2) else moves)[0])
        pair.close()


@pytest.mark.parametrize("edition", EDITIONS)
def test_reviews_agree(edition: str) -> None:
    """Also of matches of several rounds, of bots, and of those that were given up."""
    done = Compared()
    for seed in range(count(20)):
        dice = Rng.named("review", edition, seed)
        rules = EDITIONS[edition].with_changes({"target": 2 if edition == "casual" else 40})
        players = [*rules.racks][dice.randrange(len(rules.racks))]
        pair = Pair(rules, players, Seeds.named(players, edition, seed))
        pair.done = done
        for _ in range(30 + dice.randrange(60)):
            if pair.match.game.over:
                if pair.match.over:
                    break
                pair.next_round()
            moves = pair.match.game.legal_moves()
            pair.play(moves[dice.randrange(len(moves))])
        if not pair.match.game.over and dice.randrange(2):
            pair.abandon(None)
        effort = Effort(rollouts=48, endgame_nodes=2000, judges=bool(dice.randrange(2)))
        bots = [("easy", None, "hard", "me")[dice.randrange(4)] for _ in range(players)]
        pair.compare_review(effort, bots)
        pair.close()
    assert done.decisions > 10


def test_a_recorded_match_is_opened_with_its_deals() -> None:
    pair = Pair(CLASSIC.with_changes({"target": 30}), 3, Seeds.named(3, "recorded"))
    while not pair.match.over:
        if pair.match.game.over:
            pair.next_round()
        pair.play(pair.match.game.legal_moves()[0])
    head = [*rule_numbers(pair.match.rules), 3]
    again = Answer(call_native(Call.OPEN_DEALT, [*head, *deal_numbers(pair.match)])).next()
    for number, game in enumerate(pair.match.rounds):
        if number:
            Answer(call_native(Call.NEXT_ROUND, [again]))
        for ply in game.plies:
            assert Answer(call_native(Call.PLAY, [again, *tuple_of(ply.move)])).next() == 0
    pair.close()
    pair.handle = again
    pair.compare()
    with pytest.raises(ValueError, match="no round follows"):
        pair.next_round()
    numbers = deal_numbers(pair.match)
    twice = [*numbers[:-1], numbers[-2]]
    for wrong in (numbers[:-1], twice, [0], [len(pair.match.rounds) + 1, *numbers[1:]]):
        with pytest.raises(ValueError, match=r"missing|twice|range"):
            Answer(call_native(Call.OPEN_DEALT, [*head, *wrong]))
    pair.close()


def test_cases_of_the_referee_agree() -> None:
    legal = 0
    for seed in range(10_000 if WHOLE else 60):
        dice = Rng.named("judge", seed)
        rules, strict = house_rules(dice), bool(dice.randrange(2))
        board = Board()
        laid: list[Place] = []
        for _ in range(dice.randrange(30)):
            places = board.placements(-1 & (1 << 76) - 1)
            if strict:
                places = [place for place in places if not place.tile.bit & board.laid]
            if not places:
                break
            crowded = [p for p in places if None not in board.corners(p.cell.key)]
            places = crowded if crowded and dice.randrange(2) else places
            laid.append(places[dice.randrange(len(places))])
            board.lay(laid[-1])
        head = judge_numbers(rules, strict, laid)
        places = board.placements((1 << 76) - 1)
        place = places[dice.randrange(len(places))]
        if not dice.randrange(3):
            place = Place(place.cell, place.tile.orientations[-1])
        case = {"rules": rules.changes, "strict": strict, "board": [*map(str, laid)]}
        expected = judge(case | {"place": str(place)})
        why, value, bonus, points = Answer(
            call_native(Call.JUDGE, [*head, *tuple_of(place)])
        ).rest()
        if expected["legal"]:
            assert (value, BONUSES[bonus], points) == tuple(
                expected[name] for name in ("value", "bonus", "points")
            )
            legal += 1
        assert WHYS[why] == expected["why"]
        tiles = [place.tile for place in places[:3]]
        answer = Answer(call_native(Call.PLACEMENTS, [*head, len(tiles), *map(index_of, tiles)]))
        found = sorted(str(answer.move()) for _ in range(answer.next()))
        assert found == judge(case | {"tiles": [*map(str, tiles)]})["placements"]
    assert legal > 20


def test_deals_and_hashes_agree() -> None:
    for seed in range(count(200)):
        dice = Rng.named("deal", seed)
        rules = house_rules(dice)
        counts = list(rules.racks)
        players, number = counts[dice.randrange(len(counts))], 1 + dice.randrange(12)
        seeds = Seeds(Seeds.named(1, seed).server, ("ff",) * players)
        key = Answer(call_native(Call.ROUND_KEY, [number, *seed_numbers(seeds)])).rest()
        starter = dice.randrange(players + 1) - 1
        answer = Answer(call_native(Call.DEAL, [*rule_numbers(rules), players, starter, *key]))
        expected = deal(rules, players, seeds.round(number), None if starter < 0 else starter)
        assert answer.next() == expected.starter
        draws = [(answer.next(), answer.next()) for _ in range(answer.next())]
        assert draws == [(draw.seat, index_of(draw.tile)) for draw in expected.start_draws]
        assert [tuple(answer.tiles()) for _ in range(players)] == list(expected.racks)
        assert tuple(answer.tiles()) == expected.pool
    for text in (b"", b"abc", bytes(range(200))):
        digest = bytes(Answer(call_native(Call.SHA256, [len(text), *text])).rest())
        assert digest == hashlib.sha256(text).digest()


def test_nonsense_is_refused() -> None:
    dice = Rng(1)
    good = [*rule_numbers(CLASSIC), 2, *seed_numbers(Seeds.named(2, "nonsense"))]
    for numbers in ([], good[:-1], [*good, 0], [-1, *good[1:]], [99, *good[1:]]):
        with pytest.raises(ValueError, match=r"missing|needed|range|tiles"):
            Answer(call_native(Call.OPEN, numbers))
    pair = Pair(CLASSIC, 2, Seeds.named(2, "nonsense"))
    for _ in range(count(40_000)):
        what = 1 + dice.randrange(len(Call) + 1)
        if what == Call.CLOSE:
            continue
        numbers = [dice.randrange(9) - 1 for _ in range(dice.randrange(24))]
        if dice.randrange(2):
            numbers[:1] = [pair.handle]
        if what in {Call.SEARCH, Call.SAMPLE, Call.CHOOSE, Call.ASSESS}:
            continue  # they may take long; their numbers are read like the others
        call_native(what, numbers)
    for _ in range(60):
        pair.close()
        pair.handle = Answer(call_native(Call.OPEN, good)).next()
    pair.close()
    with pytest.raises(ValueError, match="no such match"):
        pair.ask(Call.MATCH)
