"""The screen of a start without a directory: what could be opened."""
