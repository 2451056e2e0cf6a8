"""The game for OpenSpiel: ``pyspiel.load_game("python_triomino(players=2)")``.

Importing this module registers it. Chance is explicit; returns are scores minus the mean of the
others, so every game is zero-sum.
"""

from __future__ import annotations

import atexit
from typing import Any, Final

import numpy as np
import pyspiel

from triomino.dice import Rng
from triomino.env.actions import SPECIALS
from triomino.env.batch import Batch
from triomino.env.tree import CHANCE, TERMINAL, Node, Variant, recall_shapes
from triomino.errors import TriominoError
from triomino.kernel import native_rules
from triomino.rules import Rules
from triomino.tile import Tile

NAME: Final = "python_triomino"
DEFAULTS: Final[dict[str, Any]] = {
    "players": 2,
    "edition": "classic",
    "rules": "",
    "tile_set": 0,
    "rack": 0,
    "tiles": "",
    "starter": -1,
    "hands": "",
}
"""Parameters: *rules* are house rules like ``draw_cost:0;voluntary_draw:never``, *rack* the tiles
dealt to each, *tiles* those in play like ``0-0-0 0-0-1``; *starter* is -1 to find it by the rules;
*hands* are the racks of all seats like ``0-0-0 0-0-1;0-1-1 1-1-1``, else they are dealt. What is
left out is as the edition has it."""

_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Triomino",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


def variant_of(params: dict[str, Any]) -> Variant:
    """Return the variant that parameters describe."""
    given = DEFAULTS | params
    players = int(given["players"])
    changes: dict[str, Any] = {"target": None}
    if given["tile_set"]:
        changes["tile_set"] = str(given["tile_set"])
    if given["rack"]:
        changes["racks"] = {players: int(given["rack"])}
    edition = str(given["edition"])
    if players > 4 and edition == "classic":
        edition = "six-player"  # the edition for so many
    settings = [setting.replace(":", "=") for setting in str(given["rules"]).split(";") if setting]
    rules = Rules.read({"edition": edition, **changes}).with_settings(settings)
    tiles = tuple(map(Tile.parse, str(given["tiles"]).split()))
    starter = int(given["starter"])
    hands = tuple(
        tuple(map(Tile.parse, hand.split())) for hand in str(given["hands"]).split(";") if hand
    )
    return Variant(rules, players, tiles, None if starter < 0 else starter, hands)


class TriominoGame(pyspiel.Game):
    """A variant as a game of OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.variant = variant_of(params or {})
        most = float(self.variant.most_points)
        super().__init__(
            _TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.variant.space.size,
                max_chance_outcomes=len(self.variant.rules.tiles),
                num_players=self.variant.players,
                min_utility=-most,
                max_utility=most,
                utility_sum=0.0,
                max_game_length=self.variant.longest,
            ),
            params or {},
        )

    def new_initial_state(self) -> TriominoState:
        """Return the state before the deal."""
        return TriominoState(self, self.variant.root())

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the tiles that are dealt and drawn."""
        return 2 * len(self.variant.dealt) + 100

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of states."""
        return Observer(
            self.variant, perfect_recall=bool(iig_obs_type and iig_obs_type.perfect_recall)
        )


class TriominoState(pyspiel.State):
    """A node of the tree. The game is not kept here, so that a clone is cheap."""

    def __init__(self, game: TriominoGame, node: Node) -> None:
        super().__init__(game)
        self.node = node

    def current_player(self) -> int:
        """Return the seat to move, or chance, or that the game is over."""
        player = self.node.player
        if player == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if player == TERMINAL else player

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal_actions() if player == self.node.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the tiles that may come, with their probabilities."""
        return self.node.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.node.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player < 0:
            return f"Tile {self.node.variant.rules.tiles[action]}"
        space = self.node.variant.space
        if self.node.state is None:
            return f"Action {action}"
        try:
            return str(space.decode(self.node.state.position.as_board(), action))
        except TriominoError:
            return f"Action {action}"

    def is_terminal(self) -> bool:
        """Return whether the round is over."""
        return self.node.player == TERMINAL

    def returns(self) -> list[float]:
        """Return the scores minus the mean of the others; 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self.node.variant.players
        return self.node.returns()

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a seat has seen."""
        return self.node.information_state(self._seat(player))

    def observation_string(self, player: int | None = None) -> str:
        """Return what a seat sees now."""
        return observation_text(self.node, self._seat(player))

    def _seat(self, player: int | None) -> int:
        return max(0, self.current_player()) if player is None else player

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> TriominoState:
        """Return a state that *player_id* cannot tell from this one, all equally likely."""
        dice = Rng(int(probability_sampler() * (1 << 53)))
        node = self.node.resample(player_id, dice)
        state: TriominoState = self.get_game().new_initial_state()
        for outcome in node.history():
            state.apply_action(outcome)
        return state

    def __str__(self) -> str:
        return " ".join(map(str, self.history()))


class Observer:
    """Observations as a tensor, in pieces with names, and as text.

    With perfect recall it is all that a seat has seen since the deal, in the order of
    :meth:`Node.information_state`; else what it sees now.
    """

    def __init__(self, variant: Variant, *, perfect_recall: bool) -> None:
        self.variant, self.perfect_recall = variant, perfect_recall
        pieces = recall_shapes(variant) if perfect_recall else sight_shapes(variant)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in pieces.values()), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in pieces.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size
        if not perfect_recall:
            self._batch = Batch(variant.rules, variant.players, 1, everything=True)

    def set_from(self, state: TriominoState, player: int) -> None:
        """Write the observation of a seat."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self.perfect_recall:
            self._recall(state.node, player)
        else:
            self._see(state.node, player)

    def _recall(self, node: Node, player: int) -> None:
        self.dict["rack"][node.racks[player]] = 1
        for row, (seat, tile) in zip(self.dict["start"], node.start, strict=False):
            row[:] = seat + 1, tile + 1
        ranks = node.variant.space.ranks
        for row, (seat, action, drawn) in zip(self.dict["moves"], node.log, strict=False):
            kind, tile, rank = action + 1, 0, 0
            if action >= len(SPECIALS):
                kind = len(SPECIALS) + 1
                tile, rank = divmod(action - len(SPECIALS), ranks)
                tile, rank = tile + 1, rank + 1
            row[:] = seat + 1, kind, tile, rank, drawn + 1 if seat == player else 0
        self.dict["drawing"][0] = node.is_drawing

    def _see(self, node: Node, player: int) -> None:
        if node.state is None:
            self.dict["rack"][node.racks[player]] = 1
            return
        batch, players = self._batch, self.variant.players
        batch.load(0, node.state)
        ahead = (player - int(batch.turn[0])) % players
        self.dict["rack"][:] = batch.racks[0, player]
        self.dict["laid"][:] = batch.laid[0]
        self.dict["sizes"][:players] = np.roll(batch.sizes[0, :players], -ahead)
        self.dict["sizes"][players] = batch.sizes[0, players]
        self.dict["totals"][:] = np.roll(batch.totals[0], -ahead)
        self.dict["draws"][0] = batch.draws[0]
        self.dict["turn"][-ahead % players] = 1
        self.dict["cells"][:] = batch.cells[0]

    def string_from(self, state: TriominoState, player: int) -> str:
        """Return the observation of a seat as text."""
        if self.perfect_recall:
            return state.node.information_state(player)
        return observation_text(state.node, player)


def sight_shapes(variant: Variant) -> dict[str, tuple[int, ...]]:
    """Return the pieces of what a seat sees now, with their shapes."""
    tiles, players = len(variant.rules.tiles), variant.players
    return {
        "player": (players,),
        "rack": (tiles,),
        "laid": (tiles,),
        "sizes": (players + 1,),
        "totals": (players,),
        "draws": (1,),
        "turn": (players,),
        "cells": (tiles + 2, 8),
    }


def observation_text(node: Node, seat: int) -> str:
    """Return what a seat sees of a node: board, own rack, sizes and totals."""
    if node.state is None:
        return f"seat {seat} | rack {' '.join(map(str, sorted(node.racks[seat])))}"
    position = node.state.position
    board = " ".join(sorted(map(str, position.board)))
    rack = " ".join(map(str, sorted(position.racks[seat] or ())))
    sizes = " ".join(map(str, (*position.rack_sizes, position.pool_size)))
    totals = " ".join(map(str, position.scores))
    return (
        f"seat {seat} | turn {position.turn} | drawn {len(position.drawn)} | board {board}"
        f" | rack {rack} | sizes {sizes} | totals {totals}"
    )


pyspiel.register_game(_TYPE, TriominoGame)
# OpenSpiel keeps what is registered beyond the end of the interpreter.
atexit.register(native_rules.cache_clear)
