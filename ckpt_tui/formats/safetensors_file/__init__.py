"""Safetensors files that lie by themselves: weights put out for use elsewhere."""
