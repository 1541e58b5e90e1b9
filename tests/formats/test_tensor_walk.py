"""The walk skips what can hold no tensor, and still finds and counts as a plain walk does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.torch_archive import TensorInfo
from ckpt_tui.formats.shared.tensor_walk import walk_tensors

TENSOR = TensorInfo("float32", (2,), 8, "0")
LEAVES = st.sampled_from([1, True, "text", None, 2.5, TENSOR])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.lists(inner, max_size=6).map(tuple)
        | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner)
    ),
    max_leaves=30,
)


def plain_walk(value: object, most_nodes: int) -> list[str]:
    """Every value in turn, each counted; names of the tensors among the first `most_nodes`."""
    found: list[str] = []
    seen: set[int] = set()
    pending = [("", value)]
    for _ in range(most_nodes):
        if not pending:
            break
        name, node = pending.pop()
        if isinstance(node, TensorInfo):
            found.append(name)
        elif isinstance(node, dict | list | tuple) and id(node) not in seen:
            seen.add(id(node))
            pairs = node.items() if isinstance(node, dict) else enumerate(node)
            children = [(f"{name}.{key}" if name else str(key), part) for key, part in pairs]
            pending += reversed(children)
    return found


@given(VALUES, st.integers(0, 60))
def test_as_a_plain_walk(value: object, most_nodes: int) -> None:
    found = [tensor.name for tensor in walk_tensors(value, most_nodes=most_nodes)]
    assert found == plain_walk(value, most_nodes)
