"""One module of the reference as text and as tree, and the edits that can be made to it."""

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

Function = ast.FunctionDef
"""The reference has no coroutines."""
Node = ast.expr | ast.stmt | ast.pattern
"""What stands somewhere in a text."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One stretch of text put in the place of another."""

    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The source with the edit made."""
        return source[: self.start] + self.text + source[self.end :]


class Page:
    """The text of a module, and where its nodes stand in it."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        """`rolling`."""
        self.path = path
        self.source = path.read_text("utf-8")
        assert self.source.isascii(), "columns count characters as well as bytes"
        self.tree = ast.parse(self.source)

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.source))]

    def start(self, node: Node) -> int:
        """Where a node begins."""
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: Node) -> int:
        """Where a node ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: Node) -> str:
        """What a node says."""
        return self.source[self.start(node) : self.end(node)]

    def line_of(self, place: int) -> int:
        """The line of a place in the text, counted from 1."""
        return bisect_right(self._lines, place)

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        """An edit that puts a text in the place of a node."""
        return Edit(self.start(node), self.end(node), text)

    def token(self, left: ast.expr, right: ast.expr, words: str) -> tuple[int, int]:
        """Where an operator stands between two operands, whatever brackets are around it."""
        pattern = r"\s+".join(re.escape(word) for word in words.split())
        if words[0].isalpha():
            pattern = rf"\b{pattern}\b"
        gap = self.source[self.end(left) : self.start(right)]
        found = re.search(pattern, gap)
        assert found is not None, f"{words} stands between {self.text(left)} and its right operand"
        return self.end(left) + found.start(), self.end(left) + found.end()

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Every function, and every method by `Class.name`."""
        return functions(self.tree)


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Every function of a tree, and every method by `Class.name`, in the order of the text."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def pages(folder: Path) -> tuple[Page, ...]:
    """The modules of the reference, by name."""
    found = sorted(path for path in folder.glob("*.py") if path.stem != "__init__")
    return tuple(Page(path.stem, path) for path in found)


def executed(function: Function) -> Iterator[ast.AST]:
    """What of a function runs when it is called: no annotation, no decorator, no docstring."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        inner = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.AnnAssign):
            inner = [each for each in inner if each is not node.annotation]
        if isinstance(node, ast.FunctionDef):
            inner = list(node.body)
        waiting.extend(reversed(inner))
