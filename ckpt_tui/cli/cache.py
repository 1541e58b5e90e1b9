"""`ckpt-tui cache`: where facts that were read before lie, what is kept, and deleting them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.cache.database import CacheDatabase, CacheError
from ckpt_tui.cache.place import SWITCH, cache_path, why_not_used
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.messages import refuse
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text, plural

if TYPE_CHECKING:
    import argparse

_ABOUT = f"""\
What the dashboard read of checkpoints, so that its next start reads only those that differ. A
checkpoint's facts count as long as every file has the size, time and number that it had. Nothing
else uses them: `check`, `latest`, `show` and `record` read all anew. Delete them at any time.

  path    where they lie, and whether they are used
  show    directories, and how many checkpoints of each are kept
  clear   deletes them

{SWITCH}=0 switches it off; `ckpt-tui --no-cache DIR` does for one start.
"""

_EXIT_CODES = "exit codes: 0 done; 3 the file cannot be used"


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("cache", _ABOUT, _EXIT_CODES)
    parser.add_argument("what", choices=("path", "show", "clear"))
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Does what was asked for and returns the exit code."""
    database = CacheDatabase(cache_path())
    try:
        if arguments.what == "path":
            off = why_not_used()
            print(printable(database.path) + (f"  (not used: {off})" if off else ""))
        elif arguments.what == "show":
            for place, count in database.counts():
                print(f"{printable(os.fsdecode(place))}  {plural(count, 'checkpoint')}")
        else:
            size_bytes = database.size_bytes()
            database.clear()
            print(f"{bytes_text(size_bytes)} deleted")
    except CacheError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    return ExitCode.OK
