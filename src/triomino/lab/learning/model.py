"""The network in floating point, as it is trained, and its whole-number form, as it plays.

One layer of units sees the features: one for rounds of two for points, and another for all other
games (see :func:`group`). A second, small layer and the heads are chosen by the kind of game (see
:func:`bucket`). Heads: the margin still to come, and the chance to win the round as a
logistic function of an offset and of a slope times the lead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triomino.rules import Rules

# The sizes and scales of native/network.hpp.
TILE_KINDS: Final = 9
TILE_FEATURES: Final = TILE_KINDS * 76
NUMBER_FEATURES: Final = 105
RULE_FEATURES: Final = 49
FEATURES: Final = TILE_FEATURES + NUMBER_FEATURES + RULE_FEATURES
UNITS: Final = 48
HIDDEN: Final = 16
HEADS: Final = 3
BUCKETS: Final = 9
GROUPS: Final = 2
CHANCES: Final = 513
ONE: Final = 4096
HIDDEN_ONE: Final = 256
OUT_ONE: Final = ONE * HIDDEN_ONE
MARGIN_SCALE: Final = 100.0
LEAD_SCALE: Final = 64.0
MAGIC: Final = b"trionet2"

_LARGEST: Final = 32767
_FINENESS: Final = 64
"""First weights of a file are multiples of one part in so many: it takes half the room packed."""
_SHAPES: Final = {
    "input": (GROUPS, FEATURES, UNITS),
    "input_bias": (GROUPS, UNITS),
    "hidden": (BUCKETS, HIDDEN, UNITS),
    "hidden_bias": (BUCKETS, HIDDEN),
    "head": (BUCKETS, HEADS, HIDDEN),
    "head_bias": (BUCKETS, HEADS),
}

Floats = "NDArray[np.float32]"


def bucket(rules: Rules, players: int) -> int:
    """Return which second layer judges these games."""
    kind = 2 if not rules.scoring else 1 if rules.wins_by_ending else 0
    return 3 * kind + min(players, 4) - 2


def group(bucket: int) -> int:
    """Return which first layer judges the games of a bucket."""
    return int(bucket != 0)


def units() -> NDArray[np.float32]:
    """Return by feature what a typical value of it is; training divides by that."""
    numbers = [8, 60, 5, 1, 40, 60, 30, 240, 20, 200, 5, 20, 25, 25, 1, 1, 1, 1]
    numbers += [8] * 5 + [1] * 6 + [64] * 6 + [1] * 22 + [2] * 36 + [32, 20] * 5 + [2, 12]
    rules = [1, 60, 1, 1, 1, 1, 1, 9, 1, *[1] * 7, 40, 50, 60, 70, 5, 3, 1, 10, 1]
    rules += [1] * 8 + [10, 25] + [1] * 14
    return np.array([1] * TILE_FEATURES + numbers + rules, np.float32)


@dataclass
class Model:
    """The weights in floating point, by name."""

    weights: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    @classmethod
    def fresh(cls, seed: int) -> Model:
        """Return a model that knows nothing."""
        dice = np.random.default_rng(seed)
        weights = {name: np.zeros(shape, np.float32) for name, shape in _SHAPES.items()}
        weights["input"] += dice.normal(0, 0.05, _SHAPES["input"]).astype(np.float32)
        weights["input_bias"] += 0.3
        weights["hidden"] += dice.normal(0, 0.15, _SHAPES["hidden"]).astype(np.float32)
        weights["hidden_bias"] += 0.3
        weights["head"] += dice.normal(0, 0.05, _SHAPES["head"]).astype(np.float32)
        weights["head_bias"][:, 2] = 1
        return cls(weights)

    @classmethod
    def from_bytes(cls, file: bytes) -> Model:
        """Return the model of a file of weights, as far as whole numbers tell."""
        scales = (ONE, ONE, HIDDEN_ONE, OUT_ONE, HIDDEN_ONE, OUT_ONE)
        at = len(MAGIC)
        weights: dict[str, NDArray[np.float32]] = {}
        for (name, shape), scale in zip(_SHAPES.items(), scales, strict=True):
            kind = "<i4" if name.endswith("bias") else "<i2"
            numbers = np.frombuffer(file, kind, int(np.prod(shape)), at)
            at += numbers.nbytes
            weights[name] = (numbers / scale).astype(np.float32).reshape(shape)
        weights["input"] *= units()[:, None]
        return cls(weights)

    def to_bytes(self) -> bytes:
        """Return the file of weights that the kernel reads: whole numbers, rounded."""
        coarse = np.rint(self.weights["input"] * _FINENESS) / _FINENESS
        scaled: dict[str, NDArray[np.floating[Any]]] = {
            "input": coarse / units()[:, None] * ONE,
            "input_bias": self.weights["input_bias"] * ONE,
            "hidden": self.weights["hidden"] * HIDDEN_ONE,
            "hidden_bias": self.weights["hidden_bias"] * OUT_ONE,
            "head": self.weights["head"] * HIDDEN_ONE,
            "head_bias": self.weights["head_bias"] * OUT_ONE,
        }
        parts = [MAGIC]
        for name, values in scaled.items():
            kind, most = ("<i4", 2**30) if name.endswith("bias") else ("<i2", _LARGEST)
            parts.append(np.clip(np.rint(values), -most, most).astype(kind).tobytes())
        steps = np.arange(CHANCES) / 32 - 8
        parts.append(np.rint(65536 / (1 + np.exp(-steps))).astype("<i4").tobytes())
        return b"".join(parts)


def logistic(logit: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the logistic function, for logits from -15 to 15."""
    return (1 / (1 + np.exp(-np.clip(logit, -15, 15)))).astype(np.float32)


@dataclass(frozen=True)
class Segment:
    """Consecutive rows of a batch that are of one kind of game."""

    bucket: int
    rows: slice


@dataclass(frozen=True)
class Batch:
    """Samples to learn from."""

    features: NDArray[np.float32]
    """Divided by :func:`units`."""
    lead: NDArray[np.float32]
    margin: NDArray[np.float32]
    win: NDArray[np.float32]
    segments: tuple[Segment, ...]


def gradient(model: Model, batch: Batch) -> tuple[dict[str, NDArray[np.float32]], float, float]:
    """Return the gradient of the loss, and the losses of the chance and of the margin.

    The loss is the cross entropy of the chance to win and half the square of the margin's error.
    """
    w = model.weights
    slope = {name: np.zeros_like(value) for name, value in w.items()}
    count = len(batch.win)
    entropy = squares = 0.0
    for part in batch.segments:
        b, g, rows = part.bucket, group(part.bucket), part.rows
        sums = batch.features[rows] @ w["input"][g] + w["input_bias"][g]
        active = np.clip(sums, 0, 1)
        under = active @ w["hidden"][b].T + w["hidden_bias"][b]
        level = np.clip(under, 0, 1)
        out = level @ w["head"][b].T + w["head_bias"][b]
        lead, win = batch.lead[rows] / LEAD_SCALE, batch.win[rows]
        chance = logistic(out[:, 1] + out[:, 2] * lead)
        off = out[:, 0] - batch.margin[rows] / MARGIN_SCALE
        entropy -= float((win * np.log(chance) + (1 - win) * np.log1p(-chance)).sum())
        squares += float((off * off).sum())
        wrong = (chance - win) / count
        heads = np.stack([off / count, wrong, wrong * lead], axis=1).astype(np.float32)
        slope["head"][b] += heads.T @ level
        slope["head_bias"][b] += heads.sum(axis=0)
        deep = (heads @ w["head"][b]) * ((under > 0) & (under < 1))
        slope["hidden"][b] += deep.T @ active
        slope["hidden_bias"][b] += deep.sum(axis=0)
        back = (deep @ w["hidden"][b]) * ((sums > 0) & (sums < 1))
        slope["input"][g] += batch.features[rows].T @ back
        slope["input_bias"][g] += back.sum(axis=0)
    return slope, entropy / count, squares / count


@dataclass
class Adam:
    """The usual step size for every weight, by its gradients so far."""

    mean: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    square: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    steps: int = 0

    def step(self, model: Model, slope: dict[str, NDArray[np.float32]], rate: float) -> None:
        """Change the weights of *model*."""
        self.steps += 1
        fade = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for name, value in slope.items():
            mean = self.mean.setdefault(name, np.zeros_like(value))
            square = self.square.setdefault(name, np.zeros_like(value))
            mean += 0.1 * (value - mean)
            square += 0.001 * (value * value - square)
            model.weights[name] -= rate * (mean / fade[0]) / (np.sqrt(square / fade[1]) + 1e-8)
        np.clip(model.weights["input"], -7.5, 7.5, out=model.weights["input"])
