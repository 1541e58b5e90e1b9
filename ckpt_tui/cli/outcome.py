"""How a command ends: what it raises becomes a message on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ckpt_tui.cli import messages
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable


def finish(command: Callable[[], int]) -> int:
    """Runs a command to its end and returns its exit code; nothing but `os._exit` leaves it."""
    from ckpt_tui.cli.parsing import UsageError

    try:
        code = command()
        sys.stdout.flush()
    except UsageError as error:
        messages.say(str(error))
        return ExitCode.USAGE
    except SystemExit as error:  # argparse after --help
        return error.code if isinstance(error.code, int) else ExitCode.OK
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader went away; a second flush at exit must not complain about it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except Exception as error:
        return _internal(error)
    return code


def _internal(error: Exception) -> int:
    if os.environ.get("CKPT_TUI_DEBUG"):
        import traceback

        traceback.print_exc()
    messages.say(
        say(
            "ckpt-tui: internal error: {kind}: {error} (set CKPT_TUI_DEBUG=1 for the place)",
            kind=type(error).__name__,
            error=error,
        )
    )
    return ExitCode.INTERNAL
