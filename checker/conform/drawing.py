"""What a walk draws from: the reference's own frontends, and the world around them."""

from collections.abc import Iterable
from random import Random
from typing import Any, TypeVar

from immutables import Map

from checker.conform.calls.table import OPERATIONS
from checker.conform.oracles import BLANK
from checker.conform.playing import Playing
from checker.conform.predicting import Asked, way
from checker.conform.steps import Call, Step, ViewOf
from checker.conform.world import World
from reference import rolling
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.vnodes import merged
from spec import commands
from spec.commands import Command, CommittedPosition
from spec.vocabulary import (
    DONE,
    START,
    Attributes,
    Broker,
    ByteSize,
    Count,
    Cursor,
    Group,
    Millis,
    Offset,
    PolicyName,
    RangeId,
    Record,
    Roll,
    Segment,
    SegmentId,
    Sequence,
    TopicName,
)

Value = TypeVar("Value")

TOPICS = (TopicName("t"), TopicName("u"))
KEYS = (None, b"a", b"b", b"c", b"d", b"e")
BROKERS = tuple(Broker(name) for name in ("b1", "b2", "b3", "b4"))
RACKS = ("east", "west")
GROUPS = (Group("g"), Group("h"))
POLICY_NAMES = (PolicyName("racks"), PolicyName("plain"), PolicyName("unknown"))


class Walker:
    """A walk as it goes: the reference's frontends, the world, and the steps so far."""

    def __init__(self, chance: Random, begun: World) -> None:
        self.chance = chance
        self.steps: list[Step] = []
        self.brokers: list[str] = []
        self.remembered: set[str] = set()
        self.clock = 100
        self._playing = Playing(begun)
        self._fronts: dict[str, Frontend] = {}
        self.taken: tuple[Command, ...] = ()
        """The journal that was taken last, not yet replayed."""
        self.cursors: dict[RangeId, Any] = {}
        """Where the last page of each range ended."""

    @property
    def now(self) -> Millis:
        """The clock of the walk."""
        return Millis(self.clock)

    def rarely(self) -> bool:
        """Once in fifteen times."""
        return self.chance.randrange(15) == 0

    def evenly(self) -> bool:
        """Every other time."""
        return self.chance.randrange(2) == 0

    def mostly(self) -> bool:
        """Four times in five."""
        return self.chance.randrange(5) > 0

    @property
    def mode(self) -> str:
        """How commands travel."""
        return self._playing.world.mode

    def front(self, broker: str) -> Frontend:
        """A frontend of the reference."""
        return self._fronts[broker]

    def take(self, step: Step) -> None:
        """Take a step, and write it down."""
        self.steps.append(step)
        if not isinstance(step, Call):
            self._playing.around(step)
            return
        _, ours = self._playing.arguments(step.args, is_logged=False)
        asked = Asked(OPERATIONS[step.op], ours, step.faults, step.now)
        front = BLANK if step.op == "open" else self._fronts[step.broker]
        found = way(asked, front, self._playing.world)
        if found.exchanges:
            self._playing.world = found.exchanges[-1].world
        self._fronts[step.broker] = found.front
        self._remember(step, found.reply)

    def _remember(self, step: Call, reply: object) -> None:
        """Keep what a later call takes from this one."""
        if step.op == "take_journal" and isinstance(reply, tuple):
            self.taken = reply
        cursor = getattr(reply, "cursor", None)
        if cursor is not None:
            self.cursors[step.args["range"]] = cursor

    def listed(self, broker: str | None = None) -> Metadata:
        """What the control plane lists, or what a broker believes it does."""
        if not self.brokers or (broker is None and self.mode != "memory"):
            return merged(self._playing.world.authority)
        return merged(self._fronts[broker or self.brokers[0]].view)

    def one(self, some: Iterable[Value], other: Value) -> Value:
        """One of some things, or another where there is none."""
        found = sorted(some)  # type: ignore[type-var] # ids compare
        return self.chance.choice(found) if found else other

    def range_id(self, broker: str) -> RangeId:
        """A range that is known, and now and then one that is not."""
        if self.rarely():
            return RangeId(self.topic(), Sequence(self.chance.randrange(9)))
        return self.one(self.listed(broker).ranges, RangeId(TOPICS[0], Sequence(0)))

    def active_ranges(self) -> list[RangeId]:
        """The active ranges of the control plane, ascending."""
        listed = self.listed().ranges.items()
        return sorted(key for key, one in listed if one.state.value == "active")

    def active_range(self, broker: str) -> RangeId:
        """A range that is active, where there is one."""
        listed = self.listed(broker).ranges.items()
        active = [key for key, one in listed if one.state.value == "active"]
        return self.one(active, RangeId(TOPICS[0], Sequence(0)))

    def segment_id(self, broker: str | None = None) -> SegmentId:
        """A segment that is listed or cached, and now and then another."""
        if self.rarely():
            root = RangeId(self.topic(), Sequence(0))
            return SegmentId(root, Sequence(self.chance.randrange(5)))
        known = set(self.listed(broker).segments)
        if broker is not None:
            known |= {head.id for head in self._fronts[broker].heads.values()}
        return self.one(known, SegmentId(RangeId(TOPICS[0], Sequence(0)), Sequence(0)))

    def head_id(self, broker: str) -> SegmentId:
        """Mostly a segment that a broker caches as a head or whose fence it awaits."""
        front = self._fronts[broker]
        known = {head.id for head in front.heads.values()}
        known |= {fencing.segment_id for fencing in front.fencing.values()}
        return (
            self.one(known, self.segment_id(broker)) if self.mostly() else self.segment_id(broker)
        )

    def segment_and_start(self) -> tuple[SegmentId, Offset]:
        """A segment of the control plane, with its start."""
        segment_id = self.segment_id()
        known = self.listed().segments.get(segment_id)
        return segment_id, Offset(0) if known is None else known.start_offset

    def end_of(self, segment_id: SegmentId, start: Offset) -> Offset:
        """Where the log of a segment ends."""
        log = self._playing.world.logs.get(segment_id)
        return start if log is None else log.end

    def topic(self) -> TopicName:
        """A topic, mostly the one that exists from the first."""
        return self.chance.choices(TOPICS, (5, 1))[0]

    def offset(self) -> Offset:
        """A small offset."""
        return Offset(self.chance.randrange(8))

    def records(self) -> tuple[Record, ...]:
        """One to four records; some are long, so that segments fill up."""
        return tuple(
            Record(self.chance.choice(KEYS), b"v" * self.chance.choice((0, 1, 1, 90)))
            for _ in range(self.chance.choice((1, 1, 2, 4)))
        )

    def some_brokers(self) -> tuple[Broker, ...]:
        """Brokers to place on."""
        return tuple(self.chance.sample(BROKERS, self.chance.choice((1, 2, 3, 3))))

    def attributes(self) -> Map[Broker, Attributes]:
        """Where brokers stand; some stand nowhere."""
        return Map({one: Map({"rack": self.chance.choice(RACKS)}) for one in self.some_brokers()})

    def options(self) -> dict[str, Any]:
        """What a broker is opened with."""
        return {
            "brokers": self.some_brokers(),
            "replication_factor": self.chance.choice((1, 2, 3)),
            "segment_max_bytes": ByteSize(self.chance.choice((100, 200, 1000))),
            "spread_by": self.chance.choice((None, None, "rack")),
            "broker_attributes": self.attributes(),
            "min_domains": self.chance.choice((None, None, 1, 2)),
            "placement_policy": self.chance.choice(("hard", "soft", "soft")),
            "view": ViewOf(),
        }

    def roll(self, broker: str) -> Roll:
        """A roll that is owed, or that of a head, or of no head at all."""
        front = self._fronts[broker]
        owed = rolling.due_rolls(front)
        if owed and self.mostly():
            return self.chance.choice(owed)
        found = rolling.active_roll(front, self.range_id(broker))
        if found is not None:
            return found
        segment_id = self.segment_id(broker)
        return Roll(segment_id.range_id, segment_id, BROKERS[0], self.offset())

    def command(self) -> Command:
        """A command of somebody else, about what the control plane lists."""
        segment_id, range_id = self.segment_id(), self.active_range(self.brokers[0])
        listed = self.listed().segments.get(segment_id)
        start = Offset(0) if listed is None else listed.start_offset
        length = Count(self.chance.randrange(4))
        new = SegmentId(range_id, Sequence(self.chance.randrange(5)))
        return self.chance.choice(
            (
                commands.SealSegment(segment_id, length, ByteSize(length * 40), self.now),
                commands.SealSegment(segment_id, length, ByteSize(length * 40), self.now),
                commands.RegisterSegment(range_id, new, self.some_brokers(), self.offset()),
                commands.SetSegmentReplicas(segment_id, self.some_brokers()),
                commands.DeleteSegment(segment_id),
                commands.SplitRange(range_id),
                commands.CreateTopic(TOPICS[1], 2),
                commands.SealTopic(self.topic()),
                commands.DeleteTopic(TOPICS[1]),
                commands.BeginMigration(TOPICS[1]),
                commands.EndMigration(TOPICS[1]),
                commands.CommitOffset(GROUPS[0], TOPICS[0], self.positions(self.brokers[0])),
                commands.RegisterSegment(range_id, new, self.some_brokers(), start),
            )
        )

    def heal_command(self) -> Command:
        """A command that a heal coordinator sends."""
        segment_id = self.segment_id()
        length = Count(self.chance.randrange(4))
        if self.evenly():
            return commands.SetSegmentReplicas(segment_id, self.some_brokers())
        return commands.SealSegment(segment_id, length, ByteSize(length * 40), self.now)

    def positions(self, broker: str) -> Map[RangeId, CommittedPosition]:
        """What a consumer group commits."""
        ranges = {self.range_id(broker) for _ in range(self.chance.choice((1, 2)))}
        return Map({one: self.position(one) for one in sorted(ranges)})

    def position(self, range_id: RangeId) -> CommittedPosition:
        """A cursor of a consumer: where its last page ended, the start, or anywhere."""
        last = self.cursors.get(range_id)
        if last is not None and last != DONE and self.evenly():
            found: CommittedPosition = last
            return found
        if self.evenly():
            return START
        return Cursor(self.chance.randrange(3), self.offset())

    def segments(self, broker: str) -> tuple[tuple[SegmentId, Segment], ...]:
        """Segments as a sweep of the control plane hands them over."""
        known = self.listed(self.chance.choice((None, broker))).segments
        ids = sorted(known)
        chosen = sorted(self.chance.sample(ids, min(len(ids), self.chance.choice((1, 2)))))
        return tuple((one, known[one]) for one in chosen)
