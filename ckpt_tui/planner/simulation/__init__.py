"""An event simulator of whole runs: it steps from failure to failure and knows no formula.

It is there to be compared with the exact models, and for what they do not give: the distribution
of a run's wall time. It needs numpy (the extra `sim`); nothing imports it until it is asked for.
"""
