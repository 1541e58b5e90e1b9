"""The English sentences that the lower layers make: their templates, and the nouns that they count.

A template is a text of the source in which each value is `{}`; values side by side are one. Every
text of these packages with a blank between two words counts, but for what no person reads.
"""

from __future__ import annotations

import ast
import errno
import os
import re
from typing import TYPE_CHECKING

from tests.words.collected import SOURCE, calls, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = (
    "alerts",
    "artifacts",
    "cache",
    "cli/live_feed.py",
    "cli/looking.py",
    "cli/seal.py",
    "core",
    "demo/job.py",
    "demo/lock.py",
    "demo/plan.py",
    "formats",
    "fs",
    "history",
    "planner",
    "recording",
    "store",
    "verify",
    "watch",
)
OF_OTHERS = {
    "core/plain.py": "what a programmer reads",
    "core/lesson.py": "the words of the public lesson, which tests compare",
    "core/median.py": "what a programmer reads",
    "core/comparing": "marked with later",
    "core/explained": "marked with later",
    "core/tensors_query.py": "marked with later",
    "core/tensors_words.py": "marked with later",
    "planner/contract.py": "a key of the JSON",
    "planner/lesson.py": "what a programmer reads",
    "planner/markdown.py": "marked with later",
    "planner/presets.py": "marked with later; sources are quoted",
    "planner/saver_settings.py": "names and settings of frameworks",
    "planner/table.py": "marked with later",
}
PROGRAMMING_ERRORS = {"ValueError", "TypeError", "KeyError", "AssertionError", "RuntimeError"}
VALUES = (
    "missing",
    "empty",
    "short",
    "unreadable",
    "waiting",
    "now",
    "stopped",
    "nothing",
    "structure",
)
"""Words that stand alone: what may be wrong with a shard (`ShardFacts`), an age, a job's end, and
what protects a file (`verify`).
"""
SYSTEM_ERRORS = (
    errno.ENOENT,
    errno.EACCES,
    errno.EPERM,
    errno.EIO,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOSPC,
    errno.EROFS,
    errno.ESTALE,
    errno.ETIMEDOUT,
    errno.ENOTCONN,
    errno.EMFILE,
    errno.EEXIST,
    errno.ECONNREFUSED,
    errno.ENXIO,
    errno.EBADF,
)
"""What a file system, or whom an alarm is posted to, may answer."""
OF_JSON = (
    "Unterminated string starting at",
    "Unterminated string starting",
    "Expecting value",
    "Expecting property name enclosed in double quotes",
    "Expecting ',' delimiter",
    "Expecting ':' delimiter",
    "Extra data",
    "Invalid control character at",
    "Invalid control character",
    "Invalid \\escape",
)
"""What Python's JSON decoder says."""
NO_SENTENCES = {"compile", "cast", "TypeVar", "plural", "startswith", "strftime"}
"""Calls whose texts are no sentences: patterns, types, and nouns that `counted_nouns` finds."""
_PROSE = re.compile(r"[\w},;:)`'%…] [\w{(`'+]")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_CODE = re.compile(
    r"(\{\})?((mv|rm|touch|printf|h5clear|llama-cli) |ckpt-tui [a-z])|\s*--[a-z]"
    r"|(\{\}; )?[\w.{}]+\(.*\)$|(, )?[\w.]+=|\{\""
)
_SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA|BEGIN) ")
_PROPER_NAME = re.compile(r"[A-Z]\w*( [A-Z]\w*)+")
_FILE_SYSTEMS = re.compile(r"[a-z0-9_]+( [a-z0-9_]+){24,}")
_NAMES = re.compile(
    r"`[^`]*`|'[^']*'|\S*[/_=.<>*()\d-]\S*|\b[A-Z]\w*\b|\bworld size\b|\bpersistent ID\b"
)
"""What is said in every language as it is: code, paths, proper names, the field's own terms."""
_TWO_WORDS = re.compile(r"[A-Za-z]{2,},? [a-z]{2,}")
_NEIGHBOURS = re.compile(r"(\{\})+")


def sentence_templates() -> dict[str, str]:
    """Template → the file that has it; words of the vocabulary are values in them."""
    of_system = map(os.strerror, SYSTEM_ERRORS)
    words = (*_vocabulary(), *VALUES, *of_system, *OF_JSON)
    return dict.fromkeys(words, "a word") | {
        template: place
        for place, tree in _trees()
        for template in _texts_in(tree, _marked(tree))
        if _is_prose(template)
    }


def counted_nouns() -> dict[str, str]:
    """Noun that `plural` is given → the file that has it."""
    return {
        str(call.args[1].value): place
        for place, tree in _trees()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and _name_of(call.func) == "plural"
        if isinstance(call.args[1], ast.Constant)
    }


def is_english(text: str) -> bool:
    """Whether two English words stand side by side in it that are no names."""
    return bool(_TWO_WORDS.search(_NAMES.sub("X", text)))


def _vocabulary() -> list[str]:
    tree = ast.parse((SOURCE / "core" / "vocabulary.py").read_text(encoding="utf-8"))
    return [text for call in calls(tree) for text in texts_of(call)]


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for package in PACKAGES:
        whole = SOURCE / package
        for path in sorted(whole.rglob("*.py")) if whole.is_dir() else [whole]:
            place = path.relative_to(SOURCE).as_posix()
            if not place.startswith(tuple(OF_OTHERS)):
                yield place, ast.parse(path.read_text(encoding="utf-8"))


def _is_prose(template: str) -> bool:
    without_values = template.replace("{}", "")
    return bool(
        _PROSE.search(template)
        and _LETTERS.search(without_values)
        and not _CODE.match(template)
        and not _PROPER_NAME.fullmatch(template)
        and not _SQL.match(template)
        and not _FILE_SYSTEMS.fullmatch(template)
    )


def _marked(tree: ast.AST) -> set[int]:
    """The calls of say, say_count and later, by identity: other tests have their texts."""
    return {id(call) for call in calls(tree)}


def _texts_in(node: ast.AST, passed_over: set[int]) -> Iterator[str]:
    if id(node) in passed_over or _is_no_sentence(node):
        return
    template = _template(node)
    if template is not None:
        yield template
        if isinstance(node, ast.Constant):
            return
    for child in _children(node):
        yield from _texts_in(child, passed_over)


def _children(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        return [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
    return [child for child in ast.iter_child_nodes(node) if not _is_docstring(child)]


def _template(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values]
    return _NEIGHBOURS.sub("{}", "".join(parts))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_no_sentence(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return _name_of(node.exc.func) in PROGRAMMING_ERRORS
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
        return isinstance(node.left, ast.Constant)
    return isinstance(node, ast.Call) and _name_of(node.func) in NO_SENTENCES


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
