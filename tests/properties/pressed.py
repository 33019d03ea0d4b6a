"""What a press may say, read off the pages' own source: each thing that can be done, each name that is looked at."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import ui
from ui.presses import DETAILS

READS = frozenset({"text", "number", "texts"})


def doings() -> tuple[str, ...]:
    """What the pages tell `press.do` apart by: in a match, compared, or a member of one of their sets."""
    return tuple(sorted({word for module, node in _nodes() for word in _done(module, node)}))


def names() -> tuple[str, ...]:
    """What the pages read of a press by name."""
    return tuple(sorted({*DETAILS, *(name for _, node in _nodes() if (name := _read(node)) and name != "do")}))


def _nodes() -> Iterator[tuple[Any, ast.AST]]:
    for file in sorted(Path(ui.__path__[0]).glob("*.py")):
        if file.stem != "__init__":
            yield from ((import_module(f"ui.{file.stem}"), node) for node in ast.walk(ast.parse(file.read_text("utf-8"))))


def _done(module: Any, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Match) and _is_do(node.subject):
        for case in node.cases:
            yield from (text for part in ast.walk(case.pattern) if (text := _text(part)))
            if isinstance(case.guard, ast.Compare) and isinstance(case.pattern, ast.MatchAs):
                yield from _compared(module, case.guard)
    if isinstance(node, ast.Compare) and _is_do(node.left):
        yield from _compared(module, node)


def _compared(module: Any, compared: ast.Compare) -> Iterator[str]:
    for other in compared.comparators:
        if isinstance(other, ast.Name) and other.id in vars(module):
            yield from vars(module)[other.id]
        yield from (text for part in ast.walk(other) if (text := _text(part)))


def _read(node: ast.AST) -> str | None:
    """`press.text("name")`, and `press.data.get("name")`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
        return None
    of = ast.unparse(node.func.value)
    reads = node.func.attr in READS and of in {"press", "self", "one"}
    return _text(node.args[0]) if reads or (node.func.attr == "get" and of.endswith(".data")) else None


def _is_do(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "do"


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
