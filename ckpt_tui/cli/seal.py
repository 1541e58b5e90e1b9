"""`ckpt-tui seal`: keeps checksums of a checkpoint, for `verify` to compare with later."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui import __version__
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.looking import Look, look_at
from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.progress_line import ProgressLine
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text
from ckpt_tui.core.vocabulary import Commit
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.listed import ListedFile
from ckpt_tui.verify.planning import plan
from ckpt_tui.verify.seals import Seal, find_seal, place_of_seal, write_seal
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.verify.results import FileResult, Verified

SEALED_SCHEMA = "ckpt-tui/sealed/1"
_MOST_NAMES = 5

_SUMMARY = later(
    """\
Keep the size and CRC-32 of every file of a checkpoint, so that `verify` finds rot in what its
format does not protect (safetensors, HDF5, OCDBT values, pickles). Nothing is written into the
checkpoint, nor beside it unless --beside asks for that: seals lie in the user's state directory.
Refused is what is not committed, what changes meanwhile, what is wrong already, and, without
--again, what differs from its seal.
"""
)
_EXIT_CODES = later(
    """\
exit codes: 0 all are sealed; 2 one is refused (of a run: a committed one); 3 one is not there,
cannot be read, or its seal cannot be written; 4 no checkpoint there
"""
)
_EXAMPLES = """\
ckpt-tui seal /runs/gpt/step-1200
ckpt-tui seal --beside /archive/step-1200 && ckpt-tui verify /archive/step-1200
ckpt-tui verify --seal .step-1200.ckpt-tui-seal.json /new/place/step-1200
"""


class Outcome(NamedTuple):
    """What became of one checkpoint.

    Attributes:
        path: The checkpoint.
        seal: Where its seal lies; "" where it has none.
        files: Files that it lists.
        size_bytes: Bytes of these.
        why: Why it was refused; "" where it was not.
        code: What that means for the exit code.
    """

    path: str
    seal: str = ""
    files: int = 0
    size_bytes: int = 0
    why: str = ""
    code: ExitCode = ExitCode.OK


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("seal", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path(
        "paths",
        nargs="+",
        metavar="PATH",
        help=say("a checkpoint, or a run: then each of its committed checkpoints"),
    )
    parser.add_argument(
        "--beside",
        action="store_true",
        help=say("write .NAME.ckpt-tui-seal.json into the directory that holds the checkpoint"),
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help=say("replace a seal whose checksums are no longer those of the files"),
    )
    parsing.add_json_option(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Seals, prints, and returns the exit code."""
    outcomes: list[Outcome] = []
    for path in arguments.paths:
        outcomes += _seal_all(os.path.abspath(path), beside=arguments.beside, again=arguments.again)
    if arguments.as_json:
        print(_json(outcomes))
    for outcome in outcomes:
        if outcome.why:
            complain(f"{outcome.path}: {say_sentence(outcome.why)}")
        elif not arguments.as_json:
            print(_told(outcome))
    codes = {outcome.code for outcome in outcomes}
    worst = (ExitCode.CRITICAL, ExitCode.UNKNOWN, ExitCode.EMPTY)
    return next((code for code in worst if code in codes), ExitCode.OK)


def _seal_all(path: str, *, beside: bool, again: bool) -> list[Outcome]:
    """Every committed checkpoint at or below a path; of a run the others are named."""
    snapshot = look_at((path,), Look())[0]
    if snapshot.error:
        return [Outcome(path, why=snapshot.error, code=ExitCode.UNKNOWN)]
    chosen = [c for c in snapshot.checkpoints if snapshot.single or c.commit is Commit.COMMITTED]
    passed = [_not_committed(c, ExitCode.OK) for c in snapshot.checkpoints if c not in chosen]
    if not chosen:
        why = "there is no committed checkpoint"
        passed.append(Outcome(path, why=why, code=ExitCode.EMPTY))
    return [*(_seal_one(c, beside=beside, again=again) for c in chosen), *passed]


def _not_committed(checkpoint: Checkpoint, code: ExitCode) -> Outcome:
    why = f"it is not committed: {checkpoint.why}"
    return Outcome(checkpoint.path, why=why, code=code)


def _seal_one(checkpoint: Checkpoint, *, beside: bool, again: bool) -> Outcome:
    path = checkpoint.path
    if checkpoint.commit is not Commit.COMMITTED:
        return _not_committed(checkpoint, ExitCode.CRITICAL)
    place = place_of_seal(path, beside=beside)
    if not os.path.isabs(place):
        why = "there is no home directory: set XDG_STATE_HOME, or use --beside"
        return Outcome(path, why=why, code=ExitCode.UNKNOWN)
    began, line = time.time(), ProgressLine()
    read = verify((path,), Options(whole=True, use_seals=False), line.show)
    read = read._replace(files=tuple(file for file in read.files if file.checkpoint == path))
    line.clear()
    refused = _why_refused(read, path)
    if refused is not None:
        return refused
    base = os.path.dirname(path) if checkpoint.facts.is_made_of_files() else path
    files = {os.path.relpath(file.path, base): _listed(file) for file in read.files}
    differs = "" if again else _how_it_differs(path, files)
    if differs:
        return Outcome(path, why=differs, code=ExitCode.CRITICAL)
    # A file server's clock may be ahead of ours: what is sealed was not written after its seal.
    newest = max(file.mtime_ns for file in read.files) // 10**9 + 1
    try:
        write_seal(place, Seal(path, checkpoint.facts.format, max(began, newest), files))
    except OSError as error:
        why = f"the seal cannot be written to {place}: {error.strerror}"
        return Outcome(path, why=why, code=ExitCode.UNKNOWN)
    return Outcome(path, place, len(files), read.size_bytes)


def _how_it_differs(path: str, files: Mapping[str, ListedFile]) -> str:
    """Which files are not those of the seal that is kept; "" where all are, or none is kept."""
    try:
        kept = find_seal(path)
    except ArtifactError:  # one that says nothing any more
        return ""
    if kept is None:
        return ""
    names = [printable(name) for name in sorted(kept.files) if files.get(name) != kept.files[name]]
    shown = [*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])]
    return f"it differs from {kept.by}: {', '.join(shown)}; --again replaces it" if names else ""


def _listed(file: FileResult) -> ListedFile:
    return ListedFile(file.size_bytes, file.crc32 or 0)


def _why_refused(read: Verified, path: str) -> Outcome | None:
    """Why a checkpoint that was just read is not to be sealed; None where it is."""
    wrong = next((file for file in read.files if file.ok is False), None)
    if wrong is not None:
        shown = os.path.basename(path) if wrong.path == path else os.path.relpath(wrong.path, path)
        why = f"it is wrong already: {shown}: {wrong.message}"
        return Outcome(path, why=why, code=ExitCode.CRITICAL)
    unread = next((file for file in read.files if file.unread), None)
    if unread is not None:
        why = f"{unread.path} cannot be read: {unread.message}"
        return Outcome(path, why=why, code=ExitCode.UNKNOWN)
    if read.problems:
        place, reason = read.problems[0]
        return Outcome(path, why=f"{place} cannot be read: {reason}", code=ExitCode.UNKNOWN)
    if not read.files:
        return Outcome(path, why="none of its files was found", code=ExitCode.UNKNOWN)
    if _files_now(path) != {_stamp(file) for file in read.files}:
        why = "it changed while it was read: seal it when nobody writes it any more"
        return Outcome(path, why=why, code=ExitCode.CRITICAL)
    return None


def _files_now(path: str) -> set[tuple[str, int, int, int]]:
    found = plan((path,), use_seals=False).files
    own = ((each.path, each.entry) for each in found if each.context.path == path)
    return {(place, e.size_bytes, e.mtime_ns, e.inode) for place, e in own}


def _stamp(file: FileResult) -> tuple[str, int, int, int]:
    return file.path, file.size_bytes, file.mtime_ns, file.inode


def _told(outcome: Outcome) -> str:
    return say(
        "{path}: {files}, {size}, sealed in {seal}",
        path=printable(outcome.path),
        files=say_count(outcome.files, "{count} file", "{count} files"),
        size=bytes_text(outcome.size_bytes),
        seal=printable(outcome.seal),
    )


def _json(outcomes: Sequence[Outcome]) -> str:
    from ckpt_tui.cli.json_text import json_text

    return json_text(
        {
            "schema": SEALED_SCHEMA,
            "tool_version": __version__,
            "sealed": [
                {"path": o.path, "seal": o.seal, "files": o.files, "bytes": o.size_bytes}
                for o in outcomes
                if not o.why
            ],
            "refused": [{"path": o.path, "why": o.why} for o in outcomes if o.why],
        }
    )
