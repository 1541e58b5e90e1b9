"""Checkpoint-interval planning: costs, optima and rates as pure functions of numbers.

No module here reads a file, a clock or the environment. Times are minutes inside the planner.
"""
