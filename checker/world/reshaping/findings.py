"""Where the documented protocol, or a mode of it, goes wrong when ranges are split and merged."""

from collections.abc import Callable
from dataclasses import replace

from checker.search.model import Model
from checker.world.changing import alone
from checker.world.kinds import Finding, Remedy
from checker.world.reshaping.remedies import install_no_reshape, take_what_the_log_took
from checker.world.reshaping.rules import RAFT, REFERENCE, Rules
from checker.world.reshaping.scopes import defective


def judged(scope: str, law: str, rules: Rules) -> Callable[[], Model]:
    """The world of a scope, judged by one law alone."""
    return lambda: alone(defective(scope, rules), law)


def closed(rules: Rules) -> Callable[[str], Model]:
    """The world of a scope with a remedy in it, judged by all its laws."""
    return lambda scope: replace(defective(scope, rules), goals=())


OWNED = "a_record_lies_in_the_range_that_owns_its_key"

FINDINGS: tuple[Finding, ...] = (
    Finding(
        name="F10",
        title="SPLIT-REPLAYED-UNDER-OTHER-NAMES",
        meaning=(
            "a split is journaled as a command and not with the ids it was answered; replayed on a"
            " read that began before another frontend's split, it gives its children the ids of"
            " the other's, and records of one half of the keyspace are written to a range of the"
            " other half"
        ),
        law=OWNED,
        scope="twins",
        steps=9,
        build=judged("twins", OWNED, REFERENCE),
        seen_as=(
            "after two splits at about the same time, records produced through one frontend are"
            " acknowledged, and no consumer of the range that owns their keys ever gets them"
        ),
        permitted_by=(
            "ROL-24",
            "ROL-24",
            "RFR-4",
            "RNG-10 RNG-42",
            "RNG-10 RFR-6",
            "RFR-8",
            "PRD-3 PRD-10",
            "ROL-31",
            "PRD-31",
        ),
        remedy=Remedy(
            rule="a refresh replays no split and no merge: it shows the parents until the next one",
            build=closed(Rules(install=install_no_reshape)),
            states=41_290,
            without=closed(REFERENCE),
            amends=("RFR-8",),
            elsewhere=("split", "split-lost", "merge", "merge-lost"),
        ),
    ),
    Finding(
        name="F11",
        title="SPLIT-UNDER-THE-CALLERS-OWN-NAMES",
        meaning=(
            "in the mode raft the caller applies its split to its own view, whose range counter is"
            " behind: the log names the children one way and the caller another"
        ),
        law=OWNED,
        scope="twins-raft",
        steps=7,
        build=judged("twins-raft", OWNED, RAFT),
        mode="raft",
        seen_as=(
            "after a split through a frontend that has not seen another one, its records are"
            " acknowledged, and no consumer of the range that owns their keys ever gets them"
        ),
        permitted_by=(
            "ROL-24",
            "RNG-10 RNG-43",
            "ROL-24",
            "RNG-10 RNG-43",
            "PRD-3 PRD-10",
            "ROL-31",
            "PRD-31",
        ),
        remedy=Remedy(
            rule="the caller's view takes a command only where it answers what the log answered",
            build=closed(Rules(bring=take_what_the_log_took)),
            states=1_116,
            without=closed(RAFT),
            amends=("RNG-43",),
            elsewhere=("split-raft", "merge-raft"),
        ),
    ),
)
