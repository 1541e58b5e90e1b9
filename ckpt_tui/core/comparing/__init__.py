"""Two checkpoints side by side: what differs, and how much is the same. Pure."""
