"""How many endings are solved exactly, and how fast."""
