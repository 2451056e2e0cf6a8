"""Several servers on one database, measured."""
