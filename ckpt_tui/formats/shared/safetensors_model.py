"""Model weights kept as safetensors beside the other files, and indexes of weights in shards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.safetensors_header import SafetensorsHeader, read_safetensors_header
from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.shared.json_files import read_json_object
from ckpt_tui.formats.shared.problems import capped, finding_of_error, missing_file

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_INDEX_ENDINGS = (".safetensors.index.json", ".bin.index.json")


class SafetensorsModel(NamedTuple):
    """The weights.

    Attributes:
        headers: By path, of the files whose header and size are right.
        broken: By path, what is wrong with the others.
        roles: The model, where any file holds a tensor.
        findings: Those of `broken`, and what an index names in vain.
    """

    headers: dict[str, SafetensorsHeader]
    broken: dict[str, Finding]
    roles: tuple[RoleFacts, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def tensors(self) -> tuple[TensorFacts, ...]:
        """Those of all headers, file by file."""
        return tuple(
            tensor
            for path, header in self.headers.items()
            for tensor in tensors_of_header(header, path)
        )


def read_safetensors_model(files: CheckpointFiles, entries: list[FileEntry]) -> SafetensorsModel:
    """Reads every header among the files, and every index of them."""
    headers: dict[str, SafetensorsHeader] = {}
    broken: dict[str, Finding] = {}
    for entry in entries:
        if not entry.path.endswith(".safetensors"):
            continue
        try:
            with files.open(entry.path) as source:
                headers[entry.path] = read_safetensors_header(source, files.limits)
        except ArtifactError as error:
            broken[entry.path] = finding_of_error(error, entry.path, role=MODEL)
    findings = capped(list(broken.values()))
    there = {entry.path for entry in entries}
    for entry in entries:
        if entry.path.endswith(_INDEX_ENDINGS):
            findings += _compare_with_index(files, entry.path, headers, there)
    return SafetensorsModel(headers, broken, model_of_headers(headers), tuple(findings))


def model_of_headers(headers: dict[str, SafetensorsHeader]) -> tuple[RoleFacts, ...]:
    """The model that these files hold, if they hold any tensor."""
    names = {name for header in headers.values() for name in header.tensors}
    if not names:
        return ()
    size_bytes = sum(header.data_bytes_expected for header in headers.values())
    evidence = f"{len(names)} tensors in {plural(len(headers), 'safetensors header')}"
    return (RoleFacts(MODEL, size_bytes, len(headers), evidence, paths=tuple(headers)),)


def tensors_of_header(header: SafetensorsHeader, path: str) -> tuple[TensorFacts, ...]:
    """The tensors of one file.

    Args:
        header: Its header.
        path: Relative path of the file.
    """
    return tuple(
        TensorFacts(name, tensor.dtype, tensor.shape, tensor.end - tensor.begin, MODEL, path)
        for name, tensor in header.tensors.items()
    )


def _compare_with_index(
    files: CheckpointFiles, index: str, headers: dict[str, SafetensorsHeader], there: set[str]
) -> list[Finding]:
    """Files and tensors that an index names and that are not there; it lies beside its files."""
    try:
        document = read_json_object(files, index)
    except ArtifactError as error:
        return [finding_of_error(error, index)]
    named = document.get("weight_map")
    if not isinstance(named, dict):
        return [finding_of_error(ArtifactError("invalid-json", "it has no weight_map"), index)]
    directory = index[: len(index) - len(index.rpartition("/")[2])]
    found: dict[str, Finding] = {}
    for tensor, name in named.items():
        path = f"{directory}{name}"
        if path not in there:
            found.setdefault(path, missing_file(path, f"{index} names it"))
        elif path in headers and tensor not in headers[path].tensors:
            why = f"{index} places tensor {tensor} in it, which it does not have"
            found.setdefault(path, missing_file(path, why))
    return capped(list(found.values()))
