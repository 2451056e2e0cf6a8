"""Many games at once: simulations, arenas, statistics and benchmarks.

Everything here is called from Python; nothing prints and nothing reads a command line.
"""
