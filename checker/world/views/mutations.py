"""The named changes of a world of views, each one rule exchanged for another."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from immutables import Map

from checker.world.sharing.rules import NOW
from checker.world.views.parts import Begun
from checker.world.views.rules import Called
from checker.world.views.scopes import BOUNDS
from reference import healing, placing, producing, ranges, refreshing, vnodes
from reference.frontend import CommandFun, Frontend, Options, PolicyFun
from reference.vnodes import View
from spec.commands import Command, CommitOffset, CreateTopic, DeleteSegment, Positions
from spec.replies import (
    CommandReply,
    Failed,
    InvalidArgument,
    NoSuchTopic,
    Ok,
    Planned,
    Refusal,
    SegmentActive,
)
from spec.vocabulary import Broker, Count, Group, Record, TopicName


def heal_reply_discarded(front: Frontend, commands: Iterable[Command], tell: CommandFun) -> Called:
    """[HEA-6] Go on as if every command had taken."""
    return healing.apply_heal(front, commands, tell), Ok()


def blank_vnode_installed(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-2] Install a vnode that did not answer like one without topics."""
    return _installed(front, replace(begun, unread=frozenset()))


def unread_positions_dropped(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-2] Keep of a vnode that did not answer all but the positions committed there."""
    bare = {vnode: replace(front.view.vnodes[vnode], committed=Map()) for vnode in begun.unread}
    held = replace(front.view, vnodes=front.view.vnodes.update(bare))
    return _installed(replace(front, view=held), begun)


def no_replay(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-8] Install what was read and forget the journal."""
    return _installed(front, begun, lambda _view, _commands: _view)


def replay_stops(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-9] Replay no further than to the first refusal."""

    def until_refused(view: View, commands: tuple[Command, ...]) -> View:
        for command in commands:
            view, reply = vnodes.command(view, command)
            if isinstance(reply, Refusal):
                break
        return view

    return _installed(front, begun, until_refused)


def replay_writes(front: Frontend, begun: Begun, tell: CommandFun) -> Frontend:
    """[RFR-8] Send the journal to the control plane once more."""

    def again(view: View, commands: tuple[Command, ...]) -> View:
        for command in commands:
            view, _ = tell(view, command)
        return view

    return _installed(front, begun, again)


def replay_last_wins(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-10] Replay a commit like any command."""

    def plainly(view: View, commands: tuple[Command, ...]) -> View:
        for command in commands:
            view, _ = vnodes.command(view, command)
        return view

    return _installed(front, begun, plainly)


def create_journaled(front: Frontend, topic: TopicName, bits: int, tell: CommandFun) -> Called:
    """[RFR-6] Keep a command in the journal whatever became of it."""
    return _journaled(ranges.create_topic(front, topic, bits, tell), CreateTopic(topic, bits))


def commit_journaled(
    front: Frontend, group: Group, topic: TopicName, positions: Positions, tell: CommandFun
) -> Called:
    """[RFR-6] Keep a command in the journal whatever became of it."""
    called = ranges.commit_offset(front, group, topic, positions, tell)
    return _journaled(called, CommitOffset(group, topic, positions))


def older_read_stays(begun: tuple[Begun, ...], place: int) -> tuple[Begun, ...]:
    """[RFR-4] Let a read wait that began before the one that is installed."""
    return begun[:place] + begun[place + 1 :]


def read_not_installed(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-1] Go on with the view that is held."""
    return _installed(front, replace(begun, view=front.view))


def journal_kept(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-7] Replay the journal and keep it for the next time."""
    return replace(_installed(front, begun), journal=front.journal)


def silence_believed(
    front: Frontend, group: Group, topic: TopicName, positions: Positions, tell: CommandFun
) -> Called:
    """[RNG-40] Take a commit that got no answer for done."""
    called, reply = ranges.commit_offset(front, group, topic, positions, tell)
    if not isinstance(reply, Failed):
        return called, reply
    done, _ = vnodes.command(front.view, CommitOffset(group, topic, positions))
    return replace(called, view=done), reply


def unopened_is_unknown(
    front: Frontend,
    topic: TopicName,
    records: tuple[Record, ...],
    tell: CommandFun,
    policy: PolicyFun,
) -> tuple[Frontend, Planned | Refusal]:
    """[PRD-5] Take a topic without segments for one that is not there."""
    if not vnodes.metadata_of(front.view, topic).segments:
        return front, NoSuchTopic()
    return producing.produce_plan(front, topic, records, tell, policy)


def first_commit_stays(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-24] Say that a commit is done, and keep the position that is there."""
    now, reply = vnodes.command(view, request, NOW)
    if not isinstance(request, CommitOffset):
        return now, reply
    held = vnodes.metadata_of(view, request.topic).committed
    return (view if (request.group, request.topic) in held else now), reply


def head_removed(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-20] Remove a segment without asking whether it is closed."""
    now, reply = vnodes.command(view, request, NOW)
    if not isinstance(reply, SegmentActive) or not isinstance(request, DeleteSegment):
        return now, reply
    shards = {
        vnode: replace(one, segments=one.segments.delete(request.segment_id))
        for vnode, one in view.vnodes.items()
        if request.segment_id in one.segments
    }
    return replace(view, vnodes=view.vnodes.update(shards)), Ok()


def members_ignored(front: Frontend, brokers: Iterable[Broker]) -> Frontend | InvalidArgument:
    """[PLC-15] Stay with the brokers that the frontend was opened with."""
    del brokers
    return front


def policy_ignored(
    front: Frontend,
    topic: TopicName,
    records: tuple[Record, ...],
    tell: CommandFun,
    _policy: PolicyFun,
) -> tuple[Frontend, Planned | Refusal]:
    """[PLC-14] Place every topic by the frontend's own rule."""
    return producing.produce_plan(front, topic, records, tell)


def placed_by(
    change: Callable[[Options], Options],
) -> Callable[..., tuple[Frontend, Planned | Refusal]]:
    """Place as if the options were others."""

    def plan(
        front: Frontend,
        topic: TopicName,
        records: tuple[Record, ...],
        tell: CommandFun,
        policy: PolicyFun,
    ) -> tuple[Frontend, Planned | Refusal]:
        otherwise = replace(front, options=change(front.options))
        planned, reply = producing.produce_plan(otherwise, topic, records, tell, policy)
        return replace(planned, options=front.options), reply

    return plan


def one_replica_more(options: Options) -> Options:
    """[PLC-6] Keep one copy more than was asked for."""
    return replace(options, replication_factor=options.replication_factor + 1)


def brokers_as_opened(options: Options) -> Options:
    """[PLC-15] Place on the brokers that the frontend was opened with."""
    return replace(options, brokers=BOUNDS["policy"].options.brokers)


def racks_as_opened(options: Options) -> Options:
    """[PLC-15] Place by the attributes that the frontend was opened with."""
    return replace(options, broker_attributes=BOUNDS["policy"].options.broker_attributes)


def one_domain_more(options: Options) -> Options:
    """[PLC-10] Demand more domains than are demanded."""
    return replace(options, min_domains=(options.min_domains or 0) + 1)


def own_topics_counted(front: Frontend) -> Map[TopicName, Count]:
    """[PLC-18] Count the thin segments of the topics that this frontend writes to."""
    own = {range_id.topic for range_id in front.heads}
    counted = placing.domain_violations(front)
    return Map((topic, count) for topic, count in counted.items() if topic in own)


def thinly(options: Options) -> Options:
    """[PLC-10] Place thinly whatever the policy says."""
    return replace(options, placement_policy="soft")


def _installed(
    front: Frontend,
    begun: Begun,
    replay: Callable[[View, tuple[Command, ...]], View] | None = None,
) -> Frontend:
    taken, emptied = refreshing.take_journal(front)
    cached = refreshing.put_cache(emptied, begun.view, begun.unread)
    if replay is None:
        renewed = refreshing.replay_journal(cached, taken)
    else:
        renewed = replace(cached, view=replay(cached.view, taken))
    return refreshing.drop_stale_active_segments(renewed)


def _journaled(called: Called, command: Command) -> Called:
    front, reply = called
    if front.journal is None or not isinstance(reply, Refusal) or command in front.journal:
        return called
    return replace(front, journal=(*front.journal, command)), reply
