from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.recording.delta import DeltaError, delta, patched

ATOMS = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
VALUES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=12), max_leaves=30)


@given(VALUES, VALUES)
def test_a_change_makes_the_new_of_the_old(old: object, new: object) -> None:
    before = copy.deepcopy(old)
    change = json.loads(json.dumps(delta(old, new)))
    made = patched(old, change).value
    assert json.dumps(made) == json.dumps(new)
    assert old == before


@given(VALUES)
def test_equal_values_have_no_change(value: object) -> None:
    assert delta(value, copy.deepcopy(value)) is None


def test_what_did_not_change_is_shared() -> None:
    old: list[object] = [["a"], ["b"], ["c"]]
    new = patched(old, delta(old, [["a"], ["x"], ["c"]])).value
    assert isinstance(new, list)
    assert new[0] is old[0]
    assert new[2] is old[2]


def test_a_new_item_in_front_is_told_alone() -> None:
    old: list[object] = [[str(n)] for n in range(1000)]
    assert delta(old, [["new"], *old]) == ["mix", [["new", [["new"]]], ["from", 0, 1000]]]
    assert delta([1, 2, 3], [1, 5, 2, 3]) == ["cut", 1, 0, [5]]


def test_the_oldest_goes_and_a_new_one_comes() -> None:
    old: list[object] = [[str(n)] for n in range(1000)]
    new = [["new"], *old[:500], ["other"], *old[501:-1]]
    change = delta(old, new)
    assert change == [
        "mix",
        [["new", [["new"]]], ["from", 0, 500], ["new", [["other"]]], ["from", 501, 498]],
    ]
    made = patched(old, change).value
    assert made == new
    assert isinstance(made, list)
    assert made[1] is old[0]


@given(st.lists(st.lists(ATOMS, max_size=2), max_size=8), st.data())
def test_parts_in_any_order_come_back(old: list[object], data: st.DataObject) -> None:
    places = st.sampled_from(range(len(old))) if old else st.nothing()
    picked = data.draw(st.lists(places.map(old.__getitem__) | st.lists(ATOMS), max_size=10))
    assert patched(old, json.loads(json.dumps(delta(old, picked)))).value == picked


@pytest.mark.parametrize(
    ("old", "change"),
    [
        ([1], ["cut", 0, 2, []]),
        ([1], ["cut", -1, 0, []]),
        ([1], ["~", {"1": ["=", 2]}]),
        ([1], ["~", {"-1": ["=", 2]}]),
        ([1], ["~", {"9" * 5000: ["=", 2]}]),
        ([1], ["~", {"²": ["=", 2]}]),
        (1, ["cut", 0, 0, []]),
        ([1], ["mix", [["from", 0, 2]]]),
        ([1], ["mix", [["from", -1, 1]]]),
        ([1], ["mix", [["other"]]]),
        ([1] * 100_000, ["mix", [["from", 0, 100_000]] * 41]),
        ([[1] * 100_000] * 41, ["~", {str(n): ["~", {"0": ["=", 2]}] for n in range(41)}]),
        (1, ["mix", []]),
        ([1], ["?"]),
        ([1], {}),
    ],
)
def test_a_change_that_does_not_fit_is_refused(old: object, change: object) -> None:
    with pytest.raises(DeltaError):
        patched(old, change)
