"""`ckpt-tui` and `python -m ckpt_tui`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and exits with its code."""
    from ckpt_tui.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
