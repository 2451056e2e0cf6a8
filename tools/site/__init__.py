"""The documentation: how it is built, and the pages that lead into it."""
