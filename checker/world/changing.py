"""How a defect is made of a world and of rules with a change in them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from checker.search.model import Model
from checker.world.kinds import Defect

Rules = TypeVar("Rules")


def changed(
    build: Callable[[str, Rules], Model],
    name: str,
    title: str,
    change: str,
    rules: Rules,
    *,
    scope: str,
    caught_by: str,
    steps: int,
) -> Defect:
    """A defect that is one rule exchanged for another in the world of a scope."""
    return Defect(name, title, change, caught_by, scope, steps, partial(build, scope, rules))


def alone(model: Model, law: str) -> Model:
    """The same world, judged by one law and by nothing else."""
    return replace(
        model,
        goals=(),
        laws=tuple(each for each in model.laws if each.name == law),
        step_laws=tuple(each for each in model.step_laws if each.name == law),
    )


def told(defect: Defect) -> Defect:
    """The same, judged by its law alone: what the change does to clients, and not how it begins."""
    return replace(defect, build=partial(_alone_in, defect))


def in_full(defect: Defect) -> Callable[[], Model]:
    """What builds the world of a defect with all the laws that judge it."""
    build = defect.build
    if isinstance(build, partial) and build.func is _alone_in:
        (told_of,) = build.args
        return in_full(told_of)
    return build


def _alone_in(defect: Defect) -> Model:
    return alone(defect.build(), defect.caught_by)
