"""Which method checks which file: by its first bytes, and by its checkpoint's index."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from ckpt_tui.artifacts.compression import BZIP2, LZMA, XZ
from ckpt_tui.artifacts.gguf_header import MAGIC as GGUF
from ckpt_tui.artifacts.hdf5.superblock import SIGNATURE as HDF5
from ckpt_tui.artifacts.npy_header import MAGIC as NPY
from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST
from ckpt_tui.artifacts.pickle_arrays import sniff_pickle
from ckpt_tui.artifacts.sstable import is_table
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING
from ckpt_tui.artifacts.torch_legacy import is_magic
from ckpt_tui.artifacts.zip_directory import LOCAL_SIGNATURE, has_zip_end
from ckpt_tui.verify.bundle_index import index_of_data
from ckpt_tui.verify.indexes import DCP_INDEX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ckpt_tui.verify.examined import Examined, FileJob
    from ckpt_tui.verify.finite.scan import FloatPart


class Method(NamedTuple):
    """A way of checking.

    Attributes:
        module: Module of this package with `check`, imported when a file needs it.
        applies: Whether a file is one of its kind.
        has_floats: Whether the module has `floats`, which tells floating tensors.
    """

    module: str
    applies: Callable[[FileJob], bool]
    has_floats: bool = False

    def check(self, job: FileJob, found: Examined) -> None:
        """Reads the file and takes down what is found.

        Raises:
            ArtifactError: It cannot be read, or its structure cannot be right.
            StoppedError: Nobody wants it any more.
        """
        cast("Callable[[FileJob, Examined], None]", self._get("check"))(job, found)

    def floats(self, job: FileJob) -> Iterator[FloatPart]:
        """The floating tensors of the file.

        Raises:
            ArtifactError: It cannot be read.
            StoppedError: Nobody wants it any more.
        """
        return cast("Callable[[FileJob], Iterator[FloatPart]]", self._get("floats"))(job)

    def _get(self, function: str) -> object:
        return getattr(import_module(f"ckpt_tui.verify.methods.{self.module}"), function)


_GZIP = b"\x1f\x8b\x08"
_COMPRESSED_ENDINGS = (".bz2", ".pbz2", ".lzma", ".xz")
_OCDBT_MANIFEST = b"\x0c\xdb\x3a\x2a"
_JSON_STARTS_AT = 8
_JSON_NAMES = frozenset(("_METADATA", "_CHECKPOINT_METADATA", ".zarray", ".zattrs", ".zgroup"))
_MSGPACK_FORMATS = frozenset(("flax", "msgpack-file"))
_MAPS = frozenset(bytes((first,)) for first in (*range(0x81, 0x90), 0xDE, 0xDF))


def _is_dcp_data(job: FileJob) -> bool:
    """By DCP's index; without one by the ending, which Paddle's pickles have, too."""
    if not job.name.endswith(".distcp"):
        return False
    return _is_zip(job) or bool(job.context.indexes.dcp_items(job.path))


def _is_zip(job: FileJob) -> bool:
    return job.start.startswith(LOCAL_SIGNATURE)


def _ends_as_zip(job: FileJob) -> bool:
    """Not torch's form without a zip, whose last storage may itself be one."""
    return not is_magic(job.start) and has_zip_end(job.stream)


def _is_gzip(job: FileJob) -> bool:
    return job.start.startswith(_GZIP)


def _is_compressed(job: FileJob) -> bool:
    """Arrays may begin as bzip2 and lzma do, whose magic is short: there the name decides."""
    short = job.start.startswith((BZIP2.magic, LZMA.magic))
    return job.start.startswith(XZ.magic) or (short and job.name.endswith(_COMPRESSED_ENDINGS))


def _is_safetensors(job: FileJob) -> bool:
    """By its name, or a length that fits the file and then a JSON object."""
    if job.name.endswith(".safetensors"):
        return True
    length = int.from_bytes(job.start[:_JSON_STARTS_AT], "little")
    return job.start[_JSON_STARTS_AT : _JSON_STARTS_AT + 1] == b"{" and (
        length + _JSON_STARTS_AT <= job.stream.size
    )


def _is_bundle_data(job: FileJob) -> bool:
    index = index_of_data(job.path)
    return bool(index) and job.context.tree.get(index) is not None


def _is_bundle_index(job: FileJob) -> bool:
    return job.name.endswith(INDEX_ENDING) and is_table(job.stream)


def _is_ocdbt_manifest(job: FileJob) -> bool:
    return job.start.startswith(_OCDBT_MANIFEST) or job.name == MANIFEST


def _is_in_ocdbt(job: FileJob) -> bool:
    """A database keeps its data files in a directory `d`."""
    return bool(job.context.indexes.in_ocdbt(job.path)) or (
        job.path.rpartition("/")[0].endswith("/d") and job.context.indexes.has_ocdbt_above(job.path)
    )


def _is_zarr_chunk(job: FileJob) -> bool:
    return job.context.indexes.zarr_chunk(job.path, job.stream.size) is not None


def _is_hdf5(job: FileJob) -> bool:
    return job.start.startswith(HDF5) or job.name.endswith((".h5", ".hdf5"))


def _is_pickle(job: FileJob) -> bool:
    return job.name == DCP_INDEX or sniff_pickle(job.stream)


def _is_array(job: FileJob) -> bool:
    return job.start.startswith((NPY, GGUF)) or job.name.endswith(".msgpack") or _is_flax(job)


def _is_flax(job: FileJob) -> bool:
    """Flax gives its files no ending; each is a map."""
    return job.context.format in _MSGPACK_FORMATS and job.start[:1] in _MAPS


def _is_json(job: FileJob) -> bool:
    """By its name; Orbax gives its JSON files no ending."""
    if job.name.endswith(".json") or job.name in _JSON_NAMES:
        return True
    return job.context.format == "orbax" and job.start.startswith(b"{")


METHODS = (
    Method("dcp_data", _is_dcp_data, has_floats=True),
    Method("bundle_data", _is_bundle_data, has_floats=True),
    Method("bundle_index", _is_bundle_index),
    Method("ocdbt_manifest", _is_ocdbt_manifest, has_floats=True),
    Method("ocdbt_files", _is_in_ocdbt, has_floats=True),
    Method("json_text", _is_json),
    Method("zarr_chunk", _is_zarr_chunk, has_floats=True),
    Method("zip_archive", _is_zip, has_floats=True),
    Method("gzip_members", _is_gzip),
    Method("hdf5_file", _is_hdf5, has_floats=True),
    Method("plain_arrays", _is_array, has_floats=True),
    Method("safetensors", _is_safetensors, has_floats=True),
    Method("pickles", _is_pickle, has_floats=True),
    Method("compressed_streams", _is_compressed),
    Method("zip_archive", _ends_as_zip, has_floats=True),  # its first bytes may be what is wrong
)
"""In the order of asking: what an index tells before what the first bytes do."""


def method_of(job: FileJob) -> Method | None:
    """What checks a file; None where nothing is known that could."""
    return next((method for method in METHODS if method.applies(job)), None)
