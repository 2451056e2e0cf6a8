"""The routes of ratings and leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from triomino.protocol.play_now import (
    BoardWish,
    Leaderboard,
    PersonRatings,
    RatingAgreement,
    TableRatings,
)
from triomino.server.budgets import network_of
from triomino.server.credentials import device_of
from triomino.server.table import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.handlers import HTTPRouteHandler
    from litestar.openapi import ResponseSpec

    from triomino.server.rated import RatedMatches

AnyRequest = Request[Any, Any, State]


def _rated(request: AnyRequest) -> RatedMatches:
    request.app.state.hub.people.check_open()
    rated: RatedMatches = request.app.state.rated
    return rated


def _spend(request: AnyRequest) -> None:
    network = network_of(request.client.host if request.client else "")
    if not request.app.state.budgets.seats.take(network):
        raise RefusedError("too_fast", "too many from here; wait a little")


def rating_handlers(
    device: Callable[[Any], str], refusals: dict[int, ResponseSpec]
) -> list[HTTPRouteHandler]:
    """The routes; *device* returns the device that asks. On a closed server all are refused."""

    @get("/api/ratings", summary="My ratings", tags=["ratings"], responses=refusals)
    async def my_ratings(request: AnyRequest) -> PersonRatings:
        """The ratings of the person who asks, with their course."""
        return await _rated(request).of_device(device(request))

    @post("/api/ratings/boards", summary="Be listed or not", tags=["ratings"], responses=refusals)
    async def wish_for_board(request: AnyRequest, data: JSONBody[BoardWish]) -> PersonRatings:
        """Be on leaderboards, or leave them."""
        rated, own = _rated(request), device(request)
        _spend(request)
        await rated.show_on_board(own, data.shown)
        return await rated.of_device(own)

    @get(
        "/api/ratings/boards/{edition:str}",
        summary="A leaderboard",
        tags=["ratings"],
        responses=refusals,
    )
    async def leaderboard(request: AnyRequest, edition: FromPath[str]) -> Leaderboard:
        """The best of an edition."""
        return await _rated(request).board(edition, device_of(request))

    @get(
        "/api/tables/{table_id:str}/ratings",
        summary="What a match made of ratings",
        tags=["ratings"],
        responses=refusals,
    )
    async def table_ratings(request: AnyRequest, table_id: FromPath[str]) -> TableRatings:
        """What the match of a table made of ratings, once it is over."""
        return await _rated(request).at_table(table_id)

    @post(
        "/api/tables/{table_id:str}/seats/{seat:int}/rating",
        summary="Agree to a rated match",
        tags=["ratings"],
        responses=refusals,
    )
    async def agree_to_rating(
        request: AnyRequest,
        table_id: FromPath[str],
        seat: FromPath[int],
        data: JSONBody[RatingAgreement],
    ) -> None:
        """Let the match be rated as far as a seat of this device is concerned.

        It is if all seats have agreed before the start.
        """
        rated, own = _rated(request), device(request)
        _spend(request)
        await rated.agree(table_id, seat, own, data.agree)

    return [my_ratings, leaderboard, wish_for_board, table_ratings, agree_to_rating]
