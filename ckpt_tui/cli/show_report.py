"""One checkpoint as text: what to do with it first, then the evidence."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ckpt_tui.core.advice import headline, steps
from ckpt_tui.core.document import utc_text
from ckpt_tui.core.findings import has_effect
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import age_text, bytes_text, duration_text, plural, ranks_text, words
from ckpt_tui.core.vocabulary import RESUMABLE, Commit, Effect
from ckpt_tui.core.world_size import OTHER_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import Reshard
    from ckpt_tui.core.findings import Finding

MOST_LINES = 40
NARROWEST = 60

_LABEL_WIDTH = 11
_OPEN = (Commit.SAVING, Commit.UNCOMMITTED)


def show_report(
    checkpoint: Checkpoint, width: int, now: float, world_size: int | None = None
) -> str:
    """The whole text.

    Args:
        checkpoint: What to show.
        width: Columns; only commands are longer.
        now: Seconds since the epoch.
        world_size: Of the job that was asked for.
    """
    width = max(width, NARROWEST)
    blocks = (
        _answer(checkpoint, width, world_size),
        _roles(checkpoint, width),
        _findings(checkpoint, width),
        _facts(checkpoint, width, now),
        _files(checkpoint),
        _tensors(checkpoint),
    )
    return "\n\n".join("\n".join(lines) for block in blocks if (lines := list(block)))


def _hanging(line: str, width: int, indent: int) -> Iterator[str]:
    """A line as it stands, broken at the width; what follows is indented."""
    head, text = line[:indent], line[indent:]
    for part in textwrap.wrap(text, width - indent, break_on_hyphens=False) or [""]:
        yield f"{head}{part}".rstrip()
        head = " " * indent


def _labelled(label: str, text: str, width: int) -> Iterator[str]:
    """A label and its text, continued below itself."""
    yield from _hanging(f"{label:<{_LABEL_WIDTH}}{printable(text) or '–'}", width, _LABEL_WIDTH)


def _answer(checkpoint: Checkpoint, width: int, world_size: int | None) -> Iterator[str]:
    facts = checkpoint.facts
    yield from textwrap.wrap(printable(headline(checkpoint)), width)
    yield ""
    label = "what to do"
    for step in steps(checkpoint, world_size):
        yield from _labelled(label, step.text, width)
        if step.command:  # in one line, however long: it is there to be copied
            yield f"{'':<{_LABEL_WIDTH}}  {printable(step.command)}"
        label = ""
    yield f"verdict    {OTHER_SIZE if checkpoint.is_of_other_size else checkpoint.verdict.value}"
    yield from _labelled("why", checkpoint.why, width)
    yield from _labelled("unchecked", ", ".join(facts.not_checked), width)


def _facts(checkpoint: Checkpoint, width: int, now: float) -> Iterator[str]:
    facts = checkpoint.facts
    yield from _labelled("path", facts.path, width)
    yield f"format     {facts.format}, {bytes_text(facts.size_bytes)} in {_file_count(checkpoint)}"
    yield f"step       {facts.step if facts.step is not None else '–'}{_ordinal(checkpoint)}"
    yield f"commit     {_commit(checkpoint)}, {_when(checkpoint, now)}{_took(checkpoint)}"
    if facts.world_size is not None:
        yield f"ranks      {_shards(checkpoint)}"
    if facts.reshard is not None and checkpoint.verdict in RESUMABLE:
        yield from _labelled("reshard", _reshard(facts.reshard), width)


def _reshard(reshard: Reshard) -> str:
    possible = {True: "yes", False: "no", None: "not known"}[reshard.possible]
    if reshard.possible and reshard.most_ranks is not None:
        possible = f"to at most {plural(reshard.most_ranks, 'rank')}"
    loses = f"; loses {words(reshard.loses)}" if reshard.loses else ""
    return f"{possible}: {reshard.how}{loses}"


def _commit(checkpoint: Checkpoint) -> str:
    if checkpoint.facts.commit.met is None and checkpoint.commit is not Commit.SAVING:
        return "this format has no mark of it"
    return checkpoint.commit.value


def _file_count(checkpoint: Checkpoint) -> str:
    return plural(len(checkpoint.facts.files), "file")


def _ordinal(checkpoint: Checkpoint) -> str:
    ordinal = checkpoint.facts.ordinal
    return f", save or epoch number {ordinal}" if ordinal is not None else ""


def _when(checkpoint: Checkpoint, now: float) -> str:
    moment = checkpoint.moment
    if not moment:
        return "never"
    what = "" if checkpoint.committed_at and checkpoint.facts.commit.met else "last write "
    return f"{what}{utc_text(moment) or '–'} ({age_text(now - moment)} ago)"


def _took(checkpoint: Checkpoint) -> str:
    facts = checkpoint.facts
    if not facts.save_seconds or facts.save_seconds < 0.05:
        return ""
    bound = "at least " if facts.save_seconds_is_lower_bound else ""
    return f"; the save took {bound}{duration_text(facts.save_seconds)}"


def _shards(checkpoint: Checkpoint) -> str:
    facts = checkpoint.facts
    text = str(facts.world_size)
    if facts.expected_ranks is not None:
        text += f"; shards whole: {checkpoint.present_shards} of {len(facts.expected_ranks)}"
    if checkpoint.missing_ranks:
        text += f", not {ranks_text(checkpoint.missing_ranks, most=20)}"
    return text


def _roles(checkpoint: Checkpoint, width: int) -> Iterator[str]:
    yield "roles"
    for role in checkpoint.facts.roles:
        lacks = f", not of {ranks_text(role.missing_ranks)}" if role.missing_ranks else ""
        size = bytes_text(role.size_bytes) if role.size_bytes is not None else ""
        line = f"  {role.role:<10} {size:>9}  {printable(role.evidence)}{lacks}"
        yield from _hanging(line, width, 24)
    for name in checkpoint.missing_roles:
        yield from _hanging(f"  {name:<10} {'–':>9}  {_absence(checkpoint, name)}", width, 24)


def _absence(checkpoint: Checkpoint, role: str) -> str:
    """Why a role is not counted: its file is there and bad, or it is not there."""
    files = [printable(file.path) for file in checkpoint.facts.files if file.role == role]
    if files:
        return f"CANNOT BE USED: {', '.join(files[:3])}"
    unread = has_effect(checkpoint.findings, Effect.CORRUPT) or checkpoint.commit in _OPEN
    return "NOT FOUND in what can be read" if unread else "NOT THERE"


def _findings(checkpoint: Checkpoint, width: int) -> Iterator[str]:
    if not checkpoint.findings:
        return
    yield "findings"
    for finding in checkpoint.findings:
        head = f"  {finding.severity.value:<8} {finding.code}: {_message(finding)}"
        yield from _hanging(head, width, _LABEL_WIDTH)


def _message(finding: Finding) -> str:
    """The message, with its file unless it begins with that."""
    message = printable(finding.message)
    place = printable(finding.path)
    return message if not place or message.startswith(place) else f"{place}: {message}"


def _files(checkpoint: Checkpoint) -> Iterator[str]:
    yield "files"
    for file in checkpoint.facts.files[:MOST_LINES]:
        rank = f"rank {file.rank}" if file.rank is not None else ""
        note = f"  {printable(file.note)}" if file.note else ""
        size = bytes_text(file.size_bytes)
        yield f"  {size:>9}  {file.role:<10} {rank:<9} {printable(file.path)}{note}"
    yield from _rest(len(checkpoint.facts.files), "file")


def _tensors(checkpoint: Checkpoint) -> Iterator[str]:
    facts = checkpoint.facts
    if not facts.tensors:
        return
    yield f"tensors    {facts.tensors_total}"
    for tensor in facts.tensors[:MOST_LINES]:
        shape = "×".join(map(str, tensor.shape)) or "scalar"
        size = bytes_text(tensor.size_bytes)
        yield f"  {size:>9}  {tensor.dtype:<9} {shape:<16} {printable(tensor.name)}"
    yield from _rest(facts.tensors_total, "tensor")


def _rest(total: int, word: str) -> Iterator[str]:
    if total > MOST_LINES:
        yield f"  … and {plural(total - MOST_LINES, word)} more (--json has them)"
