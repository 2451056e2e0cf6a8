"""The spaces of observations, for Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from gymnasium import spaces

from triomino.env.table import observation_shapes

if TYPE_CHECKING:
    from triomino.rules import Rules


def observation_space(rules: Rules, players: int) -> spaces.Dict:
    """Return the space of the observations of a table."""
    shapes = observation_shapes(rules, players)
    most = np.iinfo(np.int32)
    return spaces.Dict(
        {
            "planes": spaces.Box(0, 1, shapes["planes"], np.uint8),
            "cells": spaces.Box(-128, 127, shapes["cells"], np.int8),
            "vector": spaces.Box(most.min, most.max, shapes["vector"], np.int32),
            "history": spaces.Box(-128, 127, shapes["history"], np.int8),
        }
    )
