"""How TensorFlow's own loaders are called for a checkpoint, and what they take by themselves."""

from __future__ import annotations

import json
import os

from ckpt_tui.core.facts import LoaderFacts, OwnChoice, Reshard

RESHARD = Reshard(
    True, "natively: each variable is restored by its name, whatever the number of workers"
)


def loader_facts(base: str, prefix: str, *, of_graph: bool, kept_by_manager: bool) -> LoaderFacts:
    """How to call the loader.

    Args:
        base: Absolute path of the run's directory.
        prefix: What the names of its files begin with.
        of_graph: True for `tf.train.Checkpoint`, which stores its object graph; False for TF1's
            Saver.
        kept_by_manager: Whether the text `checkpoint` was written with it.
    """
    path = os.path.join(base, prefix)
    call = "tf.train.Checkpoint(...).restore" if of_graph else "tf.compat.v1.train.Saver().restore"
    told = json.dumps(path)
    flag = f"{call}({told})" if of_graph else f"{call}(session, {told})"
    own = OwnChoice.POINTER if kept_by_manager else OwnChoice.NONE
    return LoaderFacts(flag=flag, tag=prefix, own_choice=own, path=path)


def export_loader(path: str, name: str) -> LoaderFacts:
    """How to call the loader of a SavedModel."""
    return LoaderFacts(flag=f"tf.saved_model.load({json.dumps(path)})", tag=name)
