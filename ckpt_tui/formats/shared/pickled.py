"""One file of pickled arrays within a checkpoint: its content, or what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.compression import compression_of, decompressed
from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.pickle_arrays import ArrayPickle, read_array_pickle
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.formats.shared.one_file import read_one_file
from ckpt_tui.formats.shared.problems import unsafe_pickle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.formats.base import CheckpointFiles

_SAFE_LOADER = "Load it only if you trust its origin: `pickle.load` runs what it names."


class PickledFile(NamedTuple):
    """What was read of one file.

    Attributes:
        pickle: None where it could not be read.
        findings: What is wrong with it, and remarks.
    """

    pickle: ArrayPickle | None
    findings: tuple[Finding, ...] = ()


def read_pickled(files: CheckpointFiles, path: str) -> PickledFile:
    """Reads one file; errors and remarks become findings.

    Args:
        files: The checkpoint.
        path: Relative path of the file, as its tree names it.
    """
    pickle, problems = read_one_file(files, path, read_pickle_source, "it is read as a pickle")
    if pickle is None:
        return PickledFile(None, problems)
    return PickledFile(pickle, (*_unsafe(pickle, path), *_trailing(pickle, path)))


def read_pickle_source(source: Source, limits: Limits) -> ArrayPickle:
    """Reads a file of pickles as it is, or the one that a compressed file holds.

    Raises:
        ArtifactError: It is damaged, or beyond a limit.
    """
    compression = compression_of(source)
    if compression is None:
        return read_array_pickle(source, limits)
    return read_array_pickle(decompressed(source, compression, limits), limits)


def _unsafe(pickle: ArrayPickle, path: str) -> tuple[Finding, ...]:
    found = unsafe_pickle(pickle.globals, path)
    return tuple(finding._replace(remedy=_SAFE_LOADER) for finding in found)


def _trailing(pickle: ArrayPickle, path: str) -> tuple[Finding, ...]:
    rest = pickle.size_bytes - pickle.end
    if not rest:
        return ()
    return (
        Finding(
            "extra-shard",
            Severity.WARNING,
            path,
            f"{path} has {rest} bytes behind the end of its pickle, which no loader reads",
            "Left of a longer file that was written over, most likely; write to a new file.",
        ),
    )


def as_dictionary(value: object) -> Mapping[object, object] | None:
    """A dictionary, or the attributes of a class that holds states (a `TrainState`)."""
    if isinstance(value, dict):
        return value
    if isinstance(value, Instance):
        found = value.entries if value.entries else value.attributes
        return dict(found) if found else None
    return None
