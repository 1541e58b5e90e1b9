"""Reads the structure of HDF5 files within bounds: groups, datasets and where their bytes lie.

Field layouts are those of the HDF5 File Format Specification, version 3.0; what is refused is what
libhdf5 refuses when it opens a file and reads its datasets.
"""
