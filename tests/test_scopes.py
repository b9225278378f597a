"""What every scope says of itself: its bounds, what needs them, and that they are felt."""

import re

import pytest

from checker.search import naive
from checker.search.plain import search
from checker.world.beyond import BEYOND, OPEN, Beyond
from checker.world.defects import DEFECTS
from checker.world.findings import FINDINGS
from checker.world.kinds import Level, Scope
from checker.world.scopes import SCOPES, no_such_scope, scope_named

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
NOTHING = re.compile(r"none|0|do nothing|(f[0-9]: (none|0|does nothing)(; )?)+")


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


SMALLER = (
    *("roll:segments=1,refreshes=0+0,faults=0", "faults:segments=1,batches=1+0"),
    *("batches:batches=2+0", "batches-raft:batches=2+0,segments=1", "race:batches=1+0"),
    *("age:batches=1+0,segments=1,refreshes=0+1,faults=0", "crowd:segments=1,rollat=0"),
    *("recovery:batches=1+0,segments=1,refreshes=0+1", "crowd-race:segments=1,batches=1+0+0"),
    *("roll-raft:segments=1,refreshes=0+0,faults=0", "failover:batches=1+0"),
    *("failover-raft:batches=1+0", "doubts:faults=0", "doubts-raft:faults=0", "sweep:faults=1"),
    *("unheard:faults=0", "unheard-raft:faults=0", "sweep-raft:faults=0", "quiet:faults=1"),
    *("healing:faults=0", "healing-raft:faults=0", "retention:batches=1+0", "moves:batches=1+0"),
    *("retention-raft:batches=1+0", "served:faults=1", "split:batches=1+0,refreshes=0+1"),
    *("split-lost:batches=1+0,faults=0", "split-raft:batches=1+0,refreshes=0+1"),
    *("merge:batches=1+0", "merge-lost:batches=1+0,faults=0", "merge-raft:batches=1+0"),
    *("split-deep:batches=1+0,tries=1,refreshes=0+1", "split-again", "read-overrun"),
    *("merge-deep:batches=1+0,tries=1,refreshes=0+1", "read:keys=1,failures=0,rolls=0"),
    *("read-holes:keys=1,spares=0", "read-merge:keys=1,restarts=0,shapes=1"),
    *("read-group-raft:keys=1,crashes=0", "read-deep:keys=1,rolls=0,expiries=1,shapes=1"),
    *("journal:orders=2+1,faults=0", "journal-raft:orders=2+1,faults=0", "policy:orders=1+1"),
    *("refresh:orders=1+1,faults=0", "refresh-raft:orders=1+1,faults=0"),
    *("heal:orders=2+1,faults=0", "recover:batches=0+1,segments=1,faults=0"),
    *("restart:batches=0+1,segments=1,faults=0", "restart-raft:batches=0+1,segments=1,faults=0"),
    *("expire-remembered:batches=1+0,restarts=0", "overlap", "unread", "unread-raft"),
)
"""For each world a size of it that a loop can count which remembers nothing."""
OF_THE_SAME_STEPS = {
    "settling": "batches",
    "renewing": "recovery",
    "holding": "batches",
    "read-settling": "read",
    "doubts-deep": "doubts",
    "unheard-deep": "unheard",
    "healing-deep": "healing",
    "retention-deep": "retention",
    "split-wide": "split-lost",
    "expiring-remembered": "expire-remembered",
}
"""Worlds that other ones count for: the same steps, with other bounds."""


@pytest.mark.parametrize("name", SMALLER)
def test_a_smaller_size_is_counted_the_same_by_a_loop_that_remembers_nothing(name: str) -> None:
    scope = scope_named(name)
    assert scope is not None
    model = scope.build()

    report, counted = search(model), naive.count(model)

    assert (report.states, report.transitions, report.depth) == (
        counted.states,
        counted.transitions,
        counted.depth,
    )


def test_every_world_has_a_smaller_size_that_is_counted() -> None:
    counted = {base_of(name) for name in SMALLER}

    bases = {base_of(scope.name) for scope in SEARCHED}

    assert {OF_THE_SAME_STEPS.get(base, base) for base in bases} <= counted


def base_of(name: str) -> str:
    """The name of a world without what stands behind the colon."""
    return name.partition(":")[0]


UNDER_WAY = {"fences", "reads under way"}
"""Bounds that have no step beyond."""
WITHOUT_SETTINGS = {"settling", "renewing", "holding", "split-again", "read-settling"}
"""Small sizes of other worlds, judged on what they come to."""
FEW = 3_000


@pytest.mark.parametrize(
    "scope",
    [each for each in SEARCHED if each.level is Level.QUICK and each.name not in WITHOUT_SETTINGS],
    ids=lambda scope: scope.name,
)
def test_each_bound_of_the_default_check_was_made_one_larger_by_itself(scope: Scope) -> None:
    model = scope.build()
    limited = {limit.bound for limit in model.limits} - UNDER_WAY
    felt = {name for name in limited if not NOTHING.fullmatch(model.bounds[name])}

    changed: dict[str, set[str]] = {}
    for each in (each for each in BEYOND if each.scope == scope.name):
        larger = scope_named(each.name)
        assert larger is not None
        words = larger.build().bounds
        changed[each.bound] = {name for name in words if words[name] != model.bounds[name]}

    assert felt <= set(changed)
    assert changed == {bound: {bound} for bound in changed}


def test_what_broke_a_step_beyond_a_bound_is_a_finding() -> None:
    assert {each.ended for each in BEYOND} <= KNOWN | {OPEN, ""}


@pytest.mark.parametrize(
    "beyond", [each for each in BEYOND if each.states < FEW], ids=lambda each: each.name
)
def test_a_small_step_beyond_a_bound_is_counted_again(beyond: Beyond) -> None:
    scope = scope_named(beyond.name)
    assert scope is not None

    report = search(scope.build())

    assert (report.states, report.trace is None) == (beyond.states, not beyond.ended)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rol:faults=2", "there is no scope 'rol': did you mean roll"),
        ("roll:tries=2", "batches=N+N, segments=N, refreshes=N+N, rollat=N, faults=N; N is one"),
        ("crowd:faults=12", "segments=N, refreshes=N+N+N, rollat=N, faults=N; N is one digit"),
        ("healing:late=2", "reads=N, faults=N, stops=1, misses=1, turns=1, breaks=1, late=1"),
        ("settling:faults=1", "settling has one size, and nothing stands behind a colon"),
    ],
)
def test_a_name_of_another_size_is_told_the_settings_that_there_are(name: str, said: str) -> None:
    assert scope_named(name) is None
    assert said in no_such_scope(name)
