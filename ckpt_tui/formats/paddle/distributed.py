"""The distributed form: `ID.metadata` says which rank's file holds which part of which tensor.

A pickled `Metadata` has `storage_metadata` (index of a part → file), `state_dict_metadata` (key →
its parts) and `flat_mapping` (flat key → nested keys). The loader asserts that every file with a
part it wants is there, and takes a part from its file by the tensor's key (paddle 3.3.1,
`flex_checkpoint/dcp/load_state_dict.py`; 2.6 to 3.0 had the same classes under
`paddle.distributed.checkpoint`).
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import Instance, as_mapping
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.paddle.names import is_metadata_name
from ckpt_tui.formats.shared.pickled import read_pickled
from ckpt_tui.formats.shared.problems import capped, missing_file, staging_leftover
from ckpt_tui.formats.shared.safetensors_model import read_safetensors_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ckpt_tui.artifacts.pickle_arrays import ArrayPickle
    from ckpt_tui.formats.base import CheckpointFiles

_MOST_PARTS = 2_000_000
_RESUME_ELSEWHERE = "Resume from another checkpoint, or copy the file back from where it was whole."


class Part(NamedTuple):
    """A part of a tensor.

    Attributes:
        key: Flat key of the tensor.
        offsets: Index of its first element in the whole tensor.
        shape: Its own lengths; None where the metadata does not tell.
        path: File that holds it, relative to the checkpoint.
        replica: A copy of a part that another file holds, too.
    """

    key: str
    offsets: tuple[int, ...]
    shape: tuple[int, ...] | None
    path: str
    replica: bool = False


class Distributed(NamedTuple):
    """What a directory of the distributed form holds.

    Attributes:
        parts: By the metadata; empty where it cannot be read.
        mapping: Flat key → nested keys.
        dtypes: Flat key → data type.
        shapes: Flat key → lengths of the whole tensor.
        pickles: Path → what its file holds, of those that could be read.
        findings: What is absent or damaged.
        metadata_path: Relative path of the index; "" where there is none.
    """

    parts: tuple[Part, ...] = ()
    mapping: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    dtypes: Mapping[str, str] = MappingProxyType({})
    shapes: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    pickles: Mapping[str, ArrayPickle] = MappingProxyType({})
    findings: tuple[Finding, ...] = ()
    metadata_path: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Data files that the metadata names, in its order."""
        return tuple(dict.fromkeys(part.path for part in self.parts))


def read_distributed(files: CheckpointFiles, directory: str) -> Distributed:
    """Reads the metadata of a directory, and every data file that it names.

    Args:
        files: The checkpoint.
        directory: Relative path of the directory with a slash at its end; "" for the checkpoint.
    """
    names = [e.path for e in files.tree.files() if e.path.rpartition("/")[0] == directory[:-1]]
    indexes = sorted(n for n in names if is_metadata_name(n.rpartition("/")[2]))
    if not indexes:
        absent = missing_file(f"{directory}0.metadata", "it says which file holds which tensor")
        return Distributed(findings=(absent,))
    path = max(indexes, key=lambda n: (len(n), n))
    read = read_pickled(files, path)
    locks = [staging_leftover(f"{n}.lock", "its lock") for n in indexes if f"{n}.lock" in names]
    if read.pickle is None:
        return Distributed(findings=(*read.findings, *locks), metadata_path=path)
    found = _parsed(read.pickle.value, directory, path)
    if found is None:
        foreign = _unreadable(path, "it holds no `storage_metadata`")
        return Distributed(findings=(*read.findings, foreign), metadata_path=path)
    pickles, findings = _data(files, found)
    return found._replace(
        pickles=pickles, findings=(*read.findings, *locks, *_several(indexes), *findings)
    )


def _parsed(value: object, directory: str, path: str) -> Distributed | None:
    """The metadata's tables; None where it has none."""
    top = as_mapping(value)
    storage, described = top.get("storage_metadata"), top.get("state_dict_metadata")
    if not isinstance(storage, dict):
        return None
    dtypes: dict[str, str] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    local: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = {}
    for key, held in described.items() if isinstance(described, dict) else ():
        for one in held if isinstance(held, list) else ():
            about = as_mapping(one)
            offsets = _numbers(about.get("global_offset"))
            lengths = _numbers(about.get("local_shape"))
            if not isinstance(key, str) or offsets is None or lengths is None:
                return None
            local[key, offsets] = lengths
            dtypes[key] = str(about.get("dtype", "")).removeprefix("paddle.")
            whole = _numbers(about.get("global_shape"))
            ends = tuple(o + n for o, n in zip(offsets, lengths, strict=False))
            shapes[key] = whole or _larger(shapes.get(key, ()), ends)
    parts = _parts(storage, local, directory)
    mapping = top.get("flat_mapping")
    named = mapping.items() if isinstance(mapping, dict) else ()
    nested = {key: keys for key, keys in named if isinstance(keys, tuple)}
    return None if parts is None else Distributed(parts, nested, dtypes, shapes, metadata_path=path)


def _parts(
    storage: Mapping[object, object],
    local: Mapping[tuple[str, tuple[int, ...]], tuple[int, ...]],
    directory: str,
) -> tuple[Part, ...] | None:
    parts = []
    for index, name in list(storage.items())[:_MOST_PARTS]:
        about = index.attributes if isinstance(index, Instance) else {}
        key, offsets = about.get("tensor_key"), _numbers(about.get("global_offset"))
        inside = isinstance(name, str) and "/" not in name and name not in ("", ".", "..")
        if not isinstance(key, str) or offsets is None or not inside:
            return None
        shape = _numbers(about.get("local_shape")) or local.get((key, offsets))
        replica = about.get("replica_id") not in (None, 0)
        parts.append(Part(key, offsets, shape, f"{directory}{name}", replica))
    return tuple(parts)


def _data(
    files: CheckpointFiles, found: Distributed
) -> tuple[dict[str, ArrayPickle], list[Finding]]:
    """Reads the data files, and compares what they hold with the metadata."""
    pickles: dict[str, ArrayPickle] = {}
    findings: list[Finding] = []
    wanted: dict[str, list[Part]] = {}
    for part in found.parts:
        wanted.setdefault(part.path, []).append(part)
    for path, parts in wanted.items():
        needed = [part for part in parts if not part.replica]
        if files.tree.get(path) is None:
            if needed:
                places = plural(len(needed), "part")
                why = f"{found.metadata_path} places {places} of tensors in it"
                findings.append(missing_file(path, why))
            continue
        if path.endswith(".safetensors"):
            findings += _weights(files, path, needed, found)
            continue
        read = read_pickled(files, path)
        findings += read.findings
        if read.pickle is not None:
            pickles[path] = read.pickle
            findings += capped(list(_unlike(path, needed, read.pickle.value, found)))
    return pickles, capped(findings)


def _weights(
    files: CheckpointFiles, path: str, parts: list[Part], found: Distributed
) -> list[Finding]:
    """What is wrong with a data file that was written as safetensors."""
    entries = [entry for entry in files.tree.files() if entry.path == path]
    read = read_safetensors_model(files, entries)
    if path not in read.headers:
        return list(read.findings)
    absent = [part for part in parts if part.key not in read.headers[path].tensors]
    return capped(list(_unlike(path, absent, {}, found)))


def _unlike(
    path: str, parts: Iterable[Part], value: object, found: Distributed
) -> Iterable[Finding]:
    held = value if isinstance(value, dict) else {}
    for part in parts:
        tensor = held.get(part.key)
        if not isinstance(tensor, TensorInfo):
            why = f"{path} holds no `{part.key}`, which {found.metadata_path} places there"
            yield Finding(
                "missing-shard", Severity.ERROR, path, why, _RESUME_ELSEWHERE, Effect.INCOMPLETE
            )
        elif part.shape is not None and math.prod(tensor.shape) != math.prod(part.shape):
            yield Finding(
                "size-mismatch",
                Severity.ERROR,
                path,
                f"`{part.key}` has the shape {tensor.shape} in {path}, but {part.shape} by"
                f" {found.metadata_path}",
                _RESUME_ELSEWHERE,
                Effect.CORRUPT,
            )


def _several(indexes: list[str]) -> tuple[Finding, ...]:
    if len(indexes) < 2:
        return ()
    return (
        Finding(
            "mixed-saves",
            Severity.WARNING,
            indexes[0],
            f"{plural(len(indexes), 'save')} into one directory ({', '.join(indexes[:3])}): the"
            " loader stops unless it is told which",
            "Pass the number of the newest one as `unique_id`.",
        ),
    )


def _unreadable(path: str, why: str) -> Finding:
    return Finding(
        "unreadable-archive",
        Severity.ERROR,
        path,
        f"{path} is no metadata of paddle.distributed: {why}",
        _RESUME_ELSEWHERE,
        Effect.CORRUPT,
    )


def item_bytes(dtype: str) -> int:
    """Size of one element; 0 for a type that has no name here."""
    return ITEM_BYTES.get(dtype, 0)


def _larger(known: tuple[int, ...], ends: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(max, known, ends)) if len(known) == len(ends) else ends


def _numbers(value: object) -> tuple[int, ...] | None:
    if not isinstance(value, tuple | list) or len(value) > 64:
        return None
    found = tuple(n for n in value if isinstance(n, int) and 0 <= n < 1 << 62)
    return found if len(found) == len(value) else None
