"""Reading checkpoints ahead of the one that judges them, in processes of their own.

A first look at thousands of checkpoints of an expensive format takes as long as one core needs for
them, or as long as a file server needs to answer one question after the other. The processes share
that out; what they find is what a reading in this process finds.
"""
