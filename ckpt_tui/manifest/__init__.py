"""Write our own checkpoint manifest, so that a reader can tell a finished save from a dead one.

A training loop writes its shards, then commits::

    from ckpt_tui.manifest import ManifestWriter

    name = f"step-{step}"
    writer = ManifestWriter(f"run/{name}", checkpoint_id=name, step=step, world_size=1)
    for role, state in states.items():  # model, optimizer, scheduler, rng, progress
        buffer = io.BytesIO()
        torch.save(state, buffer)
        writer.write_shard(role, 0, buffer.getbuffer())
    writer.commit()

In a job of several ranks, each rank calls `write_shard`, the entries are gathered
(`torch.distributed.all_gather_object`), and rank 0 lists them with
:meth:`ManifestWriter.add_entries` and commits.

`manifest.json` appears by a rename, after every file that it lists has been flushed: it is
there and whole, or it is not there. A checkpoint without it was never committed.
"""

from __future__ import annotations

from ckpt_tui.manifest.entry import ManifestEntry, ManifestError
from ckpt_tui.manifest.files import MANIFEST_NAME, remove_checkpoint, write_shard
from ckpt_tui.manifest.writer import SCHEMA, ManifestWriter

__all__ = [
    "MANIFEST_NAME",
    "SCHEMA",
    "ManifestEntry",
    "ManifestError",
    "ManifestWriter",
    "remove_checkpoint",
    "write_shard",
]
