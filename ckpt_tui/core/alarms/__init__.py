"""What an operator has to hear of: alarms with levels, and the log of what happened to saves.

Pure: from what was remembered, a picture and the time to alarms and events. `look_out` is the way
in, `of_root`, `of_run` and `of_save` have the rules, docs/alarms.md lists them.
"""
