"""The Roles tab: which states are there, and how that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text, plural, ranks_text
from ckpt_tui.core.vocabulary import ALL_ROLES, REQUIRED_ROLES, Verdict
from ckpt_tui.tui.icons import VERDICT_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Tone, flowed, joined, line, piece
from ckpt_tui.tui.rows.columns import Column, TextTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import RoleFacts

_COLUMNS = (
    Column("role", "role", 0, least=10, sortable=False),
    Column("state", "state", 0, least=9, sortable=False),
    Column("files", "files", 3, right=True, least=5, sortable=False),
    Column("size", "size", 1, right=True, least=8, sortable=False),
    Column("identity", "of", 4, least=12, sortable=False),
    Column("evidence", "seen in", 2, least=16, flexible=True, sortable=False),
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
            return _absent(name, "· not yet", Tone.DIM)
        if name in checkpoint.missing_roles:
            return _absent(name, "✗ missing", Tone.BAD)
        return _absent(name, "· none", Tone.DIM)
    return {
        "role": line(piece(name, Tone.BOLD)),
        "state": _state(role),
        "files": line(str(role.files)),
        "size": line(bytes_text(role.size_bytes)),
        "identity": line(piece(role.identity, Tone.DIM)),
        "evidence": _evidence(role),
    }


def _absent(name: str, state: str, tone: Tone) -> Mapping[str, Line]:
    return {
        "role": line(piece(name, tone)),
        "state": line(piece(state, tone)),
        "size": line(piece("–", Tone.DIM)),
        "files": line(piece("–", Tone.DIM)),
    }


def _state(role: RoleFacts) -> Line:
    if role.missing_ranks:
        return line(piece("◔ partly", Tone.WARN))
    return line(piece("✔ there", Tone.OK))


def _evidence(role: RoleFacts) -> Line:
    gap = line(piece(f"not for {ranks_text(role.missing_ranks)}", Tone.WARN))
    return joined((gap if role.missing_ranks else BLANK, line(piece(role.evidence, Tone.DIM))))


def _totals(checkpoint: Checkpoint) -> list[Line]:
    facts = checkpoint.facts
    look = VERDICT_LOOKS[checkpoint.verdict]
    present = sum(1 for name in REQUIRED_ROLES if facts.role(name) is not None)
    return [
        line(piece(f"{present} of {len(REQUIRED_ROLES)} required roles", Tone.BOLD)),
        line(bytes_text(facts.size_bytes), " in ", plural(len(facts.files), "file")),
        line(piece(look.meaning, look.tone)),
    ]
