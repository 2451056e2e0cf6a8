"""Floods from one address beside a match of others: ``make attack``."""
