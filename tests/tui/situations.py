"""Situations that the screen must explain in five seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.checkpoint import SaveProgress
from ckpt_tui.core.facts import RawPointer, TensorFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from tests.tui.builders import GIB, MIB, ROOT, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
RANKS = 1280
SIZE = 1280 * GIB
WITHOUT_RNG = ("model", "optimizer", "scheduler", "progress")
PROGRESS = SaveProgress(912 * GIB, 1284 * GIB, 9.8 * GIB, 38.0, 1.0, (1187,), 94.0, 24)
TRIED = ("manifest", "torch-dcp", "megatron-dist", "deepspeed", "hf-trainer", "orbax", "torch-file")


def mixed() -> Snapshot:
    """A large job in trouble: a save with a silent rank above a good checkpoint."""
    behind = {*range(880, 903), 1187}
    flying = facts(
        12500,
        ranks=RANKS,
        size=912 * GIB,
        age=1.0,
        roles=("model", "optimizer"),
        met=False,
        absent=set(range(903, RANKS)) - {1187},
        shard_bytes=GIB,
        broken=behind,
        took=None,
    )
    settled = [
        facts(12400, ranks=RANKS, size=SIZE, age=14 * MINUTE + 2, took=131.0),
        facts(12300, ranks=RANKS, size=SIZE, age=44 * MINUTE, took=128.0),
        facts(12200, ranks=RANKS, size=SIZE, age=74 * MINUTE, took=130.0, absent={640}),
        facts(12100, ranks=RANKS, size=SIZE, age=104 * MINUTE, took=129.0, roles=WITHOUT_RNG),
        facts(
            12050,
            ranks=RANKS,
            size=610 * GIB,
            age=119 * MINUTE,
            met=False,
            roles=("model", "optimizer"),
            absent=range(644, RANKS),
            took=None,
        ),
        facts(10000, ranks=RANKS, size=131 * GIB, age=2 * DAY, roles=("model",), took=None),
        facts(8000, ranks=RANKS, size=131 * GIB, age=4 * DAY, roles=("model",), took=None),
    ]
    pointer = f"{ROOT}/latest_checkpointed_iteration.txt"
    named = RawPointer(pointer, "text", "12300", (f"{ROOT}/iter_0012300",))
    run = run_of(settled, in_flight=[saving(flying, PROGRESS)], pointers=[named])
    return snapshot_of(run, free_bytes=int(3.1 * SIZE), tried=TRIED)


def growing() -> Snapshot:
    """The same, but all ranks write: the time left of the save is known."""
    picture = mixed()
    (run,) = picture.runs
    flying, *settled = run.checkpoints
    assert flying.progress is not None
    flying = flying._replace(progress=flying.progress._replace(silent_ranks=()))
    return picture._replace(runs=(run._replace(checkpoints=(flying, *settled)),))


def healthy() -> Snapshot:
    """A small job in which all is well."""
    steps = range(1200, 0, -100)
    made = [facts(step, age=(1300 - step) * 6.0, ranks=8) for step in steps]
    named = RawPointer(f"{ROOT}/latest", "text", "iter_0001200", (f"{ROOT}/iter_0001200",))
    return snapshot_of(run_of(made, pointers=[named]), free_bytes=9000 * GIB)


def nothing_resumable() -> Snapshot:
    """Checkpoints are there, and none can be resumed from."""
    truncated = Finding(
        "truncated-file",
        Severity.ERROR,
        "distcp/__1_0.distcp",
        "distcp/__1_0.distcp ends after 12 MiB of 1.0 GiB",
        "Resume from another checkpoint; this file cannot be read.",
        Effect.CORRUPT,
    )
    locked = Finding(
        "permission-denied",
        Severity.ERROR,
        ".metadata",
        "common.pt cannot be opened: permission denied",
        "Run as the user that trains, or ask for read permission.",
        Effect.UNKNOWN,
    )
    made = [
        facts(300, age=8 * MINUTE, met=False, absent=(2, 3), took=None),
        facts(200, age=38 * MINUTE, findings=(truncated,)),
        facts(100, age=68 * MINUTE, findings=(locked,)),
    ]
    return snapshot_of(run_of(made), tried=TRIED)


def empty() -> Snapshot:
    """Nothing there yet."""
    return snapshot_of(tried=TRIED)


def with_restarts() -> Snapshot:
    """The job went back to an older step."""
    made = [
        facts(1260, age=10 * MINUTE),
        facts(1300, age=70 * MINUTE, met=False, absent=(3,), took=None),
        facts(1200, age=100 * MINUTE),
    ]
    return snapshot_of(run_of(made))


def several_runs() -> Snapshot:
    """Three runs below one directory, one of them lost."""
    base = "/mnt/checkpoints"
    good = [facts(s, root=f"{base}/sft-8b", age=(900 - s) * 20.0) for s in (800, 700, 600)]
    lost = [facts(40, root=f"{base}/dpo-8b", age=3 * HOUR, met=False, absent=(1,), took=None)]
    small = [facts(None, root=f"{base}/reward", name="final", export=True, roles=("model",))]
    runs = (
        run_of(lost, path=f"{base}/dpo-8b"),
        run_of(small, path=f"{base}/reward"),
        run_of(good, path=f"{base}/sft-8b"),
    )
    return snapshot_of(*runs, root=base)


def with_tensors() -> Snapshot:
    """A checkpoint whose headers name tensors."""
    tensors = tuple(
        TensorFacts(f"layers.{n}.attention.wq[0]", "bf16", (4096, 4096), 32 * MIB, "model")
        for n in range(12)
    )
    return snapshot_of(run_of([facts(500, tensors=tensors)]))


def hostile() -> Snapshot:
    """Names that break screens: markup, control characters, wide and undecodable ones."""
    names = (
        "[/x]",
        "[b",
        "[bold red]not red[/]",
        "tab\there\nand\x1b[2Jgone",
        "\udcff\udcfe-bytes",
        "检查点-ちぇっく",
        "e\u0301\u202egnp.exe",
        "x" * 300,
    )
    broken = Finding(
        "invalid-json", Severity.ERROR, "[/x]\x07", "[/] \x1b[31m", "[/", Effect.CORRUPT
    )
    made = [
        facts(None, name=name, findings=(broken,) if place % 2 else (), age=60.0 * place)
        for place, name in enumerate(names)
    ]
    return snapshot_of(run_of(made), root="/mnt/[red]/\x1b]0;pwned\x07")


ALL = {
    "mixed": mixed,
    "healthy": healthy,
    "nothing": nothing_resumable,
    "empty": empty,
    "restarts": with_restarts,
    "runs": several_runs,
    "tensors": with_tensors,
    "hostile": hostile,
}
