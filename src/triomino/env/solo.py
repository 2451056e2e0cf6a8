"""One learner against our bots, without any library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from triomino.bots.base import Limit
from triomino.bots.registry import make_bot
from triomino.dice import Rng
from triomino.env.table import Observation, Reward, Table
from triomino.errors import TriominoError
from triomino.fair import Seeds
from triomino.match import Match, Player
from triomino.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from triomino.rules import Rules, Seat

ILLEGAL_REWARD: Final = -1.0
"""What an illegal action is paid; it changes nothing else."""
MOST_ILLEGAL: Final = 100
"""So many illegal actions in a row truncate a game."""


class Solo:
    """A game of one learner, at a seat that changes from game to game, against bots.

    The rules in Python play the game, so that bots get their views; a :class:`Table` follows.
    """

    def __init__(
        self,
        rules: Rules,
        opponents: Sequence[str] = ("greedy",),
        reward: Reward | str = Reward.WIN,
        limit: Limit | None = None,
    ) -> None:
        self.opponents, self.limit = list(opponents), limit or Limit()
        self.table = Table(rules, len(self.opponents) + 1, reward)
        self.players = self.table.players
        for name in self.opponents:
            make_bot(name, Rng(0))
        self.seat: Seat = 0
        self.illegal = 0

    def reset(self, seed: int) -> None:
        """Begin a new game; the opponents move until the learner is to."""
        dice = Rng.named("solo", seed)
        self.seat = dice.randrange(self.players)
        self._bots = [make_bot(name, Rng.named("solo", seed, name)) for name in self.opponents]
        names = [Player(f"seat {seat}") for seat in range(self.players)]
        seeds = Seeds.named(self.players, "solo", seed)
        self._match = Match.start(self.table.rules, names, seeds)
        self.illegal = 0
        self._follow()
        self._rewards = self.table.nothing
        self._let_others_move()

    def _follow(self) -> None:
        """Take over the deal of a new round."""
        self.table.batch.load(0, self._match.game, self._match.game.start_totals)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._match.over

    def step(self, action: int) -> float:
        """Play an action and let the others move; return the learner's reward.

        An illegal action changes nothing and is paid ``ILLEGAL_REWARD``.
        """
        if self.over:
            raise TriominoError("the game is over; reset it")
        if not 0 <= action < self.table.batch.space.size or not self.mask()[action]:
            self.illegal += 1
            return ILLEGAL_REWARD
        self.illegal = 0
        self._rewards = self.table.nothing
        self._play(int(action))
        self._let_others_move()
        return self._rewards[self.seat]

    def mask(self) -> NDArray[np.int8]:
        """Return 1 for every legal action."""
        return self.table.mask(self.seat)

    def observe(self) -> Observation:
        """Return what the learner may know."""
        return self.table.observe(self.seat)

    def info(self) -> dict[str, Any]:
        """Return the mask, the seat and, at the end, the scores."""
        return {"action_mask": self.mask(), "seat": self.seat, "scores": list(self._match.scores)}

    def _play(self, action: int) -> None:
        batch, game = self.table.batch, self._match.game
        self._match.play(batch.space.decode(game.board, action))
        for seat, reward in enumerate(self.table.play(action)):
            self._rewards[seat] += reward
        if game.over and not self._match.over:
            self._match.next_round()
            self._follow()

    def _let_others_move(self) -> None:
        space = self.table.batch.space
        while not self.over and self._match.game.turn != self.seat:
            game = self._match.game
            bot = self._bots[(game.turn - self.seat) % self.players - 1]
            move = bot.choose(View.of(game, game.turn), self.limit)
            self._play(space.encode(game.board, move))
