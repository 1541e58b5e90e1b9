"""msgpack files of loops of their own, and directories of them as HF's flax examples write."""
