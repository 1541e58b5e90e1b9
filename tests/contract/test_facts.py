"""What every reader promises: `read` never raises, and its facts make sense."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import ALL_ROLES, Effect, Severity
from ckpt_tui.formats.base import CheckpointFiles, Claim, HandOver
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.registry import reader, reader_names
from ckpt_tui.fs.listing import list_tree
from tests.contract.cases import CASES, Case, name_of

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts

READERS = reader_names()
FOREIGN_READERS = 2
FINDINGS = Path(__file__).parents[2] / "docs" / "findings.md"
DOCUMENTED = frozenset(re.findall(r"^\| `([a-z0-9-]+)`", FINDINGS.read_text(), re.MULTILINE))


def files_of(path: Path, reader_name: str) -> CheckpointFiles:
    """A checkpoint as its reader gets it; another reader gets the directory or the file alone."""
    claims = {claim.path: claim for claim in discover(str(path)).claims}
    claim = claims.get(str(path))
    if claim is None:
        claim = Claim("", str(path), () if path.is_dir() else (path.name,))
    return CheckpointFiles(
        claim._replace(reader=reader_name), list_tree(claim.path, claim.members), Limits()
    )


def assert_coherent(facts: CheckpointFacts, files: CheckpointFiles, reader_name: str) -> None:
    assert (facts.path, facts.name) == (files.path, files.name)
    assert facts.format == reader_name
    assert facts.commit.rule
    assert facts.step is None or facts.step >= 0
    assert facts.world_size is None or facts.world_size >= 1
    assert facts.size_bytes >= 0
    assert facts.save_seconds is None or facts.save_seconds >= 0
    assert facts.save_mode in ("sync", "async", None)
    assert facts.tensors_total >= len(facts.tensors)
    assert all(tensor.size_bytes >= 0 for tensor in facts.tensors)
    assert isinstance(hash(facts), int)  # immutable through and through
    assert_parts_coherent(facts, files)


def assert_parts_coherent(facts: CheckpointFacts, files: CheckpointFiles) -> None:
    names = [role.role for role in facts.roles]
    assert len(names) == len(set(names))
    assert set(names) <= set(ALL_ROLES)
    for role in facts.roles:
        assert role.evidence
        assert role.files >= 0
        assert role.size_bytes is None or role.size_bytes >= 0
    listed = {entry.path: entry for entry in files.tree.entries}
    for file in facts.files:
        assert file.size_bytes == listed[file.path].size_bytes
        assert file.role in ("", *ALL_ROLES)
    ranks = [shard.rank for shard in facts.shards]
    assert all(rank >= 0 for rank in ranks)
    assert all(shard.size_bytes >= 0 for shard in facts.shards)
    for finding in facts.findings:
        assert finding.code in DOCUMENTED
        assert finding.message
        assert finding.remedy
        assert isinstance(finding.severity, Severity)
        assert isinstance(finding.effect, Effect)


@pytest.mark.parametrize("case", [case for case in CASES if case.format in READERS], ids=name_of)
def test_facts_of_its_own_format(corpus: Path, case: Case) -> None:
    files = files_of(case.find(corpus), case.format)
    facts = reader(case.format).read(files)
    assert_coherent(facts, files, case.format)
    assert judge(facts).why
    again = files_of(case.find(corpus), case.format)
    assert reader(case.format).read(again) == facts


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_foreign_checkpoint_raises_nothing(corpus: Path, case: Case) -> None:
    """A directory between others of its shape is given to their reader, whatever is in it."""
    others = [name for name in READERS if name != case.format]
    for name in random.Random(case.path).sample(others, FOREIGN_READERS):
        files = files_of(case.find(corpus), name)
        facts = reader(name).read(files)
        if isinstance(facts, HandOver):
            assert facts.reader in READERS
            assert facts.reader != name
        else:
            assert_coherent(facts, files, name)
