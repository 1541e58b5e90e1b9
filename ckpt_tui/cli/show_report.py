"""One checkpoint as text: what to do with it first, then the evidence."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ckpt_tui.cli.show_tensors import tensor_lines
from ckpt_tui.core.advice import headline, steps
from ckpt_tui.core.document import utc_text
from ckpt_tui.core.findings import has_effect
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import age_text, bytes_text, duration_text, ranks_text
from ckpt_tui.core.vocabulary import RESUMABLE, Commit, Effect
from ckpt_tui.core.world_size import OTHER_SIZE
from ckpt_tui.words import say, say_count, say_sentence
from ckpt_tui.words.lists import listed
from ckpt_tui.words.wrapping import columns_of, padded, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.cli.show_tensors import ShownTensors
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import Reshard
    from ckpt_tui.core.findings import Finding

MOST_LINES = 40
NARROWEST = 60

_LABEL_WIDTH = 11
_OPEN = (Commit.SAVING, Commit.UNCOMMITTED)


def show_report(
    checkpoint: Checkpoint,
    width: int,
    now: float,
    world_size: int | None = None,
    tensors: ShownTensors | None = None,
) -> str:
    """The whole text.

    Args:
        checkpoint: What to show.
        width: Columns; only commands are longer.
        now: Seconds since the epoch.
        world_size: Of the job that was asked for.
        tensors: Those to list; None leaves them out.
    """
    width = max(width, NARROWEST)
    blocks = (
        _answer(checkpoint, width, world_size),
        _roles(checkpoint, width),
        _findings(checkpoint, width),
        _facts(checkpoint, width, now),
        _files(checkpoint),
        tensor_lines(tensors, width) if tensors is not None else (),
    )
    return "\n\n".join("\n".join(lines) for block in blocks if (lines := list(block)))


def _broken(text: str, width: int) -> list[str]:
    if columns_of(text) == len(text):
        return textwrap.wrap(text, width, break_on_hyphens=False)
    return list(wrapped(text, width))


def _hanging(line: str, width: int, indent: int) -> Iterator[str]:
    """A line as it stands, broken at the width; what follows is indented."""
    place = _place_at(line, indent)
    head, text = line[:place], line[place:]
    for part in _broken(text, width - indent) or [""]:
        yield f"{head}{part}".rstrip()
        head = " " * indent


def _place_at(text: str, column: int) -> int:
    """The place of the character that stands at a column."""
    taken = 0
    for place, character in enumerate(text):
        if taken >= column:
            return place
        taken += columns_of(character)
    return len(text)


def _label(label: str) -> str:
    return padded(label, _LABEL_WIDTH)


def _labelled(label: str, text: str, width: int) -> Iterator[str]:
    """A label and its text, continued below itself."""
    yield from _hanging(f"{_label(label)}{printable(text) or '–'}", width, _LABEL_WIDTH)


def _answer(checkpoint: Checkpoint, width: int, world_size: int | None) -> Iterator[str]:
    facts = checkpoint.facts
    yield from _broken(printable(say_sentence(headline(checkpoint))), width)
    yield ""
    label = say("what to do")
    for step in steps(checkpoint, world_size):
        yield from _labelled(label, say_sentence(step.text), width)
        if step.command:  # in one line, however long: it is there to be copied
            yield f"{_label('')}  {printable(step.command)}"
        label = ""
    yield f"{_label(say('verdict'))}{_verdict(checkpoint)}"
    yield from _labelled(say("why"), say_sentence(checkpoint.why), width)
    unchecked = say(", ").join(map(say_sentence, facts.not_checked))
    yield from _labelled(say("unchecked"), unchecked, width)


def _verdict(checkpoint: Checkpoint) -> str:
    if checkpoint.is_of_other_size:
        return say_sentence(OTHER_SIZE)
    return say(checkpoint.verdict.value)


def _facts(checkpoint: Checkpoint, width: int, now: float) -> Iterator[str]:
    facts = checkpoint.facts
    yield from _labelled(say("path"), facts.path, width)
    yield f"{_label(say('format'))}{_format(checkpoint)}"
    step = facts.step if facts.step is not None else "–"
    yield f"{_label(say('step'))}{step}{_ordinal(checkpoint)}"
    yield f"{_label(say('commit'))}{_committed(checkpoint, now)}{_took(checkpoint)}"
    if facts.world_size is not None:
        yield f"{_label(say('ranks'))}{_shards(checkpoint)}"
    if facts.reshard is not None and checkpoint.verdict in RESUMABLE:
        yield from _labelled(say("reshard"), _reshard(facts.reshard), width)


def _format(checkpoint: Checkpoint) -> str:
    facts = checkpoint.facts
    files = say_count(len(facts.files), "{count} file", "{count} files")
    size = bytes_text(facts.size_bytes)
    return say("{format}, {size} in {files}", format=facts.format, size=size, files=files)


def _reshard(reshard: Reshard) -> str:
    possible = say("not known")
    if reshard.possible is not None:
        possible = say("yes" if reshard.possible else "no")
    if reshard.possible and reshard.most_ranks is not None:
        possible = say_count(
            reshard.most_ranks, "to at most {count} rank", "to at most {count} ranks"
        )
    told = say("{answer}: {how}", answer=possible, how=say_sentence(reshard.how))
    if not reshard.loses:
        return told
    return say("{told}; loses {roles}", told=told, roles=listed([say(r) for r in reshard.loses]))


def _commit(checkpoint: Checkpoint) -> str:
    if checkpoint.facts.commit.met is None and checkpoint.commit is not Commit.SAVING:
        return say("this format has no mark of it")
    return say(checkpoint.commit.value)


def _ordinal(checkpoint: Checkpoint) -> str:
    ordinal = checkpoint.facts.ordinal
    return say(", save or epoch number {number}", number=ordinal) if ordinal is not None else ""


def _committed(checkpoint: Checkpoint, now: float) -> str:
    commit, moment = _commit(checkpoint), checkpoint.moment
    if not moment:
        return say("{commit}, never", commit=commit)
    committed = checkpoint.committed_at and checkpoint.facts.commit.met
    when = say(
        "{time} ({age} ago)" if committed else "last write {time} ({age} ago)",
        time=utc_text(moment) or "–",
        age=age_text(now - moment),
    )
    return say("{commit}, {when}", commit=commit, when=when)


def _took(checkpoint: Checkpoint) -> str:
    facts = checkpoint.facts
    if not facts.save_seconds or facts.save_seconds < 0.05:
        return ""
    return say(
        "; the save took at least {time}"
        if facts.save_seconds_is_lower_bound
        else "; the save took {time}",
        time=duration_text(facts.save_seconds),
    )


def _shards(checkpoint: Checkpoint) -> str:
    facts = checkpoint.facts
    text = str(facts.world_size)
    if facts.expected_ranks is not None:
        text += say(
            "; shards whole: {present} of {all}",
            present=checkpoint.present_shards,
            all=len(facts.expected_ranks),
        )
    if checkpoint.missing_ranks:
        ranks = say_sentence(ranks_text(checkpoint.missing_ranks, most=20))
        text += say(", not {ranks}", ranks=ranks)
    return text


def _roles(checkpoint: Checkpoint, width: int) -> Iterator[str]:
    yield say("roles")
    for role in checkpoint.facts.roles:
        evidence = printable(say_sentence(role.evidence))
        if role.missing_ranks:
            ranks = say_sentence(ranks_text(role.missing_ranks))
            evidence += say(", not of {ranks}", ranks=ranks)
        size = bytes_text(role.size_bytes) if role.size_bytes is not None else ""
        line = f"  {padded(say(role.role), 10)} {size:>9}  {evidence}"
        yield from _hanging(line, width, 24)
    for name in checkpoint.missing_roles:
        line = f"  {padded(say(name), 10)} {'–':>9}  {_absence(checkpoint, name)}"
        yield from _hanging(line, width, 24)


def _absence(checkpoint: Checkpoint, role: str) -> str:
    """Why a role is not counted: its file is there and bad, or it is not there."""
    files = [printable(file.path) for file in checkpoint.facts.files if file.role == role]
    if files:
        return say("CANNOT BE USED: {files}", files=say(", ").join(files[:3]))
    unread = has_effect(checkpoint.findings, Effect.CORRUPT) or checkpoint.commit in _OPEN
    return say("NOT FOUND in what can be read" if unread else "NOT THERE")


def _findings(checkpoint: Checkpoint, width: int) -> Iterator[str]:
    if not checkpoint.findings:
        return
    yield say("findings")
    for finding in checkpoint.findings:
        head = f"  {padded(say(finding.severity.value), 8)} {finding.code}: {_message(finding)}"
        yield from _hanging(head, width, _LABEL_WIDTH)


def _message(finding: Finding) -> str:
    """The message, with its file unless it begins with that."""
    message = printable(say_sentence(finding.message))
    place = printable(finding.path)
    return message if not place or message.startswith(place) else f"{place}: {message}"


def _files(checkpoint: Checkpoint) -> Iterator[str]:
    yield say("files")
    for file in checkpoint.facts.files[:MOST_LINES]:
        rank = say("rank {number}", number=file.rank) if file.rank is not None else ""
        note = f"  {printable(say_sentence(file.note))}" if file.note else ""
        size = bytes_text(file.size_bytes)
        role = padded(say(file.role), 10)
        yield f"  {size:>9}  {role} {rank:<9} {printable(file.path)}{note}"
    left = len(checkpoint.facts.files) - MOST_LINES
    if left > 0:
        more = say_count(
            left,
            "… and {count} file more (--json has them)",
            "… and {count} files more (--json has them)",
        )
        yield f"  {more}"
