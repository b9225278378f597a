"""Guards and steps that are left out."""

import ast
from collections.abc import Iterator

from checker.mutants.page import Edit, Function, Page

LEAVES = (ast.Return, ast.Continue, ast.Break, ast.Raise)


def guard_dropped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`if a: return b` is left out."""
    if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], LEAVES):
        yield page.replaced(node, "pass")


def condition_dropped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """What is done on a condition is never done, or always."""
    if not isinstance(node, ast.If) or isinstance(node.body[-1], LEAVES):
        return
    if not node.orelse:
        yield page.replaced(node, "pass")
    yield page.replaced(node.test, f"({page.text(node.test)}) or bool(1)")
    if node.orelse:
        yield page.replaced(node.test, f"({page.text(node.test)}) and bool(0)")


def step_dropped(page: Page, function: Function, node: ast.AST) -> Iterator[Edit]:
    """A call for its effect, or the renewal of a name, is left out."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    is_renewal = isinstance(node, ast.Assign | ast.AugAssign) and _is_bound(function, node)
    if isinstance(node, ast.stmt) and (is_call or is_renewal):
        yield page.replaced(node, "pass")


def sum_assigned_otherwise(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`a += b` becomes `a -= b`."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
        written, other = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
        start, end = page.token(node.target, node.value, written)
        yield Edit(start, end, other)


def loop_left_early(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """A loop ends after its first round."""
    if isinstance(node, ast.For | ast.While):
        last = node.body[-1]
        indent = " " * last.col_offset
        yield Edit(page.end(last), page.end(last), f"\n{indent}if bool(1):\n{indent}    break")


def _is_bound(function: Function, node: ast.Assign | ast.AugAssign) -> bool:
    """Whether every name that a statement gives a value to has one before it."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = {
        each.id
        for target in targets
        for each in ast.walk(target)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    bound = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
    for each in ast.walk(function):
        is_earlier = isinstance(each, ast.Name) and each.lineno < node.lineno
        if is_earlier and isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            bound.add(each.id)
    return bool(names) and names <= bound
