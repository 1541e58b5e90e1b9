from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.diff import Diff, keyed_diff

PICTURES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), max_size=8)


def apply_diff(old: dict[str, object], diff: Diff, new: dict[str, object]) -> dict[str, object]:
    """What a screen does: it takes only the values of what was added or changed."""
    touched = {key: new[key] for key in (*diff.added, *diff.changed)}
    return {key: touched.get(key, old.get(key)) for key in diff.order}


@st.composite
def shuffled(draw: st.DrawFn) -> dict[str, object]:
    items = list(draw(PICTURES).items())
    return dict(draw(st.permutations(items)))


@given(shuffled(), shuffled())
def test_applying_the_difference_gives_the_new_picture(
    old: dict[str, object], new: dict[str, object]
) -> None:
    rebuilt = apply_diff(old, keyed_diff(old, new), new)
    assert list(rebuilt.items()) == list(new.items())


@given(shuffled())
def test_equal_pictures_have_an_empty_difference(picture: dict[str, object]) -> None:
    assert keyed_diff(picture, dict(picture)).empty


@given(shuffled(), shuffled())
def test_nothing_is_called_changed_that_did_not_change(
    old: dict[str, object], new: dict[str, object]
) -> None:
    diff = keyed_diff(old, new)
    assert set(diff.added) == set(new) - set(old)
    assert set(diff.removed) == set(old) - set(new)
    assert set(diff.changed) == {key for key in set(old) & set(new) if old[key] != new[key]}
    assert diff.order == tuple(new)


def test_order_alone_is_a_move() -> None:
    diff = keyed_diff({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert diff.moved
    assert not diff.empty
    assert diff.changed == ()


def test_an_addition_in_front_moves_nothing() -> None:
    diff = keyed_diff({"a": 1, "b": 2}, {"c": 3, "a": 1, "b": 2})
    assert diff.added == ("c",)
    assert not diff.moved


def test_the_same_object_is_not_compared() -> None:
    class Unequal:
        def __eq__(self, other: object) -> bool:
            return False

        __hash__ = object.__hash__

    same = Unequal()
    assert keyed_diff({"a": same}, {"a": same}).empty
    assert keyed_diff({"a": same}, {"a": Unequal()}).changed == ("a",)
