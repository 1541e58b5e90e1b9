from __future__ import annotations

import json
import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.artifacts.json_document import read_json, read_text
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from tests.artifacts.builders import LIMITS, BytesSource, brief, error_of

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def read(text: str, limits: Limits = LIMITS) -> object:
    return read_json(BytesSource(text.encode()), limits)


@settings(deadline=None, max_examples=50)
@given(DOCUMENTS)
def test_documents_come_back(document: object) -> None:
    assert read(json.dumps(document)) == document
    assert read(json.dumps(document, ensure_ascii=False)) == document


def test_a_byte_order_mark_is_refused_as_frameworks_do() -> None:
    with pytest.raises(ArtifactError, match="BOM") as caught:
        read('\ufeff{"global_step": 10}')
    assert caught.value.code == "invalid-json"


def test_what_python_writes_beyond_json_is_read() -> None:
    # Trainer writes a loss of NaN so.
    assert math.isnan(read("NaN"))
    assert read("[-Infinity]") == [-math.inf]
    assert read('{"a": 1, "a": 2}') == {"a": 2}


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (b"", "empty-file", "0 bytes"),
        (b'{"a": 1,\n "b"', "invalid-json", "at line 2, column 5"),
        (b"{} x", "invalid-json", "line 1, column 4"),
        (b"   ", "invalid-json", "line 1, column 4"),
        (b'{"a": \xff}', "invalid-json", "no UTF-8 text at byte 6"),
        (b"9" * 5000, "invalid-json", "more digits than can be read"),
    ],
    ids=brief,
)
def test_what_is_wrong_is_said(data: bytes, code: str, message: str) -> None:
    error = error_of(read_json, data)
    assert error.code == code
    assert message in error.message


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"[" * 201 + b"]" * 201,
        b'{"a":' * 201 + b"1" + b"}" * 201,
        b'["[[[", "\\"[" , ' + b"[" * 200 + b"]" * 201,
    ],
    ids=brief,
)
def test_deep_documents_are_refused(data: bytes) -> None:
    error = error_of(read_json, data)
    assert error.code == "limit-exceeded"
    assert "deeper than 200 levels" in error.message


def test_brackets_within_texts_do_not_count() -> None:
    text = "[" * 500 + '\\"{'
    assert read(json.dumps([text, {"a": text}])) == [text, {"a": text}]
    assert read("[" + ",".join(["[]"] * 500) + "]") == [[]] * 500


def test_a_text_without_an_end_is_looked_at_once() -> None:
    data = b'["' + b'\\"' * 200_000 + b"[" * 300
    started = time.thread_time()
    assert error_of(read_json, data).code == "invalid-json"
    assert time.thread_time() - started < 1


def test_limits() -> None:
    data = json.dumps([[]] * 300).encode()
    assert error_of(read_json, data, Limits(metadata_bytes=10)).code == "limit-exceeded"
    assert error_of(read_json, data, Limits(json_containers=300)).code == "limit-exceeded"
    assert error_of(read_json, data, Limits(seconds=-1)).code == "limit-exceeded"


def test_short_texts() -> None:
    assert read_text(BytesSource(b"global_step15"), LIMITS) == "global_step15"
    assert read_text(BytesSource("ü\n".encode()), LIMITS) == "ü\n"
    assert error_of(read_text, b"").code == "empty-file"
    assert error_of(read_text, b"x" * 4097).code == "limit-exceeded"
    assert error_of(read_text, b"a\xff").message == "it is no UTF-8 text at byte 1"
