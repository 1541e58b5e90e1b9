"""`ckpt-tui explain`: what a finding code or a verdict means, and what to do about it."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.core.explained.table import ALL, FINDINGS, explanations_of
from ckpt_tui.core.explained.verdicts import VERDICTS
from ckpt_tui.words import later, say
from ckpt_tui.words.wrapping import columns_of, cut, padded, wrapped

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from ckpt_tui.core.explained.values import Explanation

EXPLAIN_SCHEMA = "ckpt-tui/explain/1"
_WIDEST = 100
_LABELS = (
    ("seen", later("seen")),
    ("cause", later("cause")),
    ("effect", later("effect")),
    ("remedy", later("what to do")),
    ("example", later("example")),
    ("framework", later("framework")),
)
"""(Field of an explanation, what it is called)."""

_SUMMARY = later(
    """\
Explain a finding code or a verdict: what was seen, how it comes about, what it does to the verdict,
what to do, and what the training framework does. Without CODE, list all of them, one a line.
"""
)
_EXAMPLES = """\
ckpt-tui explain
ckpt-tui explain pointer-dangling weights-only
"""
_EXIT_CODES = later(
    "exit codes: 0 explained; 64 no such code or verdict (the nearest ones are named)"
)


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("explain", say(_SUMMARY), say(_EXIT_CODES), _EXAMPLES)
    parser.add_argument(
        "codes",
        nargs="*",
        metavar="CODE",
        help=say("a finding code or a verdict, such as empty-file"),
    )
    parser.add_argument(
        "--json", dest="as_json", action="store_true", help=say("print a JSON document, in English")
    )
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Prints what is known of the codes, and returns the exit code."""
    wanted = [each for code in arguments.codes for each in _known(code)]
    if arguments.as_json:
        from ckpt_tui.cli.json_text import json_text

        print(json_text(_document(wanted or ALL)))
        return ExitCode.OK
    columns = shutil.get_terminal_size((_WIDEST, 24)).columns
    if wanted:
        width = max(40, min(columns, _WIDEST))
        print("\n\n".join("\n".join(_whole(each, width)) for each in wanted))
    else:
        print("\n".join(_list(columns if sys.stdout.isatty() else None)))
    return ExitCode.OK


def _known(code: str) -> tuple[Explanation, ...]:
    """What is said of a code.

    Raises:
        UsageError: There is no such code.
    """
    found = explanations_of(code.strip().lower())
    if not found:
        raise parsing.UsageError(_unknown(code))
    return found


def _unknown(code: str) -> str:
    from difflib import get_close_matches  # only where a mistake was made

    from ckpt_tui.core.printable import printable

    names = dict.fromkeys(each.code for each in ALL)
    near = get_close_matches(code.lower(), names, 3, 0.5)
    near = near or [name for name in names if code and code.lower() in name][:3]
    if near:
        return say(
            "ckpt-tui explain: there is no finding or verdict {code}; did you mean {names}?",
            code=repr(printable(code)),
            names=", ".join(near),
        )
    return say(
        "ckpt-tui explain: there is no finding or verdict {code}; `ckpt-tui explain` lists all",
        code=repr(printable(code)),
    )


def _list(columns: int | None) -> Iterator[str]:
    """One line each, cut at the width of a terminal."""
    groups = ((say("Verdicts"), VERDICTS), (say("Findings"), FINDINGS))
    widest = max(len(each.code) for each in ALL)
    for place, (title, group) in enumerate(groups):
        yield from ([""] if place else [])
        yield title
        for each in group:
            line = f"  {each.code:<{widest}}  {say(each.seen)}"
            yield cut(line, columns) if columns is not None else line


def _whole(explanation: Explanation, width: int) -> Iterator[str]:
    """Everything that is said of one code."""
    is_verdict = any(explanation is verdict for verdict in VERDICTS)
    kind = say("a verdict") if is_verdict else say("a finding")
    yield f"{explanation.code} ({kind})"
    indent = max(columns_of(say(label)) for _, label in _LABELS) + 4
    for field, label in _LABELS:
        head = padded(f"  {say(label)}", indent)
        text: str = getattr(explanation, field)
        for line in wrapped(say(text), width - indent) if text else ():
            yield f"{head}{line}"
            head = " " * indent


def _document(explanations: Sequence[Explanation]) -> dict[str, object]:
    return {
        "schema": EXPLAIN_SCHEMA,
        "tool_version": __version__,
        "explanations": [
            {
                "kind": "verdict" if any(each is one for one in VERDICTS) else "finding",
                **{field: getattr(each, field) or None for field in each._fields},
            }
            for each in explanations
        ],
    }
