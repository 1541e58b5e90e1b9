"""Durable writes, and paths that stay inside the checkpoint's directory."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ckpt_tui.manifest.entry import ManifestEntry, ManifestError, check_role

if TYPE_CHECKING:
    from collections.abc import Iterable

    Piece = bytes | bytearray | memoryview

MANIFEST_NAME = "manifest.json"

_TMP_SUFFIX = ".tmp"
_NO_DIRECTORY_FSYNC = (errno.EINVAL, errno.ENOTSUP)


def write_shard(
    directory: str | os.PathLike[str],
    role: str,
    rank: int,
    data: Piece | Iterable[Piece],
    *,
    checkpoint_id: str,
    path: str | None = None,
) -> ManifestEntry:
    """Writes one shard durably: under a temporary name, flushed to the disk, then renamed.

    Any rank may call it; it does not touch the manifest.

    Args:
        directory: The checkpoint's directory; made if it is not there.
        role: What the state is, such as `model` or `optimizer`.
        rank: The writer's index, from 0.
        data: The bytes, whole or in pieces; after each piece a watcher can see the file grow.
        checkpoint_id: The checkpoint that the shard belongs to.
        path: The file's name below `directory`; by default `ROLE-rankN.bin`.

    Returns:
        The entry for the manifest, with size and CRC-32.

    Raises:
        ManifestError: Role or rank is wrong, the path leaves the directory, or the directory
            already holds a committed checkpoint.
        OSError: The file could not be written; the temporary file is removed.
    """
    check_role(role)
    if rank < 0:
        raise ManifestError(f"the {role} shard: rank is {rank}: it must be 0 or more")
    root = Path(directory)
    refuse_committed(root)
    name = f"{role}-rank{rank}.bin" if path is None else path
    target = shard_target(root, name)
    _refuse_outside(root, target)
    target.parent.mkdir(parents=True, exist_ok=True)
    pieces = (data,) if isinstance(data, bytes | bytearray | memoryview) else data
    size_bytes, crc32 = write_durably(target, pieces)
    fsync_directory(target.parent)
    return ManifestEntry(role, name, rank, checkpoint_id, size_bytes, f"{crc32:08x}")


def remove_checkpoint(directory: str | os.PathLike[str]) -> None:
    """Removes a checkpoint in the safe order: its manifest first, then its shards.

    A removal that dies half-way leaves an uncommitted checkpoint, never a committed one that
    lacks shards. A directory that is not there is no error; a link is refused.

    Raises:
        ManifestError: `directory` is a link or a file, or holds checkpoints itself.
        OSError: Something could not be removed.
    """
    root = Path(directory)
    if root.is_symlink() or (root.exists() and not root.is_dir()):
        raise ManifestError(f"{root}: not a directory of its own; remove it by hand")
    if not root.exists():
        return
    if any(root.glob(f"*/{MANIFEST_NAME}")):
        raise ManifestError(f"{root}: holds checkpoints: remove them one by one, not their run")
    (root / MANIFEST_NAME).unlink(missing_ok=True)
    fsync_directory(root)
    shutil.rmtree(root)


def refuse_committed(root: Path) -> None:
    """Refuses to change a committed checkpoint: its manifest would describe other shards."""
    if os.path.lexists(root / MANIFEST_NAME):
        raise ManifestError(
            f"{root / MANIFEST_NAME}: the checkpoint is committed already: write to another "
            "directory, or call remove_checkpoint() first"
        )


def shard_target(root: Path, path: str) -> Path:
    """The shard's place below `root`; refuses a path that could mean anything else."""
    pure = PurePosixPath(path)
    if (
        not pure.parts
        or pure.is_absolute()
        or ".." in pure.parts
        or "\\" in path
        or "\0" in path
        or str(pure) != path
    ):
        raise ManifestError(
            f"{path!r}: not a plain path below {root}: use a relative one with forward slashes"
        )
    if path == MANIFEST_NAME or path.endswith(_TMP_SUFFIX):
        raise ManifestError(
            f"{path!r}: the manifest and unfinished files are called so: use another name"
        )
    return root / pure


def _refuse_outside(root: Path, target: Path) -> None:
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise ManifestError(f"{target}: a link leads it out of {root}; shards must be inside")


def plain_size(root: Path, target: Path) -> int:
    """The size in bytes of a plain file inside the checkpoint."""
    _refuse_outside(root, target)
    try:
        found = target.lstat()
    except FileNotFoundError:
        raise ManifestError(f"{target}: is not there: write a shard, then list it") from None
    if not stat.S_ISREG(found.st_mode):
        raise ManifestError(f"{target}: is no plain file; a manifest lists plain files only")
    return found.st_size


def flush_listed(root: Path, entry: ManifestEntry) -> None:
    """Checks a listed file against its entry, and flushes it, whoever wrote it."""
    target = shard_target(root, entry.path)
    plain_size(root, target)
    # Opening asks a file server anew, so that the size is the one the other rank left.
    descriptor = os.open(target, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        size_bytes = os.fstat(descriptor).st_size
        if size_bytes != entry.size_bytes:
            raise ManifestError(
                f"{target}: has {size_bytes} bytes, its entry says {entry.size_bytes}: "
                "the shard is still being written, or was cut; nothing is committed"
            )
        if size_bytes == 0:
            raise ManifestError(f"{target}: is empty: no reader could restore it")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_durably(target: Path, pieces: Iterable[Piece]) -> tuple[int, int]:
    """Writes a file under a temporary name, flushes it to the disk, then renames it.

    Returns:
        The file's size in bytes, and its CRC-32.
    """
    partial = target.with_name(target.name + _TMP_SUFFIX)
    partial.unlink(missing_ok=True)
    size_bytes = crc32 = 0
    try:
        with partial.open("xb") as stream:
            for piece in pieces:
                stream.write(piece)
                stream.flush()
                size_bytes += memoryview(piece).nbytes
                crc32 = zlib.crc32(piece, crc32)
            os.fsync(stream.fileno())
        partial.replace(target)
    except Exception:
        partial.unlink(missing_ok=True)
        raise
    return size_bytes, crc32


def fsync_directory(directory: Path) -> None:
    """Makes names durable; some file systems have no such call for a directory."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_DIRECTORY_FSYNC:
            raise
    finally:
        os.close(descriptor)
