"""Tables in any state for screenshots and measurements: a board and a rack of any size."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import msgspec

from triomino.board import Board
from triomino.protocol.api import Fairness, SeatSummary
from triomino.protocol.messages import (
    Choice,
    Now,
    RoundInfo,
    ScoreInfo,
    State,
    TurnInfo,
)
from triomino.rules import CLASSIC, SIX_PLAYER
from triomino.scoring import BONUSES, placement_scores
from triomino.tile import mask_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, WebSocketRoute

    from triomino.moves import Place
    from triomino.rules import Rules
    from triomino.tile import Tile

NAMES = ("Ann", "Greta")


def grow(rules: Rules, count: int, seed: int) -> list[Place]:
    """A board of *count* tiles, laid close together as people do."""
    for attempt in range(seed, seed + 500):
        dice = random.Random(attempt)
        board, left = Board(), set(rules.tiles)
        while len(board) < count:
            found = board.placements(mask_of(left))
            if not found:
                break
            # Lay the tile with the fewest places first, where it meets the most corners.
            ways: dict[Tile, int] = {}
            for place in found:
                ways[place.tile] = ways.get(place.tile, 0) + 1
            chosen = min(
                found,
                key=lambda one: (ways[one.tile] // 4, -_met(board, one), dice.random()),
            )
            board.lay(chosen)
            left.discard(chosen.tile)
        if len(board) == count:
            return board.places
    raise ValueError(f"no board of {count} tiles was found")


def _met(board: Board, place: Place) -> int:
    return sum(number is not None for number in board.corners(place.cell.key))


def make_state(count: int, rack: int, *, seed: int = 1, mine: bool = True) -> dict[str, Any]:
    """The state of a running round: *count* tiles on the board, *rack* on the player's rack."""
    rules = SIX_PLAYER if count + rack > 50 else CLASSIC
    places = grow(rules, count, seed)
    dice = random.Random(seed)
    laid = {place.tile for place in places}
    left = [tile for tile in rules.tiles if tile not in laid]
    dice.shuffle(left)
    own, others = left[:rack], left[rack : rack + 6]
    board, totals, turns = Board(), [0, 0], []
    for number, place in enumerate(places):
        seat = (number + len(places) + (not mine)) % 2
        turn = _turn(board, rules, seat, place)
        totals[seat] += turn.points
        turns.append(turn)
        board.lay(place)
    choices = [
        Choice(str(place), turn.points, turn.bonus)
        for place in board.placements(mask_of(own))
        for turn in [_turn(board, rules, 0, place)]
    ]
    pool = len(left) - len(own) - len(others)
    if pool:
        choices.append(Choice("draw", -5))
    state = State(
        version=len(turns) + 5,
        table="picture",
        state="playing",
        rules={"edition": rules.edition, "target": 400},
        options={"help": "points", "undo": True, "hints": True},
        seats=[SeatSummary("person", NAMES[0]), SeatSummary("bot", NAMES[1], "greedy")],
        you=[0],
        is_host=True,
        fair=Fairness("fair/1", "0" * 64),
        here=[0],
        racks={"0": [str(tile) for tile in own]},
        round=RoundInfo(1, turns[0].seat if turns else 0, [], turns),
        now=Now(
            ply=len(turns) + 5,
            turn=0 if mine else 1,
            totals=totals,
            rack_sizes=[len(own), len(others)],
            pool_size=pool,
            draws=0,
            is_last_round=max(totals) > 400,
            choices=choices if mine else None,
        ),
    )
    data: dict[str, Any] = msgspec.to_builtins(state)
    return data


def _turn(board: Board, rules: Rules, seat: int, place: Place) -> TurnInfo:
    scores = list(placement_scores(board, seat, place, rules))
    bonus = next((score.reason.value for score in scores if score.reason in BONUSES), None)
    return TurnInfo(
        seat,
        str(place),
        sum(score.points for score in scores),
        [ScoreInfo(score.seat, score.reason.value, score.points) for score in scores],
        bonus=bonus,
    )


SIX = ("Ann", "Maximiliane Alexandra", "Milo", "Noor", "Club night 1", "Club night 2")
"""Six players, some of whom have long names; Milo and Noor are bots."""


def against_milo(state: dict[str, Any]) -> dict[str, Any]:
    """The same state with somebody of the cast as the opponent."""
    milo = {"name": "Milo", "bot": "medium", "is_made_up": True}
    return state | {"seats": [state["seats"][0], state["seats"][1] | milo]}


def six_players() -> dict[str, Any]:
    """A state with six players, long scores and a rack of 21 tiles."""
    state = make_state(30, 9)
    person = state["seats"][0]
    bot = {"kind": "bot", "bot": "hard", "is_made_up": True}
    state["seats"] = [
        person | {"name": name} | (bot if name in ("Milo", "Noor") else {}) for name in SIX
    ]
    state["here"] = [0, 1, 4, 5]
    state["now"] |= {"totals": [99, -117, 388, 5, 0, 25], "rack_sizes": [9, 12, 5, 21, 6, 4]}
    return state


def ended() -> dict[str, Any]:
    """The state of a match that the bot has won."""
    state = make_state(30, 9, mine=False)
    end = {"reason": "out", "seats": [1], "points": [0, 9], "scores": [], "racks": [["4-5-5"], []]}
    state["now"] |= {"end": end, "choices": None}
    totals = state["now"]["totals"]
    return state | {"state": "finished", "result": {"scores": totals, "winners": [1]}}


def waiting(**more: Any) -> dict[str, Any]:
    """A state in which Ann waits for Ben, a person."""
    state = make_state(30, 9, mine=False)
    state["seats"] = [state["seats"][0], state["seats"][0] | {"name": "Ben"}]
    return state | {"here": [0, 1]} | more


def show(
    page: Page,
    url: str,
    state: dict[str, Any],
    path: str = "",
    ready: str = "[data-place]",
    *,
    sent: list[dict[str, Any]] | None = None,
) -> Callable[[dict[str, Any]], None]:
    """Open a table in that state; what the page sends is not answered, but added to *sent*.

    Returns a function that sends the page a message.
    """
    routes: list[WebSocketRoute] = []

    def answer(route: WebSocketRoute) -> None:
        routes.append(route)

        def hear(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "hello":
                route.send(json.dumps(state))
            elif sent is not None:
                sent.append(said)

        route.on_message(hear)

    page.route_web_socket(re.compile("/ws$"), answer)
    page.goto(f"{url}/t/picture{path}")
    page.locator(ready).first.wait_for()
    return lambda message: routes[-1].send(json.dumps(message))
