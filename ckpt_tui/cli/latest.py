"""`ckpt-tui latest`: what a launch script needs of the resume point, and nothing else.

It reads every checkpoint before it answers, the old ones too, because any of them can change the
answer: a directory of a low number may hold the highest step (the content wins over the name), and
whether a role is missing from the newest depends on what all others have in common.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.latest_reasons import (
    NoAnswerError,
    needs_converting,
    none_yet,
    nothing_resumable,
    nothing_sound,
    passed_over,
)
from ckpt_tui.cli.looking import (
    complaints,
    hint_where_lost,
    look_at,
    look_of,
    names_of,
    runs_named,
)
from ckpt_tui.cli.messages import complain, refuse
from ckpt_tui.cli.patience import TimedOutError
from ckpt_tui.cli.sources import check_is_on
from ckpt_tui.core.runs import named_by, resume_point
from ckpt_tui.core.verified_findings import NON_FINITE
from ckpt_tui.core.vocabulary import Level, Verdict
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot

LATEST_SCHEMA = "ckpt-tui/latest/1"

_SUMMARY = later(
    """\
Print the checkpoint that a restart should load, and nothing else: the resumable one of the highest
step. For launch scripts: why it is not the newest, and what is wrong, goes to stderr; the exit code
says whether to start.
"""
)
_EXIT_CODES = later(
    """\
exit codes: 0 and one line; 2 checkpoints are there and none is resumable; 3 not there, not
readable, or the time is up; 4 no checkpoint yet, the only code on which a job may start from step
0; 64 also for several runs and no --run
"""
)
_EXAMPLES = """\
ckpt-tui latest /runs/gpt
flag=$(ckpt-tui latest --print flag --expect-checkpoint /runs/gpt) && python train.py $flag
ckpt-tui latest --print step --exact --world-size 64 /runs/gpt
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("latest", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_path(
        "directory",
        nargs="?",
        default=".",
        metavar="DIR",
        help=say("a run, or a directory above runs (default: this directory)"),
    )
    parser.add_argument(
        "--run", dest="run_name", metavar="NAME", help=say("which run, where DIR holds several")
    )
    parser.add_argument(
        "--exact", action="store_true", help=say("only an exact one: every required role is there")
    )
    parsing.add_judging_options(parser)
    parser.add_argument(
        "--expect-checkpoint",
        action="store_true",
        help=say("no checkpoint at all ends with 2 instead of 4 (a mount may be missing)"),
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help=say(
            "read the bytes of the resume point first, as `verify` does; where one is wrong, the"
            " next checkpoint counts"
        ),
    )
    parser.add_argument(
        "--print",
        dest="what",
        choices=("path", "step", "tag", "flag"),
        default="path",
        help=say(
            "the path, the step, the tag that DeepSpeed wants, or the whole flag of the job's"
            " command line (default: path)"
        ),
    )
    parser.add_argument(
        "--json",
        dest="as_json",
        action="store_true",
        help=say("print a JSON document instead, with a reason where there is no resume point"),
    )
    parsing.add_looking_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Looks, prints one line, and returns the exit code."""
    how = look_of(arguments)
    try:
        snapshot = look_at((arguments.directory,), how)[0]
    except TimedOutError as error:
        return _without(NoAnswerError(str(error), ExitCode.UNKNOWN), arguments.as_json)
    try:
        code = _answer(arguments, snapshot)
    except NoAnswerError as error:
        code = _without(error, arguments.as_json)
    hint_where_lost((snapshot,), "latest")
    return code


def _without(error: NoAnswerError, as_json: bool) -> int:
    """Says why there is no answer: a script that reads JSON gets a document all the same."""
    if as_json:
        print(_json(error.run, str(error)))
    return refuse(str(error), error.code)


def _answer(arguments: argparse.Namespace, snapshot: Snapshot) -> int:
    """Prints the answer, and returns the exit code.

    Raises:
        NoAnswerError: There is none.
        UsageError: It is not clear which run is meant.
    """
    run = _run_meant(arguments, snapshot)
    resume = _resume_of(run, arguments.exact)
    if resume is None:
        raise nothing_resumable(run, arguments.exact)
    if arguments.verify:
        from ckpt_tui.cli.latest_verified import first_sound  # reads all bytes: only where asked

        # Only as typed: a configured limit is meant for a look, which takes seconds.
        sound = first_sound(run, exact=arguments.exact, timeout_seconds=arguments.timeout)
        if sound.resume is None:
            raise nothing_sound(run, sound)
        resume = sound.resume
    answered = run._replace(resume=resume)
    if over := passed_over(answered, exact=arguments.exact, verified=arguments.verify):
        complain(over)
    for finding in run.findings:
        if finding.code == NON_FINITE:
            complain(f"{finding.path}: {say_sentence(finding.message)}")
    if error := needs_converting(run, resume):
        raise error
    if not arguments.as_json:
        return _print(resume, arguments.what)
    print(_json(answered))
    return ExitCode.OK


def _run_meant(arguments: argparse.Namespace, snapshot: Snapshot) -> Run:
    """The run to answer about.

    Raises:
        NoAnswerError: There is none, or it could not be read.
        UsageError: There are several, or none of that name.
    """
    if snapshot.error:
        text = f"{snapshot.root}: {say_sentence(snapshot.error)}"
        raise NoAnswerError(text, ExitCode.UNKNOWN)
    for line in complaints((snapshot,)):
        complain(say_sentence(line))
    run = _choose(snapshot, arguments.run_name)
    if run is None:
        raise none_yet(snapshot, check_is_on(arguments, "expect_checkpoint"))
    if snapshot.problems and arguments.run_name is None:
        text = say("not all could be read, so say with --run which run")
        raise NoAnswerError(text, ExitCode.UNKNOWN)
    return run


def _choose(snapshot: Snapshot, name: str | None) -> Run | None:
    """The run that is meant; None where there is none with a checkpoint of a job."""
    runs = [run for run in snapshot.current if run.level is not Level.EMPTY]
    if name is not None:
        named = runs_named(snapshot, name)
        if not named:
            raise parsing.UsageError(
                say(
                    "no run {name}; there are: {names}",
                    name=repr(name),
                    names=names_of(snapshot.runs),
                )
            )
        runs = list(named)
    if len(runs) > 1:
        raise parsing.UsageError(
            say("several runs, say which with --run: {names}", names=names_of(runs))
        )
    return runs[0] if runs else None


def _resume_of(run: Run, exact: bool) -> Checkpoint | None:
    if not exact:
        return run.resume
    exact_ones = [c for c in run.checkpoints if c.verdict is Verdict.EXACT]
    return resume_point(exact_ones, named_by(run.pointers))


def _print(resume: Checkpoint, what: str) -> int:
    """Prints one line.

    Raises:
        NoAnswerError: It is not known, or is more than a line.
    """
    loader = resume.facts.loader
    answers = {
        "path": loader.path or resume.path,
        "step": str(resume.step) if resume.step is not None else "",
        "tag": loader.tag or resume.facts.name,
        "flag": loader.flag,
    }
    if "\n" in answers[what]:
        text = say("{path}: a line break in its {what}", path=repr(resume.path), what=what)
        raise NoAnswerError(text, ExitCode.UNKNOWN)
    if not answers[what]:
        text = say("{path}: its {what} is not known", path=resume.path, what=what)
        raise NoAnswerError(text, ExitCode.UNKNOWN)
    # Bytes of a name that is no UTF-8 go out as they are on disk: a script opens them again.
    sys.stdout.buffer.write(answers[what].encode("utf-8", "surrogateescape") + b"\n")
    return ExitCode.OK


def _json(run: Run | None, reason: str | None = None) -> str:
    """The document; a reason says why there is no resume point in it."""
    from ckpt_tui.cli.json_text import json_text
    from ckpt_tui.core.document import resume_document, utc_text

    document = {
        "schema": LATEST_SCHEMA,
        "tool_version": __version__,
        "generated_at": utc_text(time.time()),
        "run": run.name if run is not None else None,
        "resume": resume_document(run) if run is not None and reason is None else None,
        "reason": reason,
    }
    return json_text(document)
