"""The steps of a consumer and of the frontend that it reads from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from immutables import Map

from checker.search.model import Guard, Outcome, Step
from checker.world.reading.bounds import Bounds
from checker.world.reading.parts import GROUP, Asked, Consumer, Past, Troubles
from checker.world.reading.rules import Rules
from checker.world.reshaping.parts import Logs
from checker.world.reshaping.refreshing import recover
from checker.world.reshaping.sight import blocks_of, listing_in
from checker.world.sharing.control import ControlPlane
from checker.world.sharing.parts import TOPIC
from reference import store
from reference.frontend import Frontend
from reference.vnodes import View
from spec import vocabulary
from spec.replies import Eof, Failed, ReadFun, ReadReply, Refusal
from spec.vocabulary import (
    START,
    Broker,
    ConsumeCursor,
    Count,
    Offset,
    Page,
    RangeId,
    SegmentId,
    State,
)

Outcomes = Sequence[Outcome]
Floor = vocabulary.Sequence
FAILING = Failed("unavailable")
IDLE = Guard(("c1",), lambda consumer: consumer.asked is None)
BUSY = Guard(("c1",), lambda consumer: consumer.asked is not None)


def consuming_steps(bounds: Bounds, rules: Rules) -> list[Step]:
    """Every step of the consumer and of its frontend."""
    consuming, troubles = _Consuming(bounds, rules), bounds.troubles
    seen = ("f1", "control", "logs")
    served = ("c1", "troubles") if rules.after_page is None else ("c1", "troubles", "f1")
    steps = [
        *(
            Step(
                f"c1 reads {budget}",
                "page",
                ("f1", "c1", "control", "logs", "past", "troubles"),
                served,
                consuming.paging(Count(budget)),
                IDLE,
            )
            for budget in bounds.budgets
        ),
        Step("c1 takes its page", "take", ("c1",), ("c1",), consuming.take, BUSY),
        Step("f1 refreshes", "refresh", seen, ("f1",), consuming.refresh),
    ]
    if bounds.future.shapes or bounds.future.own:
        steps.append(Step("c1 moves", "move", ("f1", "c1"), ("c1",), consuming.move, IDLE))
    if not bounds.is_recovered_at_once:
        steps.append(Step("f1 recovers", "recover", seen, ("f1",), consuming.recover))
    if troubles.restarts:
        restart = consuming.restart
        steps.append(
            Step("f1 restarts", "reboot", (*seen, "troubles"), ("f1", "troubles"), restart)
        )
    if troubles.commits:
        told = ("f1", "c1", "control", "troubles")
        steps.append(Step("c1 commits", "commit", told, told, consuming.commit))
    if troubles.crashes:
        reads = ("f1", "c1", "control", "troubles")
        steps.append(Step("c1 resumes", "resume", reads, ("c1", "troubles"), consuming.resume))
    return steps


def serving(
    logs: Logs,
    reads: list[tuple[Broker, SegmentId]],
    fails_at: int | None = None,
    absent: ReadReply = FAILING,
) -> ReadFun:
    """The stores, with a note of who was asked; one read may fail."""

    def read(broker: Broker, segment_id: SegmentId, offset: Offset, at_most: Count) -> ReadReply:
        reads.append((broker, segment_id))
        if len(reads) - 1 == fails_at:
            return FAILING
        log = logs.get(segment_id)
        return absent if log is None else store.read(log, offset, at_most)

    return read


@dataclass(frozen=True, slots=True)
class _Consuming:
    """One consumer, and the frontend that answers it."""

    bounds: Bounds
    rules: Rules

    def paging(self, budget: Count) -> Callable[..., Outcomes]:
        """Ask for a page of that many records."""

        def page(
            front: Frontend,
            consumer: Consumer,
            _view: View,
            logs: Logs,
            past: Past,
            troubles: Troubles,
        ) -> Outcomes:
            if consumer.asked is not None:
                return ()
            shown = self._visible(logs, past)
            asked = self._ask(front, consumer, budget, shown, None)
            served = self._served(front, consumer, asked)
            label = f"c1 asks for {budget} {_in_words(consumer, asked)}"
            found = [Outcome(label, (served[0], troubles, *served[1:]))]
            if not troubles.failures:
                return found
            fewer = replace(troubles, failures=troubles.failures - 1)
            failing = [
                self._served(front, consumer, self._ask(front, consumer, budget, shown, place))
                for place, _ in enumerate(asked.reads)
            ]
            return found + [
                Outcome(
                    f"c1 asks for {budget}, and read {place + 1} fails",
                    (failed[0], fewer, *failed[1:]),
                )
                for place, failed in enumerate(failing)
            ]

        return page

    def take(self, consumer: Consumer) -> Outcomes:
        """Go on from the cursor of the page that came; an error leaves it where it is."""
        match consumer.asked:
            case Asked(_, Page(_, cursor)):
                taken = replace(consumer, cursor=cursor, asked=None)
                return [Outcome("c1 takes the page", (taken,))]
            case Asked():
                return [Outcome("c1 hears of an error", (replace(consumer, asked=None),))]
            case _:
                return ()

    def move(self, front: Frontend, consumer: Consumer) -> Outcomes:
        """Turn to a range that took over, once its frontend lists it."""
        blocks = dict(blocks_of(front.view))
        block = blocks.get(consumer.range_id)
        if consumer.asked is not None or block is None or block.state is State.ACTIVE:
            return ()
        return [
            Outcome(f"c1 moves to r{each.seq}", (Consumer(each, self._committed(front, each)),))
            for each, other in blocks.items()
            if other.state is State.ACTIVE and consumer.range_id in other.parents
        ]

    def refresh(self, front: Frontend, view: View, logs: Logs) -> Outcomes:
        """Install what the control plane lists, and recover."""
        installed = self.rules.install(front, view)
        if self.bounds.is_recovered_at_once:
            installed = self._recover(installed, logs)
        return [] if installed == front else [Outcome("f1 refreshes", (installed,))]

    def recover(self, front: Frontend, _view: View, logs: Logs) -> Outcomes:
        """Learn the ends of the ranges that it lists."""
        recovered = self._recover(front, logs)
        return [] if recovered == front else [Outcome("f1 recovers", (recovered,))]

    def restart(self, front: Frontend, view: View, logs: Logs, troubles: Troubles) -> Outcomes:
        """Forget everything, read the control plane, and recover; primaries may be mute."""
        if not troubles.restarts:
            return ()
        fewer = replace(troubles, restarts=troubles.restarts - 1)
        born = Frontend(front.options, view)
        found = [Outcome("f1 restarts", (self._recover(born, logs), fewer))]
        if not troubles.mutes:
            return found
        fewer = replace(fewer, mutes=troubles.mutes - 1)
        return [*found, Outcome("f1 restarts, and primaries are mute", (self._mute(born), fewer))]

    def commit(
        self, front: Frontend, consumer: Consumer, view: View, troubles: Troubles
    ) -> Outcomes:
        """Commit where the consumer stands."""
        if not troubles.commits or consumer.asked is not None or consumer.cursor == START:
            return ()
        plane = ControlPlane(self.rules, view)
        positions = Map([(consumer.range_id, consumer.cursor)])
        told, _ = self.rules.commit_offset(front, GROUP, TOPIC, positions, plane.tell)
        fewer = replace(troubles, commits=troubles.commits - 1)
        promised = replace(consumer, promised=consumer.cursor)
        return [Outcome("c1 commits where it stands", (told, promised, plane.view, fewer))]

    def resume(
        self, front: Frontend, consumer: Consumer, _view: View, troubles: Troubles
    ) -> Outcomes:
        """Start again from what was committed."""
        if not troubles.crashes or consumer.asked is not None:
            return ()
        cursor = self._committed(front, consumer.range_id)
        fewer = replace(troubles, crashes=troubles.crashes - 1)
        label = f"c1 restarts and resumes r{consumer.range_id.seq} at {where(cursor)}"
        return [Outcome(label, (replace(consumer, cursor=cursor), fewer))]

    def _ask(
        self, front: Frontend, consumer: Consumer, budget: Count, logs: Logs, fails_at: int | None
    ) -> Asked:
        reads: list[tuple[Broker, SegmentId]] = []
        absent: ReadReply = Eof() if self.bounds.is_absence_eof else FAILING
        stores = serving(logs, reads, fails_at, absent)
        heard: list[ReadReply] = []

        def listen(broker: Broker, each: SegmentId, offset: Offset, most: Count) -> ReadReply:
            heard.append(stores(broker, each, offset, most))
            return heard[-1]

        answer = self.rules.read_consume(front, consumer.range_id, consumer.cursor, budget, listen)
        return Asked(budget, answer, tuple(reads), any(isinstance(each, Refusal) for each in heard))

    def _served(
        self, front: Frontend, consumer: Consumer, asked: Asked
    ) -> tuple[Consumer | Frontend, ...]:
        """The consumer of a page, and the frontend that has served it, where that changes it."""
        after_page, served = self.rules.after_page, replace(consumer, asked=asked)
        if after_page is None:
            return (served,)
        return served, after_page(front, consumer.range_id, asked.answer)

    def _visible(self, logs: Logs, past: Past) -> Logs:
        """What the stores show of their logs."""
        shown = logs
        for segment_id, log in logs.items():
            ends = [(each.offset or 0) + 1 for each in past.get(segment_id, ())]
            end = Offset(max([log.start, *ends]))
            shown = shown.set(segment_id, self.rules.visible(log, end))
        return shown

    def _committed(self, front: Frontend, range_id: RangeId) -> ConsumeCursor:
        return self.rules.committed_offsets(front, GROUP, TOPIC).get(range_id, START)

    def _recover(self, front: Frontend, logs: Logs) -> Frontend:
        return recover(self.rules, front, logs) if self.rules.is_recovering(front) else front

    def _mute(self, front: Frontend) -> Frontend:
        for range_id, _ in blocks_of(front.view):
            listed = listing_in(front.view, range_id)
            if not listed:
                continue
            segment_id, segment = listed[-1]
            floor = Floor(segment_id.seq + 1)
            if segment.length is None:
                front = self.rules.seed_unrecovered_range(front, range_id, floor)
            else:
                end = Offset(segment.start_offset + segment.length)
                front = self.rules.seed_range_state(front, range_id, end, floor)
        return front


def where(cursor: ConsumeCursor) -> str:
    """A cursor in words."""
    return "its start" if cursor == START else f"source {cursor[0]}, offset {cursor[1]}"


def _in_words(consumer: Consumer, asked: Asked) -> str:
    at = f"from {where(consumer.cursor)} of r{consumer.range_id.seq}"
    match asked.answer:
        case Page(records, cursor, skips):
            names = " ".join(each.value.decode() for each in records) or "nothing"
            passed = f", {len(skips)} skipped" if skips else ""
            return f"{at}: gets {names}{passed}, then {where(cursor)}"
        case refusal:
            return f"{at}: {refusal.name}"
