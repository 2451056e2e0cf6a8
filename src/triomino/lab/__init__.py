"""Many games at once, called from Python: nothing here prints or reads a command line.

- :func:`triomino.lab.simulation.simulate` plays matches between bots.
- :func:`triomino.lab.arena.run_arena` compares two bots on the same deals.
- :func:`triomino.lab.tally.tally_rounds` counts how rounds go, by edition and player count.
- :func:`triomino.lab.benchmark.measure` measures how fast rounds are played.
"""
