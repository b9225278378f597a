"""A law with one conjunct struck: each operand of a connective left out, each link of a chain."""

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib.resources import files
from typing import cast

Law = Callable[..., bool]


def laws() -> dict[str, Law]:
    """The laws of all pages, by name: what cites a clause and answers yes or no."""
    found: dict[str, Law] = {}
    for page in files("spec.laws").iterdir():
        name = page.name.removesuffix(".py")
        if name in {page.name, "__init__"}:
            continue
        __import__(f"spec.laws.{name}")
        members = inspect.getmembers(sys.modules[f"spec.laws.{name}"], inspect.isfunction)
        found |= {
            each: law
            for each, law in members
            if law.__module__ == f"spec.laws.{name}" and (law.__doc__ or "").startswith("[")
        }
    return dict(sorted(found.items()))


def struck(law: Law) -> Iterator[tuple[str, Law]]:
    """Each weakening of a law, with what was struck of it."""
    tree = ast.parse(inspect.getsource(law))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    function.decorator_list = []
    for place, node in enumerate(ast.walk(function)):
        for what, part in parts_of(node):
            changed = deepcopy(tree)
            whole = list(ast.walk(changed.body[0]))[place]
            strike(whole, part)
            scope = dict(vars(sys.modules[law.__module__]))
            code = compile(ast.fix_missing_locations(changed), f"<{law.__name__}>", "exec")
            exec(code, scope)  # noqa: S102 - a law of this repository, and less of it
            yield what, cast("Law", scope[law.__name__])


def parts_of(node: ast.AST) -> Iterator[tuple[str, int]]:
    """What can be struck of a node: its words, and its place."""
    match node:
        case ast.BoolOp(op, values):
            word = "and" if isinstance(op, ast.And) else "or"
            if not any(isinstance(each, ast.Constant) for each in values):
                yield from ((f"{word} {ast.unparse(each)}", at) for at, each in enumerate(values))
        case ast.Compare(left, [_, _], [middle, right]):
            yield f"{ast.unparse(left)} beside {ast.unparse(middle)}", 0
            yield f"{ast.unparse(right)} beside {ast.unparse(middle)}", 1
        case _:
            pass


def strike(node: ast.AST, part: int) -> None:
    """Leave a part of a node out."""
    match node:
        case ast.BoolOp():
            node.values[part] = ast.Constant(value=isinstance(node.op, ast.And))
        case ast.Compare():
            if part == 0:
                node.left = node.comparators[0]
            del node.ops[part], node.comparators[part]
        case _:
            pass
