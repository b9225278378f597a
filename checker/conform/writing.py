"""A run as a case that people can read, keep and play again."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from checker.cases.kinds import CallCase, CallStep, Heading, Plane
from checker.conform.scenarios import Scenario
from checker.conform.steps import (
    Append,
    Call,
    Drop,
    Fence,
    Fork,
    Load,
    Look,
    Remember,
    Step,
    Tell,
    ViewOf,
)
from checker.conform.world import Fault
from checker.replay import encoding
from checker.replay.terms import Term
from spec.commands import Command
from spec.vocabulary import Cursor, RangeId, Record, Roll, Segment, SegmentId

PAIR = 2


class UnwritableError(Exception):
    """The run holds what the format of cases does not have; the text says what."""


def case_of(scenario: Scenario, steps: tuple[Step, ...], about: str = "") -> CallCase:
    """The case of a run. Raises UnwritableError."""
    ring = scenario.world.authority.ring
    vnodes = None if len(ring) == 1 else tuple((vnode, token) for token, vnode in ring)
    plane = Plane(scenario.world.mode, vnodes, dict(scenario.world.policies))
    heading = Heading(scenario.id, about or scenario.about, scenario.clauses)
    return CallCase(heading, plane, tuple(each for step in steps for each in written(step)))


def written(step: Step) -> Iterator[CallStep]:
    """A step as a case writes it."""
    match step:
        case Call():
            yield called(step)
        case Tell(command):
            yield CallStep("f1", "authority_command", {"command": encoding.command(command)})
        case Remember(name):
            yield CallStep("f1", "snapshot", {"name": name})
        case Append(segment, base, records, is_forced):
            args: dict[str, Term] = {
                "segment": encoding.segment_id(segment),
                "base_offset": base,
                "records": encoding.records(records),
            }
            yield CallStep("f1", "store_force" if is_forced else "store_append", args)
        case Fence(segment, base):
            yield CallStep(
                "f1",
                "store_fence",
                {"segment": encoding.segment_id(segment), "start_offset": base},
            )
        case Drop(segment):
            yield CallStep("f1", "store_drop", {"segment": encoding.segment_id(segment)})
        case Load() | Fork() | Look():
            raise UnwritableError("a case begins with a broker that is opened")


def called(step: Call) -> CallStep:
    """A call as a case writes it."""
    if step.op == "domain_violations_over":
        return CallStep(step.broker, "domain_violations", {"over": "authority"})
    args = {
        NAMES.get((step.op, name), name): term(value)
        for name, value in step.args.items()
        if not isinstance(value, ViewOf)
    }
    if step.op == "put_cache":
        args |= installed(step.args["view"])
    return CallStep(step.broker, step.op, args, answers(step.faults))


NAMES: Mapping[tuple[str, str], str] = {
    ("create_topic", "topic"): "name",
    ("merge_ranges", "first"): "a",
    ("merge_ranges", "second"): "b",
    ("commit_offset", "positions"): "offsets",
}
"""Arguments that a case calls otherwise than the protocol does."""


def installed(view: ViewOf) -> dict[str, Term]:
    """The arguments of a view that is installed."""
    if view.remembered is not None:
        raise UnwritableError("an older read is installed by refresh alone")
    return {"blank": list(view.blank)} if view.blank else {}


def term(value: Any) -> Term:  # noqa: ANN401 # any argument
    """An argument as a case writes it."""
    if isinstance(value, tuple) and len(value) == PAIR and isinstance(value[1], Segment):
        return listed((value[0], value[1]))
    for kind, encode in TERMS.items():
        if isinstance(value, kind):
            return encode(value)
    if isinstance(value, tuple):
        return [term(each) for each in value]
    if isinstance(value, Mapping):
        return mapping(value)
    found: Term = value
    return found


def mapping(value: Mapping[Any, Any]) -> Term:
    """A map: by range as pairs, by name as an object."""
    if all(isinstance(key, str) for key in value):
        return {key: term(value[key]) for key in sorted(value)}
    return encoding.positions(value)  # type: ignore[arg-type] # the only other map among arguments


TERMS: Mapping[Any, Callable[[Any], Term]] = {
    RangeId: encoding.range_id,
    SegmentId: encoding.segment_id,
    Cursor: encoding.cursor,
    Record: encoding.record,
    Roll: encoding.roll,
    Command: encoding.command,
}


def listed(pair: tuple[SegmentId, Segment]) -> Term:
    """A segment as a sweep hands it over."""
    segment_id, segment = pair
    return {
        "id": encoding.segment_id(segment_id),
        "range_id": encoding.range_id(segment.range_id),
        "replica_set": list(segment.replica_set),
        "start_offset": segment.start_offset,
        "state": segment.state.value,
    }


def answers(faults: tuple[Fault, ...]) -> dict[str, Term]:
    """What effects are answered, by kind."""
    found: dict[str, Term] = {}
    for fault in faults:
        if fault.view != "keep":
            raise UnwritableError("an answer brings the view that a world brings")
        answer: dict[str, Term] = {"reply": encoding.answer(fault.answer), "done": fault.is_applied}
        truth: list[Term] = ["ok"] * (fault.at or 0)
        found[fault.kind] = answer if fault.at is None else [*truth, answer]
    return found
