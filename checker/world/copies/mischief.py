"""What the world is assumed not to do, each as a world in which it does.

None of these is a fault of the machine: they are what stores, networks and people promise it.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from immutables import Map

from checker.search.model import Model, Outcome, Step
from checker.world.copies.rules import Appending
from checker.world.sharing.parts import Sent
from checker.world.views.parts import Begun
from reference import store
from reference.frontend import Frontend
from reference.store import Log
from reference.vnodes import View
from spec.replies import Appended
from spec.vocabulary import Broker, Offset, Record

Outcomes = Sequence[Outcome]


def append_behind_the_latch(
    copies: Map[Broker, Log],
    replica_set: tuple[Broker, ...],
    base: Offset,
    records: tuple[Record, ...],
    reached: frozenset[Broker],
) -> Appending:
    """[ROL-2] The primary has looked at the latch before the fence came, and stores behind it."""
    primary = copies.get(replica_set[0], Log(base))
    opened = copies.set(replica_set[0], replace(primary, latch=None))
    stored, reply = store.append_with_quorum(opened, replica_set, base, records, reached)
    closed = replace(stored[replica_set[0]], latch=primary.latch)
    return stored.set(replica_set[0], closed), reply


def append_at_followers_first(
    copies: Map[Broker, Log],
    replica_set: tuple[Broker, ...],
    base: Offset,
    records: tuple[Record, ...],
    reached: frozenset[Broker],
) -> Appending:
    """[ROL-32] A batch is copied to the followers, and reaches the primary's own log last of all.

    Where not all followers are reached, the primary has not stored it yet.
    """
    stored, reply = store.append_with_quorum(copies, replica_set, base, records, reached)
    if reached == frozenset(replica_set[1:]) or not isinstance(reply, Appended):
        return stored, reply
    return stored.set(replica_set[0], copies.get(replica_set[0], Log(base))), reply


def acknowledge_alone(
    copies: Map[Broker, Log],
    replica_set: tuple[Broker, ...],
    base: Offset,
    records: tuple[Record, ...],
    reached: frozenset[Broker],
) -> Appending:
    """[ROL-32] The primary answers ok as soon as it has stored a batch itself."""
    stored, reply = store.append_with_quorum(copies, replica_set, base, records, reached)
    if reply != store.NO_QUORUM:
        return stored, reply
    return stored, Appended(Offset(stored[replica_set[0]].end - 1))


def act_on_the_own_view(front: Frontend, _newest: View) -> Frontend:
    """[HEA-8] The coordinator begins with what its frontend happens to hold."""
    return front


def with_second_coordinator(model: Model, first: str, second: str) -> Model:
    """The same world with one more coordinator, on another frontend."""
    moved = {"coordinator": "coordinator 2", first: second}

    def renamed(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(moved.get(name, name) for name in names)

    steps = tuple(
        replace(
            step,
            name=f"the other: {step.name}",
            reads=renamed(step.reads),
            writes=renamed(step.writes),
            rule=_by_the_other(step),
        )
        for step in model.steps
        if "coordinator" in step.reads
    )
    return replace(
        model,
        initial={**model.initial, "coordinator 2": None},
        steps=(*model.steps, *steps),
        step_laws=(),
    )


def _by_the_other(step: Step) -> Callable[..., Outcomes]:
    def rule(*values: Hashable) -> Outcomes:
        found = step.rule(*values)
        return [Outcome(f"{label}, says the other", after) for label, after in found]

    return rule


def with_duplicates(model: Model) -> Model:
    """The same world, where the network may deliver a batch once more."""

    def doubled(step: Step) -> Callable[..., Outcomes]:
        def rule(slot: Hashable, *values: Hashable) -> Outcomes:
            found = list(step.rule(slot, *values))
            if not isinstance(slot, Sent) or slot.is_again:
                return found
            later = replace(slot, is_again=True)
            return [
                *found,
                *(
                    Outcome(f"{label}; it will arrive once more", (later, *after[1:]))
                    for label, after in found
                ),
            ]

        return rule

    steps = (
        replace(step, rule=doubled(step)) if step.rule_name == "append" else step
        for step in model.steps
    )
    return replace(model, steps=tuple(steps))


def read_stays(begun: tuple[Begun, ...], _place: int) -> tuple[Begun, ...]:
    """[RFR-4] Keep a read that was installed, so that it can be installed once more."""
    return begun
