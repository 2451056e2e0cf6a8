"""Throughput, memory and restart time of the table server: ``python -m benchmarks.server``."""
