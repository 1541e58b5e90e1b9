"""The documents say what the code does."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.explained.table import ALL, FINDINGS
from ckpt_tui.core.explained.verdicts import VERDICTS
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.registry import reader_names

if TYPE_CHECKING:
    from ckpt_tui.core.explained.values import Explanation

ROOT = Path(__file__).parents[1]
EXPLAINED = ROOT / "ckpt_tui/core/explained"
ARTIFACT_CODES = {"io-error", "permission-denied", "checksum-mismatch", "invalid-json"}


def codes_in_source() -> set[str]:
    """First arguments of `Finding(…)`, and the codes that errors of single files carry."""
    found = set(ARTIFACT_CODES)
    for path in (ROOT / "ckpt_tui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if name in ("Finding", "ArtifactError") and isinstance(first, ast.Constant):
                found.add(str(first.value))
    return found


def test_every_finding_is_explained() -> None:
    explained = {each.code for each in FINDINGS}
    assert codes_in_source() <= explained, "add what is missing to ckpt_tui/core/explained"


def test_no_explained_finding_is_made_up() -> None:
    paths = (path for path in (ROOT / "ckpt_tui").rglob("*.py") if path.parent != EXPLAINED)
    source = "\n".join(path.read_text() for path in paths)
    for code in (each.code for each in FINDINGS):
        assert f'"{code}"' in source or code.startswith("pointer-"), code


def test_the_page_of_findings_is_the_table() -> None:
    made = runpy.run_path(str(ROOT / "docs/make_findings.py"))["page"]()
    assert (ROOT / "docs/findings.md").read_text() == made, "run docs/make_findings.py"


def test_no_code_is_explained_twice() -> None:
    codes = [each.code for each in FINDINGS]
    assert len(codes) == len(set(codes))
    assert [each.code for each in VERDICTS] == [verdict.value for verdict in Verdict]


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.code)
def test_an_explanation_is_whole_sentences_that_fit(each: Explanation) -> None:
    sentences = (each.seen, each.cause, each.effect, each.remedy)
    assert all(text.endswith(".") and not text[0].islower() for text in sentences)
    assert not each.framework or each.framework.endswith(".")
    assert len(each.seen) <= 85
    assert all("|" not in text and "\n" not in text for text in each)


def test_every_format_is_in_the_docs() -> None:
    for name in ("docs/formats.md", "docs/architecture.md", "README.md", "README.zh.md"):
        text = (ROOT / name).read_text()
        missing = [each for each in reader_names() if f"| `{each}`" not in text]
        assert not missing, f"{name} lacks {missing}"


def test_the_page_of_keys_is_made_from_the_registry() -> None:
    page = runpy.run_path(str(ROOT / "docs/make_keys.py"))["page"]
    written = (ROOT / "docs/keys.md").read_text(encoding="utf-8")
    assert written == page(), "run python docs/make_keys.py"
