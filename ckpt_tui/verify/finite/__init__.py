"""The scan for NaN and infinity in floating tensors."""
