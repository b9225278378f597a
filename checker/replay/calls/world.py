"""What happens around the broker: it is opened and restarted, reads the control plane anew, and
others command the control plane and reach the store.
"""

from collections.abc import Iterable
from dataclasses import replace

from immutables import Map

from checker.replay import decoding, encoding
from checker.replay.arguments import Arguments
from checker.replay.machine import Entry, Turn
from checker.replay.terms import Term, text, whole
from reference import frontend, refreshing, store, vnodes
from reference.controlplane import Metadata
from reference.frontend import Frontend, Options
from reference.store import Log
from reference.vnodes import View
from spec.commands import BeginMigration, Command, EndMigration
from spec.replies import CommandReply, NoVnode
from spec.vocabulary import ByteSize, Offset, VnodeId

REFUSED: Term = {"raise": "ArgumentError"}
"""How a recording writes options outside their domain."""


def open_(turn: Turn) -> Term:
    """Ok, or raised for options outside their domain. The view is the control plane."""
    machine = turn.machine
    asked = options(turn.args)
    keeps_journal = turn.args.flag("journal")
    machine.opened.setdefault(turn.name, (asked, keeps_journal))
    policy = turn.args.find("placement_policy", text)
    if policy not in {None, "hard", "soft"} or not isinstance(turn.args.terms["brokers"], list):
        return REFUSED
    try:
        front = frontend.open(
            brokers=asked.brokers,
            replication_factor=asked.replication_factor,
            segment_max_bytes=asked.segment_max_bytes,
            spread_by=asked.spread_by,
            broker_attributes=asked.broker_attributes,
            min_domains=asked.min_domains,
            placement_policy=asked.placement_policy,
            view=machine.empty if machine.world.mode == "memory" else machine.world.authority,
        )
    except ValueError:
        return REFUSED
    machine.opened[turn.name] = front.options, keeps_journal
    turn.front = refreshing.journal(front) if keeps_journal else front
    return "ok"


def options(args: Arguments) -> Options:
    """What a frontend is to be opened with. Brokers that are no list are none.

    [PLC-13] Every policy but soft is hard.
    """
    defaults = Options(())
    is_list = isinstance(args.terms["brokers"], list)
    factor = args.find("replication_factor", whole)
    size = args.find("segment_max_bytes", whole)
    return Options(
        brokers=args.brokers("brokers") if is_list else (),
        replication_factor=defaults.replication_factor if factor is None else factor,
        segment_max_bytes=defaults.segment_max_bytes if size is None else ByteSize(size),
        spread_by=args.find("spread_by", text),
        broker_attributes=args.find("broker_attributes", decoding.attributes) or Map(),
        min_domains=args.find("min_domains", whole),
        placement_policy="soft" if args.terms.get("placement_policy") == "soft" else "hard",
    )


def restart(turn: Turn) -> Term:
    """Ok. All but the arguments it was opened with is lost."""
    machine = turn.machine
    held = turn.front
    options, keeps_journal = machine.opened[turn.name]
    view = held.view if machine.world.mode == "memory" else machine.world.authority
    front = Frontend(options, view)
    turn.front = refreshing.journal(front) if keeps_journal else front
    return "ok"


def refresh(turn: Turn) -> Term:
    """What was replayed. The view is the control plane, or how it was when a snapshot was taken."""
    name = turn.args.find("snapshot", text)
    view = turn.machine.world.authority if name is None else turn.machine.snapshot(name)
    unreachable = turn.args.vnodes("unreachable")
    taken, front = refreshing.take_journal(turn.front)
    front = refreshing.put_cache(front, blanked(view, unreachable), unreachable)
    front = refreshing.replay_journal(front, taken)
    turn.front = refreshing.drop_stale_active_segments(front)
    return {"replayed": [encoding.command(one) for one in taken]}


def put_cache(turn: Turn) -> Term:
    """Ok."""
    view = blanked(turn.machine.world.authority, turn.args.vnodes("blank"))
    unreachable = turn.args.vnodes("unreachable")
    turn.front = refreshing.put_cache(turn.front, view, unreachable)
    return "ok"


def blanked(view: View, unread: Iterable[VnodeId]) -> View:
    """A view in which some vnodes could not be read, and stand empty."""
    blank = {vnode: Metadata() for vnode in unread if vnode in view.vnodes}
    return replace(view, vnodes=view.vnodes.update(blank)) if blank else view


def snapshot(turn: Turn) -> Term:
    """Ok. The control plane is remembered under a name."""
    turn.machine.snapshots[turn.args.get("name", text)] = turn.machine.world.authority
    return "ok"


def authority_command(turn: Turn) -> Term:
    """What the control plane answered somebody else."""
    world = turn.machine.world
    command = turn.args.get("command", decoding.command)
    world.authority, reply = sent(world.authority, command)
    return encoding.answer(reply)


def sent(authority: View, command: Command) -> tuple[View, CommandReply]:
    """The control plane after a command. A migration mark goes to the vnode that has the topic."""
    if not isinstance(command, BeginMigration | EndMigration):
        return vnodes.command(authority, command)
    owner = vnodes.route(authority, command.topic)
    if owner is None:
        return authority, NoVnode()
    return vnodes.submit_to(authority, owner, command)


def store_fence(turn: Turn) -> Term:
    """End and bytes of a log that is latched from now on."""
    log, end, byte_size = store.fence(log_of(turn, "start_offset"))
    put(turn, log)
    return {"ok": [end, byte_size]}


def store_append(turn: Turn) -> Term:
    """The last offset, or that the log is latched."""
    log, reply = store.append(
        log_of(turn, "base_offset"), turn.args.get("records", decoding.records)
    )
    put(turn, log)
    return encoding.answer(reply)


def store_force(turn: Turn) -> Term:
    """The last offset. The latch is passed by, and stays as it was."""
    log = store.append_past_latch(
        log_of(turn, "base_offset"), turn.args.get("records", decoding.records)
    )
    put(turn, log)
    return {"ok": log.end - 1}


def store_drop(turn: Turn) -> Term:
    """Ok. The log is gone, with its latch."""
    world = turn.machine.world
    segment_id = turn.args.segment_id()
    world.store = Map((one, log) for one, log in world.store.items() if one != segment_id)
    return "ok"


def log_of(turn: Turn, start: str) -> Log:
    """The log of a segment, or an empty one from the start that the call names."""
    new = Log(Offset(turn.args.count(start) if start in turn.args.terms else 0))
    return turn.machine.world.store.get(turn.args.segment_id(), new)


def put(turn: Turn, log: Log) -> None:
    """Keep a log under its segment."""
    world = turn.machine.world
    world.store = world.store.set(turn.args.segment_id(), log)


CALLS = {
    "open": Entry(
        open_,
        ("brokers",),
        (
            "replication_factor",
            "segment_max_bytes",
            "spread_by",
            "broker_attributes",
            "min_domains",
            "placement_policy",
            "journal",
        ),
    ),
    "restart": Entry(restart),
    "refresh": Entry(refresh, (), ("snapshot", "unreachable")),
    "put_cache": Entry(put_cache, (), ("blank", "unreachable")),
    "snapshot": Entry(snapshot, ("name",)),
    "authority_command": Entry(authority_command, ("command",)),
    "store_fence": Entry(store_fence, ("segment",), ("start_offset",)),
    "store_append": Entry(store_append, ("segment", "records"), ("base_offset",)),
    "store_force": Entry(store_force, ("segment", "records"), ("base_offset",)),
    "store_drop": Entry(store_drop, ("segment",)),
}
