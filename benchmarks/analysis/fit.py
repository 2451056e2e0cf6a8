"""Fit the calibration of chances to rounds that were played."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from triomino.analysis.calibration import LEAST, Calibration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.analysis.rounds import Row

ENOUGH: Final = 200
"""Rounds of a game from which it gets a map of its own."""
_STEPS: Final = 30
_REPEATS: Final = 4
Array = np.ndarray[Any, np.dtype[np.float64]]


def conditional_logit(cases: Sequence[tuple[Array, Array]], ridge: float = 0.01) -> Array:
    """Return the weights of features that best explain who won, by Newton's method.

    A case is the features of every seat, [seats, features], and each seat's share of the win.
    """
    tables: dict[int, list[tuple[Array, Array]]] = {}
    for features, won in cases:
        tables.setdefault(len(won), []).append((features, won))
    stacks = [
        (np.stack([one for one, _ in own]), np.stack([won for _, won in own]))
        for own in tables.values()
    ]
    size = cases[0][0].shape[1]
    weights = np.zeros(size)
    for _ in range(_STEPS):
        gradient, curvature = -ridge * weights, ridge * np.eye(size)
        for every, won in stacks:
            scores = every @ weights
            chances = np.exp(scores - scores.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            flat, means = every.reshape(-1, size), np.einsum("nsk,ns->nk", every, chances)
            gradient = gradient + flat.T @ (won - chances).ravel()
            curvature = curvature + (flat * chances.reshape(-1, 1)).T @ flat - means.T @ means
        step = np.linalg.solve(curvature, gradient)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def fit(rows: Sequence[Row]) -> dict[str, Calibration]:
    """Return a map for every game with enough rounds, and one for all others."""
    games = [name for name, number in Counter(row.key for row in rows).items() if number >= ENOUGH]
    found = {name: _fit([row for row in rows if row.key == name]) for name in sorted(games)}
    return {**found, "any": _fit(rows)}


def _fit(rows: Sequence[Row]) -> Calibration:
    bots = sorted({bot for row in rows for bot in row.bots})
    known = Calibration(strengths=dict.fromkeys(bots, 0.0))
    # The mean strength at the table is a feature, too: that of the fit before.
    for _ in range(_REPEATS):
        cases = [case for row in rows for case in _cases(row, bots, known)]
        weights = [float(weight) for weight in conditional_logit(cases)]
        slopes, strengths = weights[:3], weights[3:]
        mean = sum(strengths) / len(strengths)
        centred = {bot: round(one - mean, 3) for bot, one in zip(bots, strengths, strict=True)}
        slope, slope_left, slope_strength = (round(one, 3) for one in slopes)
        known = Calibration(slope, slope_left, slope_strength, centred)
    return known


def _cases(row: Row, bots: Sequence[str], known: Calibration) -> list[tuple[Array, Array]]:
    names = np.array([[bot == name for name in bots] for bot in row.bots], dtype=np.float64)
    judged, strength = row.judged, float(np.mean(known.of(row.bots)))
    cases = []
    for shares, left in zip(judged.shares[:-1], judged.left[:-1], strict=True):
        logs = np.log(shares + LEAST)[:, None]
        features = np.hstack([logs, left * logs, strength * left * logs, sqrt(left) * names])
        cases.append((features, row.won))
    return cases


def arena_strengths(rows: Sequence[Row], bots: Sequence[str]) -> tuple[Array, Array]:
    """Return the strength of each bot by the results alone, and the covariance of these."""
    cases = [
        (np.array([[bot == name for name in bots] for bot in row.bots], dtype=np.float64), row.won)
        for row in rows
        if len(set(row.bots)) > 1
    ]
    ridge = 0.01
    weights = conditional_logit(cases, ridge)
    curvature = ridge * np.eye(len(bots))
    for features, _ in cases:
        chances = np.exp(features @ weights)
        chances /= chances.sum()
        curvature = (
            curvature + features.T @ (np.diag(chances) - np.outer(chances, chances)) @ features
        )
    return weights, np.asarray(np.linalg.inv(curvature))
