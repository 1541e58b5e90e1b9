"""Orbax checkpoints (JAX, Flax, Keras): a directory of items that a rename or a marker commits."""
