"""``fair/1``: the page, a second program written from the page alone, and the package agree."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import house_rules
from triomino.deal import Deal, deal
from triomino.dice import shuffle
from triomino.errors import TriominoError
from triomino.fair import ALGORITHM, Seeds, Stream
from triomino.rules import CLASSIC, EDITIONS, Rules
from triomino.tile import TILE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PAGE = (Path(__file__).parent.parent / "docs" / "fair.md").read_text(encoding="utf-8")
BLOCKS = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)
VECTORS = [json.loads(block) for block in BLOCKS.findall(PAGE)]

Dealt: TypeAlias = dict[str, Any]
"""Racks, pool, starter and start draws as a record writes them."""


def vectors(kind: str) -> list[Any]:
    return [vector for vector in VECTORS if vector["vector"] == kind]


# --- The second program: from the page, nothing of the package ------------------------------------


def key_of(server_seed: str, round_number: int, player_seeds: Sequence[str]) -> bytes:
    message = "fair/1|" + str(round_number) + "|" + ",".join(player_seeds)
    return hmac.new(bytes.fromhex(server_seed), message.encode("ascii"), hashlib.sha256).digest()


def words_of(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            a, b, c, d = block[start : start + 4]
            yield a << 24 | b << 16 | c << 8 | d
        counter += 1


def below(n: int, words: Iterator[int]) -> int:
    limit = 2**32 - 2**32 % n
    return next(word for word in words if word < limit) % n


def shuffled(things: list[Any], words: Iterator[int]) -> list[Any]:
    out = list(things)
    for i in range(len(out) - 1, 0, -1):
        j = below(i + 1, words)
        out[i], out[j] = out[j], out[i]
    return out


ORDERED = {"4": 2, "10": 3, "20": 4, "35": 5, "56": 6}
TURNING = {"11": 3, "24": 4, "45": 5, "76": 6}


def set_of(size: str) -> list[str]:
    found = []
    for number in range(6**3):
        a, b, c = number // 36, number // 6 % 6, number % 6
        if max(a, b, c) < ORDERED.get(size, 0) and a <= b <= c:
            found.append(f"{a}-{b}-{c}")
        first = (a, b, c) <= (b, c, a) and (a, b, c) <= (c, a, b)
        if max(a, b, c) < TURNING.get(size, 0) and first:
            found.append(f"{a}-{b}-{c}")
    return found


def corners(tile: str) -> list[int]:
    return [int(number) for number in tile.split("-")]


FOUR = {2: 9, 3: 7, 4: 7}
TABLE: dict[str, dict[str, Any]] = {
    "classic": {"tile_set": "56", "racks": FOUR, "starter": "draw_high"},
    "classic-hebrew": {"tile_set": "56", "racks": FOUR, "starter": "draw_high"},
    "casual": {"tile_set": "56", "racks": FOUR, "starter": "draw_high"},
    "six-player": {"tile_set": "76", "racks": FOUR | {5: 6, 6: 6}, "starter": "draw_high"},
    "card": {"tile_set": "56", "racks": FOUR, "starter": "highest_triple"},
}


def second_deal(
    rules: dict[str, Any],
    server_seed: str,
    player_seeds: Sequence[str],
    round_number: int,
    known_starter: int | None = None,
) -> Dealt:
    options = {"start_redraw": "tied_highest", **TABLE[rules["edition"]], **rules}
    each = {int(players): size for players, size in options["racks"].items()}
    players = len(player_seeds)
    words = words_of(key_of(server_seed, round_number, player_seeds))
    order = shuffled(set_of(options["tile_set"]), words)
    racks = []
    for _ in range(players):
        racks.append(order[: each[players]])
        order = order[each[players] :]
    shown: list[tuple[int, str]] = []
    if known_starter is not None:
        starter, pool = known_starter, order
    elif options["starter"] == "highest_triple":
        starter, pool = highest_card(racks), order
    else:
        starter, shown, pool = drawn_start(players, options["start_redraw"], order, words)
    draws = [{"seat": seat, "tile": tile} for seat, tile in shown]
    return {"racks": racks, "start_draws": draws, "starter": starter, "pool": pool}


def highest_card(racks: list[list[str]]) -> int:
    def height(tile: str) -> tuple[bool, int, list[int]]:
        numbers = corners(tile)
        return len(set(numbers)) == 1, sum(numbers), sorted(numbers)[::-1]

    best = max(height(tile) for rack in racks for tile in rack)
    return min(seat for seat, rack in enumerate(racks) if best in map(height, rack))


def drawn_start(
    players: int, redraw: str, pool: list[str], words: Iterator[int]
) -> tuple[int, list[tuple[int, str]], list[str]]:
    shown: list[tuple[int, str]] = []
    out: list[str] = []
    seats = list(range(players))
    while True:
        if len(pool) < len(seats):
            pool, out = shuffled(pool + out, words), []
        now = [(seat, pool.pop(0)) for seat in seats]
        out += [tile for _, tile in now]
        shown += now
        values = {seat: sum(corners(tile)) for seat, tile in now}
        top = [seat for seat in seats if values[seat] == max(values.values())]
        if len(top) == 1:
            return top[0], shown, shuffled(pool + out, words)
        seats = top if redraw == "tied_highest" else list(range(players))


def plain(dealt: Deal) -> Dealt:
    """A deal of the package, as a record writes it."""
    return {
        "racks": [[str(tile) for tile in rack] for rack in dealt.racks],
        "start_draws": [{"seat": d.seat, "tile": str(d.tile)} for d in dealt.start_draws],
        "starter": dealt.starter,
        "pool": [str(tile) for tile in dealt.pool],
    }


# --- The page's vectors, read by both ------------------------------------------------------------


def test_the_page_has_vectors_of_every_kind() -> None:
    kinds = Counter(one["vector"] for one in VECTORS if not one["vector"].startswith("fair/2"))
    assert set(kinds) == {"set", "commitment", "key", "words", "numbers", "shuffle", "deal"}
    assert {vector["rules"]["edition"] for vector in vectors("deal")} == set(EDITIONS)
    assert {len(vector["player_seeds"]) for vector in vectors("deal")} == {2, 3, 4, 5, 6}


@pytest.mark.parametrize("vector", vectors("set"), ids=lambda vector: vector["tile_set"])
def test_the_sets_of_the_page(vector: Any) -> None:
    assert set_of(vector["tile_set"]) == vector["tiles"]
    assert [str(tile) for tile in TILE_SETS[vector["tile_set"]]] == vector["tiles"]


@pytest.mark.parametrize("vector", vectors("commitment"))
def test_the_commitments_of_the_page(vector: Any) -> None:
    seed = vector["server_seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == vector["commitment"]
    assert Seeds(seed, ()).commitment == vector["commitment"]


@pytest.mark.parametrize("vector", vectors("key"))
def test_the_keys_of_the_page(vector: Any) -> None:
    seed, players = vector["server_seed"], vector["player_seeds"]
    key = key_of(seed, vector["round"], players)
    assert key.hex() == vector["key"]
    message = vector["message"].encode("ascii")
    assert hmac.new(bytes.fromhex(seed), message, hashlib.sha256).digest() == key
    stream, words = Seeds(seed, tuple(players)).round(vector["round"]), words_of(key)
    assert [stream.word() for _ in range(20)] == [next(words) for _ in range(20)]


@pytest.mark.parametrize("vector", vectors("words"))
def test_the_words_of_the_page(vector: Any) -> None:
    key, expected = bytes.fromhex(vector["key"]), vector["words"]
    words, stream = words_of(key), Stream(key)
    assert [next(words) for _ in expected] == expected
    assert [stream.word() for _ in expected] == expected


@pytest.mark.parametrize("vector", vectors("numbers"))
def test_the_numbers_of_the_page(vector: Any) -> None:
    key, bounds, expected = bytes.fromhex(vector["key"]), vector["below"], vector["numbers"]
    words = words_of(key)
    assert [below(n, words) for n in bounds] == expected
    stream = Stream(key)
    assert [stream.randrange(n) for n in bounds] == expected
    # Both stand at the same word afterwards, some having been thrown away.
    assert vector["words_used"] > len(bounds)
    after = words_of(key)
    for _ in range(vector["words_used"]):
        next(after)
    assert stream.word() == next(words) == next(after)


@pytest.mark.parametrize("vector", vectors("shuffle"))
def test_the_shuffle_of_the_page(vector: Any) -> None:
    key, things = bytes.fromhex(vector["key"]), list(vector["before"])
    assert shuffled(things, words_of(key)) == vector["after"]
    shuffle(things, Stream(key))
    assert things == vector["after"]


@pytest.mark.parametrize("vector", vectors("deal"), ids=lambda vector: vector["note"])
def test_the_deals_of_the_page(vector: Any) -> None:
    server, players, number = vector["server_seed"], vector["player_seeds"], vector["round"]
    starter = vector["known_starter"]
    expected = {name: vector[name] for name in ("racks", "start_draws", "starter", "pool")}
    assert second_deal(vector["rules"], server, players, number, starter) == expected
    stream = Seeds(server, tuple(players)).round(number)
    made = deal(Rules.read(vector["rules"]), len(players), stream, starter)
    assert plain(made) == expected


# --- Both programs deal alike --------------------------------------------------------------------

SERVERS = ["00" * 32, "ff" * 32, hashlib.sha256(b"third").hexdigest()]
PLAYERS = ["", "00", "c0ffee", "ab" * 32, "", "0102"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_editions_and_player_counts(edition: str) -> None:
    for players in EDITIONS[edition].racks:
        for server in SERVERS:
            for number in (1, 2, 3, 10, 4711):
                seeds = PLAYERS[:players]
                made = deal(EDITIONS[edition], players, Seeds(server, tuple(seeds)).round(number))
                assert plain(made) == second_deal({"edition": edition}, server, seeds, number)


@given(
    house_rules(),
    st.binary(min_size=32, max_size=32),
    st.lists(st.binary(max_size=32), min_size=6, max_size=6),
    st.integers(1, 10**9),
    st.data(),
)
def test_all_house_rules_and_seeds(
    rules: Rules, server: bytes, sent: list[bytes], number: int, data: st.DataObject
) -> None:
    players = data.draw(st.sampled_from(list(rules.racks)))
    starter = data.draw(st.none() | st.integers(0, players - 1))
    texts = [seed.hex() for seed in sent[:players]]
    made = deal(rules, players, Seeds(server.hex(), tuple(texts)).round(number), starter)
    assert plain(made) == second_deal(rules.changes, server.hex(), texts, number, starter)


# --- What decides a deal -------------------------------------------------------------------------


def test_rounds_and_seeds_all_matter() -> None:
    base = Seeds(SERVERS[2], ("aa", "bb", "cc", "dd"))
    others = [
        (base, 2),
        (base, 11),
        (Seeds(SERVERS[1], base.players), 1),
        (Seeds(base.server, ("aa", "bb", "dd", "cc")), 1),
        *(
            (Seeds(base.server, (*base.players[:seat], other, *base.players[seat + 1 :])), 1)
            for seat in range(4)
            for other in ("", "00", "ab", "aa00")
        ),
    ]
    deals = {str(deal(CLASSIC, 4, seeds.round(number))) for seeds, number in [(base, 1), *others]}
    assert len(deals) == 1 + len(others)
    assert str(deal(CLASSIC, 4, base.round(1))) in deals


def test_no_two_lists_of_seeds_have_the_same_message() -> None:
    lists = [(), ("", ""), ("", "", ""), ("aabb", ""), ("aa", "bb"), ("", "aabb"), ("aa", "bb", "")]
    first = {Seeds(SERVERS[0], seeds).round(1).word() for seeds in lists}
    assert len(first) == len(lists)


@pytest.mark.parametrize(
    "seed",
    ["", "00", "0" * 63, "0" * 65, "0" * 66, "A" * 64, "g" * 64, " " + "0" * 63, "0" * 64 + "\n",
     "0x" + "0" * 62, "٠" * 64],
)  # fmt: skip
def test_a_malformed_server_seed_is_refused(seed: str) -> None:
    with pytest.raises(TriominoError, match="server seed is 64 hexadecimal digits"):
        Seeds(seed, ("", ""))


@pytest.mark.parametrize(
    "seed", ["0", "000", "AA", "zz", " ", "00 00", "00\n", "0" * 66, "0x00", ",", "aa,bb", "١١"]
)
def test_a_malformed_player_seed_is_refused_with_its_seat(seed: str) -> None:
    with pytest.raises(TriominoError, match="seed of seat 1 is not"):
        Seeds(SERVERS[0], ("", seed))


def test_the_longest_and_the_shortest_player_seeds_are_allowed() -> None:
    assert Seeds(SERVERS[0], ("", "0" * 64)).players == ("", "0" * 64)


def test_fresh_seeds_are_new_each_time_and_well_formed() -> None:
    one, other = Seeds.fresh(3), Seeds.fresh(3)
    assert len({one.server, other.server, *one.players, *other.players}) == 8
    assert len(one.players) == 3
    assert all(one.players)
    assert Seeds(one.server, one.players) == one


def test_named_seeds_can_be_made_again() -> None:
    assert Seeds.named(2, "game", 7) == Seeds(hashlib.sha256(b"game 7").hexdigest(), ("", ""))
    assert Seeds.named(2, "game", 7).server != Seeds.named(2, "game", 8).server


def test_the_name_of_the_algorithm() -> None:
    assert ALGORITHM == "fair/1"


# --- Rejection -----------------------------------------------------------------------------------

WORD = 1 << 32


class Words(Stream):
    """A stream whose words are given."""

    def __init__(self, words: Sequence[int]) -> None:
        super().__init__(b"")
        self.left = list(words)

    def word(self) -> int:
        return self.left.pop(0)


@pytest.mark.parametrize("n", [3, 5, 6, 7, 55, 56, 75, 76, 3 << 30, (1 << 31) + 1, WORD - 1])
def test_words_that_would_favour_small_numbers_are_thrown_away(n: int) -> None:
    limit = WORD // n * n
    assert limit < WORD
    assert Words([limit - 1]).randrange(n) == n - 1
    # At the limit and above it a word is refused, and the next one is asked for.
    stream = Words([limit, WORD - 1, limit + (WORD - 1 - limit) // 2, 2, 0])
    assert stream.randrange(n) == 2
    assert stream.left == [0]


@pytest.mark.parametrize("n", [1, 2, 4, 64, 1 << 31, WORD])
def test_no_word_is_thrown_away_where_all_numbers_come_out_even(n: int) -> None:
    stream = Words([WORD - 1, 0])
    assert stream.randrange(n) == n - 1
    assert stream.left == [0]


# --- Uniformity, with fixed seeds ----------------------------------------------------------------


def critical(freedom: int) -> float:
    """Chi-square that chance exceeds once in a thousand times (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 3.0902 * spread**0.5) ** 3)


def chi_square(seen: Sequence[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in seen)


def stream_named(name: str) -> Stream:
    return Stream(hashlib.sha256(name.encode()).digest())


def test_the_critical_values_are_those_of_the_tables() -> None:
    assert [round(critical(freedom), 1) for freedom in (1, 5, 30, 100)] == [
        pytest.approx(value, abs=0.5) for value in (10.8, 20.5, 59.7, 149.4)
    ]


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 13, 55, 56, 75, 76])
def test_small_numbers_are_equally_frequent(n: int) -> None:
    stream, each = stream_named(f"below {n}"), 400
    seen = Counter(stream.randrange(n) for _ in range(each * n))
    assert chi_square([seen[number] for number in range(n)], each) < critical(n - 1)


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 56])
def test_a_number_does_not_tell_the_next(n: int) -> None:
    stream, bins = stream_named(f"pairs {n}"), min(n, 7)
    row = [stream.randrange(n) % bins for _ in range(bins * bins * 200)]
    pairs = Counter(pairwise(row))
    counts = [pairs[one, other] for one in range(bins) for other in range(bins)]
    assert chi_square(counts, (len(row) - 1) / bins**2) < critical(bins * bins - 1)


@pytest.mark.parametrize("n", [3 << 30, 5 << 29, 7 << 29, WORD * 2 // 3])
def test_large_numbers_are_equally_frequent(n: int) -> None:
    """Without rejection the lower part of these ranges would be twice as frequent as the rest."""
    stream, bins, each = stream_named(f"below {n}"), 16, 500
    seen = Counter(stream.randrange(n) * bins // n for _ in range(bins * each))
    assert chi_square([seen[part] for part in range(bins)], each) < critical(bins - 1)


@pytest.mark.parametrize("size", ["56", "76"])
def test_every_tile_comes_to_every_place_of_the_shuffle(size: str) -> None:
    stream, tiles, times = stream_named(f"places {size}"), TILE_SETS[size], 2500
    place = {tile: index for index, tile in enumerate(tiles)}
    count = len(tiles)
    seen = [0] * count**2
    order = list(tiles)
    for _ in range(times):
        order[:] = tiles
        shuffle(order, stream)
        for where, tile in enumerate(order):
            seen[place[tile] * count + where] += 1
    # Rows and columns are fixed, which takes this much of the sum and of its freedom.
    total = chi_square(seen, times / count) * (count - 1) / count
    assert total < critical((count - 1) ** 2)
    assert total > (count - 1) ** 2 - 4 * (2 * (count - 1) ** 2) ** 0.5


DEALS = [
    ("classic", 2, {}),
    ("classic", 3, {"start_redraw": "all"}),
    ("six-player", 6, {}),
    ("card", 4, {}),
]


@pytest.mark.parametrize(("edition", "players", "changes"), DEALS)
def test_everybody_starts_and_every_tile_is_drawn_equally_often(
    edition: str, players: int, changes: dict[str, Any]
) -> None:
    rules, times = Rules.read({"edition": edition, **changes}), 2400
    seeds = Seeds.named(players, "uniform", edition, players)
    starters: Counter[int] = Counter()
    first: Counter[str] = Counter()
    last: Counter[str] = Counter()
    shown_first, expected = 0, 0.0
    for number in range(1, times + 1):
        dealt = deal(rules, players, seeds.round(number))
        starters[dealt.starter] += 1
        first[str(dealt.pool[0])] += 1
        last[str(dealt.racks[-1][0])] += 1
        shown = {draw.tile for draw in dealt.start_draws}
        shown_first += dealt.pool[0] in shown
        expected += len(shown) / len(dealt.pool)
    count = len(rules.tiles)
    names = [str(tile) for tile in rules.tiles]
    assert chi_square([starters[seat] for seat in range(players)], times / players) < critical(
        players - 1
    )
    for tiles in (first, last):
        assert chi_square([tiles[name] for name in names], times / count) < critical(count - 1)
    if edition != "card":
        # What was shown in the draw for the start is as likely as the rest to be drawn next.
        off = shown_first - expected
        assert off**2 / expected + off**2 / (times - expected) < critical(1)
