"""What names in an Orbax checkpoint say; nothing is opened."""

from __future__ import annotations

import re

from ckpt_tui.formats.shared.bounds import MOST_RANKS

STEP_METADATA = "_CHECKPOINT_METADATA"
TREE_METADATA = "_METADATA"
MARKER = "commit_success.txt"
SHARDING = "_sharding"
ARRAY_METADATAS = "array_metadatas"
STRINGS = "_strings.json"
AGGREGATE = "checkpoint"
FREE_MARK = "orbax.checkpoint"
"""An empty file that the free functions of the v1 API (`ocp.save`) put into what they write."""
ROOT_METADATA = frozenset({"metadata", "descriptor"})
"""Directories beside the steps that describe the run and are none."""

TEMPORARY = ".orbax-checkpoint-tmp"
_STAMPED = re.compile(rf"{re.escape(TEMPORARY)}-(\d{{15,17}})$")
_PROCESS_DIRECTORY = re.compile(r"ocdbt\.process_(\d{1,9})(?=$|\D)")
_PROCESS_FILE = re.compile(r"process_(\d{1,9})(?:-of-(\d{1,9})\.json)?")
_STEP = re.compile(r"(?:(.*[^\d])[_-])?(\d{1,18})")
_TRASH = re.compile(r"(?:^|[._-])(?:trash|to[._-]?delete\w*|garbage|deleted)(?:$|[._-])", re.I)


def is_temporary(name: str) -> bool:
    """Whether a step or an item still has the name that it is written under."""
    return TEMPORARY in name


def final_name(name: str) -> str:
    """The name that a step or an item has, or would get by the rename that commits it."""
    return name.partition(TEMPORARY)[0]


def started_by_name(name: str) -> float | None:
    """Seconds since the epoch at which a save began, by its temporary name.

    Until 0.5 Orbax put microseconds there; later versions put a small count, or nothing.
    """
    found = _STAMPED.search(name)
    return int(found[1]) / 1e6 if found else None


def is_step_name(name: str) -> bool:
    """Whether a manager could have given the name to a step: `20`, `checkpoint_00000020`."""
    return _STEP.fullmatch(name) is not None


def step_prefix(name: str) -> str:
    """What a step's name has before its number: "" for `20`, "checkpoint" for `checkpoint_20`."""
    found = _STEP.fullmatch(name)
    return (found[1] or "") if found else ""


def is_trash(name: str) -> bool:
    """Whether a directory is named as the one that a manager moves removed steps into.

    Its name is the job's choice (`todelete_subdir`); these are the usual ones.
    """
    return _TRASH.search(name) is not None


def process_of(part: str) -> int | None:
    """The process that wrote a directory or file of that name; None for any other."""
    found = _PROCESS_DIRECTORY.fullmatch(part) or _PROCESS_FILE.fullmatch(part)
    number = int(found[1]) if found else MOST_RANKS
    return number if number < MOST_RANKS else None


def processes_by_name(part: str) -> int | None:
    """How many processes there are by a name such as `process_0-of-2.json`; else None."""
    found = _PROCESS_FILE.fullmatch(part)
    count = int(found[2]) if found and found[2] else 0
    return count if 0 < count <= MOST_RANKS else None
