"""A match in Python and the same one through the calls of the kernel, compared at every step.

The calls are those of ``native/calls.hpp``: the page makes them to the same kernel as WebAssembly.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace
from enum import IntEnum, auto
from importlib.resources import files
from math import isclose
from typing import TYPE_CHECKING, Any, Final

from triomino import Draw, End, Keep, Match, Pass, Place, Player, Rng, Rules, Seeds, View
from triomino.analysis import Mark, review, views
from triomino.analysis.calibration import calibration
from triomino.analysis.facts import Fact, Kind, facts
from triomino.bots import make_bot
from triomino.errors import Why
from triomino.fair import ALGORITHM
from triomino.kernel import Effort, Sampler, search
from triomino.kernel.loader import native, numbers_of
from triomino.kernel.network import MARGIN_UNIT, WEIGHTS_FILE
from triomino.kernel.state import MoveTuple, index_of, move_of, tuple_of
from triomino.ledger import EndReason
from triomino.scoring import Reason, Score
from triomino.tile import SET_76

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from triomino import Game, Move, Tile
    from triomino.analysis import Chances, Decision
    from triomino.game import Ply

    Carry = Callable[[int, Sequence[int]], Sequence[int]]


class Call(IntEnum):
    """As in ``native/calls.hpp``."""

    OPEN = auto()
    CLOSE = auto()
    MATCH = auto()
    ROUND = auto()
    PLIES = auto()
    CHOICES = auto()
    WHY_NOT = auto()
    PLAY = auto()
    UNDO = auto()
    NEXT_ROUND = auto()
    ABANDON = auto()
    WINNERS_WITH = auto()
    SAMPLE = auto()
    SEARCH = auto()
    CHOOSE = auto()
    FACTS = auto()
    JUDGE = auto()
    PLACEMENTS = auto()
    DEAL = auto()
    SHA256 = auto()
    ROUND_KEY = auto()
    NETWORK = auto()
    OPEN_DEALT = auto()
    ASSESS = auto()
    CHANCES = auto()


REASONS: Final = tuple(Reason)
BONUSES: Final = (None, "bridge", "hexagon", "double_hexagon", "triple_hexagon")
WHYS: Final = (None, *Why)
ENDS: Final = (None, EndReason.OUT, EndReason.BLOCKED, EndReason.ABANDONED)
LEVELS: Final = ("random", "beginner", "easy", "greedy", "medium", "hard", "expert", "champion")
KINDS: Final[tuple[Kind, ...]] = (
    "points",
    "bonus",
    "out",
    "draw",
    "danger",
    "stuck",
    "keeps",
    "fits",
    "hopes",
)
MARKS: Final = (None, *Mark)
CLOSE: Final = 1e-12
"""Sums of a few numbers may be rounded otherwise."""
OTHERS: Final[tuple[Move, ...]] = (Draw(), Keep(), End(), Pass())


def rule_numbers(rules: Rules) -> list[int]:
    """The rules as the calls take them."""
    numbers = numbers_of(rules)
    return [numbers[name] for name in native().rule_fields()]


def seed_numbers(seeds: Seeds) -> list[int]:
    """The seeds as the calls take them."""
    players = ",".join(seeds.players).encode()
    return [*bytes.fromhex(seeds.server), len(players), *players]


def words_of(number: int) -> list[int]:
    """A 64-bit number as two signed ones of 32 bits."""
    return [_signed(number & 0xFFFFFFFF), _signed(number >> 32 & 0xFFFFFFFF)]


def real_words(number: float) -> list[int]:
    """A floating-point number as two words."""
    return words_of(struct.unpack("<Q", struct.pack("<d", number))[0])


def deal_numbers(match: Match) -> list[int]:
    """The deals of a match, as ``OPEN_DEALT`` takes them."""
    numbers = [len(match.rounds)]
    for game in match.rounds:
        draws = game.start.start_draws
        numbers += [game.starter, len(draws)]
        numbers += [n for draw in draws for n in (draw.seat, index_of(draw.tile))]
        for tiles in (*game.start.racks, game.start.pool):
            numbers += [len(tiles), *map(index_of, tiles)]
    return numbers


def _or_none(number: int) -> int | None:
    return None if number < 0 else number


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def effort_numbers(effort: Effort) -> list[int]:
    """The settings of a search as the calls take them."""
    return [
        *words_of(effort.rollouts or 0),
        *words_of(int(effort.milliseconds * 1e6)),
        int(effort.may_draw),
        effort.forced_draw_prior,
        effort.win_weight,
        effort.endgame_nodes,
        effort.endgame_pool,
        int(effort.judges),
        -1 if effort.horizon is None else effort.horizon,
        int(effort.greedy_rivals),
        effort.prior_worlds,
        effort.plies,
    ]


class Answer:
    """Reads the numbers of an answer."""

    def __init__(self, numbers: Sequence[int]) -> None:
        status, *rest = numbers
        if status:
            raise ValueError(bytes(rest).decode())
        self._numbers: Iterator[int] = iter(rest)

    def next(self) -> int:
        """The next number."""
        return next(self._numbers)

    def take(self, count: int) -> list[int]:
        """So many numbers."""
        return [self.next() for _ in range(count)]

    def tiles(self) -> list[Tile]:
        """A list of tiles."""
        return [SET_76[number] for number in self.take(self.next())]

    def move(self) -> Move:
        """A move."""
        kind, x, y, down, a, b, c = self.take(7)
        given: MoveTuple = (kind, x, y, down, a, b, c)
        return move_of(given)

    def scores(self) -> tuple[Score, ...]:
        """A list of scores."""
        rows = [self.take(3) for _ in range(self.next())]
        return tuple(Score(seat, REASONS[reason], points) for seat, reason, points in rows)

    def wide(self) -> int:
        """A signed number of 64 bits."""
        low, high = self.take(2)
        return (low & 0xFFFFFFFF) | high << 32

    def dice(self) -> int:
        """The state of a generator."""
        return self.wide() & (1 << 64) - 1

    def real(self) -> float:
        """A floating-point number."""
        found: float = struct.unpack("<d", struct.pack("<Q", self.dice()))[0]
        return found

    def reals(self, count: int) -> list[float]:
        """So many of them."""
        return [self.real() for _ in range(count)]

    def facts(self) -> list[Fact]:
        """A list of facts."""
        rows = [self.take(7) for _ in range(self.next())]
        return [
            Fact(KINDS[kind], points, part / whole, BONUSES[bonus], count, _or_none(number))
            for kind, points, part, whole, bonus, count, number in rows
        ]

    def seats(self) -> tuple[int, ...]:
        """A bit mask of seats."""
        bits = self.next()
        return tuple(seat for seat in range(6) if bits >> seat & 1)

    def rest(self) -> list[int]:
        """What is left."""
        return list(self._numbers)


def call_native(what: int, numbers: Sequence[int]) -> Sequence[int]:
    """Call the kernel of this machine."""
    answer: list[int] = native().call(what, list(numbers))
    return answer


@dataclass
class Compared:
    """How much was compared."""

    positions: int = 0
    refusals: int = 0
    worlds: int = 0
    searches: int = 0
    decisions: int = 0
    marks: int = 0
    rounds: int = 0
    whys: set[Why] = field(default_factory=set)


class Pair:
    """One match in both, compared whenever asked."""

    def __init__(
        self, rules: Rules, players: int, seeds: Seeds, carry: Carry = call_native
    ) -> None:
        self._carry = carry
        weights = files("triomino.kernel").joinpath(WEIGHTS_FILE).read_bytes()
        self.call(Call.NETWORK, [len(weights), *weights])
        names = [Player(name) for name in "ABCDEF"[:players]]
        self.match = Match.start(rules, names, seeds)
        numbers = [*rule_numbers(rules), players, *seed_numbers(seeds)]
        self.handle = self.call(Call.OPEN, numbers).next()
        self.done = Compared()

    def close(self) -> None:
        """Forget the match."""
        self.call(Call.CLOSE, [self.handle])

    def call(self, what: Call, numbers: Iterable[int]) -> Answer:
        """Carry out a call."""
        return Answer(self._carry(what, list(numbers)))

    def ask(self, what: Call, *numbers: int) -> Answer:
        """Carry out a call about the match."""
        return self.call(what, [self.handle, *numbers])

    # --- Comparing -------------------------------------------------------------------------------

    def compare(self) -> list[Move]:
        """Compare the position; return its legal moves."""
        game, match = self.match.game, self.match
        self.done.positions += 1
        self._compare_standing()
        self._compare_round(game, len(match.rounds))
        moves = game.legal_moves()
        answer = self.ask(Call.CHOICES)
        found = [(answer.move(), answer.next(), answer.next()) for _ in range(answer.next())]
        assert [move for move, _, _ in found] == moves
        for move, points, bonus in found:
            scores = game.choices.scores(move)
            assert points == sum(score.points for score in scores), move
            reasons = {score.reason.value for score in scores}
            assert BONUSES[bonus] == next((one for one in BONUSES if one in reasons), None), move
        return moves

    def _compare_standing(self) -> None:
        match, ledger = self.match, self.match.ledger
        answer = self.ask(Call.MATCH)
        assert answer.take(2) == [len(match.players), len(match.rounds)]
        assert answer.next() == match.over
        assert answer.next() == (match.rules.target is not None and match.is_last_round)
        assert answer.seats() == match.winners
        starter = ledger.next_starter
        assert answer.next() == (-1 if starter is None else starter)
        assert answer.rest() == list(match.scores)
        head_start = [7 * seat for seat in range(len(match.players))]
        won = self.ask(Call.WINNERS_WITH, *head_start).seats()
        assert won == ledger.winners_with(head_start)

    def _compare_round(self, game: Game, number: int) -> None:
        players = game.players
        answer = self.ask(Call.ROUND, number)
        numbers = [players, game.starter, game.turn, len(game.drawn), len(game.plies)]
        assert answer.take(5) == numbers
        assert answer.take(players) == list(game.start_totals)
        assert answer.take(players) == game.totals
        draws = [(answer.next(), SET_76[answer.next()]) for _ in range(answer.next())]
        assert draws == [(draw.seat, draw.tile) for draw in game.start.start_draws]
        assert [tuple(answer.tiles()) for _ in range(players)] == list(game.start.racks)
        assert tuple(answer.tiles()) == game.start.pool
        assert [answer.tiles() for _ in range(players)] == game.racks
        assert answer.next() == len(game.pool)
        reason, seats, winners = ENDS[answer.next()], answer.seats(), answer.seats()
        assert reason == (game.end and game.end.reason)
        assert winners == game.winners
        scores = answer.scores()
        if game.end is not None:
            assert (seats, scores) == (game.end.seats, game.end.scores)
        first = max(0, len(game.plies) - 3)
        answer = self.ask(Call.PLIES, number, first)
        assert answer.next() == len(game.plies) - first
        for ply in game.plies[first:]:
            self._compare_ply(answer, ply)

    def _compare_ply(self, answer: Answer, ply: Ply) -> None:
        assert answer.next() == ply.seat
        assert answer.move() == ply.move
        assert answer.next() == (-1 if ply.tile is None else index_of(ply.tile))
        assert answer.next() == ply.passes_on
        assert answer.scores() == ply.scores

    def compare_refusals(self, dice: Rng, moves: Sequence[Move]) -> None:
        """Compare the reasons against some moves that may not be legal."""
        game = self.match.game
        wanted: list[Move] = [*OTHERS]
        cells = [*game.board.open_cells, *(place.cell for place in game.board.places)]
        for _ in range(6):
            tile = SET_76[dice.randrange(76)]
            if dice.randrange(2) and game.racks[game.turn]:
                rack = game.racks[game.turn]
                tile = rack[dice.randrange(len(rack))]
            cell = Place.parse(f"U({dice.randrange(5) - 2},{dice.randrange(5) - 2})=0-0-0").cell
            if cells and dice.randrange(4):
                cell = cells[dice.randrange(len(cells))]
            ways = tile.orientations
            wanted.append(Place(cell, ways[dice.randrange(len(ways))]))
        wanted += moves[:2]
        for move in wanted:
            why = game.why_not(move)
            assert WHYS[self.ask(Call.WHY_NOT, *tuple_of(move)).next()] == why, move
            self.done.refusals += why is not None
            if why is not None:
                self.done.whys.add(why)

    def compare_worlds(self, seed: int, count: int, seat: int | None = None) -> None:
        """Compare samples of what a seat, else the one to move, does not know."""
        game = self.match.game
        seat = game.turn if seat is None else seat
        view, dice = View.of(game, seat), Rng(seed)
        states = Sampler(view).sample(dice, count)
        answer = self.ask(Call.SAMPLE, seat, *words_of(seed), count)
        assert answer.dice() == dice.state
        for state in states:
            dumped = state.inner.dump()
            for rack in dumped["racks"]:
                assert answer.take(answer.next()) == rack
            assert answer.take(answer.next()) == dumped["pool"]
            assert answer.take(answer.next()) == dumped["drawn"]
        self.done.worlds += count

    def compare_search(self, effort: Effort, seed: int, keep: Move | None = None) -> None:
        """Compare a search of the seat to move, and the facts about its best move."""
        view, dice = View.of(self.match.game, self.match.game.turn), Rng(seed)
        found = search(view, effort, dice, keep)
        kept = [0] * 8 if keep is None else [1, *tuple_of(keep)]
        numbers = [*effort_numbers(effort), *words_of(seed), *kept]
        answer = self.ask(Call.SEARCH, *numbers)
        state = answer.dice()
        assert state == dice.state
        assert answer.next() == len(found)
        for candidate in found:
            assert answer.move() == candidate.move
            worlds, win, margin, squares = (answer.wide() for _ in range(4))
            assert worlds == candidate.worlds
            assert win / (60 << 10) / max(1, worlds) == candidate.win
            assert margin / MARGIN_UNIT / max(1, worlds) == candidate.margin
            assert squares >= 0
            assert answer.next() == candidate.exact
        self.done.searches += 1
        self._compare_facts(view, found[0].move, dice)

    def _compare_facts(self, view: View, move: Move, dice: Rng) -> None:
        answer = self.ask(Call.FACTS, *words_of(dice.state), *tuple_of(move))
        expected = facts(view, move, dice)
        assert answer.dice() == dice.state
        assert answer.facts() == expected

    def compare_bot(self, level: str, seed: int) -> None:
        """Compare what a bot plays."""
        game, dice = self.match.game, Rng(seed)
        move = make_bot(level, dice).choose(View.of(game, game.turn))
        numbers = [LEVELS.index(level), *words_of(seed), 0, 0, 0, 0]
        answer = self.ask(Call.CHOOSE, *numbers)
        assert answer.dice() == dice.state
        assert answer.move() == move

    # --- The review ------------------------------------------------------------------------------

    def compare_review(self, effort: Effort, bots: Sequence[str | None] = ()) -> None:
        """Compare the review of the match, played by some bots."""
        match = self.match
        players = zip(match.players, bots or [None] * len(match.players), strict=True)
        match.players = tuple(replace(player, bot=bot) for player, bot in players)
        found = review(match, effort)
        for number, game in enumerate(match.rounds):
            decisions = {one.turn: one for one in found.decisions if one.round == number}
            shares: list[int] = []
            for turn, view in enumerate(views(game)):
                answer = self._assess(number, turn, effort, shares)
                self._compare_decision(answer, decisions.get(turn), view, (number, turn))
            self._assess(number, len(game.plies), effort, shares)
            self._compare_chances(number, shares, found.chances[number])

    def _assess(self, number: int, turn: int, effort: Effort, shares: list[int]) -> Answer:
        """Ask for a ply; what it says of shares is appended to *shares*."""
        answer = self.ask(Call.ASSESS, number + 1, turn, *effort_numbers(effort), 1)
        for _ in range(2):
            shares.append(answer.next())
            shares += answer.take(2 * len(self.match.players) * shares[-1])
        return answer

    def _compare_decision(
        self, answer: Answer, expected: Decision | None, view: View, at: tuple[int, int]
    ) -> None:
        assert answer.next() == (expected is not None)
        if expected is None:
            return
        for one in (expected.played, expected.best):
            assert answer.move() == one.move
            assert answer.reals(2) == [one.win, one.margin]
        assert isclose(answer.real(), expected.noise, abs_tol=CLOSE)
        assert MARKS[answer.next()] == expected.mark
        why = facts(view, expected.best.move, Rng.named("why", *at)) if expected.mark else []
        assert answer.facts() == why
        self.done.decisions += 1
        self.done.marks += expected.mark is not None

    def _compare_chances(self, number: int, shares: list[int], expected: Chances) -> None:
        players, chart = self.match.players, calibration(self.match.rules, len(self.match.players))
        own = chart.of([player.bot for player in players])
        values = (chart.slope, chart.table_slope_left(own), *own)
        numbers = [n for one in values for n in real_words(one)]
        answer = self.ask(Call.CHANCES, number + 1, *numbers, *shares)
        for now in expected.after:
            for part in now:
                assert isclose(answer.real(), part, abs_tol=CLOSE)
        for seat in range(len(players)):
            assert isclose(answer.real(), expected.luck(seat), abs_tol=CLOSE)

    # --- Playing ---------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        """Play a move in both."""
        assert self.ask(Call.PLAY, *tuple_of(move)).next() == 0
        self.match.play(move)

    def undo(self, count: int) -> None:
        """Take moves back in both."""
        self.ask(Call.UNDO, count)
        self.match.undo(count)

    def next_round(self) -> None:
        """Deal the next round in both."""
        self.ask(Call.NEXT_ROUND)
        self.match.next_round()

    def abandon(self, seat: int | None) -> None:
        """Give up in both."""
        self.ask(Call.ABANDON, -1 if seat is None else seat)
        self.match.abandon(seat)


def judge_numbers(rules: Rules, strict: bool, board: Iterable[Place]) -> list[int]:
    """A case of the referee, up to what it asks."""
    laid = list(board)
    return [
        *rule_numbers(rules),
        int(strict),
        len(laid),
        *(n for place in laid for n in tuple_of(place)),
    ]


def fair_1_key(seeds: Seeds, number: int) -> Any:
    """The numbers that ask for the key of a round of ``fair/1``."""
    assert ALGORITHM == "fair/1"
    return [number, *seed_numbers(seeds)]
