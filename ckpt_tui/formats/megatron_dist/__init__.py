"""Megatron-Core's distributed checkpoints, and NeMo's."""
