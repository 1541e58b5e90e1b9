"""For how long a mount may tell of what was: the attribute caches of network file systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ckpt_tui.fs.mounts import Mount

ASKED_SECONDS = 3.0
"""Where polling was asked for on what seems local: nfs(5)'s shortest time, `acregmin`."""
_NFS_LONGEST_SECONDS = 60.0  # nfs(5): acregmax and acdirmax
_SMB_LONGEST_SECONDS = 1.0  # mount.cifs(8): actimeo, acregmax and acdirmax
_FUSE_SECONDS = 20.0  # the daemon decides; sshfs keeps names for 20 s (sshfs(1), dcache_timeout)
_COHERENT_SECONDS = 3.0
_COHERENT = frozenset(
    ("9p", "beegfs", "ceph", "gfs2", "glusterfs", "gpfs", "lustre", "ocfs2", "virtiofs", "wekafs")
)
_NFS = frozenset(("nfs", "nfs4"))
_SMB = frozenset(("cifs", "smb3", "smbfs"))
_LONGEST = ("acregmax", "acdirmax")
_MOST_SECONDS = 60.0
"""A mount may ask for hours; nobody wants to hear so late of a lost checkpoint."""


def stale_seconds(mount: Mount) -> float:
    """The longest time for which names, sizes and times may be those of before.

    The kernel shows only the options that are not its defaults.

    Args:
        mount: A mount on which others write without this kernel's knowledge.
    """
    fs_type = mount.fs_type
    if fs_type in _COHERENT:
        return _COHERENT_SECONDS
    if fs_type.startswith("fuse"):
        return _FUSE_SECONDS
    if fs_type not in _NFS | _SMB:
        return _NFS_LONGEST_SECONDS
    if "noac" in mount.options:
        return _COHERENT_SECONDS
    usual = _NFS_LONGEST_SECONDS if fs_type in _NFS else _SMB_LONGEST_SECONDS
    given = dict(option.partition("=")[::2] for option in mount.options)
    overall = _seconds(given, "actimeo", usual)
    longest = max(_seconds(given, name, overall) for name in _LONGEST)
    return min(max(longest, _COHERENT_SECONDS), _MOST_SECONDS)


def _seconds(given: dict[str, str], name: str, usual: float) -> float:
    text = given.get(name, "")
    return float(text) if text.isascii() and text.isdigit() else usual
