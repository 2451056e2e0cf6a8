"""Tables that people and bots play at, over the network."""

from triomino.packages import require_packages

require_packages(
    "triomino.server",
    "litestar",
    "msgspec",
    "segno",
    "sqlalchemy",
    "uvicorn",
    "websockets",
)
