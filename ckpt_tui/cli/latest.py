"""`ckpt-tui latest`: what a launch script needs of the resume point, and nothing else."""

from __future__ import annotations

import shlex
import sys
import time
from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.judging import asked_by
from ckpt_tui.cli.looking import Look, complaints, look_at, names_of, runs_named
from ckpt_tui.cli.messages import complain, refuse
from ckpt_tui.cli.patience import TimedOutError
from ckpt_tui.core.runs import resume_point
from ckpt_tui.core.vocabulary import Level, Verdict
from ckpt_tui.core.world_size import mismatch_text, size_mismatch

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot

LATEST_SCHEMA = "ckpt-tui/latest/1"


_EXIT_CODES = """\
exit codes: 0 and one line; 2 checkpoints are there and none is resumable; 3 not readable;
4 no checkpoint yet, the only code on which a job may start from step 0; 64 usage, such as
several runs and no --run
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser(
        "latest", "Print the checkpoint that a restart should load, and nothing else.", _EXIT_CODES
    )
    parser.add_path("directory", nargs="?", default=".", metavar="DIR")
    parser.add_argument(
        "--run", dest="run_name", metavar="NAME", help="which run, where DIR holds several"
    )
    parser.add_argument(
        "--exact", action="store_true", help="only an exact one: every required role is there"
    )
    parsing.add_judging_options(parser)
    parser.add_argument(
        "--expect-checkpoint",
        action="store_true",
        help="no checkpoint at all ends with 2 instead of 4 (a mount may be missing)",
    )
    parser.add_argument(
        "--print",
        dest="what",
        choices=("path", "step", "tag", "flag"),
        default="path",
        help="what to print (default: path)",
    )
    parser.add_argument(
        "--json", dest="as_json", action="store_true", help="print a JSON document instead"
    )
    parsing.add_looking_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Looks, prints one line, and returns the exit code."""
    how = Look(asked_by(arguments), arguments.settle, arguments.timeout)
    try:
        snapshot = look_at((arguments.directory,), how)[0]
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if snapshot.error:
        return refuse(f"{snapshot.root}: {snapshot.error}", ExitCode.UNKNOWN)
    for line in complaints((snapshot,)):
        complain(line)
    run = _choose(snapshot, arguments.run_name)
    if run is not None and snapshot.problems and arguments.run_name is None:
        return refuse("not all could be read, so say with --run which run", ExitCode.UNKNOWN)
    if run is None:
        return _none_yet(snapshot, arguments.expect_checkpoint)
    resume = _resume_of(run, arguments.exact)
    if resume is None:
        return _nothing_resumable(run, arguments.exact)
    converting = size_mismatch(resume)
    if converting is not None:
        return refuse(
            f"{resume.path}: {converting.message}: {converting.remedy}", ExitCode.CRITICAL
        )
    if arguments.as_json:
        print(_json(run, resume))
        return ExitCode.OK
    return _print(resume, arguments.what)


def _choose(snapshot: Snapshot, name: str | None) -> Run | None:
    """The run that is meant; None where there is none with a checkpoint of a job."""
    runs = [run for run in snapshot.current if run.level is not Level.EMPTY]
    if name is not None:
        named = runs_named(snapshot, name)
        if not named:
            raise parsing.UsageError(f"no run {name!r}; there are: {names_of(snapshot.runs)}")
        runs = list(named)
    if len(runs) > 1:
        raise parsing.UsageError(f"several runs, say which with --run: {names_of(runs)}")
    return runs[0] if runs else None


def _resume_of(run: Run, exact: bool) -> Checkpoint | None:
    if not exact:
        return run.resume
    named = frozenset(pointer.target for pointer in run.pointers if pointer.target)
    return resume_point([c for c in run.checkpoints if c.verdict is Verdict.EXACT], named)


def _none_yet(snapshot: Snapshot, expect_checkpoint: bool) -> int:
    if snapshot.problems:
        return refuse(f"{snapshot.root}: no checkpoint that could be read", ExitCode.UNKNOWN)
    code = ExitCode.CRITICAL if expect_checkpoint else ExitCode.EMPTY
    return refuse(f"{snapshot.root}: no checkpoint yet", code)


def _nothing_resumable(run: Run, exact: bool) -> int:
    newest = run.newest
    reason = ""
    if newest is not None and newest.is_of_other_size:
        reason = f"; the newest is of another world size: {mismatch_text(newest)}"
    elif newest is not None:
        reason = f"; the newest is {newest.verdict}: {newest.why}"
    kind = "exact" if exact else "resumable"
    remedy = f" (ckpt-tui show {shlex.quote(newest.path)} says what to do)" if newest else ""
    code = ExitCode.UNKNOWN if run.level is Level.UNKNOWN else ExitCode.CRITICAL
    return refuse(f"{run.path}: no {kind} checkpoint{reason}{remedy}", code)


def _print(resume: Checkpoint, what: str) -> int:
    loader = resume.facts.loader
    answers = {
        "path": resume.path,
        "step": str(resume.step) if resume.step is not None else "",
        "tag": loader.tag or resume.facts.name,
        "flag": loader.flag,
    }
    if "\n" in answers[what]:
        return refuse(f"{resume.path!r}: a line break in its {what}", ExitCode.UNKNOWN)
    if not answers[what]:
        return refuse(f"{resume.path}: its {what} is not known", ExitCode.UNKNOWN)
    # Bytes of a name that is no UTF-8 go out as they are on disk: a script opens them again.
    sys.stdout.buffer.write(answers[what].encode("utf-8", "surrogateescape") + b"\n")
    return ExitCode.OK


def _json(run: Run, resume: Checkpoint) -> str:
    from ckpt_tui.cli.json_text import json_text
    from ckpt_tui.core.document import resume_document, utc_text

    document = {
        "schema": LATEST_SCHEMA,
        "tool_version": __version__,
        "generated_at": utc_text(time.time()),
        "run": run.name,
        "resume": resume_document(run._replace(resume=resume)),
    }
    return json_text(document)
