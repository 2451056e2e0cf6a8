"""Learning by self-play, in rounds of improvement.

Every step the newest network plays rounds of many games, judging each move; the samples are used
once and thrown away. The first steps learn from rounds between simple policies. All chance comes
from the seed and the number of the step, so a run that was stopped goes on as if it had not been.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from triomino.kernel.contest import Contestant
from triomino.kernel.loader import native, native_rules
from triomino.kernel.search import Effort
from triomino.lab.cluster import connected
from triomino.lab.learning.games import Table, draw_tables, editions
from triomino.lab.learning.model import Adam, Batch, Model, Segment, bucket, gradient, units
from triomino.lab.process_pool import in_order
from triomino.rules import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

FORMAT: Final = "triomino-learning/1"


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what is learned."""

    seed: int = 1
    steps: int = 30_000
    """Each plays ``tables * rounds`` rounds."""
    tables: int = 12
    rounds: int = 256
    batch: int = 1024
    policy_steps: int = 40
    """Steps at the beginning that learn from simple policies."""
    first_rate: float = 1.5e-3
    last_rate: float = 3e-5
    mistakes: int = 10
    """The chance of a random move, of 256."""
    draws: int = 32
    """The chance of a draw on purpose where the network would place, of 256."""
    lambda_: int = 240
    """How much, of 256, later results count rather than the network's next judgement."""
    win_weight: int = 300
    """The points that winning a round is worth to the players, on top of its margin."""
    league_tables: int = 12
    """How many of the tables play the classic game of two against the league, if there is one."""
    averaged: int = 140
    """Over about so many steps the weights are averaged: the mean is what is kept of a run."""
    join_every: int = 0
    """Steps after which the network as it is then joins the league; 0: never."""


SMALL: Final = Recipe(steps=60, policy_steps=20, last_rate=3e-4)
"""A run of a few minutes."""


@dataclass
class Run:
    """A training run and where it stands."""

    recipe: Recipe
    model: Model
    adam: Adam
    step: int = 0
    league: tuple[Contestant, ...] = ()
    """One of them sits at the other seats of every one of ``league_tables``."""
    past: list[bytes] = field(default_factory=list)
    """The network as it was: more opponents of the league."""
    mean: Model = field(default_factory=Model)
    """The mean weights of the last steps, which play better than any of them."""

    @classmethod
    def begin(cls, recipe: Recipe) -> Run:
        """Return a run that has learned nothing yet."""
        return cls(recipe, Model.fresh(recipe.seed), Adam())

    @classmethod
    def load(cls, path: Path, recipe: Recipe) -> Run:
        """Return the run that :meth:`save` wrote, to go on with *recipe*."""
        with np.load(path) as file:
            parts: dict[str, dict[str, NDArray[Any]]] = {
                "w": {},
                "m": {},
                "s": {},
                "a": {},
                "past": {},
            }
            for name in file.files:
                part, _, rest = name.partition(".")
                if part in parts:
                    parts[part][rest] = file[name]
            step, steps = (int(number) for number in file["steps"])
        past = [each.tobytes() for each in parts["past"].values()]
        adam = Adam(parts["m"], parts["s"], steps)
        return cls(recipe, Model(parts["w"]), adam, step, past=past, mean=Model(parts["a"]))

    def save(self, path: Path) -> None:
        """Write the run; a file that exists is replaced whole."""
        arrays: dict[str, Any] = {"steps": np.array([self.step, self.adam.steps])}
        named = (
            ("w", self.model.weights),
            ("a", self.mean.weights),
            ("m", self.adam.mean),
            ("s", self.adam.square),
        )
        for part, values in named:
            arrays |= {f"{part}.{name}": value for name, value in values.items()}
        for number, weights in enumerate(self.past):
            arrays[f"past.{number}"] = np.frombuffer(weights, np.uint8)
        beside = path.with_suffix(".new.npz")
        np.savez(beside, **arrays)
        beside.replace(path)

    def rate(self) -> float:
        """Return the step size now: it falls by the same factor every step."""
        done = min(1.0, self.step / max(1, self.recipe.steps))
        first, last = self.recipe.first_rate, self.recipe.last_rate
        return float(first * (last / first) ** done)

    def advance(self, threads: int = 1, cluster: str | None = None) -> tuple[float, float]:
        """Make one step; return the losses of the chance and of the margin.

        With *cluster*, the address of a Ray cluster, its machines play the rounds.
        """
        recipe = self.recipe
        dice = np.random.default_rng((recipe.seed, self.step))
        tables = draw_tables(dice, recipe.tables)
        weights = self.model.to_bytes() if self.step >= recipe.policy_steps else None
        opponents: list[Contestant | None] = [None] * len(tables)
        league = self._league()
        if league and weights is not None:
            for index in range(min(recipe.league_tables, recipe.tables)):
                tables[index] = Table(CLASSIC, 2)
                opponents[index] = league[dice.integers(len(league))]
        games = _Games(recipe, self.step, tuple(tables), weights, tuple(opponents), threads)
        samples = list(in_order(_samples, games, range(len(tables)), 1, cluster))
        losses = []
        for batch in _batches(tables, samples, recipe.batch, dice):
            slope, entropy, squares = gradient(self.model, batch)
            self.adam.step(self.model, slope, self.rate())
            losses.append((entropy, squares))
        self.step += 1
        self._average()
        if recipe.join_every and self.step % recipe.join_every == 0:
            self.past.append(self.mean.to_bytes())
        entropy, squares = np.mean(losses, axis=0)
        return float(entropy), float(squares)

    def _average(self) -> None:
        keep = min(1 - 1 / self.step, 1 - 1 / self.recipe.averaged)
        for name, now in self.model.weights.items():
            mean = self.mean.weights.setdefault(name, now.copy())
            mean += (1 - keep) * (now - mean)

    def _league(self) -> list[Contestant]:
        alone = Effort(judges=True, rollouts=1, win_weight=self.recipe.win_weight)
        past = (Contestant(effort=alone, searches=False, weights=each) for each in self.past)
        return [*self.league, *past]


@dataclass(frozen=True)
class _Games:
    """The rounds of a step, on any machine."""

    recipe: Recipe
    step: int
    tables: tuple[Table, ...]
    weights: bytes | None
    opponents: tuple[Contestant | None, ...]
    threads: int


@lru_cache(maxsize=1)
def _network(weights: bytes) -> Any:
    return native().Network.load(weights)


def _samples(games: _Games, index: int) -> dict[str, Any]:
    """Play the rounds of one table."""
    recipe, table = games.recipe, games.tables[index]
    network = None if games.weights is None else _network(games.weights)
    opponent = games.opponents[index]
    against = None if opponent is None else opponent.for_kernel(table.players)
    made: dict[str, Any] = native().training_samples(
        native_rules(table.rules),
        table.players,
        network,
        against,
        0 if table.plays_for_points else recipe.win_weight,
        recipe.mistakes,
        recipe.draws,
        recipe.lambda_ if network is not None else 256,
        recipe.rounds,
        (recipe.seed << 32) + games.step * recipe.tables + index,
        0,
        games.threads,
    )
    used = made["win"] >= 0
    return {name: values[used] for name, values in made.items()}


def _batches(
    tables: list[Table], samples: list[dict[str, Any]], size: int, dice: np.random.Generator
) -> Iterator[Batch]:
    """Yield batches in which every table has its share."""
    count = max(1, sum(len(made["win"]) for made in samples) // size)
    orders = [np.array_split(dice.permutation(len(made["win"])), count) for made in samples]
    scale = 1 / units()
    for number in range(count):
        taken = [order[number] for order in orders]
        ends = np.cumsum([0, *map(len, taken)])
        parts = {
            name: np.concatenate(
                [made[name][rows] for made, rows in zip(samples, taken, strict=True)]
            ).astype(np.float32)
            for name in ("features", "lead", "margin", "win")
        }
        parts["features"] *= scale
        segments = tuple(
            Segment(bucket(table.rules, table.players), slice(ends[i], ends[i + 1]))
            for i, table in enumerate(tables)
        )
        yield Batch(**parts, segments=segments)


def strength(weights: bytes, rounds: int, seed: int, threads: int = 1) -> dict[str, float]:
    """Return the share of rounds that the network alone, without a search, wins against greedy.

    By game, as a multiple of the fair share with more than two players.
    """
    made = native()
    network = made.Network.load(weights)
    thinker = made.thinking_player(_limit(network), False)
    greedy = made.policy_player(1)
    out = {}
    for table in editions():
        games = made.contest(
            native_rules(table.rules), table.players, thinker, greedy, seed, 0, rounds, threads
        )
        fair = 1 if table.players == 2 else table.players
        out[f"{table.rules.edition}/{table.players}"] = round(float(games["won"].mean()) * fair, 4)
    return out


def _limit(network: Any) -> Any:
    return native().SearchLimit(
        rollouts=1,
        nanoseconds=0,
        seed=0,
        win_weight=Recipe.win_weight,
        endgame_nodes=0,
        endgame_pool=-1,
        keep=-1,
        places_only=False,
        plies=0,
        horizon=0,
        prior_worlds=0,
        network=network,
        start_totals=[],
        events=[],
    )


def learn(
    recipe: Recipe,
    folder: Path,
    *,
    every: int = 100,
    threads: int = 1,
    start: bytes | None = None,
    league: tuple[Contestant, ...] = (),
    cluster: str | None = None,
    on_step: Callable[[Run, float, float], object] | None = None,
) -> Run:
    """Run a recipe in *folder*, or go on with the run it holds.

    *start* are weights to begin with. At some of the tables (``league_tables``) the network learns
    to beat the players of a *league*, in the classic game of two: at all of them it becomes an
    exploiter, at some one that is harder to exploit.

    With *cluster*, the address of a Ray cluster, its machines play the rounds; what is learned is
    the same.

    ``run.npz`` is the state, ``log.jsonl`` the losses and the strength every *every* steps, and
    ``network.bin`` the mean weights of the last steps.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state, log = folder / "run.npz", folder / "log.jsonl"
    run = Run.load(state, recipe) if state.exists() else Run.begin(recipe)
    if start is not None and not run.step:
        run.model = Model.from_bytes(start)
    run.league = league
    began = monotonic()
    if not log.exists():
        log.write_text(json.dumps({"format": FORMAT, **asdict(recipe)}) + "\n", "utf-8")
    sums = np.zeros(3)
    with nullcontext() if cluster is None else connected(cluster):
        while run.step < recipe.steps:
            entropy, squares = run.advance(threads, cluster)
            sums += (entropy, squares, 1)
            if on_step is not None:
                on_step(run, entropy, squares)
            if run.step % every == 0 or run.step == recipe.steps:
                weights = run.mean.to_bytes()
                (folder / "network.bin").write_bytes(weights)
                run.save(state)
                line = {
                    "step": run.step,
                    "chance_loss": round(sums[0] / sums[2], 5),
                    "margin_loss": round(sums[1] / sums[2], 5),
                    "seconds": round(monotonic() - began, 1),
                    "won": strength(weights, 600, seed=run.step, threads=threads),
                }
                with log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                sums[:] = 0
    return run
