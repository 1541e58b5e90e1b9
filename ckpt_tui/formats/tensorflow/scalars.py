"""Reads the few small values of a bundle that say what it is: its object graph and its counters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.bundle_checksums import crc32c_of_entry, string_elements
from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.tensor_bundle import STRING
from ckpt_tui.artifacts.torch_dtypes import decode_scalar
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER
from ckpt_tui.formats.shared.problems import finding_of_error
from ckpt_tui.formats.shared.roles import EPOCH_KEYS, STEP_KEYS
from ckpt_tui.formats.tensorflow.key_roles import (
    SAVE_COUNTER,
    SLOT,
    is_optimizer_name,
    object_path,
    role_by_key,
)
from ckpt_tui.formats.tensorflow.object_graph import GRAPH_KEY
from ckpt_tui.formats.tensorflow.stored import differs

if TYPE_CHECKING:
    from collections.abc import Set

    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.tensor_bundle import BundleEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.tensorflow.stored import Stored

_MOST_COUNTERS = 64
MOST_GRAPH_BYTES = 8 * MIB
"""Beyond, roles are told by the keys alone: the graph of 10,000 variables takes a fifth of it."""

_ITERATIONS = frozenset({"_iterations", "iterations", "iter", "_iter"})
_COUNTER_TYPES = frozenset({"int32", "int64", "uint32", "uint64", "float32", "float64"})


class Counter(NamedTuple):
    """A counter's value, with the key that it is stored under."""

    key: str
    value: int


class Told(NamedTuple):
    """What the small values say.

    Attributes:
        graph: The object graph's bytes; None where there is none, or where it cannot be read.
        step: The training step that the loop kept, else the optimizer's count of its iterations.
        iterations: The optimizer's count of its iterations.
        epoch: A count of epochs.
        saves: How often `save` had been called: 0 where something else wrote it.
        findings: What could not be read.
        unread: Whether a counter lies in a file that is missing or too short.
    """

    graph: bytes | None = None
    step: Counter | None = None
    iterations: Counter | None = None
    epoch: Counter | None = None
    saves: Counter | None = None
    findings: tuple[Finding, ...] = ()
    unread: bool = False


def read_told(stored: Stored, broken: Set[str] = frozenset()) -> Told:
    """Reads the graph and the counters, each against its checksum; findings instead of errors.

    Args:
        stored: The index with its data.
        broken: Data files of which something is known to be wrong: these are not opened.
    """
    wanted = _wanted(stored)
    by_path: dict[str, list[BundleEntry]] = {}
    for entry in wanted:
        by_path.setdefault(stored.path_of(entry), []).append(entry)
    skipped = [entry for path in broken for entry in by_path.pop(path, ())]
    values: dict[str, int] = {}
    graph: bytes | None = None
    findings: list[Finding] = []
    for path, entries in by_path.items():
        try:
            with stored.files.open(path) as source:
                for entry in entries:
                    big_endian = stored.bundle.big_endian
                    if crc32c_of_entry(source, entry, big_endian=big_endian) != entry.crc32c:
                        findings.append(differs(path, entry.key))
                    elif entry.dtype == STRING:
                        graph = _graph(source, entry)
                    else:
                        values.update(_number(stored, source, entry))
        except ArtifactError as error:
            findings.append(finding_of_error(error, path))
    unread = bool(findings) or any(entry.key != GRAPH_KEY for entry in skipped)
    return _told(values)._replace(graph=graph, findings=tuple(findings), unread=unread)


def _wanted(stored: Stored) -> list[BundleEntry]:
    """The graph, and the scalars whose names are those of counters, the outermost first."""
    counters = [
        entry
        for entry in stored.bundle.entries
        if not entry.shape
        and not entry.slices
        and entry.dtype in _COUNTER_TYPES
        and _is_counter(object_path(entry.key)[-1])
    ]
    counters.sort(key=lambda entry: len(object_path(entry.key)))
    graph = [
        entry
        for entry in stored.bundle.entries
        if entry.key == GRAPH_KEY and entry.dtype == STRING
        if entry.size_bytes <= MOST_GRAPH_BYTES
    ]
    return [*graph, *counters[:_MOST_COUNTERS]]


def _is_counter(name: str) -> bool:
    plain = name.lower()
    known = plain in STEP_KEYS or plain in EPOCH_KEYS
    return known or plain in _ITERATIONS or plain == SAVE_COUNTER


def _graph(source: Source, entry: BundleEntry) -> bytes:
    parts = string_elements(source, entry, MOST_GRAPH_BYTES)
    return parts[0] if parts else b""


def _number(stored: Stored, source: Source, entry: BundleEntry) -> dict[str, int]:
    data = read_exactly(source, entry.offset, entry.size_bytes, f"`{entry.key}`")
    value = decode_scalar(entry.dtype, data, big_endian=stored.bundle.big_endian)
    whole = value is not None and abs(value) < 1 << 63 and value == int(value)
    return {entry.key: int(value)} if whole and value is not None else {}


def _told(values: dict[str, int]) -> Told:
    counters = [Counter(key, value) for key, value in values.items() if value >= 0]
    outer = [c for c in counters if role_by_key(c.key) not in (OPTIMIZER, MODEL)]
    counts = [c for c in counters if _counts_iterations(c.key)]
    iterations = min(counts, key=lambda c: len(object_path(c.key)), default=None)
    return Told(
        step=_first(outer, STEP_KEYS) or iterations,
        iterations=iterations,
        epoch=_first(outer, EPOCH_KEYS),
        saves=next((c for c in counters if object_path(c.key) == (SAVE_COUNTER,)), None),
    )


def _first(counters: list[Counter], names: list[str]) -> Counter | None:
    """The outermost counter with one of these names; of several the most telling name."""
    named = [c for c in counters if object_path(c.key)[-1].lower() in names]
    return min(
        named,
        key=lambda c: (len(object_path(c.key)), names.index(object_path(c.key)[-1].lower())),
        default=None,
    )


def _counts_iterations(key: str) -> bool:
    path = object_path(key)
    inside = any(map(is_optimizer_name, path[:-1]))
    return path[-1].lower() in _ITERATIONS and inside and SLOT not in path
