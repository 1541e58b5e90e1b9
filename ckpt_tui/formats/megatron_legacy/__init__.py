"""Megatron-LM's checkpoints of one directory per model-parallel rank."""
