"""Our verdicts, asked of a process whose interpreter has what our package needs.

The frameworks live in interpreters of their own, where neither our package nor its dependencies
are installed.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]


class OurVerdict(NamedTuple):
    """What we say of one checkpoint.

    Attributes:
        resumable: A restart can take it.
        verdict: In one word.
        why: In one sentence.
        codes: Of its findings.
        format: Its format.
    """

    resumable: bool
    verdict: str
    why: str
    codes: tuple[str, ...] = ()
    format: str = ""


NOT_SEEN = OurVerdict(False, "not seen", "no checkpoint is seen there")


class OurTwo(NamedTuple):
    """What we say of one checkpoint, asked in two ways.

    Attributes:
        in_run: Its siblings known.
        alone: Named by itself.
    """

    in_run: OurVerdict
    alone: OurVerdict


class Judging:
    """A judging process; it ends with us, and is started again if it died of a question.

    Args:
        python: Its interpreter.
    """

    def __init__(self, python: str) -> None:
        self._program = [python, "-m", "tests.framework.judge.judging"]
        self._process: subprocess.Popen[str] | None = None

    def of(self, run: Path, chosen: list[Path], attempts: list[Path]) -> dict[Path, OurTwo]:
        """Judges a run's directory.

        Args:
            run: The directory.
            chosen: The checkpoints that are asked about.
            attempts: All that the framework may be asked for.

        Returns:
            Those that were chosen, and all others that we call resumable but that are no attempts.

        Raises:
            EOFError: The process died.
        """
        named = [list(map(str, paths)) for paths in (chosen, attempts)]
        answer = self._answer(json.dumps([str(run), *named]))
        return {Path(path): OurTwo(*map(_verdict, two)) for path, two in json.loads(answer)}

    def _answer(self, question: str) -> str:
        if self._process is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                self._program, stdin=pipe, stdout=pipe, text=True, cwd=ROOT
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(question, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            self._process.wait()
            self._process = None
            raise EOFError("the judging process died")
        return answer


def _verdict(fields: list[object]) -> OurVerdict:
    """The verdict that JSON made a list of."""
    resumable, verdict, why, codes, format_ = fields
    assert isinstance(codes, list)
    return OurVerdict(bool(resumable), str(verdict), str(why), tuple(codes), str(format_))
