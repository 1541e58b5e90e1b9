"""torchsnapshot: a directory of slabs and objects, listed by `.snapshot_metadata`."""
