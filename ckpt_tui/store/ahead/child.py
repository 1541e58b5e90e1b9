"""The process that reads ahead: claims come through its standard input, answers go back there."""

from __future__ import annotations

from multiprocessing.connection import Connection

from ckpt_tui.formats.shared.roles import use_synonyms
from ckpt_tui.store.ahead.examine import examine

STANDARD_INPUT = 0


def serve() -> None:
    """Answers until the other end is closed."""
    with Connection(STANDARD_INPUT) as connection:
        try:
            terms = connection.recv()
            use_synonyms(terms.synonyms)
            while True:
                connection.send(examine(connection.recv(), terms))
        except (EOFError, OSError, KeyboardInterrupt):
            return


if __name__ == "__main__":
    serve()
