"""Wrong cases of a match, and repeats that are not told apart."""

import ast
from collections.abc import Iterator
from itertools import pairwise, permutations

from checker.mutants.page import Edit, Function, Page


def case_as_before(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """A case does what the case before it does, where it knows the same names."""
    if not isinstance(node, ast.Match):
        return
    for earlier, later in pairwise(node.cases):
        needed = captured(earlier.pattern) & names_in(earlier.body)
        if needed <= captured(later.pattern):
            text = page.source[page.start(earlier.body[0]) : page.end(earlier.body[-1])]
            yield Edit(page.start(later.body[0]), page.end(later.body[-1]), text)


def alternative_moved(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`case A() | B()` and `case C()` become `case A()` and `case B() | C()`."""
    if not isinstance(node, ast.Match):
        return
    for giver, taker in permutations([each.pattern for each in node.cases], 2):
        if isinstance(giver, ast.MatchOr):
            for place, moved in enumerate(giver.patterns):
                kept = [page.text(p) for at, p in enumerate(giver.patterns) if at != place]
                given, taken = " | ".join(kept), f"{page.text(moved)} | {page.text(taker)}"
                yield _both(page, (giver, given), (taker, taken))


def repeats_kept(page: Page, _function: Function, node: ast.AST) -> Iterator[Edit]:
    """`set(a)` becomes `a`."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if isinstance(node, ast.Call) and is_call and page.text(node.func) == "set" and node.args:
        yield page.replaced(node, f"({page.text(node.args[0])})")


def captured(pattern: ast.pattern) -> set[str]:
    """The names that a pattern gives a value to."""
    return {
        each.name
        for each in ast.walk(pattern)
        if isinstance(each, ast.MatchAs | ast.MatchStar) and each.name is not None
    }


def names_in(body: list[ast.stmt]) -> set[str]:
    """The names that some statements speak of."""
    return {n.id for each in body for n in ast.walk(each) if isinstance(n, ast.Name)}


def _both(page: Page, one: tuple[ast.pattern, str], other: tuple[ast.pattern, str]) -> Edit:
    """Two patterns put in the place of others, with what stands between them."""
    (first, text), (second, behind) = sorted((one, other), key=lambda each: page.start(each[0]))
    between = page.source[page.end(first) : page.start(second)]
    return Edit(page.start(first), page.end(second), f"{text}{between}{behind}")
