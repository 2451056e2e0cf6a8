"""The rules in Python beside an older checkout of themselves; see README.md here."""
