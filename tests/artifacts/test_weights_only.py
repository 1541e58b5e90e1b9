"""What `torch.load(weights_only=True)` stops at."""

from __future__ import annotations

import pytest

from ckpt_tui.artifacts.weights_only import NUMPY_ARRAYS, refused_globals


@pytest.mark.parametrize(
    ("names", "refused"),
    [
        ((), ()),
        (("collections.OrderedDict", "builtins.set", "torch._utils._rebuild_tensor_v2"), ()),
        (("torchao.optim.subclass_8bit.OptimState8bit",), ()),
        (("collections.defaultdict", "argparse.Namespace"), None),
        (("numpy.dtype", "numpy._core.multiarray.scalar"), None),
        (("torchvision.x", "builtins.getattr"), None),
        (("torch.torch_version.TorchVersion",), None),
    ],
)
def test_refused(names: tuple[str, ...], refused: tuple[str, ...] | None) -> None:
    assert refused_globals(names) == (tuple(sorted(names)) if refused is None else refused)


def test_the_caller_may_allow_arrays_but_no_scalars() -> None:
    arrays = ("numpy.ndarray", "numpy.dtype", "numpy._core.multiarray._reconstruct")
    scalar = "numpy._core.multiarray.scalar"
    assert refused_globals((*arrays, scalar), NUMPY_ARRAYS) == (scalar,)
