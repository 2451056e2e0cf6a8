"""Training of the network that judges positions: ``triomino learn``."""
