"""A run of steps against an adapter: the world is played, and every message judged."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

from checker.conform import messages
from checker.conform.calls.table import OPERATIONS
from checker.conform.clauses import clause_of_state
from checker.conform.codecs import Codec
from checker.conform.messages import Level, Limits, Message, Welcome
from checker.conform.nouns import brokers, key, plain_integer, position, segment_id
from checker.conform.operations import Arguments, Operation
from checker.conform.oracles import Knowledge, Question, UnaskedError
from checker.conform.outcomes import Finding, nearest
from checker.conform.playing import Playing
from checker.conform.predicting import Asked
from checker.conform.recalling import Recalled
from checker.conform.retracing import log_of
from checker.conform.showing import Showing
from checker.conform.state import written, written_text
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
from checker.conform.transports.channel import Channel, ChannelError, Due
from checker.conform.turns import Last, Turn, orders, same_id
from checker.conform.world import World
from checker.replay.terms import MalformedError, Term
from reference.frontend import Frontend
from spec.vocabulary import Broker, Position, SegmentId

Value = TypeVar("Value")

TEXT = "shows a state that is not allowed"


def greet(channel: Channel, limits: Limits) -> Welcome:
    """Say hello; who answers. Raises ChannelError."""
    received = channel.exchange(messages.hello(limits))
    try:
        return messages.read_welcome(received)
    except MalformedError as error:
        raise ChannelError("error/protocol", f"sent a wrong welcome: {error}") from None


class Session:
    """One run: the frontends' possible states, and the world they share."""

    def __init__(
        self,
        channel: Channel,
        welcome: Welcome,
        begun: World,
        level: Level = "L3",
        knowledge: Knowledge | None = None,
    ) -> None:
        self._channel = channel
        self._welcome = welcome
        self._level = level
        self._playing = Playing(begun)
        self._is_logged = welcome.capabilities.view == "log"
        self._is_shown = level == "L3" and welcome.capabilities.show
        """Whether the state comes with each reply, and nobody has to ask for it."""
        self._fronts: dict[str, tuple[Frontend, ...]] = {}
        self._knowledge = knowledge or Knowledge(welcome.capabilities)
        self._oracles, self._blank, self._foresee = self._knowledge.of(())
        self._showing = Showing(welcome.capabilities)
        self._number = 0
        self._later: Step | None = None
        """The step behind the one that is being played."""
        self.calls = 0

    def run(self, steps: Sequence[Step]) -> Finding | None:
        """Play steps from nothing; the first finding ends it."""
        self._oracles, self._blank, self._foresee = self._knowledge.of(universe_of(steps))
        if (found := self._ready(0)) is not None:
            return found
        for at, step in enumerate(steps):
            self._later = steps[at + 1] if at + 1 < len(steps) else None
            try:
                found = self._play(step)
            except ChannelError as error:
                op = step.op if isinstance(step, Call) else ""
                found = Finding(error.outcome, at, "", op, str(error))
            if found is not None:
                return replace(found, step=at, messages=self._number)
        return self._ready(len(steps))

    def fronts(self, broker: str) -> tuple[Frontend, ...]:
        """The states of the reference that fit what a broker did so far."""
        return self._fronts.get(broker, ())

    def _ready(self, at: int) -> Finding | None:
        """Let the adapter forget all. What it had still to say shows here."""
        try:
            received = self._channel.exchange(messages.reset(self._next()))
            self._expect(received, "ready")
        except ChannelError as error:
            return Finding(error.outcome, at, "", "", str(error), messages=self._number)
        return None

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _expect(self, received: Message, kind: str, *names: str) -> None:
        """Refuse anything but the answer that is due."""
        try:
            if messages.type_of(received) != kind:
                said = messages.type_of(received)[:60]
                raise ChannelError("error/protocol", f"said {said} where {kind} is due")
            messages.exactly(received, "id", *names)
            same_id(received, self._number)
        except MalformedError as error:
            raise ChannelError("error/protocol", str(error)) from None

    def _play(self, step: Step) -> Finding | None:
        match step:
            case Call():
                return self._call(step)
            case Load():
                return self._load(step)
            case Fork():
                return self._fork(step)
            case Look():
                return self._judge_state(step.broker, "")
            case Tell() | Remember() | Append() | Fence() | Drop():
                self._playing.around(step)
                return None

    def _load(self, step: Load) -> Finding | None:
        """Put a broker into a state, and see whether it shows it."""
        ours = self._blank.options
        told = replace(step.front.options, position_fun=ours.position_fun, rank_fun=ours.rank_fun)
        front = replace(step.front, options=told)
        log = log_of(front.view) if self._is_logged else None
        message = messages.load(self._next(), step.broker, front, log)
        self._expect(self._channel.exchange(message), "ready")
        self._fronts[step.broker] = (front,)
        return self._judge_state(step.broker, "load")

    def _fork(self, step: Fork) -> Finding | None:
        """Give what one name stands for another name. Shrinking may have taken the first."""
        if step.source in self._fronts:
            message = messages.fork(self._next(), step.broker, step.source)
            self._expect(self._channel.exchange(message), "ready")
            self._fronts[step.broker] = self._fronts[step.source]
        return None

    def _call(self, step: Call) -> Finding | None:
        operation = self._showing.settled(OPERATIONS[step.op])
        is_open = step.op == "open"
        fronts = (self._blank,) if is_open else self._fronts.get(step.broker)
        if fronts is None:
            # Shrinking may have taken the call that opens it.
            return None
        told, ours = self._playing.arguments(step.args, is_logged=self._is_logged)
        turn = self._turn(asked_of(step, operation, ours), fronts, step.broker)
        args = encoded(operation, told)
        message = messages.call(
            self._number, step.broker, step.op, args, step.now, show=self._is_shown
        )
        received = self._channel.exchange(message, turn.answer, turn.due)
        ended = turn.end(received)
        self.calls += 1
        self._playing.world = ended.world
        if turn.finding is not None:
            return replace(turn.finding, broker=step.broker)
        is_none = is_open and ended.fronts == (self._blank,)
        if not is_none:
            self._fronts[step.broker] = ended.fronts
        if self._is_shown and received["type"] == "reply":
            return self._judge_reply(step.broker, step.op, received)
        return None if is_none else self._judge_state(step.broker, step.op)

    def _turn(self, asked: Asked, fronts: tuple[Frontend, ...], broker: str) -> Turn:
        """A turn. The oracles are asked for all that the reference needs for it."""
        world = self._playing.world
        self._oracles.ask = self._answer_of_oracle
        try:
            ways = [self._foresee(asked, front, world) for front in fronts]
            others = orders(asked, fronts, ways, world)
        finally:
            self._oracles.ask = None
        return Turn(
            asked,
            ways,
            others,
            world,
            self._level,
            self._next(),
            self._is_logged,
            self._is_shown,
            partial(self._last, broker),
        )

    def _last(self, broker: str, reply: Message, front: Frontend, world: World) -> Due | None:
        """The reply that is due, which comes with the state where one was asked for."""
        if self._level == "L3" and not self._is_shown:
            # The next that is due is the state.
            return Last(reply, partial(written_text, front))
        ahead = partial(self._look_ahead, broker, front, world)
        if front is self._blank:
            # Nothing was opened: the name stands for what it stood for before.
            before = self._fronts.get(broker)
            shown = before[0] if before else None
        else:
            shown = front
        if shown is None or not self._is_shown:
            return Last(reply, ahead)
        return self._showing.due(reply, "state", shown, ahead)

    def _look_ahead(self, broker: str, front: Frontend, world: World) -> None:
        """Run the next call ahead: the adapter is at work, and it will most likely come to it."""
        step = self._later
        if not isinstance(step, Call) or step.op == "open" or holds_view(step):
            return
        fronts = (front,) if step.broker == broker else self._fronts.get(step.broker, ())
        asked = asked_of(step, self._showing.settled(OPERATIONS[step.op]), step.args)
        for each in fronts:
            with suppress(UnaskedError):
                self._foresee(asked, each, world)
        encoded(asked.operation, step.args)

    def _answer_of_oracle(self, question: Question) -> Position | tuple[Broker, ...]:
        """What the adapter says of a key, or of the brokers for a segment."""
        if isinstance(question, SegmentId):
            universe = self._oracles.universe
            args = {"segment": segment_id.encode(question), "brokers": brokers.encode(universe)}
            ranking = read_reply(brokers, self._asked("rank", args))
            if sorted(ranking) != sorted(universe):
                said = "its ranking is not of the brokers it was given"
                raise ChannelError("error/protocol", said)
            return ranking
        args = {"key": key.encode(question[0]), "size": plain_integer.encode(question[1])}
        return read_reply(position, self._asked("position", args))

    def _asked(self, oracle: str, args: dict[str, Term]) -> Term:
        received = self._channel.exchange(messages.call(self._next(), "", oracle, args, 0))
        self._expect(received, "reply", "value")
        return received["value"]

    def _judge_state(self, broker: str, op: str) -> Finding | None:
        """Ask for the state of a broker, and judge it."""
        fronts = self._fronts.get(broker)
        if self._level != "L3" or fronts is None:
            return None
        message = messages.snapshot(self._next(), broker)
        ahead = partial(self._look_ahead, broker, fronts[0], self._playing.world)
        before: Message = {"type": "state", "id": self._number}
        due = self._showing.due(before, "value", fronts[0], ahead)
        received = self._channel.exchange(message, None, lambda: due)
        if due is None or received is not due.message:
            self._expect(received, "state", "value")
        return self._judge_shown(broker, op, fronts, received["value"])

    def _judge_reply(self, broker: str, op: str, reply: Message) -> Finding | None:
        """Judge the state that came with a reply, where the name stands for a broker."""
        fronts = self._fronts.get(broker)
        if ("state" in reply) != (fronts is not None):
            which = "missing" if fronts else "unknown: nothing was opened"
            raise ChannelError("error/protocol", f"reply: state is {which}")
        return None if fronts is None else self._judge_shown(broker, op, fronts, reply["state"])

    def _judge_shown(
        self, broker: str, op: str, fronts: tuple[Frontend, ...], term: Term
    ) -> Finding | None:
        """Keep the states of the reference that a broker shows."""
        if term is written(fronts[0]):
            # The message was the very one that was due.
            self._fronts[broker] = fronts[:1]
            return None
        try:
            fitting, observed = self._showing.fitting(fronts, term)
        except MalformedError as error:
            raise ChannelError("error/protocol", str(error)) from None
        if fitting:
            self._fronts[broker] = fitting
            return None
        allowed = tuple(self._showing.shown(front) for front in fronts)
        places = nearest(allowed, observed, "state")
        clause = clause_of_state(op, places[0].path, self._playing.world.mode)
        return Finding("fail/state", 0, broker, op, TEXT, clause, observed, allowed, places)


def asked_of(step: Call, operation: Operation, args: Arguments) -> Asked:
    """A call, with the arguments that the reference gets."""
    return Asked(operation, args, step.faults, step.now)


encoded: Recalled[dict[str, Term]] = Recalled(lambda operation, args: operation.encode(args))
"""Arguments as they stand in a call."""


def holds_view(step: Call) -> bool:
    """Whether the arguments of a call wait for a view of the control plane."""
    return any(isinstance(each, ViewOf) for each in step.args.values())


def read_reply(codec: Codec[Value], term: Term) -> Value:
    """What an oracle answered."""
    try:
        return codec.decode(term, "reply")
    except MalformedError as error:
        raise ChannelError("error/protocol", str(error)) from None


def universe_of(steps: Sequence[Step]) -> tuple[Broker, ...]:
    """Every broker that a segment may be placed on, ascending."""
    found: set[Broker] = set()
    for step in steps:
        if isinstance(step, Load):
            found.update(step.front.options.brokers)
        elif isinstance(step, Call) and step.op in {"open", "set_brokers"}:
            found.update(step.args["brokers"])
    return tuple(sorted(found))
