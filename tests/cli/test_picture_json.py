"""The dashboard's export says what `check --json` says."""

from __future__ import annotations

import json

import pytest

from ckpt_tui.cli.picture_json import picture_json
from tests.tui import situations
from tests.tui.builders import NOW


@pytest.mark.parametrize(
    ("name", "code"), [("healthy", 0), ("mixed", 1), ("nothing", 2), ("empty", 4)]
)
def test_the_document_of_a_picture(name: str, code: int) -> None:
    picture = situations.ALL[name]()
    document = json.loads(picture_json(picture, NOW))
    assert document["schema"] == "ckpt-tui/check/1"
    assert (document["root"], document["exit_code"]) == (picture.root, code)
    assert document["generated_at"] == "2026-01-01T11:00:00Z"
    made = [each["path"] for run in document["runs"] for each in run["checkpoints"]]
    assert made == [checkpoint.path for checkpoint in picture.checkpoints]
