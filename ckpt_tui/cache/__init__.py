"""Facts of checkpoints that were read before, in the user's cache directory."""
