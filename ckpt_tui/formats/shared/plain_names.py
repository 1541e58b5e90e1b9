"""Names that loops give to files of states: which state, which step, whether a final one."""

from __future__ import annotations

import re
from typing import NamedTuple

from ckpt_tui.core.siblings import plain_name
from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.shared.names import is_staging_name, step_of_name
from ckpt_tui.formats.shared.roles import role_of_file_name, role_of_key
from ckpt_tui.formats.shared.series import series_step

_STAGED_END = re.compile(
    r"[._-](?:tmp|temp|partial|incomplete|part|new)(?:[._-]?[0-9A-Za-z]{0,40})$", re.IGNORECASE
)
_STEP_AT_END = re.compile(r"(?P<ending>\.[a-z]+)-(?P<step>\d{6,18})")
"""Big Vision copies `checkpoint.npz` to `checkpoint.npz-000001000` where a step is to be kept."""
_STAGED_START = re.compile(r"^\.?(?:tmp|temp)[._-]", re.IGNORECASE)
_SERIES = re.compile(
    r"(?<![a-z])(?:ckpt|checkpoint|chkpt|snapshot|state|step|iter|iteration|epoch|save|resume"
    r"|latest|last|best)s?(?![a-z])",
    re.IGNORECASE,
)
_WEIGHTS = re.compile(
    r"(?:.*[^a-z])?(?:flax_model|weights|params|ckpt|checkpoint)s?(?:[^a-z].*)?"
    r"|model[_-]?(?:(?:final|best|last|latest|state)[^a-z]*)?[^a-z]*",
    re.IGNORECASE,
)


class PlainName(NamedTuple):
    """What the name of one file says.

    Attributes:
        stem: Without ending and without what makes it a temporary one.
        step: The training step in it; None where it carries none.
        role: The state that it names; None where it names none.
        staged: Whether it is a temporary name.
    """

    stem: str
    step: int | None
    role: str | None
    staged: bool

    @property
    def family(self) -> str:
        """The stem with its numbers blotted out: the same in all of a series."""
        return plain_name(self.stem)

    @property
    def of_series(self) -> bool:
        """Whether it is called as one of several saves is: `ckpt_100`, `step-5`, `best`."""
        return _SERIES.search(self.stem) is not None

    @property
    def of_weights(self) -> bool:
        """Whether it says that it holds a model, or a checkpoint, which has one."""
        return role_of_key(self.stem) == MODEL or _WEIGHTS.fullmatch(self.stem) is not None


def plain_name_of(name: str, endings: tuple[str, ...]) -> PlainName | None:
    """Reads the name of a file; None where its ending, final or temporary, is none of these."""
    final = final_name(_STEP_AT_END.sub(r"-\g<step>\g<ending>", name), endings)
    ending = next((e for e in endings if final.endswith(e)), None)
    if ending is None:
        return None
    stem = final.removesuffix(ending)
    step = series_step(stem)
    if step is None and role_of_key(stem) is not None and stem[-1:].isdigit():
        step = step_of_name(stem)
    return PlainName(stem, step, role_of_file_name(stem), is_staging_name(name))


def final_name(name: str, endings: tuple[str, ...]) -> str:
    """The name that a file under a temporary name is renamed to, as far as it shows."""
    if not is_staging_name(name):
        return name
    ending = next((e for e in endings if name.endswith(e)), "")
    stem = _STAGED_END.sub("", name.removesuffix(ending))
    return _STAGED_START.sub("", stem).lstrip(".") + ending
