"""The event log of all tables."""
