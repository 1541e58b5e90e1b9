"""The pane's texts, without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.facts import LoaderFacts, Reshard
from ckpt_tui.core.verdict import judge
from ckpt_tui.tui.details.facts import facts_lines
from ckpt_tui.tui.details.files import files_lines
from ckpt_tui.tui.details.findings import findings_lines
from ckpt_tui.tui.details.roles import roles_lines
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.widgets.tab_line import Tab, tabs_of, telling_tab
from tests.tui import situations
from tests.tui.builders import NOW, facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.tui.lines import Line


def shown(lines: Sequence[Line]) -> str:
    return "\n".join(text_of(text) for text in lines)


def by_step(step: int) -> Checkpoint:
    return next(c for c in situations.mixed().checkpoints if c.step == step)


@pytest.mark.parametrize("name", situations.ALL)
@pytest.mark.parametrize("width", [30, 78, 118])
def test_no_line_of_facts_and_tables_is_too_wide(name: str, width: int) -> None:
    picture = situations.ALL[name]()
    for run in picture.runs:
        for checkpoint in run.checkpoints:
            lines = [
                *facts_lines(checkpoint, True, NOW, width),
                *findings_lines(checkpoint, run, width),
            ]
            if width >= 78:
                lines += [*files_lines(checkpoint, width), *roles_lines(checkpoint, width)]
            for text in lines:
                assert width_of(text) <= width


def test_facts_of_a_resume_point() -> None:
    text = shown(facts_lines(by_step(12400), True, NOW, 118))
    assert "✔ exact   resume point   committed 2026-01-01 10:45:58 UTC (14m)" in text
    assert "took at least 2m 11s   async save   1.25 TiB" in text
    assert "1280 ranks   other world sizes: yes, natively (loses rng)" in text
    assert "resume with  --load /mnt/checkpoints/llama-70b --ckpt-step 12400" in text
    assert text.endswith("/mnt/checkpoints/llama-70b/iter_0012400")


def test_nothing_is_offered_to_load_that_cannot_be_resumed() -> None:
    assert "resume with" not in shown(facts_lines(by_step(12200), False, NOW, 118))


@pytest.mark.parametrize(
    ("reshard", "says"),
    [
        (Reshard(False, "convert it first"), "other world sizes: no, convert it first"),
        (Reshard(True, ""), "other world sizes: yes"),
        (Reshard(None, "?"), ""),
    ],
)
def test_other_world_sizes(reshard: Reshard, says: str) -> None:
    text = shown(facts_lines(judge(facts(1)._replace(reshard=reshard)), False, NOW, 118))
    assert says in text
    assert says or "other world sizes" not in text


def test_a_tag_is_offered_where_there_is_no_flag() -> None:
    made = facts(1)._replace(loader=LoaderFacts(tag="global_step1"))
    assert "resume with  tag global_step1" in shown(facts_lines(judge(made), True, NOW, 118))


def test_roles_that_are_missing_are_named() -> None:
    text = shown(roles_lines(by_step(12100), 118))
    assert "rng         ✗ missing" in text
    assert "4 of 5 required roles" in text
    assert "key `model` in .metadata" in text


def test_roles_that_are_not_yet_written_are_no_fault() -> None:
    text = shown(roles_lines(by_step(12500), 118))
    assert "rng         · not yet" in text
    assert "missing" not in text


def test_findings_come_with_path_remedy_rule_and_what_was_not_checked() -> None:
    picture = situations.nothing_resumable()
    corrupt = next(c for c in picture.checkpoints if c.step == 200)
    text = shown(findings_lines(corrupt, picture.runs[0], 118))
    assert "✗ truncated-file   distcp/__1_0.distcp" in text
    assert "→ Resume from another checkpoint; this file cannot be read." in text
    assert "judged by" in text
    assert "rule: metadata.json is written last" in text
    assert "not checked  the bytes of tensors" in text


def test_findings_of_the_run_are_shown_too() -> None:
    picture = situations.mixed()
    text = shown(findings_lines(by_step(12400), picture.runs[0], 118))
    assert "✔ no findings" in text
    assert "about the run\n⚠ pointer-stale" in text


def test_files() -> None:
    checkpoint = situations.with_tensors().checkpoints[0]
    files = shown(files_lines(checkpoint, 118))
    assert "distcp/__3_0.distcp" in files
    assert "progress" in files


def test_the_telling_tab() -> None:
    assert telling_tab(by_step(12500)) is Tab.SHARDS
    assert telling_tab(by_step(12200)) is Tab.FINDINGS
    assert telling_tab(by_step(12400)) is Tab.ROLES
    assert Tab.TENSORS in tabs_of(situations.with_tensors().checkpoints[0])
    assert Tab.TENSORS in tabs_of(by_step(12400))  # it has files that may hold some
    plain = by_step(12400)
    assert Tab.TENSORS not in tabs_of(plain._replace(facts=plain.facts._replace(files=())))
