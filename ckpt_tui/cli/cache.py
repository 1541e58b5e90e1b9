"""`ckpt-tui cache`: where facts that were read before lie, what is kept, and deleting them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.cache.database import CacheDatabase, CacheError
from ckpt_tui.cache.place import cache_path, why_not_used
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.messages import refuse
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text
from ckpt_tui.fs.user_directory import CACHE_SWITCH
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    import argparse

_ABOUT = later(
    """\
What the dashboard read of checkpoints, so that its next start reads only those that differ. A
checkpoint's facts count as long as every file has the size, time and number that it had. Nothing
else uses them: `check`, `latest`, `show` and `record` read all anew. Delete them at any time.

  path    where they lie, and whether they are used
  show    directories, and how many checkpoints of each are kept
  clear   deletes them

{switch}=0 switches it off; `ckpt-tui --no-cache DIR` does for one start.
"""
)

_EXIT_CODES = later("exit codes: 0 done; 3 the file cannot be used")
_EXAMPLES = "ckpt-tui cache show\nckpt-tui cache clear"


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    about = say(_ABOUT, switch=CACHE_SWITCH)
    parser = parsing.make_parser("cache", about, say(_EXIT_CODES), _EXAMPLES)
    parser.add_argument("what", choices=("path", "show", "clear"))
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Does what was asked for and returns the exit code."""
    database = CacheDatabase(cache_path())
    try:
        if arguments.what == "path":
            off = why_not_used()
            told = say("not used: {reason}", reason=say_sentence(off)) if off else ""
            print(printable(database.path) + (f"  ({told})" if told else ""))
        elif arguments.what == "show":
            for place, count in database.counts():
                told = say_count(count, "{count} checkpoint", "{count} checkpoints")
                print(f"{printable(os.fsdecode(place))}  {told}")
        else:
            size_bytes = database.size_bytes()
            database.clear()
            print(say("{size} deleted", size=bytes_text(size_bytes)))
    except CacheError as error:
        return refuse(say_sentence(str(error)), ExitCode.UNKNOWN)
    return ExitCode.OK
