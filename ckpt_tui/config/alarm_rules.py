"""What the keys may hold by which an alarm leaves the screen: a program, a web address."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.config.rules import LONGEST_TEXT, PartError, Schema
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.config.settings import Value

MOST_ARGUMENTS = 100


class Command(NamedTuple):
    """A program and its arguments, for no shell."""

    @property
    def wanted(self) -> str:
        """In words."""
        return say(
            "a list of 1 to {most} strings, the first"
            " a program by its name alone or its absolute path",
            most=MOST_ARGUMENTS,
        )

    def take(self, value: object) -> Value:
        """See `Rule`."""
        if not isinstance(value, list) or not 0 < len(value) <= MOST_ARGUMENTS:
            raise ValueError
        if not all(isinstance(part, str) and len(part) <= LONGEST_TEXT for part in value):
            raise ValueError
        # A relative path could mean a file of whoever writes where the dashboard was started.
        named = "/" not in value[0] or value[0].startswith("/")
        if not value[0] or not named or any("\0" in part for part in value):
            raise ValueError
        return tuple(value)

    def read(self, text: str) -> Value:
        """A variable holds no list: it would have to be cut into words as a shell does."""
        raise PartError(
            say("{text} cannot be told apart into words: set it in a file", text=f"{text!r:.80}")
        )

    def json_schema(self) -> Schema:
        """See `Rule`."""
        text = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
        return {"type": "array", "items": text, "minItems": 1, "maxItems": MOST_ARGUMENTS}


class Address(NamedTuple):
    """Where something is posted to, without a user name and a password."""

    @property
    def wanted(self) -> str:
        """In words."""
        return say("an address that begins with https:// or http://, without a user name")

    def take(self, value: object) -> Value:
        """See `Rule`."""
        if not isinstance(value, str) or not _is_address(value):
            raise ValueError
        return value

    def read(self, text: str) -> Value:
        """See `Rule`."""
        return self.take(text.strip())

    def json_schema(self) -> Schema:
        """See `Rule`."""
        return {"type": "string", "pattern": "^https?://[^/@]+(/|$)"}


def _is_address(value: str) -> bool:
    from urllib.parse import urlsplit  # only where there is such a key

    if len(value) > LONGEST_TEXT or not value.isascii() or not value.isprintable() or " " in value:
        return False
    try:
        parts = urlsplit(value)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
        return known and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False
