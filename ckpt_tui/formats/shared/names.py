"""What names say: steps, ranks, staging leftovers. Numbers are compared as numbers."""

from __future__ import annotations

import re

_STEP_WORDS = r"(?:global[_-]?step|step|iteration|iter|it|checkpoint|ckpt|ba|batch)"
_STEP = re.compile(rf"{_STEP_WORDS}[s]?[_=-]?0*(\d{{1,18}})", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"0*(\d{1,18})(?!.*\d)")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_EPOCH = re.compile(r"epoch[_=-]?0*(\d{1,9})", re.IGNORECASE)
_STAGING = re.compile(
    r"(?:^|[._-])(?:tmp|temp|partial|incomplete|unfinished|inprogress|in_progress|saving|deleting)"
    r"(?:[._-]|\d|$)",
    re.IGNORECASE,
)
_NUMBER_OF_SHARD = re.compile(r"_\d{5}$")
_SHARD = re.compile(r"_\d{5}\.")


def without_ids(name: str) -> str:
    """A name without UUIDs, whose digits count nothing."""
    return _UUID.sub("", name)


def step_of_name(name: str) -> int | None:
    """The step that a file or directory name carries: `step-20`, `ckpt_000100.pt`, `iter_0000010`.

    A word for the step wins; else the last number of the stem, but not that of an epoch.
    """
    name = without_ids(name)
    stem = re.sub(r"\.(?:pt|pth|bin|ckpt|tar|pkl|safetensors|distcp)$", "", name)
    marked = _STEP.findall(stem)
    if marked:
        return int(marked[-1])
    plain = _LAST_NUMBER.search(_EPOCH.sub("", stem))
    return int(plain.group(1)) if plain else None


def age_by_name(name: str) -> int:
    """Sorts the names of a series by age: its step, or -1 where it carries none."""
    step = step_of_name(name)
    return -1 if step is None else step


def epoch_of_name(name: str) -> int | None:
    """The epoch that a name carries, or None."""
    found = _EPOCH.search(name)
    return int(found.group(1)) if found else None


def is_staging_name(name: str) -> bool:
    """Whether a name says that what it holds is not, or no longer, under its final name.

    A hidden name counts: loops write there before the rename that commits.
    """
    return bool(_STAGING.search(name)) or name.rpartition("/")[2].startswith(".")


def has_number(name: str) -> bool:
    """Whether a name carries any number, as the names of a series do."""
    return any(character.isdigit() for character in name)


def is_named_alike(name: str, other: str) -> bool:
    """Whether two files in one directory may be of one checkpoint: `1.pdopt` and `1.pdparams`."""
    stem = _NUMBER_OF_SHARD.sub("", other.partition(".")[0])
    rest = name.removeprefix(stem)
    return rest != name and (rest.startswith(".") or _SHARD.match(rest) is not None)
