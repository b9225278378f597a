"""The world around one call: it answers the reference's effects as the recording does.

It also works out each answer by its own control plane and store, and the scripted faults. An
effect that was recorded with another request, or not at all, gets the worked-out answer; one
recorded with another answer is a difference, and goes on with the recorded answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from immutables import Map

from checker.replay import decoding, encoding
from checker.replay.comparing import ABSENT, Difference, differences
from checker.replay.faults import Fault, Kind
from checker.replay.terms import Term
from checker.replay.trace import Mode
from reference import commanding
from reference.store import Log, append, read
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, Eof, ReadReply, ReplicateReply
from spec.vocabulary import Broker, Count, Dispatch, Offset, PolicyName, SegmentId, TopicPolicy


@dataclass(slots=True)
class World:
    """What all frontends share."""

    mode: Mode
    authority: View
    """The control plane. In memory mode nobody but `authority_command` sees it."""
    store: Map[SegmentId, Log]
    policies: Mapping[PolicyName, TopicPolicy]

    def policy(self, name: PolicyName) -> TopicPolicy | None:
        """What a policy name stands for."""
        return self.policies.get(name)


class Effects:
    """The effects of one call, in order."""

    def __init__(
        self,
        world: World,
        recorded: list[dict[str, Term]],
        faults: Mapping[Kind, Sequence[Fault]],
        has_flags: bool,
    ) -> None:
        self.differences: list[Difference] = []
        self.happened: list[Term] = []
        """The effects so far, as a recording writes them."""
        self._world = world
        self._recorded = recorded
        self._faults = faults
        self._has_flags = has_flags
        self._asked = 0
        self._counts: dict[Kind, int] = {"command": 0, "replicate": 0, "read": 0}

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane, in the mode of the trace. No view comes with a lost answer."""
        request = encoding.command(command)
        fault = self._fault("command", command.tag)
        if fault is not None:
            if fault.is_applied and self._world.mode != "memory":
                self._submit(view, command)
            return view, decoding.command_reply(*self._settle("command", request, fault.answer))
        view, reply = self._submit(view, command)
        ours = encoding.answer(reply)
        theirs, path = self._settle("command", request, ours)
        return view, reply if theirs is ours else decoding.command_reply(theirs, path)

    def replicate(self, dispatch: Dispatch) -> ReplicateReply:
        """Append a batch at its primary."""
        request: Term = {
            "primary": dispatch.primary,
            "segment": encoding.segment_id(dispatch.segment_id),
            "replica_set": list(dispatch.replica_set),
            "base_offset": dispatch.base_offset,
            "records": encoding.records(dispatch.records),
        }
        fault = self._fault("replicate", None)
        if fault is None:
            answer = encoding.answer(self._append(dispatch))
        else:
            if fault.is_applied:
                self._append(dispatch)
            answer = fault.answer
        return decoding.replicate_reply(*self._settle("replicate", request, answer))

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log of the store."""
        request: Term = {
            "primary": broker,
            "segment": encoding.segment_id(segment_id),
            "offset": offset,
            "max": max_records,
        }
        fault = self._fault("read", None)
        if fault is not None:
            return decoding.read_reply(*self._settle("read", request, fault.answer))
        log = self._world.store.get(segment_id)
        reply = Eof() if log is None else read(log, offset, max_records)
        ours = encoding.answer(reply)
        theirs, path = self._settle("read", request, ours)
        return reply if theirs is ours else decoding.read_reply(theirs, path)

    def left_over(self) -> Iterator[Difference]:
        """Recorded effects that the reference did not have."""
        for at in range(self._asked, len(self._recorded)):
            yield Difference(f"effects[{at}]", ABSENT, dict(self._recorded[at]))

    def _fault(self, kind: Kind, tag: str | None) -> Fault | None:
        """The first fault that hits the next effect of a kind."""
        number = self._counts[kind]
        self._counts[kind] += 1
        return next((one for one in self._faults.get(kind, ()) if one.hits(number, tag)), None)

    def _settle(self, kind: Kind, request: Term, answer: Term) -> tuple[Term, str]:
        """Compare an effect with the recorded one; the answer to go on with, and its path."""
        at = self._asked
        self._asked += 1
        path = f"effects[{at}]"
        ours: dict[str, Term] = {"kind": kind, "request": request, "reply": answer}
        self.happened.append(ours)
        theirs = self._recorded[at] if at < len(self._recorded) else None
        if theirs == ours and not self._has_flags:
            return answer, path
        if theirs is None or theirs["kind"] != kind:
            self.differences.append(Difference(path, ours, ABSENT if theirs is None else theirs))
            return answer, path
        self.differences.extend(differences(path, ours, theirs))
        # What another question was answered is no answer to this one.
        return (theirs["reply"] if theirs["request"] == request else answer), f"{path}.reply"

    def _submit(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """What the caller sees of the control plane, and the reply."""
        world = self._world
        match world.mode:
            case "memory":
                return commanding.in_memory(view, command)
            case "authoritative":
                world.authority, view, reply = commanding.authoritative(
                    world.authority, view, command
                )
                return view, reply
            case "raft":
                world.authority, view, reply = commanding.raft(world.authority, view, command)
                return view, reply

    def _append(self, dispatch: Dispatch) -> ReplicateReply:
        """Append to the one log that all replicas share."""
        world = self._world
        log = world.store.get(dispatch.segment_id) or Log(dispatch.base_offset)
        log, reply = append(log, dispatch.records)
        world.store = world.store.set(dispatch.segment_id, log)
        return reply
