"""ckpt-tui: which training checkpoint can the job resume from, and why not the newer ones?

The lesson's four functions are the public API. They load on first use (PEP 562), so that
importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ckpt_tui.core.lesson import inspect_checkpoint_manifest, validate_sharded_checkpoint
    from ckpt_tui.planner.lesson import checkpoint_interval_cost, expected_failure_overhead

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "checkpoint_interval_cost",
    "expected_failure_overhead",
    "inspect_checkpoint_manifest",
    "validate_sharded_checkpoint",
]

_HOMES = {
    "checkpoint_interval_cost": "ckpt_tui.planner.lesson",
    "expected_failure_overhead": "ckpt_tui.planner.lesson",
    "inspect_checkpoint_manifest": "ckpt_tui.core.lesson",
    "validate_sharded_checkpoint": "ckpt_tui.core.lesson",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
