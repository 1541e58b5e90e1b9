"""Every verdict on the corpus, against what the frameworks themselves said."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.store.index import Store

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

EXPECTED: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "corpus_expected.json").read_text()
)
READ = frozenset(
    {
        "accelerate",
        "lightning",
        "torch-dcp",
        "hf-trainer",
        "deepspeed",
        "megatron-dist",
        "torch-file",
    }
)
"""Formats of the corpus that have a reader."""

OURS = [entry for entry in EXPECTED["checkpoints"] if entry["format"] in READ]
OUR_RUNS = [
    run
    for run in EXPECTED["runs"]
    if any(entry["run_root"] == run["run_root"] for entry in OURS)
    and run.get("resume_judged") is not False
]
LEAST_SHARE = 0.97
LONG_AFTER = 4e9

by_path = pytest.mark.parametrize("entry", OURS, ids=lambda entry: entry["path"])


class Seen:
    """What one look at every run of the corpus found, by path relative to the corpus."""

    def __init__(self, corpus: Path) -> None:
        self.checkpoints: dict[str, Checkpoint] = {}
        self.runs: dict[str, tuple[Run, ...]] = {}
        for expected in EXPECTED["runs"]:
            root = expected["run_root"]
            store = Store(str(corpus / root), wall=lambda: LONG_AFTER)
            store.look()
            self.runs[root] = store.snapshot().runs
            for found in store.snapshot().checkpoints:
                self.checkpoints[os.path.relpath(found.path, corpus)] = found
        self.corpus = corpus

    def of(self, entry: dict[str, Any]) -> Checkpoint | None:
        """The checkpoint that an entry speaks of; TensorFlow's are named by a prefix."""
        for path in spellings(entry):
            if path in self.checkpoints:
                return self.checkpoints[path]
        return None

    def resume_points(self, root: str) -> list[str]:
        resumes = [run.resume for run in self.runs[root]]
        return [os.path.relpath(one.path, self.corpus) for one in resumes if one is not None]


def spellings(entry: dict[str, Any]) -> list[str]:
    paths = [entry["path"], *entry.get("path_alt", ())]
    endings = ("", ".index", ".data-00000-of-00001")
    return [path + ending for path in paths for ending in endings]


@pytest.fixture(scope="module")
def seen(corpus: Path) -> Seen:
    return Seen(corpus)


@by_path
def test_verdict(seen: Seen, entry: dict[str, Any]) -> None:
    found = seen.of(entry)
    if found is None:
        assert not entry["must_list"]
        return
    assert found.verdict in entry["verdict"], f"{found.why}; {entry['framework_load']}"
    if entry["resumable"] is not None:
        assert found.resumable is entry["resumable"]
    assert found.facts.format in (entry["format"], *entry.get("format_alt", ()))


@pytest.mark.parametrize("run", OUR_RUNS, ids=lambda run: run["run_root"])
def test_resume_point(seen: Seen, run: dict[str, Any]) -> None:
    wanted = [run["resume"], *run.get("resume_alt", ())]
    found = seen.resume_points(run["run_root"])
    assert len(found) <= 1
    assert (found[0] if found else None) in wanted


def test_nothing_that_the_frameworks_refuse_is_resumable(seen: Seen) -> None:
    """Of any format: what we list although we do not read its format must not be offered."""
    refused = {
        path
        for entry in EXPECTED["checkpoints"]
        if entry["resumable"] is False
        for path in spellings(entry)
    }
    offered = {path for path, one in seen.checkpoints.items() if one.resumable}
    assert not offered & refused
    known = {path for entry in EXPECTED["checkpoints"] for path in spellings(entry)}
    assert not offered - known


def test_nothing_is_in_flight(seen: Seen) -> None:
    assert not [path for path, one in seen.checkpoints.items() if one.progress is not None]


def test_other_facts_agree(seen: Seen) -> None:
    """Steps, roles and the like, in nearly all: here the corpus leaves room for judgement."""
    pairs = [(entry, found) for entry in OURS if (found := seen.of(entry)) is not None]
    wrong: Counter[str] = Counter()
    for entry, found in pairs:
        wrong.update(name for name, right in agreements(entry, found).items() if not right)
    assert all(count <= (1 - LEAST_SHARE) * len(pairs) for count in wrong.values()), wrong


def agreements(entry: dict[str, Any], found: Checkpoint) -> dict[str, bool]:
    facts = found.facts
    codes = {finding.code for finding in found.findings}
    optional = set(entry.get("roles_optional", ()))
    roles_wanted = set(entry["missing_roles"]) - optional
    possible = facts.reshard.possible if facts.reshard is not None else None
    steps = (entry["step"], *entry.get("step_alt", ()))
    sizes = (entry["world_size"], *entry.get("world_size_alt", ()))
    return {
        "commit": found.commit in entry["commit"] or not entry["resumable"],
        "step": facts.step in steps or facts.ordinal in steps,
        "world size": None in (facts.world_size, sizes[0]) or facts.world_size in sizes,
        "roles": entry.get("roles_judged") is False
        or set(found.missing_roles) - optional == roles_wanted,
        "reshard": None in (entry["reshard"], possible)
        or not entry["resumable"]
        or possible is entry["reshard"],
        "findings": set(entry["findings"]) <= codes
        and all(codes & set(group) for group in entry.get("findings_any", ())),
    }
