"""What every finding code and every verdict means: what was seen, why, what follows, what to do.

The one table behind `ckpt-tui explain` and docs/findings.md. A new finding gets its entry in the
module of its kind: `files`, `content` or `runs`.
"""
