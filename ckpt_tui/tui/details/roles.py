"""The Roles tab: which states are there, and how that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.text import bytes_text, ranks_text
from ckpt_tui.core.vocabulary import ALL_ROLES, REQUIRED_ROLES, Verdict
from ckpt_tui.tui.icons import VERDICT_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Tone, flowed, joined, line, piece
from ckpt_tui.tui.rows.columns import Column, TextTable
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import RoleFacts

_COLUMNS = (
    Column("role", later("role"), 0, least=10, sortable=False),
    Column("state", later("state"), 0, least=9, sortable=False),
    Column("files", later("files"), 3, right=True, least=5, sortable=False),
    Column("size", later("size"), 1, right=True, least=8, sortable=False),
    Column("identity", later("of"), 4, least=12, sortable=False),
    Column("evidence", later("seen in"), 2, least=16, flexible=True, sortable=False),
)


def roles_lines(checkpoint: Checkpoint, width: int) -> list[Line]:
    """One line a role, the required ones first, then a line with the totals."""
    facts = checkpoint.facts
    names = [*REQUIRED_ROLES]
    names += [name for name in checkpoint.missing_roles if name not in names]
    present = sorted(facts.role_names() - set(names), key=_place)
    rows = [_cells(checkpoint, name) for name in [*names, *present]]
    table = TextTable(_COLUMNS, len(rows), rows.__getitem__, width)
    return [*table, BLANK, *flowed(_totals(checkpoint), width)]


def _place(role: str) -> tuple[int, str]:
    return (ALL_ROLES.index(role) if role in ALL_ROLES else len(ALL_ROLES), role)


def _cells(checkpoint: Checkpoint, name: str) -> Mapping[str, Line]:
    role = checkpoint.facts.role(name)
    if role is None:
        if checkpoint.verdict is Verdict.SAVING:
            return _absent(name, f"· {say('not yet')}", Tone.DIM)
        if name in checkpoint.missing_roles:
            return _absent(name, f"✗ {say('missing')}", Tone.BAD)
        return _absent(name, f"· {say('none')}", Tone.DIM)
    return {
        "role": line(piece(say(name), Tone.BOLD)),
        "state": _state(role),
        "files": line(str(role.files)),
        "size": line(bytes_text(role.size_bytes)),
        "identity": line(piece(say_sentence(role.identity), Tone.DIM)),
        "evidence": _evidence(role),
    }


def _absent(name: str, state: str, tone: Tone) -> Mapping[str, Line]:
    return {
        "role": line(piece(say(name), tone)),
        "state": line(piece(state, tone)),
        "size": line(piece("–", Tone.DIM)),
        "files": line(piece("–", Tone.DIM)),
    }


def _state(role: RoleFacts) -> Line:
    if role.missing_ranks:
        return line(piece(f"◔ {say('partly')}", Tone.WARN))
    return line(piece(f"✔ {say('there')}", Tone.OK))


def _evidence(role: RoleFacts) -> Line:
    evidence = line(piece(say_sentence(role.evidence), Tone.DIM))
    if not role.missing_ranks:
        return evidence
    ranks = say_sentence(ranks_text(role.missing_ranks))
    return joined((line(piece(say("not for {ranks}", ranks=ranks), Tone.WARN)), evidence))


def _meaning(checkpoint: Checkpoint) -> str:
    """What its state means; where something tolerable is missing, what that is."""
    reason = reason_of(checkpoint) if checkpoint.verdict is Verdict.INEXACT else ""
    if reason:
        return say("goes on from its step, but: {why}", why=say_sentence(reason))
    return say(VERDICT_LOOKS[checkpoint.verdict].meaning)


def _totals(checkpoint: Checkpoint) -> list[Line]:
    facts = checkpoint.facts
    look = VERDICT_LOOKS[checkpoint.verdict]
    present = sum(1 for name in REQUIRED_ROLES if facts.role(name) is not None)
    required = say("{present} of {all} required roles", present=present, all=len(REQUIRED_ROLES))
    files = say_count(len(facts.files), "{count} file", "{count} files")
    return [
        line(piece(required, Tone.BOLD)),
        line(say("{size} in {files}", size=bytes_text(facts.size_bytes), files=files)),
        line(piece(_meaning(checkpoint), look.tone)),
    ]
