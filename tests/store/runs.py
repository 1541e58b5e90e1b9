"""Writes runs of our own manifest format by hand, without the product's writer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ROLES = ("model", "optimizer", "scheduler", "rng", "progress")


def write_checkpoint(
    run: Path,
    step: int,
    *,
    world_size: int = 2,
    roles: tuple[str, ...] = ROLES,
    commit: bool = True,
    shard_bytes: int = 64,
) -> Path:
    """One checkpoint of `world_size` ranks; without commit only its data."""
    directory = run / f"step-{step}"
    directory.mkdir(parents=True, exist_ok=True)
    entries = []
    for role in roles:
        ranks = range(world_size) if role in ("model", "optimizer", "rng") else [0]
        for rank in ranks:
            name = f"{role}-rank{rank}.bin"
            (directory / name).write_bytes(bytes(shard_bytes))
            entries.append(
                {
                    "role": role,
                    "path": name,
                    "rank": rank,
                    "checkpoint_id": f"step-{step}",
                    "size_bytes": shard_bytes,
                }
            )
    if commit:
        commit_checkpoint(directory, step, world_size, entries)
    return directory


def commit_checkpoint(
    directory: Path, step: int, world_size: int, entries: list[dict[str, object]]
) -> None:
    """Renames the manifest into place."""
    document = {
        "schema": "ckpt-tui/manifest/1",
        "checkpoint_id": f"step-{step}",
        "step": step,
        "world_size": world_size,
        "committed": True,
        "async": False,
        "started_at": "2026-01-01T00:00:00Z",
        "committed_at": f"2026-01-01T{step // 60 % 24:02d}:{step % 60:02d}:00Z",
        "entries": entries,
    }
    staged = directory / "manifest.json.tmp"
    staged.write_text(json.dumps(document))
    staged.rename(directory / "manifest.json")
