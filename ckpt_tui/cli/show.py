"""`ckpt-tui show`: one checkpoint with its roles, shards, files, findings and tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.looking import Look, TimedOutError, look_at
from ckpt_tui.cli.messages import refuse
from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text, duration_text, plural, ranks_text
from ckpt_tui.core.vocabulary import Verdict

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ckpt_tui.core.checkpoint import Checkpoint

_MOST_LINES = 40


_EXIT_CODES = """\
exit codes: 0 resumable, 1 weights only or still saving, 2 not resumable, 3 not readable,
4 no checkpoint
"""


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser(
        "show",
        "Show one CHECKPOINT: roles, shards, files, findings, tensors from headers.",
        _EXIT_CODES,
    )
    parser.add_path("path", metavar="CHECKPOINT")
    parser.add_argument(
        "--json", dest="as_json", action="store_true", help="print the JSON document"
    )
    parsing.add_judging_options(parser)
    parsing.add_looking_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Looks, prints, and returns the exit code."""
    how = Look(parsing.store_options(arguments), arguments.settle, arguments.timeout)
    try:
        snapshot = look_at((arguments.path,), how)[0]
    except TimedOutError as error:
        return refuse(str(error), ExitCode.UNKNOWN)
    if snapshot.error:
        return refuse(f"{snapshot.root}: {snapshot.error}", ExitCode.UNKNOWN)
    found = [c for c in snapshot.checkpoints if c.path == snapshot.root]
    if not found:
        inside = plural(len(snapshot.checkpoints), "checkpoint")
        return refuse(
            f"{snapshot.root} is no checkpoint; there are {inside} below it"
            " (ckpt-tui check names them)",
            ExitCode.EMPTY,
        )
    checkpoint = found[0]
    if arguments.as_json:
        from ckpt_tui.cli.json_text import json_text
        from ckpt_tui.core.document import show_document

        print(json_text(show_document(checkpoint, __version__)))
    else:
        print("\n".join(_lines(checkpoint)))
    return _code(checkpoint)


def _code(checkpoint: Checkpoint) -> ExitCode:
    if checkpoint.resumable:
        return ExitCode.OK
    if checkpoint.verdict in (Verdict.WEIGHTS_ONLY, Verdict.SAVING):
        return ExitCode.WARNING
    return ExitCode.UNKNOWN if checkpoint.verdict is Verdict.UNKNOWN else ExitCode.CRITICAL


def _lines(checkpoint: Checkpoint) -> Iterator[str]:
    facts = checkpoint.facts
    yield f"{printable(facts.path)}  {facts.format}"
    yield f"verdict    {checkpoint.verdict.value}: {printable(checkpoint.why)}"
    yield f"step       {facts.step if facts.step is not None else '–'}"
    yield f"commit     {checkpoint.commit.value}, {_when(checkpoint)}"
    bound = "at least " if facts.save_seconds_is_lower_bound else ""
    took = f"{bound}{duration_text(facts.save_seconds)}" if facts.save_seconds is not None else "–"
    yield f"save took  {took}" + (f", {facts.save_mode}" if facts.save_mode else "")
    yield f"size       {bytes_text(facts.size_bytes)} in {plural(len(facts.files), 'file')}"
    yield f"ranks      {facts.world_size if facts.world_size is not None else '–'}"
    if facts.reshard is not None:
        possible = {True: "yes", False: "no", None: "not known"}[facts.reshard.possible]
        yield f"reshard    {possible}: {facts.reshard.how}"
    if facts.loader.flag and checkpoint.resumable:
        yield f"load       {printable(facts.loader.flag)}"
    yield f"unchecked  {', '.join(facts.not_checked)}"
    yield from _roles(checkpoint)
    yield from _shards(checkpoint)
    yield from _findings(checkpoint)
    yield from _files(checkpoint)
    yield from _tensors(checkpoint)


def _when(checkpoint: Checkpoint) -> str:
    if checkpoint.committed_at:
        return utc_text(checkpoint.committed_at) or "–"
    return f"last write {utc_text(checkpoint.moment) or '–'}" if checkpoint.moment else "never"


def _roles(checkpoint: Checkpoint) -> Iterator[str]:
    yield "\nroles"
    for role in checkpoint.facts.roles:
        lacks = f", not of {ranks_text(role.missing_ranks)}" if role.missing_ranks else ""
        size = bytes_text(role.size_bytes) if role.size_bytes is not None else ""
        yield f"  {role.role:<10} {size:>9}  {printable(role.evidence)}{lacks}"
    for role_name in checkpoint.missing_roles:
        yield f"  {role_name:<10} {'missing':>9}"


def _shards(checkpoint: Checkpoint) -> Iterator[str]:
    facts = checkpoint.facts
    if facts.expected_ranks is None:
        return
    yield f"\nshards     {checkpoint.present_shards} of {len(facts.expected_ranks)}"
    if checkpoint.missing_ranks:
        yield f"  not whole: {ranks_text(checkpoint.missing_ranks, most=20)}"


def _findings(checkpoint: Checkpoint) -> Iterator[str]:
    if not checkpoint.findings:
        return
    yield "\nfindings"
    for finding in checkpoint.findings:
        place = f"{printable(finding.path)}: " if finding.path else ""
        yield f"  {finding.severity.value:<8} {finding.code}: {place}{printable(finding.message)}"
        yield f"           {printable(finding.remedy)}"


def _files(checkpoint: Checkpoint) -> Iterator[str]:
    yield "\nfiles"
    for file in checkpoint.facts.files[:_MOST_LINES]:
        rank = f"rank {file.rank}" if file.rank is not None else ""
        note = f"  {printable(file.note)}" if file.note else ""
        size = bytes_text(file.size_bytes)
        yield f"  {size:>9}  {file.role:<10} {rank:<9} {printable(file.path)}{note}"
    yield from _rest(len(checkpoint.facts.files), "file")


def _tensors(checkpoint: Checkpoint) -> Iterator[str]:
    facts = checkpoint.facts
    if not facts.tensors:
        return
    yield f"\ntensors    {facts.tensors_total}"
    for tensor in facts.tensors[:_MOST_LINES]:
        shape = "×".join(map(str, tensor.shape)) or "scalar"
        size = bytes_text(tensor.size_bytes)
        yield f"  {size:>9}  {tensor.dtype:<9} {shape:<16} {printable(tensor.name)}"
    yield from _rest(facts.tensors_total, "tensor")


def _rest(total: int, word: str) -> Iterator[str]:
    if total > _MOST_LINES:
        yield f"  … and {plural(total - _MOST_LINES, word)} more (--json has them)"
