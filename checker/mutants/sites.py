"""All the mutants of the reference: each operator at each site of each function.

A mutant's name is its module, function, operator and place among those of that operator in that
function: `rolling:record_seal:off_by_one:1`. It stays as it is while the function does.
"""

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from checker.mutants import calls, cases, expressions, statements
from checker.mutants.page import Edit, Function, Page, executed, pages

Operator = Callable[[Page, Function, ast.AST], Iterator[Edit]]

OPERATORS: tuple[Operator, ...] = (
    expressions.comparison_changed,
    expressions.connective_swapped,
    expressions.operand_dropped,
    expressions.not_dropped,
    expressions.condition_negated,
    expressions.branch_taken,
    expressions.filter_dropped,
    expressions.sum_changed,
    expressions.off_by_one,
    expressions.last_for_first,
    expressions.word_changed,
    calls.min_for_max,
    calls.order_reversed,
    calls.field_not_updated,
    calls.union_dropped,
    calls.argument_swapped,
    calls.wrong_parameter,
    calls.stale_value,
    calls.wrong_member,
    calls.wrong_reply,
    statements.guard_dropped,
    statements.condition_dropped,
    statements.step_dropped,
    statements.sum_assigned_otherwise,
    statements.loop_left_early,
    cases.case_as_before,
    cases.alternative_moved,
    cases.repeats_kept,
)
CONSTANTS = (expressions.off_by_one, expressions.word_changed)
"""The operators for what stands outside of functions: constants and defaults."""
OUTSIDE = "constants"
"""Where a mutant stands that is in no function."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small wrong change of one module."""

    name: str
    page: Page
    function: Function | None
    """The function that it is in; none for a constant or a default."""
    edit: Edit

    @property
    def source(self) -> str:
        """The module with the change in it."""
        return self.edit.applied(self.page.source)

    @property
    def line(self) -> int:
        """The line of the change."""
        return self.page.line_of(self.edit.start)

    @property
    def change(self) -> str:
        """The lines that change, before and after, each on one line."""
        source, edit = self.page.source, self.edit
        first = source.rfind("\n", 0, edit.start) + 1
        last = source.find("\n", edit.end)
        before = source[first:last]
        after = source[first : edit.start] + edit.text + source[edit.end : last]
        return f"{' '.join(before.split())} => {' '.join(after.split())}"


def mutants_of(folder: Path) -> tuple[Mutant, ...]:
    """Every mutant of every module, in the order of the text, each source once."""
    return tuple(mutant for page in pages(folder) for mutant in _of_page(page))


def sampled(mutants: Iterable[Mutant], count: int | None, seed: int) -> tuple[Mutant, ...]:
    """So many of them, spread by their names alone: a change elsewhere moves no other one."""
    ranked = sorted(mutants, key=lambda mutant: _rank(mutant, seed))
    chosen = ranked if count is None else ranked[:count]
    return tuple(sorted(chosen, key=lambda mutant: (mutant.page.name, mutant.line, mutant.name)))


def _rank(mutant: Mutant, seed: int) -> bytes:
    return hashlib.sha256(f"{seed} {mutant.name}".encode()).digest()


def _of_page(page: Page) -> Iterator[Mutant]:
    for place, function, nodes, operators in _stretches(page):
        seen = {_meaning(page, place, function, Edit(0, 0, ""))}
        counts: Counter[str] = Counter()
        for operator in operators:
            edits = [edit for node in nodes for edit in operator(page, function, node)]
            for edit in sorted(edits, key=lambda each: each.start):
                meaning = _meaning(page, place, function, edit)
                if meaning in seen:
                    continue
                seen.add(meaning)
                counts[operator.__name__] += 1
                number = counts[operator.__name__]
                name = f"{page.name}:{place}:{operator.__name__}:{number}"
                yield Mutant(name, page, None if place == OUTSIDE else function, edit)


def _meaning(page: Page, place: str, function: Function, edit: Edit) -> str:
    """What the changed function says, whatever its layout."""
    if place == OUTSIDE:
        return f"{edit}"
    return ast.dump(ast.parse(dedent(changed_function(page, function, edit))))


def changed_function(page: Page, function: Function, edit: Edit) -> str:
    """The text of one function with an edit in it, from the margin on."""
    start, end = page.start(function), page.end(function)
    margin = start - function.col_offset
    inner = Edit(edit.start - margin, edit.end - margin, edit.text)
    return inner.applied(page.source[margin:end]) if edit.end else page.source[margin:end]


def _stretches(
    page: Page,
) -> Iterator[tuple[str, Function, list[ast.AST], tuple[Operator, ...]]]:
    """What can change together: the constants and defaults of a module, then each function."""
    nobody = ast.FunctionDef("", ast.arguments([], [], None, [], [], None, []), [], [])
    constants = [node for each in _constants(page) for node in ast.walk(each)]
    yield OUTSIDE, nobody, list(constants), CONSTANTS
    for place, function in page.functions():
        yield place, function, list(executed(function)), OPERATORS


def _constants(page: Page) -> Iterator[ast.expr]:
    statements_of = [
        page.tree.body,
        *(n.body for n in page.tree.body if isinstance(n, ast.ClassDef)),
    ]
    for body in statements_of:
        for node in body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                yield node.value
    for _, function in page.functions():
        given = [*function.args.defaults, *function.args.kw_defaults]
        yield from (each for each in given if each is not None)
