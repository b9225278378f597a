"""A world in which frontends share a range, with other batches and another threshold in it."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from typing import Protocol, TypeVar, cast

from checker.prove.integers import NotSymbolicError
from checker.prove.measuring import Run
from checker.search.model import Limit, Model, Step
from checker.symbolic.batches import (
    LEAST_BYTES,
    THRESHOLD,
    Unknowns,
    counted_records,
    real_records,
)
from reference.frontend import Frontend
from reference.store import Log
from spec.vocabulary import ByteSize, Offset, Record

Cut = Callable[[Log, Offset], Log]
Batches = Mapping[str, tuple[Record, ...]]
Function = TypeVar("Function", bound=Callable[..., object])


class _Producing(Protocol):
    """Who lives through the life of one batch."""

    slot: str
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class World:
    """A world whose batches and bytes can be any."""

    plain: Model
    unknowns: Unknowns

    def unknown(self) -> Model:
        """The world with unknown integers."""
        model = with_batches(self.plain, self.unknowns.records(), self.unknowns.threshold)
        return replace(model, bounds=bounds_of(self))

    def known(self, values: Mapping[str, int], *, is_counted: bool = False) -> Model:
        """The world with these integers; where it is counted, each batch is one value still."""
        make = counted_records if is_counted else real_records
        batches = {
            slot: make(slot, values[f"{slot}.records"], values[f"{slot}.bytes"])
            for slot in self.unknowns.slots
        }
        model = with_batches(self.plain, batches, ByteSize(values[THRESHOLD]))
        return replace(model, bounds=bounds_of(self))


def world_of(model: Model) -> World:
    """What is unknown of a world."""
    slots = [owner.slot for step in model.steps if (owner := _owner(step.rule)) is not None]
    is_rolled = model.bounds["size roll"] != "none"
    return World(model, Unknowns(tuple(dict.fromkeys(slots)), is_rolled))


def with_batches(model: Model, batches: Batches, threshold: ByteSize) -> Model:
    """The same world with these records in its batches, and so many bytes to fill a segment."""
    return replace(
        model,
        initial={name: _opened(value, threshold) for name, value in model.initial.items()},
        steps=tuple(_step(step, batches) for step in model.steps),
        limits=tuple(_limit(limit, batches) for limit in model.limits),
    )


def bounds_of(world: World) -> Mapping[str, str]:
    """What still bounds the world, in words."""
    each = ", ".join(world.unknowns.slots)
    said = "at any number of bytes from 1 on"
    if not world.unknowns.is_rolled:
        said = "none: more bytes than all batches have fill a segment"
    return {
        **world.plain.bounds,
        "batches": f"{each}: each of any number of records from 1 on, each of {LEAST_BYTES} bytes"
        " or more",
        "size roll": said,
    }


def _opened(value: Hashable, threshold: ByteSize) -> Hashable:
    if not isinstance(value, Frontend):
        return value
    return replace(value, options=replace(value.options, segment_max_bytes=threshold))


def _step(step: Step, batches: Batches) -> Step:
    return replace(step, rule=_in_whole_batches(_with(step.rule, batches)))


def _in_whole_batches(rule: Function) -> Function:
    """The same rule, where a copy that would be cut within a batch is refused."""
    method = getattr(rule, "__self__", None)
    owner = rule if method is None else method
    rules = getattr(owner, "rules", None)
    if not is_dataclass(owner) or not hasattr(rules, "cut"):
        return rule
    held = cast("_Cutting", rules)
    whole = replace(held, cut=partial(cut_between_batches, held.cut))
    changed = replace(cast("_Ruled", owner), rules=whole)
    if method is None:
        return cast("Function", changed)
    return cast("Function", getattr(changed, cast("Callable[..., object]", rule).__name__))


def cut_between_batches(cut: Cut, log: Log, edge: Offset) -> Log:
    """Drop what lies above an edge, which no batch of unknown length does in part."""
    for record in log.records:
        if isinstance(record, Run) and record.offset is not None:
            behind = record.offset + record.count
            if record.offset < edge < behind:
                raise NotSymbolicError(f"the records up to {behind} are cut in two at {edge}")
    return cut(log, edge)


def _limit(limit: Limit, batches: Batches) -> Limit:
    return replace(limit, is_hit=_with(limit.is_hit, batches))


def _with(function: Function, batches: Batches) -> Function:
    """The same method of the same batch with other records."""
    owner = _owner(function)
    if owner is None:
        return function
    changed = replace(cast("_Records", owner), records=batches[owner.slot])
    name = cast("Callable[..., object]", function).__name__
    return cast("Function", getattr(changed, name))


def _owner(function: Callable[..., object]) -> _Producing | None:
    owner = getattr(function, "__self__", None)
    is_batch = is_dataclass(owner) and hasattr(owner, "records") and hasattr(owner, "slot")
    return cast("_Producing", owner) if is_batch else None


@dataclass(frozen=True)
class _Records:
    records: tuple[Record, ...]


@dataclass(frozen=True)
class _Cutting:
    cut: Cut


@dataclass(frozen=True)
class _Ruled:
    rules: _Cutting
