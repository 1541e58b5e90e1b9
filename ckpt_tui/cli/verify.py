"""`ckpt-tui verify`: reads every byte that anything protects, and says which are wrong."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.patience import set_after
from ckpt_tui.cli.progress_line import ProgressLine
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.remembered import remember
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ckpt_tui.verify.results import Verified

_SUMMARY = later(
    """\
Read every byte that anything protects, and compare it with its checksum: the CRC-32 of zip archives
(torch files, .distcp items, .keras, npz), CRC-32C of TensorFlow and OCDBT, those of our own
manifest and of a seal. Where a format protects nothing (safetensors, HDF5, pickles) its structure
is checked, and it is said so. Nothing is written below PATH; what was found is remembered, so that
`check` and the dashboard speak of it until the files change.
"""
)
_EXIT_CODES = later(
    """\
exit codes: 0 every protected byte is right; 1 with --finite: right, but a tensor holds NaN or
infinity; 2 wrong bytes; 3 a path is not there or holds no file, a file cannot be read, or the
time is up;
of several the worst, in the order 2, 3, 1, 0
"""
)
_EXAMPLES = """\
ckpt-tui verify /runs/gpt/step-1200
ckpt-tui verify --finite --jobs 8 /runs/gpt
ckpt-tui verify --json --timeout 10m /runs/gpt | jq '.files[] | select(.ok == false)'
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("verify", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path(
        "paths",
        nargs="+",
        metavar="PATH",
        help=say("a checkpoint, a run, a directory above runs, or one file"),
    )
    parsing.add_json_option(parser)
    parser.add_argument(
        "--jobs",
        type=parsing.whole_number_from(1),
        default=0,
        metavar="N",
        help=say("so many files are read at a time (default: one a core, at most 8)"),
    )
    parser.add_argument(
        "--finite",
        action="store_true",
        help=say("also look for NaN and infinity in floating tensors"),
    )
    parser.add_argument(
        "--seal",
        dest="seals",
        action="append",
        default=[],
        metavar="FILE",
        help=say("a seal of a checkpoint that was moved since (ckpt-tui seal)"),
    )
    parser.add_argument(
        "--timeout",
        type=parsing.seconds_of,
        metavar="TIME",
        help=say("give up after so long, and tell what was done (a hung mount)"),
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Reads, prints, and returns the exit code."""
    cancel, interrupted = threading.Event(), threading.Event()
    options = Options(arguments.jobs, arguments.finite, tuple(arguments.seals))
    line = ProgressLine()
    with _interruptible(cancel, interrupted), set_after(arguments.timeout, cancel):
        verified = verify(arguments.paths, options, line.show, cancel)
    line.clear()
    if why := remember(verified):
        complain(say_sentence(why))
    code = ExitCode.INTERRUPTED if interrupted.is_set() else exit_code_of(verified)
    if arguments.as_json:
        from ckpt_tui.cli.verify_json import verify_json

        print(verify_json(verified, int(code)))
    else:
        from ckpt_tui.cli.verify_report import verify_report

        print(verify_report(verified, arguments.timeout))
    for path, reason in verified.problems:
        complain(f"{path}: {say_sentence(reason)}")
    return code


def exit_code_of(verified: Verified) -> ExitCode:
    """The worst of what was found: wrong bytes, then what was not read, then NaN and infinity."""
    if not verified.ok:
        return ExitCode.CRITICAL
    unread = verified.problems or any(file.unread for file in verified.files)
    if unread or verified.cancelled or not verified.files:
        return ExitCode.UNKNOWN
    if any(file.non_finite for file in verified.files):
        return ExitCode.WARNING
    return ExitCode.OK


@contextmanager
def _interruptible(cancel: threading.Event, interrupted: threading.Event) -> Iterator[None]:
    """An interrupt ends the reading, and what was done is told; a second one ends the program."""

    def hear(number: int, frame: object) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()
        cancel.set()

    before = signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
