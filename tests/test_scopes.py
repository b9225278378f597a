"""What every scope says of itself: its bounds, what needs them, and that they are felt."""

import re

import pytest

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
