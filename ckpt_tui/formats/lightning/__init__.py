"""Lightning: one file, or a directory of its sharded strategies."""
