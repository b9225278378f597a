"""The rules of the world: those of frontends that share a range, and those of reshaping."""

from collections.abc import Callable
from dataclasses import dataclass

from checker.world.sharing import rules as sharing
from reference import ranges, rolling
from reference.frontend import CommandFun, Frontend
from spec.replies import CommandReply, Ok, Refusal
from spec.vocabulary import ByteSize, Millis, Offset, RangeId, Roll

RangeIds = tuple[RangeId, ...]


def reshape(
    front: Frontend, parents: RangeIds, command_fun: CommandFun
) -> tuple[Frontend, CommandReply]:
    """[RNG-14] Split the one parent, or merge the two."""
    match parents:
        case (parent,):
            return ranges.split_range(front, parent, command_fun)
        case (first, second):
            return ranges.merge_ranges(front, first, second, command_fun)
        case _:
            raise ValueError(f"{len(parents)} ranges: one is split, two are merged")


def is_due(parents: RangeIds, ready: RangeIds) -> bool:
    """[ROL-41] A caller sends the command once no parent has a head any more."""
    return ready == parents


@dataclass(frozen=True, slots=True)
class Rules(sharing.Rules):
    """Every rule that a step of the world runs."""

    active_roll: Callable[[Frontend, RangeId], Roll | None] = rolling.active_roll
    record_seal: Callable[
        [Frontend, Roll, Offset, ByteSize, Millis, CommandFun], tuple[Frontend, Ok | Refusal]
    ] = rolling.record_seal
    is_due: Callable[[RangeIds, RangeIds], bool] = is_due
    reshape: Callable[[Frontend, RangeIds, CommandFun], tuple[Frontend, CommandReply]] = reshape


REFERENCE = Rules()
"""The mode `authoritative`."""
RAFT = Rules(bring=sharing.bring_own)
"""The mode `raft`: the log decides the reply, whatever the caller's view becomes."""
