"""Joins what several files of one checkpoint say about the same role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import ALL_ROLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.facts import RoleFacts

_MOST_EVIDENCE = 3


def merge_roles(parts: Iterable[RoleFacts]) -> tuple[RoleFacts, ...]:
    """One entry per role, in the order of the vocabulary: bytes, files and evidence added up."""
    grouped: dict[str, list[RoleFacts]] = {}
    for part in parts:
        grouped.setdefault(part.role, []).append(part)
    order = {role: number for number, role in enumerate(ALL_ROLES)}
    return tuple(
        _merged(grouped[role]) for role in sorted(grouped, key=lambda r: order.get(r, len(order)))
    )


def _merged(parts: list[RoleFacts]) -> RoleFacts:
    if len(parts) == 1:
        return parts[0]
    sizes = [part.size_bytes for part in parts if part.size_bytes is not None]
    evidence = list(dict.fromkeys(part.evidence for part in parts))
    shown = "; ".join(evidence[:_MOST_EVIDENCE])
    if len(evidence) > _MOST_EVIDENCE:
        shown += f"; and {len(evidence) - _MOST_EVIDENCE} more"
    paths = tuple(dict.fromkeys(path for part in parts for path in part.paths))
    return parts[0]._replace(
        size_bytes=sum(sizes) if sizes else None,
        files=len(paths) or sum(part.files for part in parts),
        evidence=shown,
        missing_ranks=tuple(sorted({rank for part in parts for rank in part.missing_ranks})),
        paths=paths,
    )
