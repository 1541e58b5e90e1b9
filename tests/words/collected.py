"""The English texts of the source: what `say`, `say_count` and `later` are given."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "ckpt_tui"
_TEXT_ARGUMENTS = {"say": slice(0, 1), "later": slice(0, 1), "say_count": slice(1, 3)}


def said_texts() -> dict[str, str]:
    """Text → the file that has it."""
    return {
        text: path.relative_to(SOURCE).as_posix()
        for path in sorted(SOURCE.rglob("*.py"))
        for call in calls(ast.parse(path.read_text(encoding="utf-8")))
        for text in texts_of(call)
    }


def calls(tree: ast.AST) -> list[ast.Call]:
    imported = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "ckpt_tui.words"
        for name in node.names
    }
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _TEXT_ARGUMENTS.keys() & imported
    ]


def texts_of(call: ast.Call) -> list[str]:
    assert isinstance(call.func, ast.Name)
    arguments = call.args[_TEXT_ARGUMENTS[call.func.id]]
    return [each for argument in arguments for each in constants(argument)]


def constants(argument: ast.expr) -> list[str]:
    """The text, or the two of a choice; a name or a field is said from where it was marked."""
    if isinstance(argument, ast.Constant):
        return [str(argument.value)]
    if isinstance(argument, ast.IfExp):
        return constants(argument.body) + constants(argument.orelse)
    if isinstance(argument, ast.BoolOp):
        return [text for value in argument.values for text in constants(value)]
    assert isinstance(argument, ast.Name | ast.Attribute | ast.Subscript | ast.Call), (
        f"a text has to stand in the call: {ast.unparse(argument)}"
    )
    return []
