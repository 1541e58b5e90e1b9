"""Named tuples of the core as JSON values: what comes back is what went in, or an error."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ckpt_tui.core.checkpoint import Checkpoint
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, FileFacts, LoaderFacts, OwnChoice
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.plain import PlainError, decoder_of, encode
from ckpt_tui.core.runs import Run
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.store.index import Store
from tests.core.any_values import any_value

if TYPE_CHECKING:
    from pathlib import Path

_SMALL = CheckpointFacts("/r/a", "a", "manifest", CommitFacts("renamed", True))
_LARGE_TYPES = settings(
    max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=30,
)


def _there_and_back(value: Any) -> Any:
    text = json.dumps(encode(value), allow_nan=False)
    return decoder_of(type(value))(json.loads(text))


@_LARGE_TYPES
@given(st.data())
@pytest.mark.parametrize("kind", [CheckpointFacts, Checkpoint, Run, Snapshot])
def test_every_value_comes_back(kind: type, data: st.DataObject) -> None:
    value = data.draw(any_value(kind))
    assert _there_and_back(value) == value


def test_every_sample_comes_back(corpus: Path) -> None:
    snapshot = Store(str(corpus)).look()
    assert len(snapshot.checkpoints) > 50
    assert _there_and_back(snapshot) == snapshot


@given(_JSON)
def test_anything_else_is_an_error(value: object) -> None:
    try:
        facts = decoder_of(CheckpointFacts)(value)
    except PlainError:
        return
    assert _there_and_back(facts) == facts


@given(st.data())
def test_one_wrong_value_is_an_error_or_the_right_type(data: st.DataObject) -> None:
    finding = Finding("code", Severity.ERROR, "a", "b", "c", Effect.CORRUPT)
    files = (FileFacts("a", 1, 2, "model", 3, "n"), FileFacts("b", 1, 2))
    plain: Any = encode(_SMALL._replace(files=files, findings=(finding,), started_at=1.5))
    places = [at for at, value in enumerate(plain) if isinstance(value, list)]
    plain[data.draw(st.sampled_from([*places, 0, 5]))] = data.draw(_JSON)
    try:
        facts = decoder_of(CheckpointFacts)(plain)
    except PlainError:
        return
    assert _there_and_back(facts) == facts


def test_defaults_at_the_end_are_left_out() -> None:
    assert encode(_SMALL) == ["/r/a", "a", "manifest", ["renamed", True]]


def test_a_table_is_told_by_columns_and_equal_values_once() -> None:
    files = (FileFacts("a", 1, 7, "model"), FileFacts("b", 2, 7, "model"))
    assert encode(files) == [["a", "b"], [1, 2], [7], ["model"]]


@pytest.mark.parametrize("number", [math.inf, -math.inf, 0.0, -1.5, 1e300])
def test_floats_that_json_has_no_number_for(number: float) -> None:
    assert _there_and_back(_SMALL._replace(started_at=number)).started_at == number
    nan = _there_and_back(_SMALL._replace(started_at=math.nan)).started_at
    assert math.isnan(nan)


def test_sets_and_enums() -> None:
    loader = LoaderFacts(frozenset({"b", "a"}), own_choice=OwnChoice.POINTER)
    assert encode(loader) == [["a", "b"], [], "", "", "pointer"]
    assert _there_and_back(loader) == loader


def test_one_value_never_stands_for_more_rows_than_there_are() -> None:
    plain: Any = encode(_SMALL._replace(files=(FileFacts("a", 1, 2), FileFacts("b", 1, 2))))
    plain[-1][1] = [1, 2, 3]
    with pytest.raises(PlainError, match=r"FileFacts\.size_bytes: 3 values for 2 rows"):
        decoder_of(CheckpointFacts)(plain)


class _Unclear(NamedTuple):
    value: float | str


class _Foreign(NamedTuple):
    value: dict[str, int]


@pytest.mark.parametrize("kind", [_Unclear, _Foreign, int])
def test_a_type_that_has_no_plain_form_is_refused(kind: type) -> None:
    with pytest.raises(TypeError):
        decoder_of(kind)


def test_a_value_that_has_no_plain_form_is_refused() -> None:
    with pytest.raises(TypeError, match="dict has no plain form"):
        encode({"a": 1})


def test_repeated_names_are_one_string() -> None:
    files = tuple(FileFacts(f"model-{at}.bin", at, at) for at in range(2))
    first, second = (_there_and_back(_SMALL._replace(files=files)) for _ in range(2))
    assert first.files[0].path is second.files[0].path
