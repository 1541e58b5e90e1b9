"""Files that have a torch file's name and are whole, though `torch.load` does not open them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from collections.abc import Collection

_COMPRESSIONS: Final = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_WRITERS: Final = (
    (".data/extern_modules", "torch.package"),
    ("archive_format", "torch.export"),
)
"""A record that only archives of that writer have."""


def refuse_compressed(start: bytes, path: str) -> None:
    """Tells a loop's own compression apart from damage, by a file's first bytes.

    Raises:
        ArtifactError: `unsupported-version`.
    """
    name = next((name for magic, name in _COMPRESSIONS if start.startswith(magic)), None)
    if name is not None:
        raise ArtifactError(
            "unsupported-version",
            f"it is compressed with {name}, which its job undoes before torch.load: it was not"
            " read",
            path,
        )


def refuse_other_archive(records: Collection[str], path: str) -> None:
    """Tells archives of torch's other writers apart from damage, by the names of their records.

    Raises:
        ArtifactError: `unsupported-version`.
    """
    writer = next((writer for record, writer in _WRITERS if record in records), None)
    if writer is not None:
        raise ArtifactError(
            "unsupported-version",
            f"it is an archive of {writer}, which torch.load does not open: it was not read",
            path,
        )
