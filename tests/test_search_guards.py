"""Guards spare rules the values that they have no outcome for, and change nothing else."""

from dataclasses import replace

import pytest

from checker.search.audit import audit
from checker.search.contract import check_contract
from checker.search.explore import Options, search
from checker.search.faults import ModelError
from checker.search.model import Guard, Model
from tests.search_models import counters


def guarded(guard: Guard | None) -> Model:
    """Answer two counters of which the left one goes up only where a guard lets it."""
    model = counters()
    first, *others = model.steps
    return replace(model, steps=(replace(first, guard=guard), *others))


LOOSE = Guard(("left",), lambda left: left < 3)
TIGHT = Guard(("left",), lambda left: left < 2)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_guard_spares_rules_and_no_state(engine: str) -> None:
    options = Options(engine="plain" if engine == "plain" else "compiled", plain_states=2)

    free, spared = (search(guarded(guard), options=options) for guard in (None, LOOSE))

    assert (spared.states, spared.transitions, spared.depth) == (
        free.states,
        free.transitions,
        free.depth,
    )
    assert spared.rule_calls < free.rule_calls


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_guard_that_shuts_out_an_outcome_is_refused(engine: str) -> None:
    options = Options(engine="plain" if engine == "plain" else "compiled", plain_states=2)

    with pytest.raises(ModelError, match=r"the guard of step left up shuts out .*'2 goes up'"):
        search(guarded(TIGHT), options=options)


def test_the_audit_finds_a_guard_that_shuts_out_an_outcome() -> None:
    (complaint,) = audit(guarded(TIGHT))

    assert complaint.kind == "shuts out"
    assert complaint.who == "the guard of step left up"


def test_the_audit_has_nothing_against_a_guard_that_agrees_with_its_rule() -> None:
    assert audit(guarded(LOOSE)) == ()


def test_a_guard_reads_what_its_step_reads() -> None:
    with pytest.raises(ModelError, match="the guard of step left up reads 'right'"):
        check_contract(guarded(replace(LOOSE, reads=("right",))))


def test_a_guard_that_raises_is_named() -> None:
    def fail(_left: int) -> bool:
        raise ValueError("no")

    with pytest.raises(ModelError, match="the guard of step left up raises ValueError"):
        search(guarded(Guard(("left",), fail)))
