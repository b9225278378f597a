"""The reference as an adapter: it takes the messages of protocol 1 and answers them.

What each call does is a table, so that a broker with one mistake is this adapter with one entry
exchanged.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, cast

from checker.conform import messages
from checker.conform.calls.table import OPERATIONS
from checker.conform.effects import (
    ANSWERS,
    EFFECTS,
    CommandAnswer,
    CommandEffect,
    Installed,
    Kind,
    PolicyEffect,
    ReadEffect,
    replicating,
)
from checker.conform.lines import read_line, write_line
from checker.conform.messages import Message
from checker.conform.operations import Operation
from checker.conform.oracles import BLANK
from checker.conform.state import State, options, state, written
from checker.conform.transports.channel import AnswerFun
from checker.conform.transports.tcp import HOST, PORT, TOKEN
from checker.conform.views import as_view, ring
from checker.replay.recorded import owned
from checker.replay.terms import MalformedError, Term, count, text
from reference import vnodes
from reference.frontend import Frontend, Options
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, ReadReply, ReplicateReply
from spec.vocabulary import (
    Broker,
    Count,
    Dispatch,
    Millis,
    Offset,
    PolicyName,
    SegmentId,
    TopicPolicy,
)

IMPLEMENTATION = "malachi-model reference"
BROKERS = 64


class Remote:
    """The effects of one call, asked for over the wire."""

    def __init__(self, number: Term, now: Millis, ask: AnswerFun) -> None:
        self._number = number
        self._now = now
        self._ask = ask
        self._count = 0

    def command(self, view: View, command: Command) -> tuple[View, CommandReply]:
        """Tell the control plane."""
        answer: CommandAnswer = self._asked("command", CommandEffect(command))
        match answer.view:
            case Installed(told):
                return as_view(told), answer.reply
            case "apply":
                return vnodes.submit(view, command, self._now)[0], answer.reply
            case "keep":
                return view, answer.reply

    def replicate(self, dispatch: Dispatch) -> ReplicateReply:
        """Send a batch."""
        answer: ReplicateReply = self._asked("replicate", replicating(dispatch))
        return answer

    def read(
        self, broker: Broker, segment_id: SegmentId, offset: Offset, max_records: Count
    ) -> ReadReply:
        """Read from a log."""
        answer: ReadReply = self._asked("read", ReadEffect(broker, segment_id, offset, max_records))
        return answer

    def policy(self, name: PolicyName) -> TopicPolicy | None:
        """Look up a policy."""
        answer: TopicPolicy | None = self._asked("policy", PolicyEffect(name))
        return answer

    def _asked(self, kind: Kind, effect: object) -> Any:  # noqa: ANN401 # by the kind asked for
        self._count += 1
        answer = self._ask(
            {
                "type": "effect",
                "id": self._count,
                "call": self._number,
                "kind": kind,
                "args": EFFECTS[kind].encode(effect),
            }
        )
        return ANSWERS[kind].decode(answer["value"], "answer")


@dataclass(slots=True)
class ReferenceAdapter:
    """Brokers of the reference by name."""

    operations: Mapping[str, Operation]
    brokers: dict[str, Frontend]
    implementation: str = IMPLEMENTATION
    token: str = ""
    blank: Frontend = BLANK

    def handle(self, message: Message, effect: AnswerFun) -> Message | None:
        """Answer one message; `bye` is not answered."""
        kind = messages.type_of(message)
        if kind == "call":
            return self._call(message, effect)
        if kind == "snapshot":
            front = self._front(message)
            return self._said("state", message, written(front))
        if kind == "hello":
            return self._welcome()
        if kind == "bye":
            return None
        self._prepare(kind, message)
        return {"type": "ready", "id": message["id"]}

    def _prepare(self, kind: str, message: Message) -> None:
        match kind:
            case "reset":
                self.brokers.clear()
            case "load":
                self.brokers[text(message["broker"], "broker")] = frontend_told(
                    message, self.blank.options
                )
            case "fork":
                source = text(message["from"], "from")
                self.brokers[text(message["broker"], "broker")] = self.brokers[source]
            case _:
                raise MalformedError(f"nothing is known of the message {kind[:60]}")

    def _call(self, message: Message, effect: AnswerFun) -> Message:
        operation = self.operations[text(message["op"], "op")]
        name = text(message["broker"], "broker")
        args = operation.decode(message["args"])
        now = Millis(count(message["now"], "now"))
        front = self.blank if operation.name == "open" else self.brokers[name]
        effects = Remote(message["id"], now, effect)
        front, reply = operation.run(front, args, effects)
        if front is not self.blank:
            self.brokers[name] = front
        answer = self._said("reply", message, operation.reply.encode(reply))
        if "show" in message and name in self.brokers:
            answer["state"] = written(self.brokers[name])
        return answer

    def _front(self, message: Message) -> Frontend:
        return self.brokers[text(message["broker"], "broker")]

    def _said(self, kind: str, message: Message, value: Term) -> Message:
        return {"type": kind, "id": message["id"], "value": value}

    def _welcome(self) -> Message:
        return {
            "type": "welcome",
            "protocol": messages.PROTOCOL,
            "implementation": self.implementation,
            "ops": list(self.operations),
            "level": "L3",
            "capabilities": {
                "load": True,
                "fork": True,
                "show": True,
                "clock": "injected",
                "brokers": BROKERS,
            },
            "token": self.token,
        }


def frontend_told(message: Message, hashing: Options) -> Frontend:
    """The frontend that a message tells: its options, its state, and the ring of its view."""
    found: State = state.decode(message["state"], "state")
    given = options.decode(message["options"], "options")
    tokens = ring.decode(message["ring"], "ring")
    empty = vnodes.sharded((vnode, token) for token, vnode in tokens)
    owners = {
        vnode: owned(found.view, vnode, empty, found.view.migrating) for vnode in empty.vnodes
    }
    return Frontend(
        replace(given, position_fun=hashing.position_fun, rank_fun=hashing.rank_fun),
        View(empty.ring, empty.vnodes.update(owners)),
        found.offsets,
        found.heads,
        found.sequences,
        found.rolling,
        found.fencing,
        found.unrecovered,
        found.journal,
    )


def reference_adapter(
    operations: Mapping[str, Operation] = OPERATIONS, implementation: str = IMPLEMENTATION
) -> ReferenceAdapter:
    """The reference, or a broker that departs from it in some of its calls."""
    return ReferenceAdapter(operations, {}, implementation, os.environ.get(TOKEN, ""))


def serve(adapter: ReferenceAdapter, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer line after line, until `bye` or the end of the input."""

    def send(message: Message) -> None:
        outgoing.write(write_line(message))
        outgoing.flush()

    def ask(effect: Message) -> Message:
        send(effect)
        return read_line(incoming.readline())

    while line := incoming.readline():
        answer = adapter.handle(read_line(line), ask)
        if answer is None:
            return
        send(answer)


def serve_socket(adapter: ReferenceAdapter) -> None:
    """Answer over a socket, connecting to where the environment says."""
    address = os.environ[HOST], int(os.environ[PORT])
    with socket.create_connection(address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection.makefile("rwb") as file:
            serve(adapter, cast("BinaryIO", file), cast("BinaryIO", file))
