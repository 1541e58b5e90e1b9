"""Mount tables as real systems show them, and what inotify is worth on each."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.fs.mounts import (
    Mount,
    is_below,
    mount_of,
    overlay_layers,
    parse_mountinfo,
    read_mounts,
    sees_events,
)

CLUSTER_NODE = """\
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro
22 27 0:21 / /proc rw,relatime shared:5 - proc proc rw
40 27 0:35 / /home rw,nosuid,relatime shared:20 master:3 - nfs4 nas:/export/home rw,vers=4.2
41 27 0:36 / /scratch rw,relatime - lustre 10.0.0.1@tcp:/scratch rw,flock
42 27 0:37 / /mnt/lap\\040top rw,relatime - fuse.sshfs me@host:/my\\040data rw,user_id=1000
43 41 254:0 /srv/local /scratch/local rw,relatime - ext4 /dev/vda1 rw
44 27 0:38 / /data rw - tmpfs tmpfs rw
45 27 0:39 / /data rw - cifs //server/share rw
46 27 0:40 / /scratchpad rw - xfs /dev/vdb rw
"""


def mounts_of(text: str) -> tuple[Mount, ...]:
    return parse_mountinfo(text)


@pytest.mark.parametrize(
    ("path", "mount_point", "fs_type", "sees"),
    [
        ("/opt/runs", "/", "ext4", True),
        ("/home", "/home", "nfs4", False),
        ("/home/me/runs", "/home", "nfs4", False),
        ("/homestead", "/", "ext4", True),
        ("/scratch/run", "/scratch", "lustre", False),
        ("/scratchpad/run", "/scratchpad", "xfs", True),
        ("/scratch/local/run", "/scratch/local", "ext4", True),
        ("/mnt/lap top/run", "/mnt/lap top", "fuse.sshfs", False),
        ("/data/run", "/data", "cifs", False),
        ("/", "/", "ext4", True),
    ],
)
def test_longest_mount_point_decides(path: str, mount_point: str, fs_type: str, sees: bool) -> None:
    mounts = mounts_of(CLUSTER_NODE)
    mount = mount_of(path, mounts)
    assert mount is not None
    assert (mount.mount_point, mount.fs_type) == (mount_point, fs_type)
    assert sees_events(mount, mounts).sees_events is sees


def test_fields_are_unescaped_and_options_split() -> None:
    mount = mount_of("/mnt/lap top", mounts_of(CLUSTER_NODE))
    assert mount == Mount("/mnt/lap top", "fuse.sshfs", "me@host:/my data", ("rw", "user_id=1000"))


@pytest.mark.parametrize(
    ("escaped", "plain"),
    [("a\\011b", "a\tb"), ("a\\012b", "a\nb"), ("a\\134b", "a\\b"), ("a\\043b", "a#b")],
)
def test_octal_escapes(escaped: str, plain: str) -> None:
    (mount,) = parse_mountinfo(f"1 0 0:1 / /{escaped} rw - ext4 /dev/a rw")
    assert mount.mount_point == f"/{plain}"


def test_names_that_are_no_unicode_survive() -> None:
    name = os.fsdecode(b"/m\xff\xfe")
    (mount,) = parse_mountinfo(f"1 0 0:1 / {name}\\040x rw - ext4 /dev/a rw")
    assert os.fsencode(mount.mount_point) == b"/m\xff\xfe x"


@pytest.mark.parametrize("line", ["", "nonsense", "1 2 3 - ext4", "1 0 0:1 / /a rw ext4 dev rw"])
def test_lines_of_another_shape_are_left_out(line: str) -> None:
    assert parse_mountinfo(line) == ()


@given(st.text(max_size=200))
def test_parser_takes_any_text(text: str) -> None:
    for mount in parse_mountinfo(text):
        assert sees_events(mount).reason


@pytest.mark.parametrize(
    ("fs_type", "sees", "word"),
    [
        ("ext4", True, "local"),
        ("btrfs", True, "local"),
        ("fuseblk", True, "local"),
        ("nfs", False, "no other host"),
        ("nfs4", False, "nfs4: inotify sees no other host's writes"),
        ("gpfs", False, "no other host"),
        ("beegfs", False, "no other host"),
        ("smb3", False, "no other host"),
        ("ceph", False, "no other host"),
        ("9p", False, "no other host"),
        ("virtiofs", False, "no other host"),
        ("vboxsf", False, "no other host"),
        ("fuse", False, "FUSE"),
        ("fuse.gcsfuse", False, "FUSE"),
        ("autofs", False, "autofs"),
        ("newfangledfs", False, "not known"),
    ],
)
def test_types(fs_type: str, sees: bool, word: str) -> None:
    support = sees_events(Mount("/m", fs_type, "s", ()))
    assert support.sees_events is sees
    assert word in support.reason


OVERLAY_ON_NFS = """\
1 0 254:0 / / rw - ext4 /dev/vda1 rw
2 1 0:9 / /home rw - nfs4 nas:/home rw
3 1 0:10 / /merged rw - overlay overlay rw,lowerdir=/usr/base:/home/me\\134:x,upperdir=/up
"""


def test_overlay_over_a_shared_layer_is_not_trusted() -> None:
    mounts = mounts_of(OVERLAY_ON_NFS)
    overlay = mount_of("/merged/run", mounts)
    assert overlay is not None
    assert overlay_layers(overlay) == ("/usr/base", "/home/me:x", "/up")
    support = sees_events(overlay, mounts)
    assert not support.sees_events
    assert support.reason == "overlay over nfs4: inotify sees no other host's writes"


@pytest.mark.parametrize(
    "options",
    [
        "lowerdir=/usr/base,upperdir=/up",
        "lowerdir+=/usr/base,lowerdir+=/other,datadir+=/more",
        "lowerdir=l/ABC:l/DEF,upperdir=/var/lib/docker/overlay2/x/diff",
    ],
)
def test_overlay_of_local_layers_is_local(options: str) -> None:
    mounts = mounts_of(
        f"1 0 254:0 / / rw - ext4 /dev/vda1 rw\n2 1 0:10 / /merged rw - overlay none rw,{options}"
    )
    assert sees_events(mounts[1], mounts).sees_events


def test_overlay_root_of_a_container_does_not_ask_itself() -> None:
    mounts = mounts_of("1 0 0:10 / / rw - overlay none rw,lowerdir=/var/lib/l1:/var/lib/l2")
    assert sees_events(mounts[0], mounts).sees_events


def test_overlays_in_a_circle_come_to_an_end() -> None:
    mounts = mounts_of(
        "1 0 0:10 / /a rw - overlay none rw,lowerdir=/b/x\n"
        "2 0 0:11 / /b rw - overlay none rw,lowerdir=/a/x\n"
    )
    assert not sees_events(mounts[0], mounts).sees_events


def test_bind_mount_of_a_shared_directory_is_seen_as_shared() -> None:
    mounts = mounts_of(
        "1 0 254:0 / / rw - ext4 /dev/vda1 rw\n"
        "2 1 0:35 /me/ckpt /workspace/ckpt rw,relatime master:3 - nfs4 nas:/home rw\n"
    )
    mount = mount_of("/workspace/ckpt/run1", mounts)
    assert mount is not None
    assert not sees_events(mount, mounts).sees_events


def test_no_mount_holds_a_path_outside_all() -> None:
    assert mount_of("/b", mounts_of("1 0 0:10 / /a rw - ext4 d rw")) is None


@pytest.mark.parametrize(
    ("path", "directory", "below"),
    [("/a/b", "/a", True), ("/a", "/a", True), ("/ab", "/a", False), ("/a", "/", True)],
)
def test_is_below(path: str, directory: str, below: bool) -> None:
    assert is_below(path, directory) is below


def test_own_mount_table_holds_the_root() -> None:
    mounts = read_mounts()
    assert mounts is None or mount_of("/", mounts) is not None
