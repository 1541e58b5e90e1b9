"""The lesson's cases of questions 1 and 4 as runs of one checkpoint each.

    python lesson_cases.py OUT

`plain_*` has the lesson's own words (`size_mib`, `shards` apart from `entries`), written by hand;
`own_*` is written through `ckpt_tui.manifest`. All sizes are one millionth of the lesson's.
"""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path
from typing import Any

from ckpt_tui.manifest import ManifestWriter

MIB = 1024 * 1024
SCALE = 1e-6
CHECKPOINT = "step-1200"
QUESTION_1 = {"model": 2400, "optimizer": 4800, "scheduler": 0.01, "rng": 0.01, "progress": 0.01}
SHARD_MIB = 900
RANKS = range(4)


def data_of(size_mib: float) -> bytes:
    return random.Random(size_mib).randbytes(math.ceil(size_mib * MIB))


def write_plain(run: Path, manifest: dict[str, Any]) -> None:
    """The manifest and the files that it lists, with the sizes that it gives."""
    directory = run / CHECKPOINT
    directory.mkdir(parents=True)
    for entry in manifest["entries"]:
        (directory / entry["path"]).write_bytes(data_of(entry["size_mib"]))
    text = json.dumps(manifest, indent=2) + "\n"
    (directory / "manifest.json").write_text(text)


def question_1(out: Path) -> None:
    for case, roles in {"complete": [*QUESTION_1], "model_only": ["model"]}.items():
        sizes = {role: round(QUESTION_1[role] * SCALE, 8) for role in roles}
        entries = [
            {"role": role, "path": f"{role}.bin", "size_mib": size} for role, size in sizes.items()
        ]
        plain = {"checkpoint_id": CHECKPOINT, "committed": True, "entries": entries}
        write_plain(out / f"plain_{case}", plain)
        writer = ManifestWriter(
            out / f"own_{case}" / CHECKPOINT, checkpoint_id=CHECKPOINT, step=1200, world_size=1
        )
        for role, size in sizes.items():
            writer.write_shard(role, 0, data_of(size))
        writer.commit()


def question_4(out: Path) -> None:
    size = round(SHARD_MIB * SCALE, 8)
    whole = [{"rank": rank, "checkpoint_id": CHECKPOINT, "size_mib": size} for rank in RANKS]
    other = {**whole[1], "checkpoint_id": "step-1100"}
    empty = {**whole[2], "size_mib": 0}
    write_sharded(out / "plain_whole", whole)
    write_sharded(out / "plain_rank_missing", whole[:3])
    write_sharded(out / "plain_ids_differ", [whole[0], other, *whole[2:]])
    write_sharded(out / "plain_shard_empty", [*whole[:2], empty, whole[3]])
    write_sharded(out / "plain_not_committed", whole, committed=False)
    for case in ("own_whole", "own_rank_missing"):
        directory = out / case / CHECKPOINT
        writer = ManifestWriter(directory, checkpoint_id=CHECKPOINT, step=1200, world_size=4)
        for rank in RANKS:
            writer.write_shard("model", rank, data_of(size))
        for role in ("optimizer", "scheduler", "rng", "progress"):
            writer.write_shard(role, 0, data_of(size))
        writer.commit()
        if case == "own_rank_missing":
            # Our writer refuses to commit without it; a lost disk takes it away afterwards.
            (directory / "model-rank3.bin").unlink()


def write_sharded(run: Path, shards: list[dict[str, Any]], *, committed: bool = True) -> None:
    """A sharded model, and the other states in one file each."""
    placed = [{**shard, "path": f"model-rank{shard['rank']}.bin"} for shard in shards]
    entries = [
        {"role": "model", "path": shard["path"], "size_mib": shard["size_mib"]} for shard in placed
    ]
    entries += [
        {"role": role, "path": f"{role}.bin", "size_mib": round(SHARD_MIB * SCALE, 8)}
        for role in ("optimizer", "scheduler", "rng", "progress")
    ]
    write_plain(
        run,
        {
            "checkpoint_id": CHECKPOINT,
            "world_size": len(RANKS),
            "committed": committed,
            "entries": entries,
            "shards": placed,
        },
    )


if __name__ == "__main__":
    question_1(Path(sys.argv[1]) / "question-1")
    question_4(Path(sys.argv[1]) / "question-4")
