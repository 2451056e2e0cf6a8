"""Findings about the game, made from nothing by one command."""
