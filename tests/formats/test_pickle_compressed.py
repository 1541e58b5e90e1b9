"""Pickles that a loop compressed are found by their names, read, and told cut or damaged."""

from __future__ import annotations

import bz2
import gzip
import lzma
import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from backports import zstd

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.pickle_file.floats import floating_arrays
from tests.formats.helpers import claimed_files, codes, cut, judged
from tests.formats.test_pickle_file import READER, state

if TYPE_CHECKING:
    from collections.abc import Callable


def as_lzma(data: bytes) -> bytes:
    return lzma.compress(data, format=lzma.FORMAT_ALONE)


COMPRESSIONS = pytest.mark.parametrize(
    ("ending", "compress", "opener"),
    [
        (".pkl.gz", gzip.compress, "gzip.open"),
        (".pkl.bz2", bz2.compress, "bz2.open"),
        (".pickle.xz", lzma.compress, "lzma.open"),
        (".pckl.lzma", as_lzma, "lzma.open"),
        (".pkl.zst", zstd.compress, "zstd.open"),
        (".pklz", gzip.compress, "gzip.open"),
        (".pbz2", bz2.compress, "bz2.open"),
    ],
)


@COMPRESSIONS
def test_a_compressed_pickle(
    tmp_path: Path, ending: str, compress: Callable[[bytes], bytes], opener: str
) -> None:
    """Every reader is asked by the names of files: it has to be known there, too."""
    for step in (10, 20):
        data = compress(pickle.dumps(state(step)))
        (tmp_path / f"ckpt_{step}{ending}").write_bytes(data)
    found = discover(str(tmp_path)).claims
    assert [claim.reader for claim in found] == ["pickle-file"] * 2
    assert [Path(claim.path).name for claim in found] == [f"ckpt_10{ending}", f"ckpt_20{ending}"]
    path = tmp_path / f"ckpt_20{ending}"
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.facts.step) == ("inexact", 20)
    assert checkpoint.facts.loader.flag == f"pickle.load({opener}(\"{path}\", 'rb'))"
    cut(path, path.stat().st_size * 2 // 3)
    assert (judged(READER, path).verdict, codes(judged(READER, path))) == (
        "corrupt",
        {"truncated-file"},
    )


@COMPRESSIONS
def test_the_arrays_of_a_compressed_pickle_have_no_place(
    tmp_path: Path, ending: str, compress: Callable[[bytes], bytes], opener: str
) -> None:
    path = tmp_path / f"ckpt_20{ending}"
    path.write_bytes(compress(pickle.dumps(state(20))))
    with FileSource(str(path)) as source:
        assert floating_arrays(source, Limits()) == []
    assert opener in judged(READER, path).facts.loader.flag


def test_a_compressed_data_set_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "train.pkl.bz2").write_bytes(bz2.compress(pickle.dumps([1, 2, 3])))
    assert claimed_files(READER, tmp_path) == []
