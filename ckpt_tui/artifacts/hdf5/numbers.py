"""Single numbers that a dataset holds."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.hdf5.datatype import Class
from ckpt_tui.artifacts.hdf5.layout import Placing

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.contents import Contents, Dataset

_FORMATS = {4: "f", 8: "d", 2: "e"}
_LARGEST_BYTES = 8


def read_number(contents: Contents, dataset: Dataset) -> int | float | None:
    """The value of a dataset with one element; None where it holds no plain number.

    Raises:
        ArtifactError: `truncated-file`, `unreadable-archive`.
    """
    datatype, layout = dataset.datatype, dataset.layout
    if dataset.shape != () or not datatype.is_number or datatype.size_bytes > _LARGEST_BYTES:
        return None
    if layout.placing is Placing.COMPACT:
        data = layout.data[: datatype.size_bytes]
    elif layout.placing is Placing.CONTIGUOUS and layout.address is not None:
        data = contents.view.read(layout.address, datatype.size_bytes, dataset.path)
    else:
        return None
    if datatype.big_endian:
        data = data[::-1]
    if datatype.kind is Class.INTEGER:
        return int.from_bytes(data, "little", signed=datatype.signed)
    code = _FORMATS.get(datatype.size_bytes)
    return float(struct.unpack(f"<{code}", data)[0]) if code is not None else None
