"""The calls of the protocol: every function of the source, its arguments, reply and profile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from checker.conform.codecs import Codec, Reader, fields_reader, fields_writer
from checker.replay.terms import Term
from reference.frontend import Frontend
from reference.producing import Groups
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, ReadReply, Refusal, ReplicateReply
from spec.vocabulary import Broker, Count, Dispatch, Offset, PolicyName, SegmentId, TopicPolicy

Profile = Literal[
    "core", "plan", "roll", "reshape", "history", "heal", "recover", "cache", "policy"
]
PROFILES: tuple[Profile, ...] = (
    "core",
    "plan",
    "roll",
    "reshape",
    "history",
    "heal",
    "recover",
    "cache",
    "policy",
)
Arguments = Mapping[str, Any]


class Effects(Protocol):
    """What a frontend reaches the world through."""

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane."""

    def replicate(self, dispatch: Dispatch) -> ReplicateReply:
        """Send a batch to its primary."""

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""

    def policy(self, name: PolicyName) -> TopicPolicy | None:
        """Look up a storage policy."""


Answered = tuple[Frontend, object]
Run = Callable[[Frontend, Arguments, Effects], Answered]


@dataclass(frozen=True, slots=True)
class Grouped:
    """How a call that handles its records range by range is run in another order of ranges."""

    route: Callable[[Frontend, Arguments], Groups | Refusal]
    run: Callable[[Frontend, Groups, Effects], Answered]


def unchanged(value: object) -> object:
    """The value itself."""
    return value


@dataclass(frozen=True, slots=True)
class Operation:
    """One function of the source."""

    name: str
    profile: Profile
    run: Run
    reply: Codec[Any]
    arguments: Mapping[str, Codec[Any]] = field(default_factory=dict)
    grouped: Grouped | None = None
    is_query: bool = False
    """Whether it changes nothing, so that the frontend stays the one it was."""
    settle: Callable[[object], object] = unchanged
    """A reply without what it says by chance, as the order of a list that has none."""
    encode: Callable[[Arguments], dict[str, Term]] = field(init=False, compare=False)
    """Arguments as they stand in a call."""
    read: Reader[dict[str, Any]] = field(init=False, compare=False)
    """Arguments of a call, all of them and no others."""

    def __post_init__(self) -> None:
        """Put together what writes the arguments and what reads them."""
        object.__setattr__(self, "encode", fields_writer(self.arguments, "it[{!r}]"))
        object.__setattr__(self, "read", fields_reader(self.arguments, dict))

    def decode(self, term: Term) -> dict[str, Any]:
        """The arguments of a call."""
        return self.read(term, "args")
