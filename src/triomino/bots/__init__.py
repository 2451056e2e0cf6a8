"""Bots: players that choose a move from a :class:`~triomino.View` alone."""

from triomino.bots.base import Bot, Limit
from triomino.bots.cast import CAST, cast_member, free_names, localized, random_names
from triomino.bots.levels import HumanBot, SearchBot
from triomino.bots.plain import GreedyBot, RandomBot
from triomino.bots.registry import BOTS, LEVELS, LOST_OF_TEN, make_bot, why_not_bot
from triomino.bots.simulation import play_out, simulate_match

__all__ = [
    "BOTS",
    "CAST",
    "LEVELS",
    "LOST_OF_TEN",
    "Bot",
    "GreedyBot",
    "HumanBot",
    "Limit",
    "RandomBot",
    "SearchBot",
    "cast_member",
    "free_names",
    "localized",
    "make_bot",
    "play_out",
    "random_names",
    "simulate_match",
    "why_not_bot",
]
