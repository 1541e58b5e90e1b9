"""English words in a text that should be in another language."""

from __future__ import annotations

import re

_CODE = re.compile(
    r"`[^`]*`"  # what is typed, in a sentence
    r"|'[^']*'|\"[^\"]*\""
    r"|\{[^}]*\}|\[[^\]]*\]"  # choices and optional parts of a usage
    r"|https?://\S*"
    r"|(?<!\w)--?[a-z][\w-]*(?:=\S*)?"  # flags
    r"|\S*[/=]\S*"  # paths, and a name with its value
    r"|\b\w+:[\w.]+",  # terms of a query
    re.ASCII,
)
_WORD = re.compile(r"(?<![\w.-])[a-z]{3,}(?![\w.-])", re.ASCII)


def english_words(line: str, allowed: frozenset[str]) -> list[str]:
    """Words of small letters that are no code and none of those that stay as they are.

    Args:
        line: One line of what is shown.
        allowed: Names and codes that are the same in every language.
    """
    return [word for word in _WORD.findall(_CODE.sub(" ", line)) if word not in allowed]
