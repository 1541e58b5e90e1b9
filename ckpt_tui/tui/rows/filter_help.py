"""The filter's language as the help shows it; `ckpt_tui.core.query` reads it."""

from __future__ import annotations

from ckpt_tui.words import later

FILTER_HELP = (
    ("word", later("the word is somewhere in the row")),
    ('"two words"', later("text with spaces, or a word that would be a field")),
    ("!word", later("it is nowhere in the row; ! turns every term round")),
    ("step>5000", later("also < >= <= =, and size>1g, ranks=8, took>5m")),
    ("age<2h", later("committed, or last written, less than 2 hours ago; s m h d w")),
    ("state:saving", later("the state's word begins so; with commas any of several")),
    ("role:rng", later("the checkpoint has that role")),
    ("rank:640", later("that rank's shard is missing or broken")),
    ("finding:shard", later("a finding whose code has that in it; also run: and format:")),
)
"""Sign → what it means."""
