"""A player over the network, for tests and for people with a bot of their own."""

from triomino.packages import require_packages

require_packages("triomino.client", "httpx", "msgspec", "websockets")

from triomino.client.player import RefusedByServer, RemotePlayer, play_bot

__all__ = ["RefusedByServer", "RemotePlayer", "play_bot"]
