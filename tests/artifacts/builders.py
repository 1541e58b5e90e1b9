"""Small archives and pickles, written by hand so that each field can be wrong."""

from __future__ import annotations

import io
import pickle
import struct
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.artifacts.source import Source

LIMITS = Limits()


class BytesSource:
    """Bytes that are already in memory."""

    def __init__(self, data: bytes, name: str = "") -> None:
        self._data = data
        self.size = len(data)
        self.name = name

    def read_at(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset`."""
        return self._data[offset : offset + length] if offset >= 0 and length > 0 else b""

    def close(self) -> None:
        """Nothing is held."""


class Global(NamedTuple):
    """Pickles as a global by name, and as a call of it where there are arguments."""

    name: str
    args: tuple[object, ...] | None = None


class Storage(NamedTuple):
    """Pickles as torch's persistent ID of a storage."""

    kind: str
    key: str
    elements: int


class Module(NamedTuple):
    """Pickles as the persistent ID of a module's class, which only the legacy form has."""

    name: str


class TorchPickler(pickle._Pickler):
    """Writes globals that need not exist; only the pickler in Python can be told to."""

    def save(self, obj: object, save_persistent_id: bool = True) -> None:
        if type(obj) is Storage:
            self.save(("storage", Global(f"torch.{obj.kind}"), obj.key, "cpu", obj.elements))
            self.write(b"Q")
        elif type(obj) is Module:
            self.save(("module", Global(obj.name), "linear.py", "class Linear: ..."))
            self.write(b"Q)R")
        elif type(obj) is Global:
            self.write_name(obj.name)
            if obj.args is not None:
                self.save(obj.args)
                self.write(b"R")
        else:
            super().save(obj, save_persistent_id)

    def write_name(self, qualified: str, encoding: str = "utf-8") -> None:
        """Writes a global, in full only the first time, as every pickler does."""
        known = self.memo.get(qualified)
        if known is not None:
            self.write(self.get(known[0]))
            return
        module, _, name = qualified.rpartition(".")
        self.write(f"c{module}\n{name}\n".encode(encoding))
        place = len(self.memo)
        self.write(self.put(place))
        self.memo[qualified] = place, qualified


def torch_pickle(value: object, protocol: int = 2) -> bytes:
    """Pickle a value that may hold tensors, globals and storages."""
    out = io.BytesIO()
    TorchPickler(out, protocol).dump(value)
    return out.getvalue()


def tensor(
    key: str, shape: tuple[int, ...], *, kind: str = "FloatStorage", elements: int | None = None
) -> Global:
    """A contiguous tensor as torch pickles it; its storage may be said to be smaller."""
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    storage = Storage(kind, key, step if elements is None else elements)
    args = (storage, 0, shape, tuple(reversed(strides)), False, None)
    return Global("torch._utils._rebuild_tensor_v2", args)


def torch_zip(
    value: object,
    storages: dict[str, bytes] | None = None,
    *,
    root: str = "archive",
    protocol: int = 2,
) -> bytes:
    """A whole torch file in zip form."""
    records = {"data.pkl": torch_pickle(value, protocol), "version": b"3\n", "byteorder": b"little"}
    records |= {f"data/{key}": data for key, data in (storages or {}).items()}
    return zip_of({f"{root}/{name}": data for name, data in records.items()})


def torch_legacy(
    value: object, storages: dict[str, tuple[int, bytes]], *, protocol: int = 2
) -> bytes:
    """A whole torch file in the form before the zip; a storage is (elements, bytes)."""
    parts = (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}, value, list(storages))
    raw = [struct.pack("<q", count) + data for count, data in storages.values()]
    return b"".join([*(torch_pickle(part, protocol) for part in parts), *raw])


def zip_of(records: dict[str, bytes], *, method: int = zipfile.ZIP_STORED) -> bytes:
    """A zip archive of the records, the same bytes at any time of day."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in records.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def safetensors(header: bytes, data: bytes = b"") -> bytes:
    """A safetensors file with that header."""
    return struct.pack("<Q", len(header)) + header + data


def brief(value: object) -> str | None:
    """Name a test's case by its texts, not by the bytes of a file."""
    return f"{len(value)} bytes" if isinstance(value, bytes) else None


def error_of(
    function: Callable[[Source, Limits], object], data: bytes, limits: Limits = LIMITS
) -> ArtifactError:
    """Return the error that reading the bytes raises; anything else fails the test."""
    try:
        value = function(BytesSource(data, "file"), limits)
    except ArtifactError as error:
        return error
    raise AssertionError(f"no error, but {value!r}")
