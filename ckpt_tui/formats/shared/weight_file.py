"""One file of weights, safetensors or torch: its tensors by the header, and whether it is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.safetensors_header import read_safetensors_header
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.shared.problems import finding_of_error, unsafe_pickle
from ckpt_tui.formats.shared.safetensors_model import tensors_of_header
from ckpt_tui.formats.shared.tensor_walk import tensor_bytes, walk_tensors

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


class WeightFile(NamedTuple):
    """What one file holds.

    Attributes:
        path: Relative path.
        readable: The header could be read, and the file has the size that it asks for.
        tensor_bytes: Bytes of all tensors; one storage that several share counts once.
        tensors: All of them.
    """

    path: str
    readable: bool
    tensor_bytes: int = 0
    tensors: tuple[TensorFacts, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Names of the tensors."""
        return frozenset(tensor.name for tensor in self.tensors)

    @property
    def role(self) -> RoleFacts | None:
        """The model, where the file holds any element of it."""
        if not self.tensor_bytes:
            return None
        evidence = f"{plural(len(self.tensors), 'tensor')} in {self.path}"
        return RoleFacts(MODEL, self.tensor_bytes, 1, evidence, paths=(self.path,))


def read_weight_file(files: CheckpointFiles, path: str) -> WeightFile:
    """Reads a file's header; `.safetensors` names the format, anything else is a torch archive."""
    try:
        with files.open(path) as source:
            if path.endswith(".safetensors"):
                return _safetensors(files, path, source)
            return _torch(files, path, source)
    except ArtifactError as error:
        return WeightFile(path, False, findings=(finding_of_error(error, path),))


def _safetensors(files: CheckpointFiles, path: str, source: Source) -> WeightFile:
    header = read_safetensors_header(source, files.limits)
    return WeightFile(path, True, header.data_bytes_expected, tensors_of_header(header, path))


def _torch(files: CheckpointFiles, path: str, source: Source) -> WeightFile:
    archive = read_torch_archive(source, files.limits)
    found = walk_tensors(archive.value)
    tensors = tuple(
        TensorFacts(name, info.dtype, info.shape, info.size_bytes, MODEL, path)
        for name, info in found
    )
    return WeightFile(
        path, True, tensor_bytes(found), tensors, unsafe_pickle(archive.globals, path)
    )
