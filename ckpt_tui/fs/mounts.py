"""Which file system a directory lies on, and whether the kernel tells us there what others write.

inotify reports what passes through this machine's kernel. A file server, a cluster file system or a
FUSE daemon changes files behind it, without an event and without an error. So a file system counts
as reporting only if it is known to be local; an unknown one is polled, because a needless poll
costs a little and a missed checkpoint costs the picture.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

MOUNTINFO_PATH = "/proc/self/mountinfo"

# All writers pass through this kernel. (Space-separated, like the next.)
_LOCAL_TYPES = (
    "apfs bcachefs btrfs erofs exfat ext2 ext3 ext4 f2fs fuseblk hfsplus iso9660 jfs msdos nilfs2 "
    "ntfs ntfs3 ramfs reiserfs rootfs squashfs tmpfs ubifs udf ufs vfat xfs zfs"
)
# Other hosts, or the host of a virtual machine, write here without this kernel's knowledge.
_SHARED_TYPES = (
    "9p acfs afs beegfs ceph cifs coda daos drvfs gfs2 glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 "
    "orangefs panfs prl_fs pvfs2 quobyte smb3 smbfs vboxsf virtiofs vmhgfs wekafs"
)
_LAYER_OPTIONS = ("lowerdir", "lowerdir+", "upperdir", "datadir+")
_MAX_OVERLAY_DEPTH = 4

_OCTAL = re.compile(rb"\\([0-3][0-7]{2})")
_UNESCAPED_COLONS = re.compile(r"(?<!\\):+")


class Mount(NamedTuple):
    """One mounted file system.

    Attributes:
        mount_point: Absolute directory, as this process sees it.
        fs_type: The kernel's name of the type, such as ``ext4``, ``nfs4`` or ``fuse.sshfs``.
        source: Device, ``server:/export`` or any other word the file system chose.
        options: The file system's own options, one ``name`` or ``name=value`` each.
    """

    mount_point: str
    fs_type: str
    source: str
    options: tuple[str, ...]


class EventSupport(NamedTuple):
    """Whether inotify sees every writer on a mount, and the reason in words."""

    sees_events: bool
    reason: str


def parse_mountinfo(text: str) -> tuple[Mount, ...]:
    """Parses ``/proc/self/mountinfo``; lines of another shape are left out.

    The line format is that of proc(5): ``id parent major:minor root mount-point options
    [optional fields] - type source super-options``, with octal escapes in every field.
    """
    mounts = (_parse_line(line) for line in text.splitlines())
    return tuple(mount for mount in mounts if mount is not None)


def _parse_line(line: str) -> Mount | None:
    head, separator, tail = line.partition(" - ")
    head_fields = head.split(" ")
    tail_fields = tail.split(" ")
    if not separator or len(head_fields) < 6 or len(tail_fields) < 2:
        return None
    options = tail_fields[2].split(",") if len(tail_fields) > 2 else []
    return Mount(
        mount_point=_unescape(head_fields[4]),
        fs_type=_unescape(tail_fields[0]),
        source=_unescape(tail_fields[1]),
        options=tuple(_unescape(option) for option in options if option),
    )


def _unescape(field: str) -> str:
    raw = _OCTAL.sub(lambda match: bytes([int(match.group(1), 8)]), os.fsencode(field))
    return os.fsdecode(raw)


def read_mounts() -> tuple[Mount, ...] | None:
    """Reads this process's mounts; None where the system has no ``/proc/self/mountinfo``."""
    try:
        raw = Path(MOUNTINFO_PATH).read_bytes()
    except OSError:
        return None
    return parse_mountinfo(os.fsdecode(raw))


def mount_of(path: str, mounts: tuple[Mount, ...]) -> Mount | None:
    """The mount that holds `path`: the longest mount point above it, the last one where two tie.

    Args:
        path: Absolute path with its links resolved; it need not exist.
        mounts: What `read_mounts` gave.
    """
    best: Mount | None = None
    for mount in mounts:
        if is_below(path, mount.mount_point) and (
            best is None or len(mount.mount_point) >= len(best.mount_point)
        ):
            best = mount
    return best


def lies_on_fuse(path: str) -> bool:
    """Whether a path, as it is spelled, lies on a FUSE mount; asks no file system but `/proc`.

    Args:
        path: Absolute.
    """
    mount = mount_of(path, read_mounts() or ())
    return mount is not None and mount.fs_type.startswith("fuse")


def is_below(path: str, directory: str) -> bool:
    """True if `path` is `directory` or lies in it, compared component by component."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def sees_events(mount: Mount, mounts: tuple[Mount, ...] = ()) -> EventSupport:
    """Whether inotify on `mount` hears of every write.

    Args:
        mount: The mount in question.
        mounts: All mounts, needed to judge the layers of an overlay.
    """
    return _sees_events(mount, mounts, _MAX_OVERLAY_DEPTH)


def _sees_events(mount: Mount, mounts: tuple[Mount, ...], depth: int) -> EventSupport:
    fs_type = mount.fs_type
    if fs_type == "overlay":
        return _overlay_sees_events(mount, mounts, depth)
    if fs_type in _LOCAL_TYPES.split():
        return EventSupport(True, f"local file system ({fs_type})")
    if fs_type in _SHARED_TYPES.split():
        return EventSupport(False, f"{fs_type}: inotify sees no other host's writes")
    if fs_type == "fuse" or fs_type.startswith("fuse."):
        return EventSupport(False, f"{fs_type}: inotify sees no writes behind the FUSE daemon")
    if fs_type == "autofs":
        return EventSupport(False, "autofs: another file system may be mounted here at any time")
    return EventSupport(False, f"{fs_type}: not known to report every write to inotify")


def _overlay_sees_events(mount: Mount, mounts: tuple[Mount, ...], depth: int) -> EventSupport:
    if depth == 0:
        return EventSupport(False, "overlay: its layers are overlays themselves, too deep to judge")
    for layer in overlay_layers(mount):
        below = mount_of(layer, mounts)
        # In a container the layers' paths are the host's: here they seem to lie on the overlay.
        if below is None or below == mount:
            continue
        support = _sees_events(below, mounts, depth - 1)
        if not support.sees_events:
            return EventSupport(False, f"overlay over {support.reason}")
    return EventSupport(True, "local file system (overlay)")


def overlay_layers(mount: Mount) -> tuple[str, ...]:
    """The absolute directories that an overlay is made of, as its mount options name them.

    Colons part the layers and a backslash protects a colon in a name (kernel documentation,
    ``filesystems/overlayfs``).
    """
    layers: list[str] = []
    for option in mount.options:
        name, _, value = option.partition("=")
        if name in _LAYER_OPTIONS:
            parts = _UNESCAPED_COLONS.split(value)
            layers += [re.sub(r"\\(.)", r"\1", part) for part in parts]
    return tuple(layer for layer in layers if layer.startswith("/"))
