"""Chores that make does."""
