"""The smallest rules that close the findings of a world of views. None is on by default."""

from collections.abc import Iterable
from dataclasses import replace

from immutables import Map

from checker.world.sharing.rules import NOW
from checker.world.views.parts import Begun
from checker.world.views.rules import Called
from reference import healing, refreshing, rolling, vnodes
from reference.frontend import CommandFun, Frontend
from reference.vnodes import View, metadata_of
from spec.commands import Command, CommitOffset, CreateTopic, Positions, SetSegmentReplicas
from spec.replies import CommandReply, InvalidArgument, Ok, Refusal
from spec.vocabulary import Segment, SegmentId
from spec.words import rank_of


def replay_since_the_read(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-8] Replay what was commanded since this read began and took, and nothing older."""
    _, emptied = refreshing.take_journal(front)
    cached = refreshing.put_cache(emptied, begun.view, begun.unread)
    return refreshing.drop_stale_active_segments(refreshing.replay_journal(cached, begun.since))


def untaken_replay_dropped(front: Frontend, begun: Begun, _tell: CommandFun) -> Frontend:
    """[RFR-9] Install no read on which something is refused that took: what is held is newer."""
    _, emptied = refreshing.take_journal(front)
    view = refreshing.put_cache(emptied, begun.view, begun.unread).view
    for command in begun.since:
        view, reply = vnodes.command(view, command, NOW)
        if isinstance(reply, Refusal):
            return refreshing.drop_stale_active_segments(emptied)
    return replay_since_the_read(front, begun, _tell)


def bring_what_took(_newest: View, held: View, request: Command, reply: CommandReply) -> View:
    """[RNG-43] Apply to the own view only what the log answered with success."""
    return held if isinstance(reply, Refusal) else vnodes.command(held, request, NOW)[0]


def head_moved_by_what_took(
    front: Frontend, commands: Iterable[Command], tell: CommandFun
) -> Called:
    """[HEA-2] Let the cached head follow a new replica set only where the command took."""
    answer: CommandReply = Ok()
    for command in commands:
        healed, reply = healing.apply_heal_reply(front, (command,), tell)
        did_not_move = isinstance(command, SetSegmentReplicas) and isinstance(reply, Refusal)
        front = replace(healed, heads=front.heads) if did_not_move else healed
        answer = reply if isinstance(answer, Ok) else answer
    return front, answer


def ageless_heads_skipped(
    front: Frontend, segments: Iterable[tuple[SegmentId, Segment]]
) -> Frontend:
    """[HEA-24] Roll by age only what has an opening time; a refresh brings it."""
    aged = [(each, segment) for each, segment in segments if segment.opened_at is not None]
    return rolling.request_rolls(front, aged)


def commits_only_upwards(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-24] Let the control plane refuse what would take a group back."""
    if isinstance(request, CommitOffset):
        key = (request.group, request.topic)
        held: Positions = metadata_of(view, request.topic).committed.get(key, Map())
        if any(
            rank_of(position) < rank_of(held.get(range_id, position))
            for range_id, position in request.positions.items()
        ):
            return view, InvalidArgument("positions", "a position lies below the one that is held")
    return vnodes.command(view, request, NOW)


def positions_dropped(view: View, request: Command) -> tuple[View, CommandReply]:
    """[RNG-5] Let a new topic begin without what was committed for another of its name."""
    now, reply = vnodes.command(view, request, NOW)
    if not isinstance(request, CreateTopic) or isinstance(reply, Refusal):
        return now, reply
    shards = {
        vnode: replace(
            one,
            committed=Map(
                (key, each) for key, each in one.committed.items() if key[1] != request.topic
            ),
        )
        for vnode, one in now.vnodes.items()
    }
    return replace(now, vnodes=now.vnodes.update(shards)), reply
