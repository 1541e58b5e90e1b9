"""What argparse says of a command line that is wrong, in the language in use."""

from __future__ import annotations

from string import Formatter

from ckpt_tui.words import later, say
from ckpt_tui.words.templates import values_of

_TEXTS = (
    later("the following arguments are required: {names}"),
    later("unrecognized arguments: {words}"),
    later("argument {name}: not allowed with argument {other}"),
    later("argument {name}: expected one argument"),
    later("argument {name}: expected at least one argument"),
    later("argument {name}: invalid choice: {word} (choose from {words})"),
    later("argument {name}: invalid {kind} value: {word}"),
    later("argument {name}: ignored explicit argument {word}"),
    later("argument {name}: {reason}"),
)
"""What argparse of Python 3.11 to 3.14 can say of our parsers, the more special first."""


def said(message: str) -> str:
    """A message of argparse; one that is not known here stays as it is."""
    for text in _TEXTS:
        parts = list(Formatter().parse(text))
        names = [name for _, name, _, _ in parts if name is not None]
        pieces = [before for before, _, _, _ in parts]
        values = values_of(message, [*pieces, ""] if parts[-1][1] is not None else pieces)
        if values is not None:
            return say(text, **dict(zip(names, values, strict=True)))
    return message
