"""One call, judged message by message against every way in which it may go."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from checker.conform.clauses import clause_of_call, clause_of_effect, clause_of_reply
from checker.conform.effects import (
    ANSWERS,
    KINDS,
    Answer,
    CommandAnswer,
    Effect,
    Installed,
    Kind,
    PolicyEffect,
)
from checker.conform.messages import (
    Level,
    Message,
    answer,
    effect,
    exactly,
    read_effect,
    reply,
    type_of,
)
from checker.conform.outcomes import Finding, Outcome, nearest
from checker.conform.predicting import Asked, Script, Way, other_ways
from checker.conform.replying import INVALID_ARGUMENT
from checker.conform.retracing import log_of
from checker.conform.transports.channel import ChannelError, Due
from checker.conform.world import World, settle
from checker.replay.terms import MalformedError, Term, shown, text
from reference.frontend import Frontend
from spec.replies import Failed, Refusal

LastFun = Callable[[Message, Frontend, World], Due | None]
"""What ends a call with a reply, and leaves a frontend in a world; none where nobody can say it."""
OVER = Failed("the run is over")
"""Answers what is still asked after the first message that is not allowed."""


class Last(Due):
    """The reply that is due: the call is over with it, and the next may be thought of."""

    def __init__(self, message: Message, look_ahead: Callable[[], object]) -> None:
        super().__init__(message)
        self._look_ahead = look_ahead

    def look_ahead(self) -> None:
        """Work out what comes next."""
        self._look_ahead()


class Ended(NamedTuple):
    """How a turn ended: the states that still fit, and the world."""

    fronts: tuple[Frontend, ...]
    world: World


class Turn:
    """The ways of one call that fit what was observed so far."""

    def __init__(
        self,
        asked: Asked,
        ways: list[Way],
        others: Iterator[Way] | None,
        world: World,
        level: Level,
        number: int,
        is_logged: bool,
        is_shown: bool,
        last: LastFun,
    ) -> None:
        self._asked = asked
        self._world = world
        self._level = level
        self._number = number
        self._is_logged = is_logged
        self._is_shown = is_shown
        """Whether the reply may come with a state, which others judge."""
        self._last = last
        self._alive = ways
        self._others = others
        self._seen: list[Effect] = []
        self._script = Script(asked.faults)
        self._due: tuple[Message, object] | None = None
        """The message that is due, and the effect or the reply that it holds."""
        self._is_loose = False
        """Whether effects are answered as they come: below L2 nobody judges them."""
        self.finding: Finding | None = None

    def due(self) -> Due | None:
        """What the first way does next, as it should come."""
        if self.finding is not None:
            return None
        one, at = self._alive[0], len(self._seen)
        if at < len(one.exchanges) and not self._is_loose:
            asked = one.exchanges[at].effect
            message = effect(at + 1, self._number, KINDS[type(asked)], asked)
            self._due = message, asked
            return Due(message)
        message = reply(self._number, self._asked.operation.reply.encode(one.reply))
        last = self._last(message, one.front, self._world)
        self._due = None if last is None else (last.message, one.reply)
        return last

    def _read_effect(self, message: Message) -> tuple[Kind, Effect]:
        """What is asked, by a message that was checked."""
        if self._due is not None and message is self._due[0]:
            asked: Any = self._due[1]
            return KINDS[type(asked)], asked
        if type_of(message) != "effect":
            said = f"said {type_of(message)[:60]} where an effect is due"
            raise ChannelError("error/protocol", said)
        try:
            found = read_effect(message)
        except MalformedError as error:
            raise ChannelError("error/protocol", str(error)) from None
        if message["call"] != self._number:
            said = f"an effect of call {shown(message['call'])} came during call {self._number}"
            raise ChannelError("error/protocol", said)
        return found

    def answer(self, message: Message) -> Message:
        """Answer an effect, the right one or not."""
        kind, asked = self._read_effect(message)
        return answer(message["id"], self._answered(kind, asked))

    def _answered(self, kind: Kind, effect: Effect) -> Term:
        return ANSWERS[kind].encode(self._told(self._answer_to(kind, effect)))

    def _answer_to(self, kind: Kind, effect: Effect) -> Answer:
        if isinstance(effect, PolicyEffect):
            return self._world.policies.get(effect.name)
        if self.finding is not None:
            return CommandAnswer(OVER, "keep") if kind == "command" else OVER
        if self._is_loose or not self._fits(effect):
            return self._unfit(kind, effect)
        self._seen.append(effect)
        self._script.next(kind, effect)
        at = len(self._seen) - 1
        exchange = self._alive[0].exchanges[at]
        if len(self._alive) > 1:
            answer = exchange.answer
            self._alive = [each for each in self._alive if each.exchanges[at].answer == answer]
        self._world = exchange.world
        return exchange.answer

    def _unfit(self, kind: Kind, effect: Effect) -> Answer:
        """An effect that no way has next."""
        if self._level in {"L0", "L1"}:
            self._is_loose = True
            self._seen.append(effect)
            fault = self._script.next(kind, effect)
            view = self._alive[0].front.view
            settled = settle(self._world, effect, fault, view, self._asked.now)
            self._world = settled.world
            return settled.answer
        self._refuse("fail/effect", effect, "asks for an effect that is not allowed")
        return self._answer_to(kind, effect)

    def _fits(self, effect: Effect) -> bool:
        """Keep the ways whose next effect this is."""
        at = len(self._seen)
        found = [each for each in self._alive if is_next(each, at, effect)]
        if not found and self._others is not None:
            self._open_others()
            found = [each for each in self._alive if is_next(each, at, effect)]
        if found:
            self._alive = found
        return bool(found)

    def _open_others(self) -> None:
        """Bring in the other orders of ranges, as far as they fit what was seen."""
        if self._others is None:
            return
        seen = len(self._seen)
        self._alive += [
            each
            for each in self._others
            if [one.effect for one in each.exchanges[:seen]] == self._seen
        ]
        self._others = None

    def end(self, message: Message) -> Ended:
        """Judge what ends the call: the states that still fit, or a finding."""
        is_due = self._due is not None and message is self._due[0]
        if not is_due:
            self._read_end(message)
        elif len(self._alive) > 1:
            self._replied(self._alive[0].reply)
        if len(self._alive) == 1:
            # Mostly there is only one, and hashing a frontend takes longer than a call.
            return Ended((self._alive[0].front,), self._world)
        return Ended(tuple(dict.fromkeys(each.front for each in self._alive)), self._world)

    def _read_end(self, message: Message) -> None:
        """Judge a message that is to be read first."""
        try:
            kind = type_of(message)
            if kind not in {"reply", "crash"}:
                raise ChannelError("error/protocol", f"said {kind[:60]} where a reply is due")
            names = ("value",) if kind == "reply" else ("kind", "message")
            is_shown = self._is_shown and kind == "reply" and "state" in message
            exactly(message, "id", *names, *(("state",) if is_shown else ()))
            same_id(message, self._number)
            if self.finding is None:
                if kind == "crash":
                    self._crashed(message)
                else:
                    operation = self._asked.operation
                    observed = operation.reply.decode(message["value"], "reply")
                    self._replied(operation.settle(observed))
        except MalformedError as error:
            raise ChannelError("error/protocol", str(error)) from None

    def _crashed(self, message: Message) -> None:
        """A crash that speaks of an argument is how some languages refuse one."""
        kind, said = text(message["kind"], "kind"), text(message["message"], "message")
        if kind == "argument" and self._keep(INVALID_ARGUMENT):
            return
        self._refuse("fail/crash", None, f"crashed ({kind[:60]}): {said[:200]}")

    def _replied(self, observed: object) -> None:
        """Judge a reply."""
        if self._keep(observed):
            return
        self._open_others()
        if self._keep(observed):
            return
        if self._is_finished():
            self._refuse("fail/reply", observed, "answers what is not allowed")
        else:
            self._refuse("fail/effect", observed, "answers before it asked for what is due")

    def _keep(self, observed: object) -> bool:
        """Keep the ways that end in this reply."""
        found = [
            each
            for each in self._alive
            if each.reply == observed
            and (self._level in {"L0", "L1"} or len(each.exchanges) == len(self._seen))
        ]
        if found:
            self._alive = found
        return bool(found)

    def _is_finished(self) -> bool:
        """Whether some way has no effect left."""
        return self._level in {"L0", "L1"} or any(
            len(each.exchanges) == len(self._seen) for each in self._alive
        )

    def _refuse(self, outcome: Outcome, observed: object, said: str) -> None:
        self._open_others()
        at = len(self._seen)
        is_effect = outcome == "fail/effect"
        allowed = tuple(dict.fromkeys(due(each, at) for each in self._alive))
        path = "effect" if is_effect else "reply"
        places = () if observed is None else nearest(allowed, observed, path)
        op = self._asked.operation.name
        first = places[0].path if places else ""
        clause = (
            clause_of_effect(op, allowed[0], first) if is_effect else clause_of_reply(op, first)
        )
        self.finding = Finding(
            outcome, 0, "", op, said, clause or clause_of_call(op), observed, allowed, places
        )

    def _told(self, value: Answer) -> Answer:
        """An answer as this adapter can take it."""
        if not (
            self._is_logged
            and isinstance(value, CommandAnswer)
            and isinstance(value.view, Installed)
        ):
            return value
        told, world = value.view.view, self._world
        log = world.logged if told is world.authority else log_of(told)
        return CommandAnswer(value.reply, Installed(log))


def orders(
    asked: Asked, fronts: tuple[Frontend, ...], ways: list[Way], world: World
) -> Iterator[Way] | None:
    """The ways with the ranges in another order; none for calls that know no order.

    Where all ranges were handled, nothing is left to ask an oracle. A call that ends early is tried
    in every order at once, before it is made.
    """
    if asked.operation.grouped is None:
        return None
    others = (each for front in fronts for each in other_ways(asked, front, world))
    is_whole = not any(isinstance(each.reply, Refusal) for each in ways)
    return others if is_whole else iter(list(others))


def same_id(message: Message, number: int) -> None:
    """Refuse an answer to another message. Python holds true for equal to 1."""
    if message["id"] != number or message["id"] is True:
        said = f"the id is {shown(message['id'])}, and that of the message was {number}"
        raise MalformedError(said)


def is_next(one: Way, at: int, effect: Effect) -> bool:
    """Whether a way goes on with this effect."""
    if at >= len(one.exchanges):
        return False
    asked = one.exchanges[at].effect
    return asked is effect or asked == effect


def due(one: Way, at: int) -> object:
    """What a way does next: an effect, or its reply."""
    return one.exchanges[at].effect if at < len(one.exchanges) else one.reply
