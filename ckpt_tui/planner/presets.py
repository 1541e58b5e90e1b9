"""Published runs as starting points of a plan: only what was published, each with its source.

A preset changes the fields that its source speaks of, and leaves the others as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.rate import job_mtbf_hours
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Mapping

_TB = 10**12
_DAY = 1440.0


class Preset(NamedTuple):
    """A published run or default.

    Attributes:
        name: What `--preset` takes.
        title: What it is, in a few words; title, source, evidence and note are said where shown.
        values: Field of `PlanInputs` → value.
        source: Where the figures stand.
        evidence: "primary" where that text was read, "quoted" where another one quotes it,
            "derived" where arithmetic on such figures gave one.
        note: What to beware of, or "".
    """

    name: str
    title: str
    values: Mapping[str, Any]
    source: str
    evidence: str
    note: str = ""

    def apply(self, inputs: PlanInputs) -> PlanInputs:
        """The inputs with the preset's values in place of their own."""
        return inputs._replace(**self.values)


def _nodes(nodes: int, failures_per_1000_node_days: float) -> dict[str, Any]:
    """Rate and GPUs of a job on nodes of eight."""
    hours = job_mtbf_hours(nodes, failures_per_1000_node_days)
    return {"fault_rate_per_hour": 1 / hours, "gpus": 8 * nodes}


PRESETS = (
    Preset(
        "lesson",
        later("the lesson's run"),
        PlanInputs()._asdict(),
        later("the lesson"),
        later("primary"),
    ),
    Preset(
        "llama3-405b",
        later("16,384 H100, 54 days, 419 unexpected interruptions"),
        {"run_minutes": 54 * _DAY, "fault_rate_per_hour": 419 / (54 * 24), "gpus": 16384},
        later("arXiv 2407.21783, section 3.3.4 and table 5"),
        later("quoted"),
        later("466 interruptions with the 47 planned ones: MTBF 2.78 h"),
    ),
    Preset(
        "meta-rsc1",
        later("research cluster, a job on 16,384 GPUs"),
        _nodes(2048, 6.5) | {"down_minutes": 5.0, "current_interval_minutes": 60.0},
        "arXiv 2410.21680v2 (HPCA 2025)",
        later("quoted"),
        later("the measured MTTF of small jobs is shorter than this rate gives"),
    ),
    Preset(
        "meta-rsc2",
        later("the quieter research cluster, a job on 16,384 GPUs"),
        _nodes(2048, 2.34),
        "arXiv 2410.21680v2 (HPCA 2025)",
        later("quoted"),
    ),
    Preset(
        "bloom-176b",
        later("384 A100, 2.3 TB in 40 s, a GPU lost about every week"),
        {
            "fault_rate_per_hour": 1 / 168,
            "gpus": 384,
            "save_minutes": 40 / 60,
            "step_seconds": 105.0,
            "checkpoint_bytes": 2_300_000_000_000,
            "intervals_minutes": (175.0, 350.0, 437.5),
            "current_interval_minutes": 437.5,
        },
        "bigscience, train/tr11-176B-ml/chronicles.md",
        later("primary"),
        later("saves every 250, later 200 and 100 steps; hangs cost 18 h and 6 h"),
    ),
    Preset(
        "opt-175b",
        later("992 A100, about two machines lost a day"),
        {"fault_rate_per_hour": 1 / 12, "gpus": 992, "checkpoint_bytes": 16 * _TB // 10},
        "facebookresearch/metaseq, projects/OPT/chronicles",
        later("derived"),
        later("sources disagree about the GPU-hours that were lost"),
    ),
    Preset(
        "dlrover-glm65b",
        later("1,536 H800, saves in memory every 10 steps, disk every 250"),
        {
            "mode": PlanMode.TWO_LEVEL,
            "gpus": 1536,
            "save_minutes": 2.0,
            "level1_save_minutes": 0.2 / 60,
            "level1_coverage": 0.75,
            "level2_every_saves": 25,
            "current_interval_minutes": 90.0 / 25,
        },
        "dlrover, docs/blogs/flash_checkpoint.md",
        later("primary"),
        later("250 steps took 90 min; without level 1 only the 2 min to disk every 250 steps"),
    ),
    Preset(
        "gemini-mtnlg",
        later("530B parameters to a store of 20 Gb/s: 42 min a save"),
        {"save_minutes": 42.0, "reload_minutes": 42.0},
        "Gemini, SOSP 2023",
        later("quoted"),
    ),
    Preset(
        "dcp-7b",
        later("7B by asynchronous DCP: 6.3 s of 148.8 s block"),
        {
            "mode": PlanMode.ASYNC,
            "snapshot_minutes": 6.3 / 60,
            "persist_minutes": (148.8 - 6.3) / 60,
        },
        later("PyTorch and IBM, on asynchronous checkpointing"),
        later("quoted"),
    ),
    Preset(
        "hang-45min",
        later("a hang that a heartbeat finds after 45 min"),
        {"down_minutes": 45.0},
        later("nvidia-resiliency-ext, rank_heartbeat_timeout of 2700 s"),
        later("primary"),
    ),
)


def preset(name: str) -> Preset:
    """The preset of a name.

    Raises:
        ValueError: There is none; the message names all.
    """
    for each in PRESETS:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in PRESETS)
    raise ValueError(say("no preset {name}; there are: {names}", name=repr(name), names=names))
