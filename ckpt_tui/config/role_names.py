"""Names of states that a file adds: no name may have two roles, or leave its usual one unsaid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.config.settings import EPOCH_KEYS, ROLES, STEP_KEYS, TAKE_OVER
from ckpt_tui.core.vocabulary import PROGRESS
from ckpt_tui.formats.shared.roles import own_role_of
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ckpt_tui.config.settings import Entry


def misplaced(entries: Sequence[Entry]) -> Iterator[tuple[str, str, str]]:
    """(table, key, what is wrong) of names in `roles` that cannot stand where they do."""
    names = {
        entry.key: entry.value
        for entry in entries
        if entry.table == ROLES and isinstance(entry.value, tuple)
    }
    taken = {name.lower() for name in names.get(TAKE_OVER, ())}
    found: dict[str, str] = {}
    for key, listed in names.items():
        if key in (TAKE_OVER, EPOCH_KEYS):
            continue
        role = PROGRESS if key == STEP_KEYS else key
        for name in dict.fromkeys(name.lower() for name in listed):
            if key != STEP_KEYS and name in found:
                text = say(
                    "{name} is the second role of it, after {role}",
                    name=f"{name!r:.80}",
                    role=found[name],
                )
                yield ROLES, key, text
            if key != STEP_KEYS:
                found.setdefault(name, role)
            usual = own_role_of(name)
            if usual not in (None, role) and name not in taken:
                text = say(
                    "{name} is a name of {role}; to move it, add it to {key} in the same table,"
                    " too",
                    name=f"{name!r:.80}",
                    role=usual,
                    key=TAKE_OVER,
                )
                yield ROLES, key, text
