"""Checkpoints that a loop writes with `pickle.dump`: one file, or one per role."""
