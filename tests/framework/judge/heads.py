"""What stands above the tables, per family of frameworks."""

from __future__ import annotations

_TORCH = """\
# Agreement with the frameworks

The frameworks themselves are the judge: a real job of each, on CPU, is killed at a random moment
(all ranks; one rank, the others then die of it; one rank stopped while the others go on, then all
killed; on a file system that is full; in the middle of the removal of old checkpoints). Then the
framework is asked to load what is left, by the call and the protocol of its author, in as many
ranks as had written it, and the parameters, the optimizer's state and the step are compared with
what the writer had in memory. We agree where our `resumable` says what came back. `pytest -m
frameworks tests` does a small part of it; this table is made by

```
pip install '.[test,frameworks]'
python -m tests.framework.judge --states 1000 --journal FILE --table docs/framework-agreement.md
```

which goes on where it stopped when it is called again with the same journal. A *killed state* is
the newest attempt that one killed run left behind. *False resumable*: we say yes, the framework
refuses it or restores less than model, optimizer and step. *False broken*: the other way round.
Configurations that save the model alone (`model-only`, `weights-only`, `hf-…`) are never restored.
A full disk is a small tmpfs at the run's directory where mounting is allowed, else `RLIMIT_FSIZE`.
The JAX, TensorFlow, Keras and Paddle family has [a page of its own](framework-agreement-jax.md).
"""

_JAX = """\
# Agreement with the frameworks: JAX, TensorFlow, Keras, Paddle

As for [the torch family](framework-agreement.md), whose page says what the words mean: real jobs
on CPU are killed at random moments of their saves and of the removal of old checkpoints, or fill
their disk; then the framework restores what is left by name, with the manager, the options and
the target of the writer, and parameters, optimizer and step are compared with what the writer had
in memory. Beside that, files of finished checkpoints are removed, emptied or cut. What a manager
does not list (a directory under a temporary name, a COMMIT_FILE step without its marker) it
refuses by its protocol.

Each version has an interpreter of its own; ours needs none of the frameworks:

```
pip install '.[test]'
python -m venv .venv-jax && .venv-jax/bin/pip install '.[frameworks-jax]'
python -m venv .venv-0.11 && .venv-0.11/bin/pip install jax==0.5.3 orbax-checkpoint==0.11.13 \\
    flax==0.10.6 optax==0.2.8
python -m venv .venv-0.6 && .venv-0.6/bin/pip install jax==0.4.35 orbax-checkpoint==0.6.4 \\
    flax==0.10.0 optax==0.2.5
python -m venv .venv-paddle && .venv-paddle/bin/pip install paddlepaddle==3.3.1
python -m tests.framework.judge --family jax --states 480 --losses 6 --saves 4 --journal FILE \\
    --table docs/framework-agreement-jax.md --python-of '*=.venv-jax/bin/python' \\
    --python-of '*-0.11=.venv-0.11/bin/python' --python-of '*-0.6=.venv-0.6/bin/python' \\
    --python-of paddle=.venv-paddle/bin/python
```

With `--keep DIR --keep-all` every state is kept; `--again` then judges these once more by our
readers as they are now, without the frameworks. `pytest -m frameworks tests` does a small part of
it where `CKPT_TUI_JAX_PYTHON` names the interpreter of `.venv-jax`.

`keras` per file: `.h5` of older Keras loses the optimizer's moments when it is loaded, so it is
never restored; `.weights.h5` is loaded into a model whose optimizer is built, as the callback
`BackupAndRestore` does it; so are the weights of a backup whose first save left no more than
these. `keras-orbax` is Keras' callback `OrbaxCheckpoint`.
"""

HEADS = {"torch": _TORCH, "jax": _JAX}
