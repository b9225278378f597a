"""What every scope says of itself: its bounds, what needs them, and that they are felt."""

import re

import pytest

from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS
from checker.world.kinds import Scope
from checker.world.scopes import SCOPES

SEARCHED = [scope for scope in SCOPES if scope.level is not None]
MADE_OF = {
    *(
        "absent segments",
        "age rolls",
        "begins",
        "brokers",
        "coordinator",
        "copying",
        "keyspace",
        "late batches",
    ),
    *("memory", "orphaned fences", "pages", "recovery", "replicas", "retention", "size roll"),
    *("split before", "stores", "time", "writers"),
}
"""What a world is made of: no state would go on but for it."""
NOTHING = re.compile(r"none|0|do nothing|(f[0-9]: (none|0)(; )?)+")


@pytest.mark.parametrize("scope", SEARCHED, ids=lambda scope: scope.name)
def test_every_bound_of_a_scope_is_felt_somewhere_or_is_what_the_world_is_made_of(
    scope: Scope,
) -> None:
    model = scope.build()
    felt = {limit.bound for limit in model.limits}

    silent = {
        name
        for name, words in model.bounds.items()
        if name not in felt | MADE_OF and not NOTHING.fullmatch(words)
    }

    assert silent == set()


NAMED = re.compile(r"(?<=`)[a-z ]+(?=`)|\w+")
KNOWN = {defect.name for defect in DEFECTS} | {finding.name for finding in FINDINGS}


def judged_by(scope: Scope) -> set[str]:
    """The laws, goals and rules of a world."""
    model = scope.build()
    return {
        *(law.name for law in model.laws),
        *(law.name for law in model.step_laws),
        *(goal.name for goal in model.goals),
        *(goal.name for goal in model.progress),
        *(step.rule_name for step in model.steps),
    }


@pytest.mark.parametrize("scope", SEARCHED, ids=lambda scope: scope.name)
def test_beside_each_bound_stands_what_needs_it_so_large(scope: Scope) -> None:
    """A named defect or finding, or a law, goal or rule of the world that would be idle."""
    bounds, known = scope.build().bounds, judged_by(scope) | KNOWN
    limited = {limit.bound for limit in scope.build().limits}

    bare = {name for name in limited - set(scope.needs) if not NOTHING.fullmatch(bounds[name])}
    unknown = {
        bound: words
        for bound, words in scope.needs.items()
        if bound not in bounds or not known.intersection(NAMED.findall(words))
    }

    assert (bare, unknown) == (set(), {})
