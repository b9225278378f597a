"""Wrong functions, fields, arguments, members and replies."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache

from checker.mutants.page import Edit, Function, Page
from spec import replies

TWINS: Mapping[str, str] = {"min": "max", "max": "min", "any": "all", "all": "any"}
CHANGES = {"delete", "set", "update"}
"""The methods of a map that answer a changed one."""
MEMBERS: Mapping[str, Mapping[str, str]] = {
    "State": {"ACTIVE": "SEALED", "SEALED": "ACTIVE"},
    "Origin": {"CURSOR": "START", "START": "CURSOR"},
    "Source": {"SELF": "ANCESTOR", "ANCESTOR": "SELF"},
}


def min_for_max(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`min` becomes `max`, `any` becomes `all`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TWINS:
        yield page.replaced(node.func, TWINS[node.func.id])


def order_reversed(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`sorted(a)` becomes `sorted(a, reverse=True)`."""
    if not isinstance(node, ast.Call):
        return
    named = {keyword.arg for keyword in node.keywords}
    is_sorted = isinstance(node.func, ast.Name) and node.func.id == "sorted"
    is_sort = isinstance(node.func, ast.Attribute) and node.func.attr == "sort"
    if (is_sorted or is_sort) and "reverse" not in named:
        given = page.source[page.end(node.func) + 1 : page.end(node) - 1].strip().rstrip(",")
        if node.args and isinstance(node.args[0], ast.GeneratorExp) and len(node.args) == 1:
            given = f"({given})"
        yield page.replaced(node, f"{page.text(node.func)}({given}, reverse=True)")


def field_not_updated(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`replace(a, b=c)` becomes `a`, and so does `a.set(b, c)`; one field of several is left out.

    A field of a new value keeps its default.
    """
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES and node.args:
        yield page.replaced(node, page.text(node.func.value))
    is_replace = isinstance(node.func, ast.Name) and node.func.id == "replace"
    if is_replace and len(node.keywords) == 1 and len(node.args) == 1:
        yield page.replaced(node, page.text(node.args[0]))
    elif isinstance(node.func, ast.Name):
        parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        for place in range(len(node.args), len(parts)):
            yield page.replaced(node, _without(page, node, place))


def _without(page: Page, node: ast.Call, place: int) -> str:
    """A call with all its arguments but one."""
    named = [(f"{keyword.arg}=", keyword.value) for keyword in node.keywords]
    parts = [*(("", each) for each in node.args), *named]
    kept = [f"{name}{page.text(each)}" for at, (name, each) in enumerate(parts) if at != place]
    return f"{page.text(node.func)}({', '.join(kept)})"


def union_dropped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`(*a, b)` becomes `(*a,)`, or `(b,)`."""
    if isinstance(node, ast.Tuple) and any(isinstance(each, ast.Starred) for each in node.elts):
        for place in range(len(node.elts)):
            kept = [page.text(each) for at, each in enumerate(node.elts) if at != place]
            yield page.replaced(node, f"({', '.join(kept)},)")


def argument_swapped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`f(a, b)` becomes `f(b, a)`, where the types allow it."""
    if not isinstance(node, ast.Call):
        return
    for left, right in zip(node.args, node.args[1:], strict=False):
        first, second = page.text(left), page.text(right)
        if first != second and not isinstance(left, ast.Starred | ast.GeneratorExp):
            between = page.source[page.end(left) : page.start(right)]
            if not set(between) & set("()"):
                yield Edit(page.start(left), page.end(right), f"{second}{between}{first}")


def wrong_parameter(page: Page, function: Function, node: ast.AST) -> Iterator[Edit]:
    """One parameter is read in the place of another of the same type."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    types = {
        each.arg: ast.dump(each.annotation)
        for each in (*function.args.args, *function.args.kwonlyargs)
        if each.annotation is not None
    }
    for name, written in types.items():
        if name != node.id and types.get(node.id) == written:
            yield page.replaced(node, name)


def stale_value(page: Page, function: Function, node: ast.AST) -> Iterator[Edit]:
    """What was changed is forgotten: a call takes, or a return answers, the first parameter."""
    if not function.args.args:
        return
    first = function.args.args[0].arg
    used: list[ast.expr] = []
    if isinstance(node, ast.Return) and node.value is not None:
        is_pair = isinstance(node.value, ast.Tuple)
        used = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        used = used if is_pair or isinstance(node.value, ast.Call | ast.Name) else []
    elif isinstance(node, ast.Call):
        used = node.args[:1]
    for each in used:
        is_itself = isinstance(each, ast.Name) and each.id == first
        if not is_itself and isinstance(each, ast.Name | ast.Call | ast.Attribute):
            yield page.replaced(each, first)


def wrong_member(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`State.ACTIVE` becomes `State.SEALED`; a history that is done begins again."""
    if isinstance(node, ast.Name) and node.id == "DONE" and isinstance(node.ctx, ast.Load):
        yield page.replaced(node, '"start"')
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        other = MEMBERS.get(node.value.id, {}).get(node.attr)
        if other is not None:
            yield page.replaced(node, f"{node.value.id}.{other}")


def wrong_reply(page: Page, function: Function, node: ast.AST) -> Iterator[Edit]:
    """One reply without facts becomes another one, and a refusal becomes ok."""
    del function
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return
    spoken = page.text(node.func)
    prefix, _, name = spoken.rpartition(".")
    if name not in plain_replies() or prefix not in {"", "replies"}:
        return
    known = [each for each in plain_replies() if prefix or _is_imported(page, each)]
    after = known[(known.index(name) + 1) % len(known)]
    for other in sorted({after, "Ok"} - {name}):
        if prefix and other != "Ok":
            yield page.replaced(node, f"{prefix}.{other}()")
        elif _is_imported(page, other):
            yield page.replaced(node, f"{other}()")


def _is_imported(page: Page, name: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names)
        for node in page.tree.body
    )


@cache
def plain_replies() -> tuple[str, ...]:
    """The replies that carry no facts, by name."""
    return tuple(
        sorted(
            name
            for name, each in vars(replies).items()
            if isinstance(each, type)
            and each.__module__ == replies.__name__
            and is_dataclass(each)
            and not fields(each)
            and (issubclass(each, replies.Refusal) or each in {replies.Ok, replies.Eof})
            and each is not replies.Refusal
        )
    )
