"""Our own format, and the lesson's plain form of it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.checkpoint import Activity
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Commit, Verdict
from ckpt_tui.formats.manifest.reader import ManifestReader
from ckpt_tui.fs.listing import list_directory
from ckpt_tui.manifest import ManifestWriter
from tests.formats.helpers import claims, codes, copy_of, cut, judged, judged_run, read_directory

if TYPE_CHECKING:
    from pathlib import Path

READER = ManifestReader()
EVERY_RANK = ("model", "optimizer", "rng")


def write_step(run: Path, step: int = 1200, world_size: int = 4, **changes: Any) -> Path:
    """A committed checkpoint, written by the public writer."""
    directory = run / f"step-{step}"
    settings: dict[str, Any] = {
        "checkpoint_id": f"step-{step}",
        "step": step,
        "world_size": world_size,
    }
    writer = ManifestWriter(directory, **(settings | changes))
    for role in REQUIRED_ROLES:
        for rank in range(world_size if role in EVERY_RANK else 1):
            writer.write_shard(role, rank, f"{role} {rank} {step}".encode())
    writer.commit()
    return directory


def write_plain(run: Path, ranks: tuple[int, ...] = (0, 1, 2, 3), **changes: Any) -> Path:
    """The lesson's case: states of some size, and shards that are listed apart."""
    directory = run / "step-1200"
    directory.mkdir(parents=True)
    for role in REQUIRED_ROLES:
        (directory / f"{role}.bin").write_bytes(b"x" * 10_000)
    document: dict[str, Any] = {
        "checkpoint_id": "step-1200",
        "world_size": 4,
        "committed": True,
        "entries": [
            {"role": role, "path": f"{role}.bin", "size_mib": 0.01} for role in REQUIRED_ROLES
        ],
        "shards": [{"rank": rank, "checkpoint_id": "step-1200", "size_mib": 900} for rank in ranks],
    }
    (directory / "manifest.json").write_text(json.dumps(document | changes))
    return directory


def edit(directory: Path, **changes: Any) -> None:
    """Changes top-level fields of a manifest; None takes a field away."""
    path = directory / "manifest.json"
    document = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({k: v for k, v in document.items() if v is not None}))


def edit_entry(directory: Path, number: int, **changes: Any) -> None:
    document = json.loads((directory / "manifest.json").read_text())
    document["entries"][number] |= changes
    edit(directory, entries=document["entries"])


def test_what_the_writer_commits_is_exact(tmp_path: Path) -> None:
    checkpoint = judged(READER, write_step(tmp_path, asynchronous=True))
    facts = checkpoint.facts
    assert checkpoint.verdict is Verdict.EXACT
    assert checkpoint.recoverable
    assert checkpoint.findings == ()
    assert (facts.step, facts.world_size, facts.save_mode) == (1200, 4, "async")
    assert facts.expected_ranks == (0, 1, 2, 3)
    assert [shard.problem for shard in facts.shards] == [""] * 4
    assert facts.role_names() == set(REQUIRED_ROLES)
    assert facts.loader.flag == str(tmp_path / "step-1200")
    assert facts.reshard is None
    assert any("CRC-32" in phrase for phrase in facts.not_checked)


def test_times_are_those_of_the_manifest(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    edit(directory, started_at="2026-01-01T00:00:00Z", committed_at="2026-01-01T00:00:30Z")
    facts = read_directory(READER, directory)
    assert facts.save_seconds == 30
    assert facts.started_at == 1767225600
    assert facts.commit.committed_at == 1767225630
    assert not facts.save_seconds_is_lower_bound


def test_without_times_the_files_show_a_lower_bound(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    edit(directory, started_at=None, committed_at=None)
    for path in directory.iterdir():
        os.utime(path, (1000, 1020 if path.name == "manifest.json" else 1000))
    facts = read_directory(READER, directory)
    assert facts.save_seconds == 20
    assert facts.commit.committed_at == 1020
    assert facts.save_seconds_is_lower_bound


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("checkpoint_id", 7),
        ("checkpoint_id", None),
        ("step", "1200"),
        ("step", -1),
        ("step", True),
        ("step", None),
        ("world_size", 0),
        ("world_size", 4.0),
        ("committed", "yes"),
        ("committed", None),
        ("async", 1),
        ("started_at", "yesterday"),
        ("committed_at", 5),
        ("entries", {}),
        ("schema", "another/1"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(tmp_path: Path, field: str, value: object) -> None:
    directory = write_step(tmp_path)
    edit(directory, **{field: value})
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.CORRUPT
    (found,) = checkpoint.findings
    assert found.code == "invalid-json"
    assert f"`{field}`" in found.message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("role", ""),
        ("path", 3),
        ("rank", -1),
        ("rank", "0"),
        ("checkpoint_id", None),
        ("size_bytes", 1.5),
        ("size_bytes", -1),
        ("crc32", "xyz"),
    ],
)
def test_a_wrong_field_of_an_entry_is_named_with_its_place(
    tmp_path: Path, field: str, value: object
) -> None:
    directory = write_step(tmp_path)
    edit_entry(directory, 2, **{field: value})
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.CORRUPT
    assert f"`{field}` of `entries[2]`" in checkpoint.findings[0].message


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"text"', '{"entries": [7]}'])
def test_a_manifest_that_is_no_such_document_is_corrupt(tmp_path: Path, text: str) -> None:
    directory = write_step(tmp_path)
    (directory / "manifest.json").write_text(text)
    assert claims(READER, directory) == (text in ("", '{"entries": [7]}'))
    assert judged(READER, directory).verdict is Verdict.CORRUPT


def test_a_schema_of_a_later_version_is_unknown(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    edit(directory, schema="ckpt-tui/manifest/2")
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNKNOWN
    assert "unsupported manifest schema" in checkpoint.why


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [
        ("model-rank3.bin", Verdict.INCOMPLETE, "missing-shard"),
        ("scheduler-rank0.bin", Verdict.INCOMPLETE, "missing-shard"),
    ],
)
def test_a_listed_file_that_is_gone(tmp_path: Path, name: str, verdict: Verdict, code: str) -> None:
    directory = write_step(tmp_path)
    (directory / name).unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is verdict
    assert code in codes(checkpoint)
    assert name in checkpoint.why


def test_sizes_are_compared_with_the_manifest(tmp_path: Path) -> None:
    whole = write_step(tmp_path / "whole")
    for number, (size_bytes, code) in enumerate(
        [(3, "truncated-file"), (0, "empty-file"), (99, "size-mismatch")]
    ):
        directory = copy_of(whole, tmp_path / str(number) / "step-1200")
        cut(directory / "model-rank1.bin", size_bytes)
        checkpoint = judged(READER, directory)
        assert checkpoint.verdict is Verdict.CORRUPT
        assert codes(checkpoint) == {code}


def test_an_entry_without_bytes_is_invalid_even_if_the_file_agrees(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    cut(directory / "rng-rank0.bin", 0)
    entries = json.loads((directory / "manifest.json").read_text())["entries"]
    number = [entry["path"] for entry in entries].index("rng-rank0.bin")
    edit_entry(directory, number, size_bytes=0)
    assert judged(READER, directory).verdict is Verdict.CORRUPT


def test_a_shard_of_another_checkpoint_does_not_belong(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    edit_entry(directory, 1, checkpoint_id="step-1100")
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "checkpoint-id-mismatch" in codes(checkpoint)
    assert not checkpoint.recoverable


def test_a_role_of_every_rank_must_be_there_for_every_rank(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    entries = json.loads((directory / "manifest.json").read_text())["entries"]
    edit(directory, entries=[e for e in entries if e["path"] != "optimizer-rank2.bin"])
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "no optimizer of rank 2" in checkpoint.why


def test_a_rank_without_any_entry_is_the_lessons_issue(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    entries = json.loads((directory / "manifest.json").read_text())["entries"]
    edit(directory, entries=[entry for entry in entries if entry["rank"] != 3])
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "rank 3 of 4 has no shard" in checkpoint.why
    assert checkpoint.missing_ranks == (3,)


def test_a_rank_beyond_the_world_size_contradicts_the_manifest(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    edit(directory, world_size=3)
    assert judged(READER, directory).verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize("path", ["../model.bin", "/etc/passwd", "a/../b", "./x", "a\\b", "a//b"])
def test_a_path_out_of_the_checkpoint_is_not_followed(tmp_path: Path, path: str) -> None:
    directory = write_step(tmp_path)
    edit_entry(directory, 0, path=path)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNKNOWN
    assert "outside-path" in codes(checkpoint)


def test_a_link_out_of_the_checkpoint_is_not_followed(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    shard = directory / "model-rank0.bin"
    shard.rename(tmp_path / "elsewhere.bin")
    shard.symlink_to(tmp_path / "elsewhere.bin")
    assert judged(READER, directory).verdict is Verdict.UNKNOWN


def test_a_directory_in_place_of_a_shard_is_a_missing_shard(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    (directory / "model-rank0.bin").unlink()
    (directory / "model-rank0.bin").mkdir()
    assert judged(READER, directory).verdict is Verdict.INCOMPLETE


def test_before_the_manifest_it_is_uncommitted(tmp_path: Path) -> None:
    directory = tmp_path / "step-1300"
    writer = ManifestWriter(directory, checkpoint_id="step-1300", step=1300, world_size=2)
    assert judged(READER, directory).verdict is Verdict.UNCOMMITTED
    writer.write_shard("model", 0, b"abc")
    assert claims(READER, directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert checkpoint.step == 1300
    assert "manifest.json is missing" in checkpoint.why
    assert [(f.role, f.rank) for f in checkpoint.facts.files] == [("model", 0)]
    moving = judge(checkpoint.facts, activity=Activity(True, "grew 0.1 s ago"))
    assert moving.commit is Commit.SAVING


def test_a_whole_save_that_lacks_only_its_rename_can_be_finished(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    (directory / "manifest.json").rename(directory / "manifest.json.tmp")
    assert claims(READER, directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert {"staging-leftover", "not-committed", "finishable"} <= codes(checkpoint)
    assert f"mv {directory}/manifest.json.tmp {directory}/manifest.json" in str(checkpoint.findings)
    (directory / "model-rank0.bin").unlink()
    assert "finishable" not in codes(judged(READER, directory))


def test_a_cut_temporary_manifest_is_only_a_leftover(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    (directory / "manifest.json").rename(directory / "manifest.json.tmp")
    cut(directory / "manifest.json.tmp", 100)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert "finishable" not in codes(checkpoint)


def test_committed_false_is_not_committed(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    edit(directory, committed=False)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert checkpoint.commit is Commit.UNCOMMITTED
    assert checkpoint.facts.save_seconds is None


def test_what_a_committed_one_has_besides_is_a_remark(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    (directory / "model-rank7.bin").write_bytes(b"old")
    (directory / "model-rank0.bin.tmp").write_bytes(b"half")
    (directory / "notes.txt").write_text("hello")
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.EXACT
    assert codes(checkpoint) == {"extra-shard", "staging-leftover"}


def test_a_name_of_another_step_is_told(tmp_path: Path) -> None:
    directory = write_step(tmp_path).rename(tmp_path / "step-9")
    checkpoint = judged(READER, directory)
    assert checkpoint.step == 1200
    assert codes(checkpoint) == {"step-mismatch"}


def test_resharding_is_known_where_the_manifest_says_so(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    edit(directory, reshard=True)
    reshard = read_directory(READER, directory).reshard
    assert reshard is not None
    assert reshard.possible


def test_a_manifest_that_lists_no_optimizer_means_weights_only(tmp_path: Path) -> None:
    for step in (100, 200, 300):
        write_step(tmp_path, step, 1)
    entries = json.loads((tmp_path / "step-200" / "manifest.json").read_text())["entries"]
    edit(tmp_path / "step-200", entries=[e for e in entries if e["role"] != "optimizer"])
    run = judged_run(read_directory(READER, path) for path in sorted(tmp_path.iterdir()))
    verdicts = [run[f"step-{step}"].verdict for step in (100, 200, 300)]
    assert verdicts == [Verdict.EXACT, Verdict.WEIGHTS_ONLY, Verdict.EXACT]


def test_a_manifest_that_lists_no_rng_lost_what_others_have(tmp_path: Path) -> None:
    for step in (100, 200):
        write_step(tmp_path, step, 1)
    entries = json.loads((tmp_path / "step-200" / "manifest.json").read_text())["entries"]
    edit(tmp_path / "step-200", entries=[e for e in entries if e["role"] != "rng"])
    run = judged_run(read_directory(READER, path) for path in sorted(tmp_path.iterdir()))
    assert run["step-200"].verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize(
    ("ranks", "changes", "verdict", "code"),
    [
        ((0, 1, 2, 3), {}, Verdict.EXACT, ""),
        ((0, 1, 2), {}, Verdict.INCOMPLETE, "missing-shard"),
        ((0, 1, 2, 2), {}, Verdict.INCOMPLETE, "extra-shard"),
        ((0, 1, 2, 3, 4), {}, Verdict.INCOMPLETE, "extra-shard"),
        ((), {}, Verdict.INCOMPLETE, "missing-shard"),
        ((0, 1, 2, 3), {"committed": False}, Verdict.UNCOMMITTED, "not-committed"),
        ((0, 1, 2, 3), {"checkpoint_id": "other"}, Verdict.INCOMPLETE, "checkpoint-id-mismatch"),
        ((0, 1, 2, 3), {"world_size": 2}, Verdict.INCOMPLETE, "extra-shard"),
    ],
)
def test_the_plain_form(
    tmp_path: Path,
    ranks: tuple[int, ...],
    changes: dict[str, Any],
    verdict: Verdict,
    code: str,
) -> None:
    directory = write_plain(tmp_path, ranks, **changes)
    assert claims(READER, directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is verdict
    assert checkpoint.step == 1200
    assert not code or code in codes(checkpoint)


def test_the_plain_form_of_the_first_question_has_no_shards(tmp_path: Path) -> None:
    directory = write_plain(tmp_path, shards=None, world_size=None, checkpoint_id=None)
    edit(directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.EXACT
    assert checkpoint.present_shards is None
    (directory / "model.bin").write_bytes(b"")
    assert judged(READER, directory).verdict is Verdict.CORRUPT


def test_an_empty_shard_of_the_plain_form(tmp_path: Path) -> None:
    shard = {"checkpoint_id": "step-1200", "size_mib": 0}
    directory = write_plain(tmp_path, shards=[{"rank": rank, **shard} for rank in range(4)])
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.CORRUPT
    assert "empty-file" in codes(checkpoint)


def test_manifests_of_other_tools_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "a web app", "icons": []}')
    assert not claims(READER, tmp_path)
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "model-rank0.pt").write_bytes(b"x")
    assert not claims(READER, tmp_path)


def test_a_pointer_names_the_latest(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    (tmp_path / "latest").write_text("step-1200\n")
    (pointer,) = READER.pointers(list_directory(str(tmp_path)))
    assert pointer.targets == (str(directory),)


def test_hostile_names_do_not_matter(tmp_path: Path) -> None:
    directory = write_step(tmp_path)
    for name in (b"new\nline", b"\xff\xfe", b"[bold]"):
        path = os.path.join(os.fsencode(directory), name)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    assert judged(READER, directory).verdict is Verdict.EXACT
