"""What recording and replaying cost: each figure as a ratio to plain JSON of the same pictures.

    python -m benchmarks.recording [--checkpoints 200] [--ranks 256] [--frames 200]

A run in which saves grow rank by rank is recorded, and replayed forwards and backwards.
The measure is `json.dumps` of the whole state at each frame: what a recorder without deltas does.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from typing import TYPE_CHECKING

from benchmarks.figures import tell
from ckpt_tui.core.checkpoint import Activity
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, FileFacts, RoleFacts, ShardFacts
from ckpt_tui.core.runs import Run, in_order, resume_point
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES
from ckpt_tui.recording.delta import plain_form
from ckpt_tui.recording.output import RecordingFile
from ckpt_tui.recording.pictures import PictureEncoder
from ckpt_tui.recording.recorder import FrameWriter
from ckpt_tui.recording.tape import Tape
from ckpt_tui.recording.told import RecordedStatus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.checkpoint import Checkpoint

ROOT = "/run"
STATUS = RecordedStatus("inotify", "benchmark", 0.0)
GROWING = Activity(active=True, evidence="grew 0.1 s ago")


class Clock:
    """A second a frame."""

    def __init__(self) -> None:
        self.now = 1e9

    def wall(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now


def facts(step: int, ranks: int, done: int) -> CheckpointFacts:
    written = range(done)
    size = 2**30
    roles = [RoleFacts(r, size, ranks, f"key `{r}` in .metadata") for r in REQUIRED_ROLES]
    names = [f"__{rank}_0.distcp" for rank in range(ranks)]
    return CheckpointFacts(
        path=f"{ROOT}/step-{step}",
        name=f"step-{step}",
        format="torch-dcp",
        commit=CommitFacts(".metadata is renamed last", done == ranks, committed_at=1e9 + step),
        step=step,
        world_size=ranks,
        expected_ranks=tuple(range(ranks)),
        roles=tuple(roles),
        shards=tuple(ShardFacts(r, None, size, (names[r],), "", step) for r in written),
        files=tuple(FileFacts(names[r], size, step, "model", r) for r in written),
        size_bytes=size * done,
    )


def pictures(checkpoints: int, ranks: int, frames: int) -> Iterator[Snapshot]:
    settled: list[Checkpoint] = [judge(facts(n, ranks, ranks)) for n in range(checkpoints)]
    step, done = checkpoints, 0
    for version in range(frames):
        done = min(ranks, done + max(1, ranks // 10))
        now = facts(step, ranks, done)
        flying = judge(now) if done == ranks else judge(now, activity=GROWING)
        ordered = in_order([*settled, flying])
        run = Run(ROOT, "run", "torch-dcp", ordered, resume_point(ordered))
        yield Snapshot(ROOT, (run,), 1e9 + version, version)
        if done == ranks:
            settled, step, done = [*settled[1:], flying], step + 1, 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoints", type=int, default=200)
    parser.add_argument("--ranks", type=int, default=256)
    parser.add_argument("--frames", type=int, default=200)
    asked = parser.parse_args()
    made = list(pictures(asked.checkpoints, asked.ranks, asked.frames))
    began = time.process_time()
    states = [PictureEncoder().state_of(each) for each in made[:10]]
    plain = [len(json.dumps(state, default=plain_form)) for state in states]
    per_plain = (time.process_time() - began) / 10
    with tempfile.TemporaryDirectory() as place:
        for name in ("a.jsonl", "a.jsonl.gz"):
            path, clock = os.path.join(place, name), Clock()
            began = time.process_time()
            with RecordingFile(path) as file:
                writer = FrameWriter(file, clock)
                writer.tell(made[0], STATUS)
                first = time.process_time() - began
                began = time.process_time()
                for each in made[1:]:
                    clock.now += 1
                    writer.tell(each, STATUS)
            per_frame = (time.process_time() - began) / (asked.frames - 1)
            size = os.path.getsize(path) / asked.frames
            began = time.process_time()
            tape = Tape(path)
            opened = time.process_time() - began
            began = time.process_time()
            for frame in range(asked.frames):
                tape.show(frame)
            forwards = (time.process_time() - began) / asked.frames
            began = time.process_time()
            for frame in reversed(range(asked.frames)):
                tape.show(frame)
            backwards = (time.process_time() - began) / asked.frames
            print(f"{name}: {asked.checkpoints} checkpoints × {asked.ranks} ranks")
            row("first frame", first, per_plain)
            row("a frame with a change", per_frame, per_plain)
            row("opening, a frame", opened / asked.frames, per_plain)
            row("showing the next frame", forwards, per_plain)
            row("showing the one before", backwards, per_plain)
            whole = sum(plain) / len(plain)
            print(f"  {'bytes a frame':<24}{size:12.0f} B   {size / whole:8.4f} × a whole state")


def row(name: str, seconds: float, measure: float) -> None:
    print(f"  {name:<24}{seconds * 1000:10.2f} ms   {seconds / measure:8.4f} × JSON of all")
    tell(f"recording, {name}", f"{seconds / measure:.3f} × the JSON of all")


if __name__ == "__main__":
    main()
