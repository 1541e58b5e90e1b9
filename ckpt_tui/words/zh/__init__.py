"""Simplified Chinese; a module for each part of the program."""

from __future__ import annotations

from importlib import import_module

from ckpt_tui.words.saying import Punctuation

_TEXTS = (
    "commands",
    "commands_help",
    "commands_usage",
    "planner",
    "planner_command",
    "planner_screen",
    "explained",
    "explained_files",
    "explained_runs",
    "reports",
    "demo",
    "dashboard",
    "dashboard_screens",
    "leaving",
    "panes",
    "vocabulary",
    "keys",
    "commands_show",
    "timeline",
    "tensors",
    "configuration",
    "configuration_plan",
    "verify_command",
    "verify_screens",
)
_SENTENCES = (
    "vocabulary",
    "sentences_words",
    "sentences_core",
    "sentences_verdicts",
    "sentences_alarms",
    "sentences_watching",
    "sentences_formats",
    "sentences_manifest",
    "sentences_jobs",
    "sentences_megatron",
    "sentences_jax",
    "sentences_keras",
    "sentences_loops",
    "sentences_verified",
    "sentences_hdf5",
    "sentences_stored",
    "sentences_verify",
    "sentences_files",
    "sentences_zip",
    "sentences_system",
    "sentences_recording",
    "sentences_planner",
)


def _together(names: tuple[str, ...]) -> dict[str, str]:
    together: dict[str, str] = {}
    for name in names:
        together |= import_module(f"{__name__}.{name}").TEXTS
    return together


TEXTS = _together(_TEXTS)
"""English text → the same in Chinese, with the same names in braces."""

SENTENCES = _together(_SENTENCES)
"""English template of a sentence → the same in Chinese, with numbered values."""

COUNTS = _together(("counts",))
"""English noun → the same with a number."""

PUNCTUATION = Punctuation("；", "", "：", "、", "和", "或", "（", "）", "。")
