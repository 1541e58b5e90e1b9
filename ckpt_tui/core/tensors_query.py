"""The filter's language for tensors: words of the name, and a few fields with values.

It is that of `ckpt_tui.core.query`: all terms must hold, `!` turns one round, quotes make text of
anything, and a field without its value is no term yet.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.quantities import BadQuantityError, bytes_of, count_of
from ckpt_tui.core.query_words import (
    EQUAL,
    SIGNS,
    BadQueryError,
    needs_text,
    unknown_field,
    words_in,
)
from ckpt_tui.core.vocabulary import OTHER
from ckpt_tui.words import later

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.query_words import Word
    from ckpt_tui.core.tensors import Tensor

    _Term = Callable[[Tensor], bool]

TENSOR_QUERY_HELP = (
    ("word", later("the word is in the tensor's name, capital letters or not")),
    ("!word", later("it is not in the name; ! turns every term round")),
    ("dtype:bf16", later("the data type, by its name or the usual short one")),
    ("role:optimizer", later("the state that it belongs to begins so")),
    ("shape:4096", later("one of its lengths; shape:4096x128 for two side by side")),
    ("size>16m", later("also < >= <= =; bytes, or with k, m, g, t")),
    ("rank:3", later("that rank's file holds a chunk of it")),
    ("file:00002", later("the word is in the path of a file that holds it")),
)

_LENGTHS = re.compile(r"\d{1,20}(?:[x×,*]\d{1,20})*[x×,*]?", re.ASCII)
_BETWEEN_LENGTHS = re.compile(r"[x×,*]")
_SCALAR = "scalar"
_SHORT_DTYPES = {
    "bf16": "bfloat16", "fp16": "float16", "f16": "float16", "half": "float16",
    "fp32": "float32", "f32": "float32", "fp64": "float64", "f64": "float64",
    "double": "float64", "fp8": "float8", "f8": "float8",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "long": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "byte": "uint8",
}  # fmt: skip


class TensorQuery(NamedTuple):
    """All of its terms must hold."""

    text: str
    terms: tuple[_Term, ...]

    def matches(self, tensor: Tensor) -> bool:
        """Whether a tensor is shown."""
        return all(term(tensor) for term in self.terms)

    def places(self, tensors: Sequence[Tensor]) -> list[int]:
        """Indexes of the tensors that are shown, in their order."""
        places: Sequence[int] = range(len(tensors))
        for term in self.terms:
            places = [place for place in places if term(tensors[place])]
        return list(places)


EVERY_TENSOR = TensorQuery("", ())


def parse_tensor_query(text: str) -> TensorQuery:
    """Reads a query.

    Raises:
        BadQueryError: There is no such field, or its value is of no use.
    """
    terms: list[_Term] = []
    for word in words_in(text):
        term = _term(word)
        if term is not None:
            terms.append(_opposite(term) if word.inverted else term)
    return TensorQuery(text, tuple(terms))


def _opposite(term: _Term) -> _Term:
    return lambda tensor: not term(tensor)


def _term(word: Word) -> _Term | None:
    """The term of one word; None where it is half typed."""
    field, sought = word.field, word.sought
    if field is None:
        return None if not sought or word.text in _EXAMPLES else lambda t: sought in t.name.lower()
    name, sign, value = field
    if name not in _EXAMPLES:
        raise unknown_field(name, sign)
    if not value:
        return None
    if name == "size":
        return _size_term(sign, value)
    if sign not in EQUAL:
        raise BadQueryError(_needs(name))
    return _TERMS[name](value)


def _needs(name: str) -> str:
    return needs_text(name, _EXAMPLES[name])


def _size_term(sign: str, value: str) -> _Term:
    try:
        limit, holds = bytes_of(value), SIGNS[sign]
    except BadQuantityError as error:
        raise BadQueryError(_needs("size")) from error
    return lambda tensor: holds(tensor.size_bytes, limit)


def _dtype_term(value: str) -> _Term:
    wanted = (value, _SHORT_DTYPES.get(value, value))
    return lambda tensor: tensor.dtype.startswith(wanted)


def _role_term(value: str) -> _Term:
    return lambda tensor: (tensor.role or OTHER).startswith(value)


def _shape_term(value: str) -> _Term:
    if _SCALAR.startswith(value):
        return lambda tensor: not tensor.shape
    if not _LENGTHS.fullmatch(value):
        raise BadQueryError(_needs("shape"))
    wanted = tuple(int(part) for part in _BETWEEN_LENGTHS.split(value) if part)
    count = len(wanted)
    if count == 1:
        return lambda tensor: wanted[0] in tensor.shape
    return lambda tensor: any(
        tensor.shape[start : start + count] == wanted
        for start in range(len(tensor.shape) - count + 1)
    )


def _rank_term(value: str) -> _Term:
    try:
        rank = count_of(value)
    except BadQuantityError as error:
        raise BadQueryError(_needs("rank")) from error
    return lambda tensor: any(chunk.rank == rank for chunk in tensor.chunks)


def _file_term(value: str) -> _Term:
    return lambda tensor: any(value in chunk.path.lower() for chunk in tensor.chunks)


_TERMS: dict[str, Callable[[str], _Term]] = {
    "dtype": _dtype_term,
    "role": _role_term,
    "shape": _shape_term,
    "rank": _rank_term,
    "file": _file_term,
}
_EXAMPLES = {
    "dtype": "dtype:bf16",
    "role": "role:optimizer",
    "shape": "shape:4096x128",
    "size": "size>16m",
    "rank": "rank:3",
    "file": "file:00002",
}
