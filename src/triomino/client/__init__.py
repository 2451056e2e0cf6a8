"""A player over the wire, for tests and for people who bring their own bot."""

from triomino.client.player import RefusedByServer, RemotePlayer, play_bot

__all__ = ["RefusedByServer", "RemotePlayer", "play_bot"]
