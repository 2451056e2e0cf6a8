"""The kernel beside other engines of its kind; see README.md here."""
