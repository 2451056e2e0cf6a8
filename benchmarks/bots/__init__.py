"""Benchmarks of the bots: regret of short searches, ratings, and time limits."""
