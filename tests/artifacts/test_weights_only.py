"""What `torch.load(weights_only=True)` stops at."""

from __future__ import annotations

import pytest

from ckpt_tui.artifacts.weights_only import NUMPY_ARRAYS, is_refused, refused_globals


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
        (("torch.nn.modules.linear.Linear", "torch._C.Generator"), None),
        (("torch.optim.adamw.AdamW", "torch.nn.parameter.UninitializedParameter"), None),
        (("torch.nn.parameter.Parameter", "torch.distributed.tensor.DTensor"), ()),
        (("torch.masked.maskedtensor.core.MaskedTensor",), None),
        (("torch.distributed._shard.sharded_tensor.api.ShardedTensor",), None),
        (("torch.fx.graph_module.reduce_graph_module", "torch.utils._pytree.TreeSpec"), None),
        (("torch.nested._internal.nested_tensor._rebuild_njt", "torch.storage.TypedStorage"), ()),
    ],
)
def test_refused(names: tuple[str, ...], refused: tuple[str, ...] | None) -> None:
    assert refused_globals(names) == (tuple(sorted(names)) if refused is None else refused)


def test_the_caller_may_allow_arrays_but_no_scalars() -> None:
    arrays = ("numpy.ndarray", "numpy.dtype", "numpy._core.multiarray._reconstruct")
    scalar = "numpy._core.multiarray.scalar"
    assert refused_globals((*arrays, scalar), NUMPY_ARRAYS) == (scalar,)


@pytest.mark.parametrize("protocol", range(6))
def test_protocols_with_frames_are_refused_whatever_they_name(protocol: int) -> None:
    assert is_refused((), protocol) == (protocol not in (2, 3))
    assert is_refused(("argparse.Namespace",), protocol)
