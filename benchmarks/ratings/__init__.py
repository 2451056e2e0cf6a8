"""Whether ratings find out who is stronger: simulated from measured outcomes between our levels."""
