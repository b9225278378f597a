"""Laws that stand apart from the list, by rule: nothing is to be noticed by them alone in a world.

What only looks true is broken by the unchanged machine already, so that a change could not show it.
What the prover alone asks is judged in no world of a search. FenceCore's laws are those of a small
model that other checkers have too, and are held to its own defect.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checker.citing import laws_written
from checker.explaining import laws
from checker.world.alone.listing import is_ours, to_list
from checker.world.findings import FINDINGS

TEMPTING = "it only looks true: the unchanged machine breaks it, so no change is needed to show it"
PROVED = "the prover alone asks it, of every integer and in no world that is searched"
MEASURE = "it is a law of FenceCore, the measure of other checkers, which has a defect of its own"


@dataclass(frozen=True, slots=True)
class Apart:
    """A law that is not in the list."""

    law: str
    why: str
    """The rule by which it stands apart."""
    see: str
    """What shows that it is no idle law, as a command."""


def apart_of(names: Sequence[str]) -> tuple[Apart, ...]:
    """Those of these laws that are not in the list, or all such laws where none is named."""
    return tuple(each for each in apart() if not names or each.law in names)


def apart() -> Iterator[Apart]:
    """Every law that is not in the list, in order."""
    from checker.prove.known import law_names  # noqa: PLC0415 - the solver is slow to import

    listed = {law.name for law in to_list()}
    broken = {finding.law: finding.name for finding in reversed(FINDINGS)}
    for name in sorted((laws().keys() | set(laws_written())) - listed):
        known = laws().get(name)
        if known is None:
            assert name in law_names(), f"nobody judges by {name}"
            yield Apart(name, PROVED, f"malachi-model prove {name}")
        elif not known.scopes:
            yield Apart(name, TEMPTING, f"malachi-model findings {broken[name]}")
        else:
            assert not any(map(is_ours, known.scopes)), f"{name} judges a world and is not listed"
            yield Apart(name, MEASURE, "python -m pytest tests/test_fencecore.py")
