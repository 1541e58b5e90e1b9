from __future__ import annotations

import json
import os
import zlib
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.manifest import (
    ManifestEntry,
    ManifestError,
    ManifestWriter,
    remove_checkpoint,
    write_shard,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROLES = ("model", "optimizer", "scheduler", "rng", "progress")


def writer_for(directory: Path, world_size: int = 1) -> ManifestWriter:
    return ManifestWriter(directory, checkpoint_id="step-7", step=7, world_size=world_size)


def read_manifest(directory: Path) -> dict[str, Any]:
    loaded = json.loads((directory / "manifest.json").read_text())
    assert isinstance(loaded, dict)
    return loaded


def entry(path: str, **changes: Any) -> ManifestEntry:
    plain = ManifestEntry("model", path, 0, "step-7", 4, None)
    return plain._replace(**changes)


def test_a_commit_writes_exactly_the_documented_fields(tmp_path: Path) -> None:
    directory = tmp_path / "step-7"
    writer = ManifestWriter(
        directory, checkpoint_id="step-7", step=7, world_size=2, asynchronous=True
    )
    writer.write_shard("model", 0, b"abcd")
    writer.write_shard("model", 1, [b"ab", memoryview(b"cd")], path="sub/model.pt")
    (directory / "notes.txt").write_bytes(b"hello")
    writer.add("config", "notes.txt", 0)
    writer.add_entries([])
    assert writer.commit() == directory / "manifest.json"

    manifest = read_manifest(directory)
    started = datetime.fromisoformat(str(manifest.pop("started_at")))
    committed = datetime.fromisoformat(str(manifest.pop("committed_at")))
    assert started <= committed
    assert started.utcoffset() is not None
    crc32 = f"{zlib.crc32(b'abcd'):08x}"
    common = {"checkpoint_id": "step-7"}
    assert manifest == {
        "schema": "ckpt-tui/manifest/1",
        "checkpoint_id": "step-7",
        "step": 7,
        "world_size": 2,
        "committed": True,
        "async": True,
        "entries": [
            {"role": "model", "path": "model-rank0.bin", "rank": 0, **common}
            | {"size_bytes": 4, "crc32": crc32},
            {"role": "model", "path": "sub/model.pt", "rank": 1, **common}
            | {"size_bytes": 4, "crc32": crc32},
            {"role": "config", "path": "notes.txt", "rank": 0, **common, "size_bytes": 5},
        ],
    }
    assert sorted(path.name for path in directory.rglob("*") if path.is_file()) == [
        "manifest.json",
        "model-rank0.bin",
        "model.pt",
        "notes.txt",
    ]


def test_ranks_write_and_rank_0_commits_their_entries(tmp_path: Path) -> None:
    entries = [
        write_shard(tmp_path / "c", role, rank, role.encode() * 9, checkpoint_id="step-7")
        for rank in range(3)
        for role in ROLES
    ]
    writer = writer_for(tmp_path / "c", world_size=3)
    writer.add_entries(entries)
    writer.commit()
    assert len(read_manifest(tmp_path / "c")["entries"]) == 15


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "..",
        "../model.bin",
        "a/../../model.bin",
        "/etc/passwd",
        "a\\b",
        "a\0b",
        "./a",
        "a//b",
        "a/",
        "manifest.json",
        "manifest.json.tmp",
        "model.bin.tmp",
    ],
)
def test_a_path_that_is_not_plainly_inside_is_refused(tmp_path: Path, path: str) -> None:
    directory = tmp_path / "c"
    writer = writer_for(directory)
    with pytest.raises(ManifestError):
        writer.write_shard("model", 0, b"abcd", path=path)
    with pytest.raises(ManifestError):
        writer.add("model", path, 0)
    with pytest.raises(ManifestError):
        writer.add_entries([entry(path)])
    assert list(directory.iterdir()) == []
    assert list(tmp_path.iterdir()) == [directory]


def test_links_that_lead_out_are_refused(tmp_path: Path) -> None:
    directory, outside = tmp_path / "c", tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"abcd")
    writer = writer_for(directory)
    (directory / "door").symlink_to(outside)
    (directory / "link.bin").symlink_to(outside / "secret")
    for path in ("door/secret", "link.bin"):
        with pytest.raises(ManifestError, match=r"link|plain file"):
            writer.add("model", path, 0)
    for path in ("door/secret", "door/new/model.bin"):
        with pytest.raises(ManifestError, match="link"):
            writer.write_shard("model", 0, b"xxxx", path=path)
    assert [(path.name, path.read_bytes()) for path in outside.iterdir()] == [("secret", b"abcd")]


def test_a_link_at_the_temporary_name_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    directory = tmp_path / "c"
    writer = writer_for(directory)
    (directory / "model-rank0.bin.tmp").symlink_to(victim)
    (directory / "manifest.json.tmp").symlink_to(victim)
    writer.write_shard("model", 0, b"abcd")
    writer.commit()
    assert victim.read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"role": "optimiser"}, "role 'optimiser' is unknown"),
        ({"rank": 1}, "outside world size 1"),
        ({"rank": -1}, "outside world size 1"),
        ({"checkpoint_id": "step-6"}, "must not be mixed"),
        ({"crc32": "XYZ"}, "8 hex digits"),
    ],
)
def test_an_entry_that_does_not_fit_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(ManifestError, match=message):
        writer_for(tmp_path / "c").add_entries([entry("model.bin", **change)])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"checkpoint_id": ""}, "checkpoint_id is empty"),
        ({"step": -1}, "step is -1"),
        ({"world_size": 0}, "world_size is 0"),
    ],
)
def test_a_writer_that_makes_no_sense_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    arguments: dict[str, Any] = {"checkpoint_id": "a", "step": 1, "world_size": 1} | change
    with pytest.raises(ManifestError, match=message):
        ManifestWriter(tmp_path / "c", **arguments)
    assert not (tmp_path / "c").exists()


def test_one_path_is_listed_once(tmp_path: Path) -> None:
    writer = writer_for(tmp_path / "c")
    writer.write_shard("model", 0, b"abcd")
    with pytest.raises(ManifestError, match="listed already"):
        writer.write_shard("model", 0, b"efgh")
    assert (tmp_path / "c" / "model-rank0.bin").read_bytes() == b"abcd"


def cut(path: Path) -> None:
    os.truncate(path, 2)


def become_a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("harm", "message"),
    [(cut, "has 2 bytes"), (Path.unlink, "is not there"), (become_a_directory, "no plain file")],
)
def test_a_commit_checks_every_listed_file(
    tmp_path: Path, harm: Callable[[Path], None], message: str
) -> None:
    directory = tmp_path / "c"
    writer = writer_for(directory)
    writer.write_shard("model", 0, b"abcd")
    harm(directory / "model-rank0.bin")
    with pytest.raises(ManifestError, match=message):
        writer.commit()
    assert not list(directory.glob("manifest.json*"))


def test_an_empty_shard_is_not_committed(tmp_path: Path) -> None:
    writer = writer_for(tmp_path / "c")
    writer.write_shard("rng", 0, b"")
    with pytest.raises(ManifestError, match="is empty"):
        writer.commit()
    assert not (tmp_path / "c" / "manifest.json").exists()


def test_a_rank_that_wrote_nothing_is_named(tmp_path: Path) -> None:
    writer = writer_for(tmp_path / "c", world_size=4)
    writer.write_shard("model", 2, b"abcd")
    with pytest.raises(ManifestError, match="no entry from rank 0, 1, 3 of world size 4"):
        writer.commit()


def test_a_committed_checkpoint_is_closed(tmp_path: Path) -> None:
    directory = tmp_path / "c"
    writer = writer_for(directory)
    writer.write_shard("model", 0, b"abcd")
    writer.commit()
    before = (directory / "manifest.json").read_bytes()
    with pytest.raises(ManifestError, match="committed already"):
        writer.commit()
    with pytest.raises(ManifestError, match="committed"):
        writer.add_entries([entry("other.bin")])
    with pytest.raises(ManifestError, match="committed already"):
        write_shard(directory, "model", 0, b"zzzz", checkpoint_id="step-7")
    with pytest.raises(ManifestError, match="remove_checkpoint"):
        writer_for(directory)
    assert (directory / "manifest.json").read_bytes() == before
    assert (directory / "model-rank0.bin").read_bytes() == b"abcd"


def test_a_save_that_fails_leaves_no_shard_behind(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"abcd"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_shard(tmp_path / "c", "model", 0, pieces(), checkpoint_id="a")
    assert list((tmp_path / "c").iterdir()) == []


def test_everything_is_flushed_before_the_manifest_appears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def logged_fsync(descriptor: int) -> None:
        log.append("flush " + Path(os.readlink(f"/proc/self/fd/{descriptor}")).name)
        fsync(descriptor)

    def logged_replace(source: Path, target: Path) -> Path:
        log.append("appear " + target.name)
        return replace(source, target)

    monkeypatch.setattr(os, "fsync", logged_fsync)
    monkeypatch.setattr(Path, "replace", logged_replace)
    directory = tmp_path / "c"
    writer = writer_for(directory)
    writer.write_shard("model", 0, b"abcd", path="a/b/model.bin")
    shard = [f"flush {name}" for name in ("model.bin.tmp", "b")]
    assert log == [shard[0], "appear model.bin", shard[1]]
    log.clear()
    writer.commit()
    assert log == [
        "flush model.bin",
        "flush b",
        "flush a",
        "flush c",
        "flush manifest.json.tmp",
        "appear manifest.json",
        "flush c",
        f"flush {tmp_path.name}",
    ]


def test_removal_takes_the_manifest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "c"
    writer = writer_for(directory)
    writer.write_shard("model", 0, b"abcd")
    writer.commit()

    def dies(path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", dies)
        with pytest.raises(KeyboardInterrupt):
            remove_checkpoint(directory)
    assert [path.name for path in directory.iterdir()] == ["model-rank0.bin"]
    remove_checkpoint(directory)
    assert not directory.exists()
    remove_checkpoint(directory)


def test_removal_refuses_links_and_whole_runs(tmp_path: Path) -> None:
    run = tmp_path / "run"
    writer = writer_for(run / "step-7")
    writer.write_shard("model", 0, b"abcd")
    writer.commit()
    (tmp_path / "link").symlink_to(run / "step-7")
    for target in (run, tmp_path / "link", run / "step-7" / "model-rank0.bin"):
        with pytest.raises(ManifestError):
            remove_checkpoint(target)
    assert (run / "step-7" / "manifest.json").exists()
