"""Wrong comparisons, connectives, sums and numbers."""

import ast
from collections.abc import Iterator, Mapping

from checker.mutants.page import Edit, Function, Page

COMPARED: Mapping[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
"""How each comparison is written, and what stands in its place: the edge moved, or the reverse."""
COMPUTED: Mapping[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}
INTEGERS = {"ByteSize", "Count", "Millis", "Offset", "Position", "Sequence"}
"""The names of integers."""
WORDS = {"hard": "soft", "soft": "hard", "little": "big"}


def comparison_changed(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`<` becomes `<=` or `>=`, `is` becomes `is not`."""
    if not isinstance(node, ast.Compare):
        return
    operands = [node.left, *node.comparators]
    for place, operator in enumerate(node.ops):
        written, others = COMPARED[type(operator)]
        start, end = page.token(operands[place], operands[place + 1], written)
        for other in others:
            yield Edit(start, end, other)


def connective_swapped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`and` becomes `or`."""
    if isinstance(node, ast.BoolOp):
        other = "or" if isinstance(node.op, ast.And) else "and"
        yield page.replaced(node, f"({f' {other} '.join(operands(page, node))})")


def operand_dropped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`a and b` becomes `a`, or `b`."""
    if not isinstance(node, ast.BoolOp):
        return
    word = "and" if isinstance(node.op, ast.And) else "or"
    texts = operands(page, node)
    for place in range(len(texts)):
        kept = texts[:place] + texts[place + 1 :]
        yield page.replaced(node, f"({f' {word} '.join(kept)})")


def operands(page: Page, node: ast.BoolOp) -> list[str]:
    """The texts of what a connective joins, with the brackets around each."""
    word = "and" if isinstance(node.op, ast.And) else "or"
    start, texts = page.start(node), list[str]()
    for left, right in zip(node.values, node.values[1:], strict=False):
        at, after = page.token(left, right, word)
        texts.append(page.source[start:at].strip())
        start = after
    return [*texts, page.source[start : page.end(node)].strip()]


def not_dropped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`not a` becomes `a`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield Edit(page.start(node), page.start(node) + len("not"), "")


def condition_negated(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`if a` becomes `if not a`, where no comparison is there to change."""
    if isinstance(node, ast.If | ast.IfExp) and isinstance(
        node.test, ast.Call | ast.Name | ast.Attribute
    ):
        yield page.replaced(node.test, f"not {page.text(node.test)}")


def branch_taken(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`a if c else b` becomes `a`, or `b`."""
    if not isinstance(node, ast.IfExp):
        return
    at, _ = page.token(node.body, node.test, "if")
    _, after = page.token(node.test, node.orelse, "else")
    yield page.replaced(node, f"({page.source[page.start(node) : at].strip()})")
    yield page.replaced(node, f"({page.source[after : page.end(node)].strip()})")


def filter_dropped(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`for a in b if c` becomes `for a in b`."""
    if not isinstance(node, ast.comprehension):
        return
    before = node.iter
    for condition in node.ifs:
        at, after = page.token(before, condition, "if")
        if not page.source[after : page.start(condition)].strip():
            yield Edit(at, page.end(condition), "")
        before = condition


def sum_changed(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`a + b` becomes `a - b`, or `a`."""
    if not isinstance(node, ast.BinOp) or type(node.op) not in COMPUTED:
        return
    written, other = COMPUTED[type(node.op)]
    start, end = page.token(node.left, node.right, written)
    yield Edit(start, end, other)
    yield page.replaced(node, f"({page.source[page.start(node) : start].strip()})")


def off_by_one(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`1` becomes `2`, and `0`; the integer that is named by `Offset(a)` becomes one more."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield page.replaced(node, str(node.value + 1))
        if node.value:
            yield page.replaced(node, str(node.value - 1))
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in INTEGERS
        and len(node.args) == 1
        and not isinstance(node.args[0], ast.Constant)
    ):
        yield page.replaced(node.args[0], f"({page.text(node.args[0])}) + 1")


def last_for_first(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`a[0]` becomes `a[-1]`."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        if node.slice.value == 0:
            yield page.replaced(node.slice, "-1")
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.UnaryOp):
        yield page.replaced(node.slice, "0")


def word_changed(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`True` becomes `False`, `"hard"` becomes `"soft"`."""
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield page.replaced(node, str(not node.value))
    if isinstance(node.value, str) and node.value in WORDS:
        yield page.replaced(node, f'"{WORDS[node.value]}"')
