"""A small Keras model whose weights and optimizer are functions of the epoch."""

from __future__ import annotations

from typing import Any

from tests.framework.jobs.base import Outcome

WIDTH = 512


def built_model(*, with_optimizer: bool = True) -> Any:
    """A compiled model; its optimizer's variables are there only where asked for."""
    import keras

    dense = keras.layers.Dense
    layers = [dense(WIDTH, name="hidden"), dense(WIDTH // 2, name="out")]
    model = keras.Sequential([keras.Input((WIDTH,)), *layers], name="small")
    model.compile(optimizer="adam", loss=keras.losses.MeanSquaredError())
    if with_optimizer:
        model.optimizer.build(model.trainable_variables)
    return model


def fit(model: Any, epochs: int, callbacks: list[Any]) -> None:
    """Trains; each epoch ends with the state that belongs to it, before the callbacks save."""
    import keras
    import numpy as np

    class Filling(keras.callbacks.Callback):
        """Runs before the callbacks that save."""

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            fill(self.model, epoch + 1)

    inputs, targets = np.zeros((8, WIDTH), "f4"), np.zeros((8, WIDTH // 2), "f4")
    model.fit(inputs, targets, epochs=epochs, verbose=0, callbacks=[Filling(), *callbacks])


def fill(model: Any, epoch: int) -> None:
    """Gives all variables the values of the end of an epoch, counted from 1."""
    for variable, value in _values(model, epoch):
        variable.assign(value)


def compared(model: Any, epoch: int) -> Outcome:
    """What of the epoch's end came back; the step is the optimizer's count of iterations."""
    import numpy as np

    wanted = _values(model, epoch)
    equal = [np.array_equal(np.asarray(variable), value) for variable, value in wanted]
    count = len(model.trainable_variables)
    whole = len(wanted) > count + 1  # else the optimizer's moments are not even there
    return Outcome(
        model=all(equal[:count]),
        optimizer=whole and all(equal[count:]),
        step=int(model.optimizer.iterations) == epoch,
    )


def _values(model: Any, epoch: int) -> list[tuple[Any, Any]]:
    import numpy as np

    chance = np.random.default_rng(epoch)
    rates = [each for each in model.optimizer.variables if each.path.endswith("learning_rate")]
    changing = [each for each in model.optimizer.variables if all(each is not r for r in rates)]
    values = []
    for variable in [*model.trainable_variables, *changing]:
        shape = tuple(variable.shape)
        value = chance.random(shape, dtype=np.float32) if shape else np.asarray(epoch)
        values.append((variable, value.astype(variable.dtype)))
    return values
