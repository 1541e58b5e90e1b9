"""torch.distributed.checkpoint, and what is built on it."""
