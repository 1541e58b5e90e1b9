"""Simplified Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {}
"""English text → the same in Chinese, with the same names in braces."""

SENTENCES: dict[str, str] = {}
"""English template of a sentence → the same in Chinese, with numbered values."""
