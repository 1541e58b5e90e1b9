"""Whatever `verify` says of files, whole or damaged, leaves no English prose."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui import words
from ckpt_tui.cli.verify_report import verify_report
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.words import CATALOGS
from tests.words.collected_sentences import is_english

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ckpt_tui.verify.results import Verified

RUNS = Path(__file__).parents[2] / "sample_runs"
MOST_BYTES = 64 * 1024
MANY = 10


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    words.use("en")


def whole(data: bytes) -> bytes:
    return data


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def with_another_byte(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes((data[middle] ^ 0x55,)) + data[middle + 1 :]


def longer(data: bytes) -> bytes:
    return data + b"\0" * 5


@pytest.fixture(scope="module", params=[whole, cut, with_another_byte, longer])
def verified(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Verified:
    change: Callable[[bytes], bytes] = request.param
    runs = tmp_path_factory.mktemp("verified") / "runs"
    shutil.copytree(RUNS, runs, symlinks=True)
    for path in runs.rglob("*"):
        if path.is_file() and not path.is_symlink() and 0 < path.stat().st_size < MOST_BYTES:
            path.write_bytes(change(path.read_bytes()))
    return verify((str(runs),), Options(finite=True))


def _told(verified: Verified) -> set[str]:
    told = {reason for _, reason in verified.problems}
    for file in verified.files:
        told |= {file.message, file.method}
        told |= {text for fault in file.faults for text in (fault.place, fault.message)}
    return told - {""}


@pytest.mark.parametrize("language", CATALOGS)
def test_no_english_prose_is_left(verified: Verified, language: str) -> None:
    words.use(language)
    told = _told(verified)
    assert len(told) > MANY
    assert not {text for text in told if is_english(words.say_sentence(text))}


@pytest.mark.parametrize("language", CATALOGS)
def test_no_english_prose_is_in_the_report(verified: Verified, language: str) -> None:
    words.use(language)
    lines = verify_report(verified).splitlines()
    assert len(lines) > MANY
    assert not [line for line in lines if is_english(line)]
