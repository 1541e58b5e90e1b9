"""The documents say what the code does."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from ckpt_tui.formats.registry import reader_names

ROOT = Path(__file__).parents[1]
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


def test_every_finding_is_in_the_docs() -> None:
    documented = set(re.findall(r"^\| `([a-z-]+)`", (ROOT / "docs/findings.md").read_text(), re.M))
    assert codes_in_source() <= documented


def test_no_documented_finding_is_made_up() -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "ckpt_tui").rglob("*.py"))
    for code in re.findall(r"^\| `([a-z-]+)`", (ROOT / "docs/findings.md").read_text(), re.M):
        assert f'"{code}"' in source or code.startswith("pointer-"), code


def test_every_format_is_in_the_docs() -> None:
    for name in ("docs/formats.md", "docs/architecture.md", "README.md"):
        text = (ROOT / name).read_text()
        missing = [each for each in reader_names() if f"| `{each}`" not in text]
        assert not missing, f"{name} lacks {missing}"
