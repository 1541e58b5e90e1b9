"""`v` in the dashboard: bytes of checkpoints are verified beside the screen."""
