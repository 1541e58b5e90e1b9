"""What a command says on stderr: names from a disk cannot move the cursor or fail to encode."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from ckpt_tui.core.printable import printable

if TYPE_CHECKING:
    from ckpt_tui.cli.exit_codes import ExitCode


def say(text: str) -> None:
    """Text on stderr; the exit code does not depend on whether anybody listens there."""
    with contextlib.suppress(OSError, ValueError):  # closed by whoever runs this, or not to encode
        print(text, file=sys.stderr)


def complain(message: str) -> None:
    """One line on stderr."""
    say(f"ckpt-tui: {printable(message)}")


def refuse(message: str, code: ExitCode) -> int:
    """One line on stderr, and the exit code that goes with it."""
    complain(message)
    return code
