"""The data type of an array as a pickle spells it."""

from __future__ import annotations

from ckpt_tui.artifacts.inert import Instance, Stub
from ckpt_tui.artifacts.numpy_dtypes import Dtype, dtype_of_code, dtype_of_name


def pickled_dtype(described: object) -> Dtype | None:
    """What a pickled `numpy.dtype` is; None where it is none, or of a kind without a name here.

    Args:
        described: The inert value: `numpy.dtype(code, …)` with the byte order in its state; the
            code is a class for the types of ml_dtypes.
    """
    if not isinstance(described, Instance) or described.qualified_name != "numpy.dtype":
        return None
    if not described.args:
        return None
    code, state = described.args[0], described.state
    if isinstance(code, Stub):
        return dtype_of_name(code.name)
    if not isinstance(code, str):
        return None
    if code.startswith("O"):  # with the size of a pointer behind it
        return dtype_of_code("O")
    order = state[1] if isinstance(state, tuple) and len(state) > 1 else None
    known = dtype_of_code(f"{order}{code}" if order in ("<", ">", "|") else code)
    return known or dtype_of_name(code)
