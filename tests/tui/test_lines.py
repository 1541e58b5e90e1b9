"""Text is cut, padded and made harmless by terminal cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ckpt_tui.tui.icons import to_ascii
from ckpt_tui.tui.lines import (
    Tone,
    clean,
    cut,
    first_fit,
    flowed,
    line,
    pad,
    piece,
    short_path,
    spread,
    tail,
    text_of,
    width_of,
    wrapped,
)

anything = st.text(st.characters(codec=None), max_size=40)
widths = st.integers(0, 60)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("step-100", "step-100"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b1m", "\\x9b1m"),
        ("\udcff", "\\xff"),
        ("a\u202eb", "a\\u202eb"),
        ("e\u0301", "é"),
        ("\u0301x", "\\u0301x"),
        ("a\u200db", "a\\u200db"),
        ("\U000e0041", "\\U000e0041"),
        ("\u0e01\u0e47", "\u0e01\u0e47"),
        ("x" + "\u0301" * 3, "x\u0301\u0301\\u0301"),
        ("\n\u0301", "\\n\\u0301"),
        ("\u2764\ufe0f", "\u2764\\ufe0f"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\\u200d\U0001f4bb"),
        ("检查", "检查"),
        ("[/x]", "[/x]"),
    ],
)
def test_clean(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@given(anything)
def test_clean_text_is_printable_and_stays_as_it_is(raw: str) -> None:
    shown = clean(raw)
    assert shown.isprintable()
    assert clean(shown) == shown


@given(anything, widths)
def test_padded_text_is_exactly_as_wide_as_asked(raw: str, width: int) -> None:
    assert width_of(pad(line(raw), width)) == width
    assert width_of(pad(line(raw), width, right=True)) == width


@given(anything, anything, widths)
def test_no_line_is_wider_than_the_screen(left: str, right: str, width: int) -> None:
    assert width_of(cut(line(left, right), width)) <= width
    assert width_of(spread(line(left), line(right), width)) <= width
    assert width_of(first_fit([(line(left), line(right)), (line(left), ())], width)) <= width
    assert cell_len(tail(left, width)) <= width
    assert cell_len(short_path(f"/{left}/{right}", width)) <= width
    for row in flowed([line(left), line(right)], width):
        assert width_of(row) <= width


@given(anything)
def test_ascii_keeps_the_width(raw: str) -> None:
    shown = to_ascii(clean(raw))
    assert shown.isascii()
    assert cell_len(shown) == cell_len(clean(raw))


def test_cut_shows_that_something_is_missing() -> None:
    assert text_of(cut(line("abcdef"), 4)) == "abc…"
    assert text_of(cut(line("abcd"), 4)) == "abcd"
    assert cut(line("abcd"), 0) == ()


def test_a_wide_character_is_never_cut_in_half() -> None:
    assert text_of(cut(line("检查点"), 4)) == "检 …"


def test_a_path_keeps_its_last_directories() -> None:
    assert short_path("/mnt/checkpoints/llama-70b", 14) == "…/llama-70b"
    assert short_path("/mnt/checkpoints/llama-70b", 26) == "/mnt/checkpoints/llama-70b"
    assert short_path("/mnt/llama-70b", 6) == "…a-70b"


def test_the_longest_level_that_fits_is_drawn() -> None:
    levels = [(line("a long left text"), line("right")), (line("left"), line("right"))]
    assert text_of(first_fit(levels, 40)).startswith("a long left text ")
    assert text_of(first_fit(levels, 14)) == "left     right"


def test_parts_flow_onto_the_next_line() -> None:
    rows = flowed([line("one"), line("two"), (), line("three")], 10, " ")
    assert [text_of(row) for row in rows] == ["one two", "three"]


def test_pieces_are_cleaned_and_toned() -> None:
    assert line("a", piece("\x07", Tone.BAD), "") == (piece("a"), piece("\\x07", Tone.BAD))


def test_wrapped_text_holds_every_word() -> None:
    text = "Copy the shard back if it was written to a node's own disk."
    assert " ".join(wrapped(text, 20)) == text
    assert max(map(len, wrapped(text, 20))) <= 20


@given(st.text("a 检查点", max_size=60), widths)
def test_wrapped_text_is_whole_and_no_line_is_too_wide(text: str, width: int) -> None:
    rows = wrapped(text, width)
    assert all(cell_len(row) <= max(8, width) for row in rows)
    assert "".join("".join(rows).split()) == "".join(text.split())
