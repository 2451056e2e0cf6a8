"""The game as a tree: chance, perfect recall, and nothing that a seat may not know."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations

import pytest

from tests.effort import count
from triomino import CARD, CLASSIC, EDITIONS, Rng, Tile, TriominoError, View
from triomino.env.tree import CHANCE, TERMINAL, Node, Variant

SMALL = CLASSIC.with_changes({"tile_set": "10", "racks": {2: 2, 3: 2}})
TINY = Variant(CLASSIC.with_changes({"tile_set": "4", "racks": {2: 1}}), starter=0)

HANDS = tuple(tuple(map(Tile.parse, hand.split())) for hand in ("0-0-1 1-2-2", "0-0-0 0-1-2"))
CHOSEN = Variant(SMALL, starter=1, hands=HANDS)


def random_node(variant: Variant, dice: Rng, most: int = 400) -> Node:
    """A node some way down the tree, after the deal."""
    node = variant.root()
    moves = dice.randrange(most)
    while node.player != TERMINAL and (len(node.log) < moves or node.state is None):
        step(node, dice)
    return node


def step(node: Node, dice: Rng) -> None:
    if node.player == CHANCE:
        outcomes = node.chance_outcomes()
        assert sum(p for _, p in outcomes) == pytest.approx(1)
        assert all(p > 0 for _, p in outcomes)
        node.apply(outcomes[dice.randrange(len(outcomes))][0])
    else:
        actions = node.legal_actions()
        node.apply(actions[dice.randrange(len(actions))])


def variants() -> list[Variant]:
    found = [
        Variant(rules.with_changes({"target": None}), players)
        for rules in EDITIONS.values()
        for players in rules.racks
    ]
    part = tuple(map(Tile.parse, ["0-0-0", "0-0-1", "0-1-1", "1-1-1", "0-0-2", "0-1-2", "1-2-2"]))
    return [*found, Variant(SMALL), Variant(SMALL, 3), Variant(SMALL, 2, part, 1), TINY, CHOSEN]


def test_rounds_end_and_equal_the_rules_in_python() -> None:
    dice = Rng(1)
    for variant in variants():
        node = random_node(variant, dice, most=10_000)
        while node.player != TERMINAL:
            step(node, dice)
        game = node.game()
        assert game.over
        assert node.state is not None
        assert list(node.state.totals) == game.totals
        assert sum(node.returns()) == pytest.approx(0)
        assert len(node.log) <= variant.longest
        assert max(map(abs, node.returns())) <= variant.most_points
        again = variant.root()
        for outcome in node.history():
            again.apply(outcome)
        assert again.history() == node.history()
        assert again.returns() == node.returns()


def test_every_rack_is_equally_likely() -> None:
    variant = Variant(SMALL, 2, starter=0)
    chances: Counter[tuple[int, ...]] = Counter()

    def deal(node: Node, chance: Fraction) -> None:
        if len(node.racks[0]) == 2:
            chances[tuple(node.racks[0])] += chance  # type: ignore[assignment]
            return
        for tile, p in node.chance_outcomes():
            after = node.copy()
            after.apply(tile)
            deal(after, chance * Fraction(p).limit_denominator(1000))

    deal(variant.root(), Fraction(1))
    assert chances == Counter(dict.fromkeys(combinations(range(10), 2), Fraction(1, 45)))


def test_equal_information_states_are_exactly_equal_views() -> None:
    """What a seat has seen is its view, which the rules in Python keep."""
    dice = Rng(2)
    variant = Variant(SMALL, 2)
    seen: dict[int, dict[str, list[View]]] = {0: defaultdict(list), 1: defaultdict(list)}
    for _ in range(count(6000)):
        node = random_node(variant, dice, most=5)
        if node.player in {TERMINAL, CHANCE}:
            continue
        for seat in (0, 1):
            seen[seat][node.information_state(seat)].append(View.of(node.game(), seat))
    repeated = 0
    for found in seen.values():
        firsts = [views[0] for views in found.values()]
        for views in found.values():
            repeated += len(views) > 1
            assert all(view == views[0] for view in views[1:])
        keys = {repr(view) for view in firsts}
        assert len(keys) == len(firsts)
    assert repeated > 3


def test_information_states_never_forget() -> None:
    """From any state of a seat its earlier ones follow: each is longer, and begins with it."""
    dice = Rng(3)
    for variant in variants()[::3]:
        node = variant.root()
        before = [node.information_state(seat) for seat in range(variant.players)]
        while node.player != TERMINAL:
            step(node, dice)
            for seat, last in enumerate(before):
                now = node.information_state(seat)
                if node.log:
                    assert now.startswith(last.removesuffix(" drawing")) or "moves " not in last
                before[seat] = now


def test_hidden_tiles_do_not_show() -> None:
    """A resampled world has the same information state; the hidden tiles differ."""
    dice = Rng(4)
    differ = 0
    for variant in variants():
        for _ in range(2):
            node = random_node(variant, dice, most=20)
            if node.player == TERMINAL:
                continue
            for seat in range(variant.players):
                world = node.resample(seat, dice)
                assert world.information_state(seat) == node.information_state(seat)
                assert world.player == node.player
                if node.player == seat:
                    assert world.legal_actions() == node.legal_actions()
                differ += world.history() != node.history()
    assert differ > 20


def test_resampling_is_uniform() -> None:
    """Every deal that seat 0 cannot tell apart comes equally often."""
    variant = Variant(SMALL, 2, starter=0)
    node = variant.root()
    for tile in (0, 9, 3, 4):
        node.apply(tile)
    dice, found = Rng(5), Counter[tuple[int, ...]]()
    rounds = 2800
    for _ in range(rounds):
        found[tuple(node.resample(0, dice).racks[1])] += 1
    assert len(found) == 28
    expected = rounds / 28
    assert sum((n - expected) ** 2 / expected for n in found.values()) < 60


def test_hands_can_be_chosen() -> None:
    node = CHOSEN.root()
    while node.state is None:
        assert [chance for _, chance in node.chance_outcomes()] == [1.0]
        node.apply(node.chance_outcomes()[0][0])
    assert node.game().racks == [sorted(hand) for hand in HANDS]
    dice, drawn = Rng(5), Counter[int]()
    for _ in range(40):
        node = random_node(CHOSEN, dice, most=9)
        if node.player == TERMINAL:
            continue
        for seat in range(2):
            other = node.resample(seat, dice)
            assert other.information_state(seat) == node.information_state(seat)
            drawn.update(now != then for now, then in zip(other.log, node.log, strict=True))
    assert drawn[True] > 5
    for hands in (HANDS[:1], (HANDS[0], HANDS[0]), (HANDS[0], HANDS[1][:1])):
        with pytest.raises(TriominoError, match="hand"):
            Variant(SMALL, hands=hands)
    with pytest.raises(TriominoError, match="chosen"):
        CHOSEN.root().apply(9)


def test_copies_are_independent() -> None:
    dice = Rng(6)
    for variant in variants()[::4]:
        node = random_node(variant, dice, most=10)
        other = node.copy()
        before = other.history()
        while node.player != TERMINAL:
            step(node, dice)
        assert other.history() == before


def test_what_is_wrong_is_refused() -> None:
    with pytest.raises(TriominoError, match="too few"):
        Variant(SMALL, 3, SMALL.tiles[:5])
    with pytest.raises(TriominoError, match="no seat 2"):
        Variant(SMALL, 2, starter=2)
    with pytest.raises(TriominoError, match="draw for the start"):
        Variant(CLASSIC.with_changes({"tile_set": "10", "racks": {2: 2}}), 2, SMALL.tiles[:5])
    node = Variant(CARD).root()
    with pytest.raises(TriominoError, match="not dealt"):
        node.game()
