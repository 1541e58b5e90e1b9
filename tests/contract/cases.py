"""The checkpoints that every reader is held against: the samples' and the corpus's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

SAMPLES = Path(__file__).parents[2] / "sample_runs"
CORPUS_EXPECTED = Path(__file__).parents[1] / "data" / "corpus_expected.json"


class Case(NamedTuple):
    """One checkpoint.

    Attributes:
        source: "samples" or "corpus": whose directory the path is relative to.
        resumable: As the framework said, None where it is a matter of judgement.
    """

    source: str
    path: str
    format: str
    run: str
    step: int
    resumable: bool | None

    def find(self, corpus: Path) -> Path:
        """The checkpoint's directory or file."""
        return (SAMPLES if self.source == "samples" else corpus) / self.path


def _cases(source: str, expected: Path) -> list[Case]:
    listed: list[dict[str, Any]] = json.loads(expected.read_text())["checkpoints"]
    return [
        Case(
            source,
            entry["path"],
            entry["format"],
            entry["run_root"],
            entry["step"] or 0,
            entry["resumable"],
        )
        for entry in listed
    ]


CASES = _cases("samples", SAMPLES / "expected.json") + _cases("corpus", CORPUS_EXPECTED)


def newest_resumable(formats: tuple[str, ...]) -> list[Case]:
    """The newest resumable checkpoint of every run of these formats."""
    newest: dict[tuple[str, str], Case] = {}
    for case in sorted(CASES, key=lambda case: case.step):
        if case.resumable and case.format in formats:
            newest[case.source, case.run] = case
    return list(newest.values())


def name_of(case: Case) -> str:
    """A test's name for it."""
    return f"{case.source}/{case.path}"
