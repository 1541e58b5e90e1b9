"""Whatever is said of the sample runs leaves no English prose, and costs little."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.json_text import check_json
from ckpt_tui.cli.judging import Asked
from ckpt_tui.cli.looking import Look, look_at
from ckpt_tui.cli.report import report
from ckpt_tui.core import advice
from ckpt_tui.core.asked_size import answer_for_size
from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.vocabulary import Level
from ckpt_tui.words import CATALOGS
from ckpt_tui.words.sentences import Sentences
from tests.words.collected_sentences import is_english

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.snapshot import Snapshot

RUNS = Path(__file__).parents[2] / "sample_runs"
TOLD = {"message", "remedy", "why", "evidence", "not_checked", "how"}
LONGEST_SECONDS = 0.005
"""For one sentence that was not said before."""
MANY = 100


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    words.use("en")


@pytest.fixture(scope="module", params=[None, 6], ids=["own size", "of 6 ranks"])
def snapshots(request: pytest.FixtureRequest) -> tuple[Snapshot, ...]:
    look = Look(Asked(world_size=request.param), settle_seconds=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CKPT_TUI_CACHE", "0")  # what somebody's `verify` found of them does not count
        return look_at([str(path) for path in sorted(RUNS.iterdir()) if path.is_dir()], look)


@pytest.fixture(scope="module")
def sentences(snapshots: tuple[Snapshot, ...]) -> list[str]:
    documents = (json.loads(check_json([each], Level.OK, ExitCode.OK, 0.0)) for each in snapshots)
    told = {text for document in documents for text in _told(document, "")}
    runs = [run for each in snapshots for run in each.runs]
    told |= {text for run in runs for c in run.checkpoints for text in _advice(c)}
    told |= {answer_for_size(run, 6).sentence() for run in runs}
    return sorted(told)


def _advice(checkpoint: Checkpoint) -> Iterator[str]:
    yield advice.headline(checkpoint)
    yield reason_of(checkpoint)
    yield from (step.text for step in advice.steps(checkpoint))


def _told(value: object, key: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _told(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _told(each, key)
    elif isinstance(value, str) and key in TOLD:
        yield value


@pytest.mark.parametrize("language", CATALOGS)
def test_no_english_prose_is_left(sentences: list[str], language: str) -> None:
    say = _sentences_of(language).say
    assert len(sentences) > MANY
    left = {text: say(text) for text in sentences if is_english(say(text))}
    assert not left


@pytest.mark.parametrize("language", CATALOGS)
def test_no_english_prose_is_in_the_report(snapshots: tuple[Snapshot, ...], language: str) -> None:
    words.use(language)
    lines = report([each for each in snapshots if each.runs], now=2e9).splitlines()
    assert len(lines) > MANY
    assert not [text for text in lines if is_english(text)]


@pytest.mark.parametrize("language", CATALOGS)
def test_a_sentence_is_said_in_no_time(sentences: list[str], language: str) -> None:
    say = _sentences_of(language).say
    took = []
    for text in sentences:
        begin = process_time()
        say(text)
        took.append(process_time() - begin)
    assert sorted(took)[len(took) * 9 // 10] < LONGEST_SECONDS


def test_english_stays_as_it_is(sentences: list[str]) -> None:
    assert [words.say_sentence(text) for text in sentences] == sentences


def _sentences_of(language: str) -> Sentences:
    catalog = import_module(CATALOGS[language])
    return Sentences(catalog.SENTENCES, catalog.COUNTS, catalog.PUNCTUATION)
