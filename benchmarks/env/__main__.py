"""Speed of triomino.env beside other environments, in one run: ``python -m benchmarks.env``.

A library that is not installed is left out; ``make bench-env`` runs it where they are. All play at
random. Rates are steps per second of processor time on one thread, which a busy machine disturbs
least. One and two threads are compared by the wall clock in many short runs that take turns, and
both the median and the best are told. ``--write`` puts all of it into docs/research.md.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeAlias

import numpy as np

from triomino import CLASSIC, EDITIONS, SIX_PLAYER, Rules
from triomino.env import Batch
from triomino.env.many import Many
from triomino.env.table import Table, observation_shapes
from triomino.env.tree import CHANCE, TERMINAL, Variant, recall_shapes

Steps: TypeAlias = Iterator[int]
GAMES = 1024
RUNS = 40
PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def batch(rules: Rules, players: int, threads: int = 1, **arrays: Any) -> Steps:
    """A batch, with actions chosen by numpy."""
    games = Batch(rules, players, GAMES, 1, threads=threads, **arrays)
    rng, rows = np.random.default_rng(1), np.arange(GAMES)
    while True:
        which = (rng.random(GAMES) * games.action_count).astype(np.int64)
        games.step(games.actions[rows, which])
        yield GAMES


def state() -> Steps:
    """One state at a time, from Python."""
    choose = random.Random(1).choice
    starts = Batch(CLASSIC, 2, 256, 1)
    while True:
        starts.reset()
        for number in range(256):
            here, steps = starts.state(number), 0
            while actions := here.legal_actions():
                here.play_action(choose(actions))
                steps += 1
            yield steps


def table() -> Steps:
    """One game with observations and masks, as PettingZoo gets them."""
    choose = random.Random(1).choice
    here, seed = Table(CLASSIC, 2), 0
    while True:
        seed += 1
        here.reset(seed)
        steps = 0
        while not here.over:
            here.observe(here.turn)
            here.play(choose(np.flatnonzero(here.mask(here.turn)).tolist()))
            steps += 1
        yield steps


def many() -> Steps:
    """Many games against greedy, with observations and masks."""
    games = Many(CLASSIC, 2, GAMES, "greedy")
    games.reset(1)
    rng, rows = np.random.default_rng(1), np.arange(GAMES)
    while True:
        which = (rng.random(GAMES) * games.batch.action_count).astype(np.int64)
        games.step(games.batch.actions[rows, which])
        games.observe()
        yield GAMES


def tree() -> Steps:
    """The tree with explicit chance, which OpenSpiel gets."""
    dice = random.Random(1)
    variant = Variant(CLASSIC, 2)
    while True:
        node, steps = variant.root(), 0
        while node.player != TERMINAL:
            if node.player == CHANCE:
                outcomes, chances = zip(*node.chance_outcomes(), strict=True)
                node.apply(dice.choices(outcomes, chances)[0])
            else:
                node.apply(dice.choice(node.legal_actions()))
                steps += 1
        yield steps


def spiel(name: str) -> Steps:
    """A game of OpenSpiel; chance outcomes are drawn in Python, as in its examples."""
    game = import_module("pyspiel").load_game(name)
    dice = random.Random(1)
    while True:
        here, steps = game.new_initial_state(), 0
        while not here.is_terminal():
            if here.is_chance_node():
                outcomes, chances = zip(*here.chance_outcomes(), strict=True)
                here.apply_action(dice.choices(outcomes, chances)[0])
            else:
                here.apply_action(dice.choice(here.legal_actions()))
                steps += 1
        yield steps


def pettingzoo(module: str) -> Steps:
    """A turn-based environment of PettingZoo."""
    env: Any = import_module(module).env()
    rng = np.random.default_rng(1)
    while True:
        env.reset(seed=int(rng.integers(1 << 30)))
        steps = 0
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            over = ended or cut
            env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            steps += not over
        yield steps


def pgx(name: str) -> Steps:
    """A batch of pgx on the processor, compiled by JAX."""
    jax: Any = import_module("jax")
    env = import_module("pgx").make(name)
    keys = jax.random.split(jax.random.PRNGKey(1), GAMES)
    here, step = jax.jit(jax.vmap(env.init))(keys), jax.jit(jax.vmap(env.step))

    @jax.jit  # type: ignore[untyped-decorator]
    def act(key: Any, mask: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.log(mask.astype(float)), axis=1)

    key = jax.random.PRNGKey(2)
    while True:
        key, one, other = jax.random.split(key, 3)
        chosen = act(one, here.legal_action_mask)
        here = step(here, chosen, jax.random.split(other, GAMES))
        jax.block_until_ready(here.rewards)
        yield GAMES


def ours() -> dict[str, Callable[[], Steps]]:
    full = {"mask": True, "planes": True}
    return {
        "batch of 1024": partial(batch, CLASSIC, 2),
        "batch of 1024, planes and masks": partial(batch, CLASSIC, 2, **full),
        "batch of 1024, planes, masks, history": partial(batch, CLASSIC, 2, **full, history=32),
        "batch of 1024, six players with 76 tiles": partial(batch, SIX_PLAYER, 6),
        "`State`, legal actions listed": state,
        "`Table`: one game, observations and masks": table,
        "`Many`: 1024 games against greedy, observations": many,
        "`Node`: explicit chance": tree,
    }


def others() -> dict[str, Callable[[], Steps]]:
    found: dict[str, Callable[[], Steps]] = {}
    if find_spec("pyspiel"):
        import_module("open_spiel.python.games")
        import_module("triomino.env.openspiel")
        found["OpenSpiel python_triomino (ours)"] = partial(spiel, "python_triomino")
        for name in ("backgammon", "gin_rummy", "python_block_dominoes"):
            found[f"OpenSpiel {name}"] = partial(spiel, name)
    if find_spec("pettingzoo"):
        found["PettingZoo triomino_v0 (ours)"] = partial(pettingzoo, "triomino.env.pettingzoo")
        for name in ("texas_holdem_v4",):
            if find_spec("rlcard") and find_spec("pygame"):
                found[f"PettingZoo {name}"] = partial(pettingzoo, f"pettingzoo.classic.{name}")
    if find_spec("pgx") and find_spec("jax"):
        found["pgx backgammon, batch of 1024"] = partial(pgx, "backgammon")
    return found


def sizes() -> Iterator[str]:
    """Rows of a table: how large the games are, by rounds of random placements."""
    yield (
        "| edition | players | actions | observation | information state | decisions a round"
        " | legal actions |"
    )
    yield "|---|---|---|---|---|---|---|"
    for rules in EDITIONS.values():
        for players in rules.racks:
            shapes = observation_shapes(rules, players)
            recall = recall_shapes(Variant(rules.with_changes({"target": None}), players))
            numbers, recalled = (
                sum(int(np.prod(shape)) for shape in each.values()) for each in (shapes, recall)
            )
            games = Batch(rules.with_changes({"target": None}), players, 256, 1)
            decisions = branching = most = ended = 0
            for step in range(400):
                going = games.action_count > 0
                decisions += int(going.sum())
                branching += int(games.action_count.sum())
                most = max(most, int(games.action_count.max()))
                games.step(np.where(going, games.choose("place", step), 0))
                ended += int(games.done.sum())
            yield (
                f"| {rules.edition} | {players} | {games.space.size:,} | {numbers:,} | {recalled:,}"
                f" | {decisions / ended:.0f} | {branching / decisions:.1f}, at most {most} |"
            )


def rate(make: Callable[[], Steps], seconds: float, clock: Callable[[], float]) -> float:
    """Return the steps per second, after a first call that does not count."""
    steps = make()
    for _ in range(3):
        next(steps)
    made, start = 0, clock()
    while (spent := clock() - start) < seconds:
        made += next(steps)
    return made / spent


def threads() -> Iterator[str]:
    """Sentences: what a second thread brings by the wall clock, and how busy both are."""
    games = {count: batch(CLASSIC, 2, count) for count in (1, 2)}
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(RUNS):
        for count, steps in games.items():
            start = perf_counter()
            made = sum(next(steps) for _ in range(50))
            rates[count].append(made / (perf_counter() - start))
    ratios = sorted(two / one for one, two in zip(rates[1], rates[2], strict=True))
    low, middle, high = (ratios[len(ratios) * k // 4] for k in (1, 2, 3))
    best = max(rates[2]) / max(rates[1])
    yield (
        f"Two threads by the wall clock, {RUNS} runs of 50 steps by turns: {middle:.2f} times"
        f" one in the median, {low:.2f} to {high:.2f} in the middle half, {best:.2f} by the best of"
        f" each (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)."
    )
    before, start = thread_times(), perf_counter()
    for _ in range(2000):
        next(games[2])
    wall = perf_counter() - start
    busy = sorted((now - before.get(number, 0.0) for number, now in thread_times().items()))[-2:]
    yield (
        "User and system time of both threads, of the time by the clock: "
        + " and ".join(f"{seconds / wall:.0%}" for seconds in reversed(busy))
        + "."
    )


def thread_times() -> dict[str, float]:
    """By thread of this process, its user and system time so far in seconds; Linux only."""
    found = {}
    for path in Path("/proc/self/task").glob("*/stat"):
        fields = path.read_text(encoding="ascii").rpartition(")")[2].split()
        found[path.parent.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def speeds(seconds: float) -> Iterator[str]:
    """Rows of a table: all environments one after the other."""
    yield "| environment | steps a second | of the batch |"
    yield "|---|---|---|"
    first = 0.0
    for name, make in (ours() | others()).items():
        found = rate(make, seconds, process_time)
        first = first or found
        yield f"| {name} | {found:,.0f} | {found / first:.4f} |"


def write(name: str, lines: list[str]) -> None:
    """Put lines between the markers of this name in the page."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"{PAGE} has no markers for {name}")
    PAGE.write_text(f"{before}{begin}\n" + "\n".join(lines) + f"\n\n{end}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row")
    parser.add_argument("--threads", action="store_true", help="compare only one thread with two")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    given = parser.parse_args()
    parts = {"threads": threads()}
    if not given.threads:
        parts = {"sizes": sizes(), "speeds": speeds(given.seconds)} | parts
    for name, part in parts.items():
        lines = []
        for line in part:
            print(line, flush=True)
            lines.append(line)
        print()
        if given.write:
            write(name, lines)
    print(f"A game takes {Batch(CLASSIC, 2, 1).hidden_bytes:,} bytes beside its arrays.")


if __name__ == "__main__":
    main()
