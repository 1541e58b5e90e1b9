"""Paragraphs: as `textwrap` has them in English, by columns where characters take two."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.words.wrapping import at_right, columns_of, paragraph

PROSE = "各输入每增加 1 % 时有效吞吐的变化：MTBF +0.021、保存 -0.018、重载 -0.003。" * 3


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=300))
def test_a_narrow_text_is_broken_as_by_textwrap(text: str) -> None:
    assert paragraph(text, 40, rest="  ") == textwrap.wrap(text, 40, subsequent_indent="  ")


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_a_wide_text_fits_and_is_whole(columns: int) -> None:
    first, *others = paragraph(PROSE, columns, rest="  ")
    assert max(map(columns_of, (first, *others))) <= columns
    assert all(line.startswith("  ") for line in others)
    assert "".join([first, *others]).replace(" ", "") == PROSE.replace(" ", "")


def test_no_line_begins_with_a_full_stop() -> None:
    for columns in range(20, 60):
        assert not any(line.strip()[0] in "，。：、" for line in paragraph(PROSE, columns))


def test_indents() -> None:
    lines = paragraph(PROSE, 40, first="- ", rest="    ")
    assert lines[0].startswith("- 各")
    assert lines[1].startswith("    ")
    assert paragraph(f"  {PROSE}", 40, rest="  ")[0].startswith("  各"), "it begins with a space"


def test_a_cell_is_filled_by_columns() -> None:
    assert at_right("保存", 9) == "     保存"
    assert at_right("save", 9) == "     save"
