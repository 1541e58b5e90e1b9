"""Reads what a torch DCP directory holds: shared by the formats that are built on it."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.dcp_items import read_dcp_item, read_dcp_scalar
from ckpt_tui.artifacts.dcp_metadata import DcpEntry, DcpItem, DcpMetadata, read_dcp_metadata
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.dcp.files import METADATA, METADATA_TMP, DataFiles, compare_with_metadata
from ckpt_tui.formats.dcp.roles import KeyedRoles, roles_of_metadata, tensors_of_metadata
from ckpt_tui.formats.dcp.saves_apart import files_apart
from ckpt_tui.formats.dcp.without_metadata import look_without_metadata
from ckpt_tui.formats.shared.archive_step import FoundStep, find_step, whole_number
from ckpt_tui.formats.shared.bounds import bounded_world_size
from ckpt_tui.formats.shared.problems import (
    finding_of_error,
    staging_leftover,
    unopened,
    unsafe_pickle,
)
from ckpt_tui.formats.shared.roles import EPOCH_KEYS

if TYPE_CHECKING:
    from ckpt_tui.core.facts import TensorFacts
    from ckpt_tui.formats.base import CheckpointFiles

_NO_ROLES = KeyedRoles((), {}, ())


class DcpContent(NamedTuple):
    """Everything that `.metadata` and the data files say.

    Attributes:
        committed: `.metadata` has its final name.
        metadata: Its content; None where it is absent or unreadable. Where only
            `.metadata.tmp` is there and whole, it is that.
        index_name: Name of the file that was read, "" for none.
        data: The data files.
        keyed: Roles by keys.
        step: The training step, where a key holds it.
        epoch: The epoch, where a key holds it.
        findings: All problems, those of `data` included.
    """

    committed: bool
    metadata: DcpMetadata | None
    index_name: str
    data: DataFiles
    keyed: KeyedRoles = _NO_ROLES
    step: FoundStep | None = None
    epoch: int | None = None
    findings: tuple[Finding, ...] = ()
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0

    @property
    def whole(self) -> bool:
        """The metadata is readable, and every file that it names is whole."""
        return self.metadata is not None and all(f.effect is Effect.NONE for f in self.findings)

    @property
    def not_checked(self) -> tuple[str, ...]:
        """What nobody looked at."""
        phrases = ["the bytes of tensors"]
        if self.data.items_read < self.data.items:
            phrases.append(
                f"{self.data.items - self.data.items_read} of {self.data.items} stored items"
            )
        return tuple(phrases)


def read_dcp(files: CheckpointFiles) -> DcpContent:
    """Reads the `.metadata` of a checkpoint and compares the data files with it."""
    final, staged = files.tree.get(METADATA), files.tree.get(METADATA_TMP)
    findings: list[Finding] = []
    if staged is not None:
        findings.append(staging_leftover(METADATA_TMP))
    index = METADATA if final is not None else METADATA_TMP if staged is not None else ""
    metadata = _read_index(files, index, findings)
    if metadata is None:
        data = look_without_metadata(files)
        found = (*findings, *data.findings)
        return DcpContent(final is not None, None, index, data, findings=found)
    data = compare_with_metadata(files, metadata, index)
    items = _first_items(metadata)
    named = _number_at(files, items, metadata, "dataloader.world_size")
    loader_ranks, absurd = bounded_world_size(named, "`dataloader.world_size`")
    keyed = roles_of_metadata(metadata, index, data.world_size, loader_ranks)
    findings += [*data.findings, *absurd, *_gaps(metadata, keyed, index)]
    findings += unsafe_pickle(metadata.globals, index)
    findings += files_apart(files, metadata, keyed.role_by_key)
    known_bad = {finding.path for finding in data.findings}
    step = _find_step(files, items, keyed, known_bad, findings)
    tensors, total = tensors_of_metadata(metadata, keyed.role_by_key)
    return DcpContent(
        committed=final is not None,
        metadata=metadata,
        index_name=index,
        data=data,
        keyed=keyed,
        step=step,
        epoch=_find_epoch(files, items, metadata),
        findings=tuple(findings),
        tensors=tensors,
        tensors_total=total,
    )


def read_object(files: CheckpointFiles, metadata: DcpMetadata, key: str) -> object:
    """The inert value of one pickled object of the checkpoint.

    Raises:
        ArtifactError: It is not there, or cannot be read.
    """
    item = next((item for item in metadata.storage if item.key == key), None)
    if item is None:
        raise ArtifactError("missing-shard", f"`{key}` has no place in any file", METADATA)
    with files.open(item.relative_path) as source:
        return read_dcp_item(source, item, files.limits)


def _read_index(files: CheckpointFiles, index: str, findings: list[Finding]) -> DcpMetadata | None:
    if not index:
        return None
    entry = files.tree.get(index)
    if entry is not None and entry.kind is not Kind.FILE:
        findings.append(unopened(entry, "it is the index of all data"))
        return None
    try:
        with files.open(index) as source:
            return read_dcp_metadata(source, files.limits)
    except ArtifactError as error:
        # A cut `.metadata.tmp` is no more than the leftover that it was called already.
        if index == METADATA:
            findings.append(finding_of_error(error, index))
        return None


def _first_items(metadata: DcpMetadata) -> dict[str, DcpItem]:
    found: dict[str, DcpItem] = {}
    for item in metadata.storage:
        found.setdefault(item.key, item)
    return found


def _gaps(metadata: DcpMetadata, keyed: KeyedRoles, index: str) -> list[Finding]:
    """Pieces that the index itself has no place for: a load that asks for them raises."""
    stored = Counter(item.key for item in metadata.storage)
    unplaced = [e.key for e in metadata.entries if stored[e.key] < _pieces(e)]
    gaps = [(key, "not every piece of it has a place in a file") for key in unplaced]
    gaps += [(key, "shards of it are absent") for key in keyed.incomplete_objects]
    gaps += [(key, "has no entry for it") for key in _without_entry(metadata)]
    if not gaps:
        return []
    key, why = gaps[0]
    more = f" (and {len(gaps) - 1} more keys)" if len(gaps) > 1 else ""
    return [
        Finding(
            "missing-shard",
            Severity.ERROR,
            index,
            f"{index} names `{key}`, but {why}{more}",
            "Resume from another checkpoint: the save left out what it should hold.",
            Effect.INCOMPLETE,
        )
    ]


def _without_entry(metadata: DcpMetadata) -> list[str]:
    """Keys of the nested state dictionary that the flat one lacks."""
    keys = {entry.key for entry in metadata.entries}
    lacking = [key for key in metadata.paths if key not in keys]
    # Planners of other libraries keep paths of another kind.
    return lacking if len(lacking) * 2 < len(metadata.paths) else []


def _pieces(entry: DcpEntry) -> int:
    """A tensor without elements need not be stored."""
    return 0 if entry.shape is not None and math.prod(entry.shape) == 0 else entry.chunks


def _find_step(
    files: CheckpointFiles,
    items: dict[str, DcpItem],
    keyed: KeyedRoles,
    known_bad: set[str],
    findings: list[Finding],
) -> FoundStep | None:
    for entry in keyed.step_keys:
        item = items.get(entry.key)
        if item is None or item.transformed or item.relative_path in known_bad:
            continue
        try:
            found = _step_of_item(files, entry, item)
        except ArtifactError as error:
            findings.append(finding_of_error(error, item.relative_path))
            known_bad.add(item.relative_path)
            continue
        if found is not None:
            return found
    return None


def _step_of_item(files: CheckpointFiles, entry: DcpEntry, item: DcpItem) -> FoundStep | None:
    with files.open(item.relative_path) as source:
        number = whole_number(read_dcp_scalar(source, item, entry.dtype, files.limits))
        if number is not None:
            return FoundStep(number, entry.key)
        if entry.kind == "tensor":
            return None
        value = read_dcp_item(source, item, files.limits)
    inner = find_step({"progress": value}, whole_number)
    if inner is None:
        return None
    return FoundStep(inner.value, f"{entry.key}.{inner.key.rpartition('.')[2]}")


def _find_epoch(
    files: CheckpointFiles, items: dict[str, DcpItem], metadata: DcpMetadata
) -> int | None:
    for entry in metadata.entries:
        first, _, last = entry.key.rpartition(".")
        if last in EPOCH_KEYS and first in ("", "progress", "train_state", "trainer_state"):
            return _number_at(files, items, metadata, entry.key)
    return None


def _number_at(
    files: CheckpointFiles, items: dict[str, DcpItem], metadata: DcpMetadata, key: str
) -> int | None:
    """A small number under an exact key, or None; what is wrong with it is told elsewhere."""
    item = items.get(key)
    if item is None or item.transformed:
        return None
    entry = next((entry for entry in metadata.entries if entry.key == key), None)
    try:
        with files.open(item.relative_path) as source:
            dtype = entry.dtype if entry else None
            return whole_number(read_dcp_scalar(source, item, dtype, files.limits))
    except ArtifactError:
        return None
