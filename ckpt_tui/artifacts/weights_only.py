"""Which globals `torch.load(weights_only=True)` refuses, the default since torch 2.6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

_ALLOWED: Final = frozenset(
    {
        "_codecs.encode", "builtins.bytearray", "builtins.complex", "builtins.set",
        "collections.Counter", "collections.OrderedDict",
    }
)  # fmt: skip
_FRAMEWORKS: Final = ("torch.", "torchao.")
"""Parts of torch, and torchao, add their own classes to the list when they are imported."""

_REFUSED: Final = (
    "torch._C.Generator", "torch._C._distributed_c10d.", "torch.amp.", "torch.ao.",
    "torch.autograd.", "torch.cuda.amp.", "torch.distributed._shard.",
    "torch.distributed.checkpoint.", "torch.distributed.distributed_c10d.",
    "torch.distributed.fsdp.", "torch.distributions.", "torch.fx.", "torch.jit.",
    "torch.masked.", "torch.nn.attention.", "torch.nn.functional.", "torch.nn.modules.",
    "torch.nn.parallel.", "torch.nn.parameter.Uninitialized", "torch.nn.utils.",
    "torch.optim.", "torch.profiler.", "torch.torch_version.TorchVersion", "torch.utils.",
)  # fmt: skip
"""What of torch is on no list: whole modules, optimizers, the type of `torch.__version__`."""

_PROTOCOLS: Final = (2, 3)
"""Pickle protocols whose opcodes the loader knows; of newer ones it stops at the first frame."""

NUMPY_ARRAYS: Final = frozenset(
    f"{package}.{name}"
    for package in ("numpy", "numpy.core.multiarray", "numpy._core.multiarray", "numpy.dtypes")
    for name in ("_reconstruct", "ndarray", "dtype", "UInt32DType")
)
"""What the Trainer, for random states, and accelerate allow besides: arrays, but no scalars."""


def refused_globals(names: Iterable[str], also: Set[str] = frozenset()) -> tuple[str, ...]:
    """Those of a pickle's globals that the loader stops at, sorted.

    Source: `torch/_weights_only_unpickler.py`, `_get_allowed_globals`.

    Args:
        names: Qualified names, `module.name`, as in `LoadedPickle.globals`.
        also: What the caller of the loader allows besides.
    """
    return tuple(
        sorted(
            name
            for name in names
            if name.startswith(_REFUSED)
            or not (name in _ALLOWED or name in also or name.startswith(_FRAMEWORKS))
        )
    )


def is_refused(names: Iterable[str], protocol: int) -> bool:
    """Whether the loader stops at a pickle, be it at a global or at its protocol.

    Args:
        names: As above.
        protocol: Of the pickle; torch writes 2 where nothing is said.
    """
    return protocol not in _PROTOCOLS or bool(refused_globals(names))
