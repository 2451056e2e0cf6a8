"""One catalogue of texts per language, read by the page."""
