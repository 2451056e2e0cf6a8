"""How the answers to refused requests are documented."""

from __future__ import annotations

from typing import Final

from litestar.openapi import ResponseSpec

from triomino.protocol.api import Problem

REFUSALS: Final = {
    status: ResponseSpec(Problem, generate_examples=False, description=why)
    for status, why in {
        400: "The request is malformed",
        401: "The device has no secret yet",
        403: "This is for somebody else",
        404: "There is no such table",
        409: "This cannot be done now",
        413: "The request is too large",
        429: "Too many requests, or tables",
    }.items()
}
