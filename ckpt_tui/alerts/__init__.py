"""Carries alarms out of the screen: to the terminal, a program, a web address.

Everything is off until the user's own configuration asks for it. Nothing here waits on the screen's
thread, and a failure is told, never raised.
"""
