"""What was observed of runs, kept in the user's state directory: never in a watched one.

A directory forgets: rotation removes checkpoints, copies flatten times. What was seen while a
process watched is kept here, so that intervals, save times and failures are known better the
longer one watches. It can be switched off, looked at and cleared.
"""
