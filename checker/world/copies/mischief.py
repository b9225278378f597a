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
    """The same world, where the network may deliver a batch once more.

    Its frontend hears the first of the two answers, and then the second batch comes when it likes;
    or it hears the second answer alone.
    """
    appending = [step for step in model.steps if step.rule_name == "append"]
    doubled = {step.name: _doubled(step) for step in appending}
    return replace(
        model,
        initial={**model.initial, **{_copy_of(step): None for step in appending}},
        steps=(*(doubled.get(step.name, step) for step in model.steps), *map(_later, appending)),
    )


def _copy_of(step: Step) -> str:
    """The part that keeps the second batch, while it is under way."""
    return f"{step.reads[0]} once more"


def _doubled(step: Step) -> Step:
    """The first of two deliveries, or the only one."""

    def rule(slot: Hashable, *values: Hashable) -> Outcomes:
        *read, copy = values
        found = step.rule(slot, *read)
        alone = [Outcome(label, (*after, copy)) for label, after in found]
        if not isinstance(slot, Sent) or slot.is_again or copy is not None:
            return alone
        unheard = replace(slot, is_again=True)
        return [
            *alone,
            *(
                Outcome(f"{label}; it will arrive once more", (*after, slot))
                for label, after in found
            ),
            *(
                Outcome(f"{label}, unheard; it will arrive once more", (unheard, *after[1:], copy))
                for label, after in found
            ),
        ]

    copy = _copy_of(step)
    return replace(step, reads=(*step.reads, copy), writes=(*step.writes, copy), rule=rule)


def _later(step: Step) -> Step:
    """The second delivery, whose answer nobody waits for any more."""

    def rule(copy: Hashable, *values: Hashable) -> Outcomes:
        if not isinstance(copy, Sent):
            return []
        found = step.rule(copy, *values)
        return [Outcome(f"{label}, once more", (None, *after[1:])) for label, after in found]

    reads, writes = (_copy_of(step), *step.reads[1:]), (_copy_of(step), *step.writes[1:])
    return replace(
        step, name=f"{step.name} once more", reads=reads, writes=writes, rule=rule, guard=None
    )


def read_stays(begun: tuple[Begun, ...], _place: int) -> tuple[Begun, ...]:
    """[RFR-4] Keep a read that was installed, so that it can be installed once more."""
    return begun
