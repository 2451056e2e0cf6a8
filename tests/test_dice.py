"""The generator of bots, numbers below a bound, and the shuffle."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations, product
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triomino.dice import Dice, Rng, choose, shuffle
from triomino.fair import Stream

if TYPE_CHECKING:
    from collections.abc import Iterable

WORD = 1 << 32


class Scripted:
    """Dice that show what they are told, and what they were asked for."""

    def __init__(self, shown: Iterable[int]) -> None:
        self.shown = iter(shown)
        self.asked: list[int] = []

    def randrange(self, stop: int, /) -> int:
        self.asked.append(stop)
        number = next(self.shown)
        assert 0 <= number < stop
        return number


STEP = 0x9E3779B97F4A7C15
TWO_64 = 1 << 64


def unmixed(output: int) -> int:
    """The state of which SplitMix64 makes this output: its steps taken back, the last first."""
    z = output
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        mixed = z
        for _ in range(64 // shift):
            z = mixed ^ z >> shift
        z = z * pow(factor, -1, TWO_64) % TWO_64
    return z


class Words(Rng):
    """An ``Rng`` whose upper halves are given."""

    def __init__(self, words: Iterable[int]) -> None:
        self.words = iter(words)

    @property
    def state(self) -> int:
        # The lower half must not matter.
        return (unmixed(next(self.words) << 32 | 0xDEADBEEF) - STEP) % TWO_64

    @state.setter
    def state(self, state: int) -> None:
        pass


# --- SplitMix64 ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423]),
    ],
)
def test_the_published_outputs(seed: int, expected: list[int]) -> None:
    rng = Rng(seed)
    assert [rng.bits() for _ in expected] == expected


def test_the_words_of_these_tests_are_those_that_are_given() -> None:
    given_words = [0, 1, 0x12345678, WORD - 1]
    rng = Words(given_words)
    assert [rng.bits() for _ in given_words] == [word << 32 | 0xDEADBEEF for word in given_words]


def test_a_seed_counts_by_its_lowest_64_bits() -> None:
    assert Rng(-1).bits() == Rng((1 << 64) - 1).bits()
    assert Rng(1 << 64).bits() == Rng(0).bits()


def test_a_name_gives_the_state() -> None:
    digest = hashlib.sha256(b"greedy 7 2").digest()
    assert Rng.named("greedy", 7, 2).state == int.from_bytes(digest[:8], "big")
    assert Rng.named("greedy", 72).state != Rng.named("greedy", 7, 2).state


# --- Numbers below a bound -----------------------------------------------------------------------


@given(st.integers(1, WORD), st.data())
def test_every_number_has_exactly_as_many_words(stop: int, data: st.DataObject) -> None:
    """A value owns a run of words; all runs that are accepted have the same length."""
    value = data.draw(st.integers(0, stop - 1))
    first = -(-value * WORD // stop)
    last = -(-(value + 1) * WORD // stop) - 1
    runs = WORD // stop
    accepted = range(last - runs + 1, last + 1)
    assert Words([accepted[0]]).randrange(stop) == value
    assert Words([accepted[-1]]).randrange(stop) == value
    # What comes before the run is refused, and the next word is taken.
    for refused in range(first, accepted[0]):
        assert Words([refused, WORD - 1]).randrange(stop) == stop - 1


def test_a_refused_word_is_followed_by_the_next() -> None:
    # 2**32 mod 3 is 1, so of all words only 0 is refused for 3.
    assert Words([0, 0, 1]).randrange(3) == 0
    assert Words([0, 0, WORD - 1]).randrange(3) == 2
    # For 2**31 + 1 nearly every other word is.
    rng = Rng(1)
    stop = (1 << 31) + 1
    for _ in range(200):
        rng.randrange(stop)
    state = rng.state
    again, taken = Rng(1), 0
    while again.state != state:
        again.bits()
        taken += 1
    assert 340 < taken < 460


@pytest.mark.parametrize("stop", [1, 2, 6, 56, 76, 1000, WORD])
def test_numbers_are_below_the_bound(stop: int) -> None:
    rng = Rng(stop)
    numbers = [rng.randrange(stop) for _ in range(2000)]
    assert min(numbers) >= 0
    assert max(numbers) < stop
    assert len(set(numbers)) >= min(stop, 800)


def test_rng_and_the_library_are_dice() -> None:
    for dice in (Rng(1), Random(1)):
        rolled: Dice = dice
        assert rolled.randrange(1) == 0


# --- Shuffling -----------------------------------------------------------------------------------


def test_every_order_comes_from_exactly_one_throw_of_the_dice() -> None:
    seen = Counter[tuple[str, ...]]()
    for throw in product(range(4), range(3), range(2)):
        items = list("abcd")
        shuffle(items, Scripted(throw))
        seen[tuple(items)] += 1
    assert seen == dict.fromkeys(permutations("abcd"), 1)


def test_the_shuffle_goes_from_the_last_place_down() -> None:
    dice, items = Scripted([1, 0, 2, 1]), list("abcde")
    shuffle(items, dice)
    assert dice.asked == [5, 4, 3, 2]
    # b-e, then a-d, then c stays, then e stays.
    assert items == ["d", "e", "c", "a", "b"]


@pytest.mark.parametrize("items", [[], ["a"]])
def test_nothing_is_asked_for_where_there_is_one_order(items: list[str]) -> None:
    dice, before = Scripted([]), items.copy()
    shuffle(items, dice)
    assert (items, dice.asked) == (before, [])


# --- Choosing by weight --------------------------------------------------------------------------


@given(st.dictionaries(st.text(max_size=3), st.integers(0, 9), min_size=1), st.data())
def test_a_key_is_chosen_by_as_many_numbers_as_it_weighs(
    weights: dict[str, int], data: st.DataObject
) -> None:
    total = sum(weights.values())
    if not total:
        return
    chosen = Counter(choose(weights, Scripted([number])) for number in range(total))
    assert chosen == {key: weight for key, weight in weights.items() if weight}
    # Numbers beyond the total are thrown again, bits above it do not count.
    size = 1 << total.bit_length()
    number = data.draw(st.integers(0, total - 1))
    beyond = [*range(total, size), size + number]
    assert choose(weights, Scripted(beyond)) == choose(weights, Scripted([number]))


def test_large_weights_take_several_words() -> None:
    weights = {"a": 1 << 40, "b": 1 << 40}
    assert choose(weights, Scripted([0xFF, WORD - 1])) == "a"
    assert choose(weights, Scripted([0x100, 0])) == "b"
    dice = Scripted([0x200, 0, 0x1FF, 7])
    assert choose(weights, dice) == "b"
    assert dice.asked == [WORD] * 4


@pytest.mark.parametrize("stop", [0, -1, (1 << 32) + 1])
@pytest.mark.parametrize("dice", [Rng(1), Stream(b"key")])
def test_a_bound_that_cannot_be_is_refused(stop: int, dice: Dice) -> None:
    with pytest.raises(ValueError, match="cannot choose below"):
        dice.randrange(stop)
