from __future__ import annotations

import json

import pytest

from ckpt_tui.core.plain import PlainError
from ckpt_tui.recording.delta import delta, patched, plain_form
from ckpt_tui.recording.pictures import PictureDecoder, PictureEncoder
from tests.recording.builders import night
from tests.tui import situations


def written(value: object) -> object:
    """As it comes back from a file."""
    return json.loads(json.dumps(value, default=plain_form))


@pytest.mark.parametrize("name", sorted(situations.ALL))
def test_every_situation_comes_back(name: str) -> None:
    picture = situations.ALL[name]()
    state = written(PictureEncoder().state_of(picture))
    made = PictureDecoder().snapshot_of(state)
    assert made == picture
    for run in made.runs:
        assert run.resume is None or any(c is run.resume for c in run.checkpoints)


def test_what_did_not_change_is_not_written_again() -> None:
    encoder, (first, second, *_) = PictureEncoder(), night()
    before, after = encoder.state_of(first), encoder.state_of(second)
    known = {id(document) for document in before[1][0][1]}
    again = [document for document in after[1][0][1] if id(document) in known]
    assert len(again) == 2


def test_what_did_not_change_is_not_read_again() -> None:
    encoder, decoder, (first, second, *_) = PictureEncoder(), PictureDecoder(), night()
    states = encoder.state_of(first), encoder.state_of(second)
    told = written(states[0])
    before = decoder.snapshot_of(told)
    after = decoder.snapshot_of(patched(told, written(delta(*states))).value)
    assert after == second
    old = {id(checkpoint) for checkpoint in before.checkpoints}
    assert sum(id(checkpoint) in old for checkpoint in after.checkpoints) == 2


@pytest.mark.parametrize("state", [None, [], [["/"], [1]], [["/"], [[[], [], 0]]], [[], []], {}])
def test_a_state_that_is_none_is_refused(state: object) -> None:
    with pytest.raises(PlainError):
        PictureDecoder().snapshot_of(state)
