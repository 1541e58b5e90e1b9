"""Checkpoints of Keras: `.keras` archives, HDF5 weights, whole models in HDF5, backups."""
