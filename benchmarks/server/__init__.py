"""How fast, how big and how quickly back the table server is: ``python -m benchmarks.server``."""
