"""Which role a name stands for: the keys of real savers and the usual synonyms of custom loops.

Content decides first: the keys inside a file are asked before the file's own name. docs/roles.md
shows these tables; a configuration file may extend them.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import PROGRESS
from ckpt_tui.formats.shared import role_names

if TYPE_CHECKING:
    from collections.abc import Iterable

STEP_KEYS: list[str] = [*role_names.STEP_KEYS]
"""Keys whose integer value is the training step, the most telling first."""

EPOCH_KEYS: list[str] = [*role_names.EPOCH_KEYS]
"""Keys whose integer value is a count of epochs, the most telling first."""

_OWN_ROLE_OF = {name: role for role, names in role_names.SYNONYMS.items() for name in names}
_NETWORK = re.compile(r"^[gd]_(?=ema$|net|opt|sched|state_dict$)|_[gd](?=$|_state)")
# Possessive, as a name of many numbers could be divided among them in any number of ways.
_NUMBERED = re.compile(r"(?:[_.-](?:dp[_-]?)?(?:rank|r)?[_-]?\d++|(?:rank)?[_-]?\d++)++$")
_LONGEST_KEY = 250


class Synonyms(NamedTuple):
    """Names beyond the tables, as a configuration file gives them.

    Attributes:
        roles: (name in lower case, role); it wins over the tables.
        step_keys: Asked before `STEP_KEYS`; each is a name of progress, too.
        epoch_keys: Asked before `EPOCH_KEYS`.
    """

    roles: tuple[tuple[str, str], ...] = ()
    step_keys: tuple[str, ...] = ()
    epoch_keys: tuple[str, ...] = ()


NO_SYNONYMS = Synonyms()

_role_of = dict(_OWN_ROLE_OF)
_in_use = NO_SYNONYMS


def use_synonyms(synonyms: Synonyms) -> None:
    """Sets what this process reads names by, in place of what was set before.

    What was read until then rests on the other tables: `synonyms_in_use` tells them apart.
    """
    global _in_use, _role_of  # one table for all readers of a process, replaced as a whole
    if synonyms == _in_use:
        return
    _role_of = _OWN_ROLE_OF | dict.fromkeys(synonyms.step_keys, PROGRESS) | dict(synonyms.roles)
    STEP_KEYS[:] = dict.fromkeys((*synonyms.step_keys, *role_names.STEP_KEYS))
    EPOCH_KEYS[:] = dict.fromkeys((*synonyms.epoch_keys, *role_names.EPOCH_KEYS))
    _in_use = synonyms


def synonyms_in_use() -> Synonyms:
    """What `use_synonyms` set last; facts that were read under other ones are stale."""
    return _in_use


def own_role_of(name: str) -> str | None:
    """The role that the tables alone give a name, in lower case and as it stands."""
    return _OWN_ROLE_OF.get(name)


def role_of_key(key: object) -> str | None:
    """The role that a top-level key names, or None: `lr_scheduler` → scheduler.

    Numbers at the end do not count, so `rng_rank3` is rng and `optimizer_0` is optimizer; nor does
    the letter of an adversarial network: `optimizer_G`, `d_sched`.
    """
    if not isinstance(key, str) or len(key) > _LONGEST_KEY:
        return None
    plain = key.lower().strip()
    role = _role_of.get(plain)
    if role is None:
        bare = _NUMBERED.sub("", plain)
        role = _role_of.get(bare) or _role_of.get(_NETWORK.sub("", bare))
    return role


def role_of_file_name(name: str) -> str | None:
    """The role that a file's name claims, as a whole or by one of its words."""
    stem = name.split(".")[0].lower()
    whole = role_of_key(stem)
    if whole is not None:
        return whole
    words = [word for word in re.split(r"[^a-z]+", stem) if word]
    pairs = [f"{a}_{b}" for a, b in pairwise(words)]
    return next((role for role in map(role_of_key, [*pairs, *words]) if role), None)


def roles_of_keys(keys: Iterable[object]) -> dict[str, tuple[str, ...]]:
    """Role → the keys that name it, in the order of the keys."""
    found: dict[str, list[str]] = {}
    for key in keys:
        role = role_of_key(key)
        if role is not None:
            found.setdefault(role, []).append(str(key))
    return {role: tuple(names) for role, names in found.items()}
