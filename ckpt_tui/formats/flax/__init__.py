"""flax: single msgpack files of `flax.training.checkpoints`, `checkpoint_N`."""
