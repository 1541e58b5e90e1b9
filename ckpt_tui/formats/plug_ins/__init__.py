"""Readers of other distributions: found, guarded, checked, and asked about what is unclaimed."""
