"""Records what the dashboard shows, and reads it again frame by frame.

The file is JSON lines (docs/replay.md): a header, full frames, and frames that tell only what
changed since the one before.
"""
