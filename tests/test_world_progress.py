"""What the world comes to in the end, and which fairness that takes."""

from dataclasses import replace

import pytest

from checker.search.model import Model
from checker.search.plain import search
from checker.world.sharing import mutations
from checker.world.sharing.bounds import Bounds
from checker.world.sharing.holding import FAIR as ANSWERING
from checker.world.sharing.holding import with_answers
from checker.world.sharing.progress import FAIR, with_progress
from checker.world.sharing.renewing import with_renewal
from checker.world.sharing.roll import world
from checker.world.sharing.rules import REFERENCE, Rules
from checker.world.sharing.scopes import RENEWING, holding
from reference import refreshing
from reference.frontend import Frontend
from spec.vocabulary import Offset, RangeId, Sequence

ALONE = Bounds(batches=((1,), ()), faults=1)
"""One frontend, one batch, one thing that fails."""


def settling(rules: Rules = REFERENCE, bounds: Bounds = ALONE) -> Model:
    """Answer a world with its progress goals alone: no law and no goal speaks first."""
    model = with_progress(world("settling", bounds, rules), bounds)
    return replace(model, laws=(), step_laws=(), goals=(), expected_dead=frozenset())


def broken(model: Model) -> set[str]:
    """Answer the progress goals that are broken, without the name of the frontend."""
    return {
        law.name.removeprefix("an_owed_roll_of_")
        for law in search(model).laws
        if law.verdict == "broken"
    }


def test_an_owed_roll_is_settled_in_the_end_whatever_fails_once() -> None:
    """[ROL-38, P1] The answer, a refusal or a fence sent again settles it."""
    assert broken(settling()) == set()


def test_two_frontends_settle_the_rolls_they_owe() -> None:
    """[ROL-38, P1] Whoever is second finds the segment sealed and clears its roll."""
    assert broken(settling(bounds=Bounds())) == set()


@pytest.mark.parametrize("rule", sorted(FAIR))
def test_a_roll_stays_owed_where_one_kind_of_step_may_be_put_off(rule: str) -> None:
    """[ROL-38, P1] Each fairness is needed: without it a run rests or goes round and owes."""
    model = settling()

    found = broken(replace(model, fair=model.fair - {rule}))

    assert "f1_is_settled_at_last" in found
    assert "f1_can_still_be_settled" not in found


def behind(rules: Rules = REFERENCE) -> Model:
    """Answer a world of a frontend that is behind, with its progress goals alone."""
    model = with_renewal(world("renewing", RENEWING, rules), RENEWING)
    return replace(model, laws=(), step_laws=(), goals=(), expected_dead=frozenset())


LEAVES = "f2_leaves_a_stale_head_at_last"
READS = "f2_can_read_its_range_at_last"
HEARS = "an_answer_to_f2_1_makes_the_range_readable_at_last"


def recovered_silently(
    front: Frontend, range_id: RangeId, end: Offset, floor: Sequence
) -> Frontend:
    """A recovery that does not end the wait."""
    seeded = refreshing.seed_range_state(front, range_id, end, floor)
    return replace(seeded, unrecovered=front.unrecovered)


def test_a_frontend_that_is_behind_catches_up_in_the_end() -> None:
    """[RFR-30, RFR-32, P3, P6] One refresh, one recovery or one answered produce is enough."""
    assert broken(behind()) == set()


@pytest.mark.parametrize(
    ("rule", "stays"),
    [
        ("read", {LEAVES, READS}),
        ("install", {LEAVES, READS}),
        ("recover", {LEAVES, READS}),
        ("hear", {HEARS}),
    ],
)
def test_a_frontend_stays_behind_where_one_kind_of_step_may_be_put_off(
    rule: str, stays: set[str]
) -> None:
    """[RFR-30, RFR-32, P3, P6] Each fairness is needed; before a recovery no read begins."""
    model = behind()

    assert broken(replace(model, fair=model.fair - {rule})) == stays


@pytest.mark.parametrize(
    ("rules", "stays"),
    [
        (Rules(install=mutations.stale_head_kept), {LEAVES}),
        (Rules(adopt_answer=mutations.answer_leaves_unrecovered), {HEARS}),
        (Rules(seed_range_state=recovered_silently), {READS}),
    ],
    ids=["D04", "D32", "silent"],
)
def test_a_frontend_stays_behind_that_drops_or_learns_nothing(
    rules: Rules, stays: set[str]
) -> None:
    """[RFR-30, RFR-32, P3, P6, D04, D32] Each goal is broken by a change that breaks no other."""
    assert broken(behind(rules)) == stays


def test_a_held_batch_is_answered_in_the_end() -> None:
    """[ROL-42, P4] By its fence's answer or by the end of the window, whatever is lost once."""
    assert broken(replace(holding(), laws=(), step_laws=())) == set()


@pytest.mark.parametrize("rule", sorted(ANSWERING))
def test_a_batch_stays_held_where_one_kind_of_step_may_be_put_off(rule: str) -> None:
    """[ROL-42, P4] Each fairness is needed; to plan without opening takes a second batch."""
    bounds = Bounds(batches=((1,), ()), segments=2, faults=1)
    small = with_answers(world("holding", bounds), bounds)
    model = holding() if rule == "plan" else small
    alone = replace(model, laws=(), step_laws=(), goals=())

    assert broken(alone) == set()
    assert broken(replace(alone, fair=alone.fair - {rule})) == {"no_batch_is_held_for_ever"}


def test_a_fence_that_is_never_sent_again_leaves_its_roll_owed_for_ever() -> None:
    """[ROL-38, P1, P7] D44: where the fence is lost, no way leads to the end of the roll."""
    rules = Rules(fences_to_send=mutations.fence_never_resent)

    assert broken(settling(rules)) == {"f1_can_still_be_settled", "f1_is_settled_at_last"}
