"""A hash of a model that is the same in every process, and another for other rules."""

import hashlib
from functools import partial
from types import CodeType

from checker.differences import content_of, shown
from checker.search.model import Model

DEEPEST = 6
"""How far functions are followed into what they hold."""


def rules_hash(model: Model) -> str:
    """Answer a hash of a model: its parts, steps, laws and goals, and the code that they run.

    Functions that a rule calls by a global name are not followed: what they answer tells them
    apart, where a rule is run again.
    """
    told = [model.name, *(f"{name}={shown(value)}" for name, value in model.initial.items())]
    told += [
        f"step {step.name} {step.rule_name} {step.reads} {step.writes} {told_of(step.rule)}"
        f" {step.guard and step.guard.reads} {told_of(step.guard and step.guard.holds)}"
        for step in model.steps
    ]
    told += [f"law {law.name} {law.reads} {told_of(law.holds)}" for law in model.laws]
    told += [f"step law {law.name} {told_of(law.holds)}" for law in model.step_laws]
    told += [f"goal {goal.name} {goal.reads} {told_of(goal.reached)}" for goal in model.goals]
    told += [f"limit {each.bound} {each.reads} {told_of(each.is_hit)}" for each in model.limits]
    told += [
        f"symmetry {each.name} {sorted(each.parts.items())} {sorted(each.steps.items())}"
        f" {sorted(each.names.items())} {told_of(each.renamed)}"
        for each in model.symmetries
    ]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def told_of(value: object, depth: int = 0) -> str:
    """Answer what tells a value, or a function and what it holds, from others."""
    if depth > DEEPEST:
        return "..."
    if isinstance(value, partial):
        held = (value.func, value.args, sorted(value.keywords.items()))
        return "".join(told_of(each, depth + 1) for each in held)
    code = getattr(value, "__code__", None)
    if isinstance(code, CodeType):
        cells = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
        defaults = getattr(value, "__defaults__", None) or ()
        return _told_code(code) + "".join(told_of(each, depth + 1) for each in (*cells, *defaults))
    content = content_of(value)
    if content is not None:
        inside = (told_of(each, depth + 1) for each in content.members.values())
        return f"{content.opening}{','.join(inside)}{content.closing}"
    if isinstance(value, CodeType):
        return _told_code(value)
    return type(value).__qualname__ if " at 0x" in repr(value) else repr(value)


def _told_code(code: CodeType) -> str:
    constants = "".join(told_of(each) for each in code.co_consts)
    digest = hashlib.sha256(code.co_code).hexdigest()
    return f"{code.co_qualname} {code.co_names} {digest} {constants}"
