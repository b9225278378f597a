"""A small broker of its own behind protocol 1: the profiles core, plan, roll and reshape.

The file imports nothing of this project: copy it, and put your broker where the small one stands.
It hashes keys and ranks brokers in a way of its own, and so declares both as oracles.
"""

import base64
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

# ---- protocol -------------------------------------------------------------------------------

Message = dict[str, Any]


class Tag(NamedTuple):
    """A variant: its tag, and what it carries."""

    tag: str
    value: Any = ()


class Some(NamedTuple):
    """A value where there might be none, on its way to the wire."""

    value: Any


class Table(NamedTuple):
    """A map, on its way to the wire; a plain dict is a record."""

    entries: Mapping[Any, Any]


class Written(NamedTuple):
    """What was written before."""

    text: str


OK = Tag("ok")


def error(tag: str, value: object = ()) -> Tag:
    """A refusal."""
    return Tag("error", Tag(tag, value))


def maybe(value: object) -> Some | None:
    """A value or none, on its way to the wire."""
    return None if value is None else Some(value)


def meaning(term: Message) -> Any:  # noqa: ANN401 # any value of the protocol
    """What an object of the wire stands for, as plain Python."""
    if len(term) == 1:
        ((sign, inside),) = term.items()
        made = READERS.get(sign)
        return term if made is None else made(inside)
    if len(term) == VARIANT and "tag" in term:
        tag, inside = term["tag"], term["value"]
        return inside if tag == "some" else None if tag == "none" else Tag(tag, inside)
    return term


VARIANT = 2
"""So many fields a variant has: its tag and its value."""
READERS: Mapping[str, Callable[[Any], Any]] = {
    "#tup": tuple,
    "#bytes": base64.b64decode,
    "#map": dict,
    "#set": frozenset,
    "#bigint": int,
}
DECODER = json.JSONDecoder(object_hook=meaning)


def read(line: bytes) -> Any:  # noqa: ANN401 # any value of the protocol
    """What a line of the harness says."""
    return DECODER.raw_decode(line.decode())[0]


KEPT = 2_000
"""So many texts of one kind are kept."""


def write(value: Any) -> str:  # noqa: ANN401 # any value of the protocol
    """A value of plain Python as it stands in a line."""
    return WRITERS[type(value)](value)


def write_all(values: Iterable[Any]) -> str:
    """Values one behind the other."""
    return ",".join([WRITERS[type(each)](each) for each in values])


def write_tuple(parts: tuple[Any, ...]) -> str:
    """A tuple. Most are ids, the same few of which come back."""
    try:
        return write_id(parts)
    except TypeError:  # a part that may change has no hash
        return f'{{"#tup":[{write_all(parts)}]}}'


@lru_cache(KEPT)
def write_id(parts: tuple[Any, ...]) -> str:
    """A tuple of parts that do not change."""
    return f'{{"#tup":[{write_all(parts)}]}}'


def write_pairs(table: Table) -> str:
    """The entries of a map, in order."""
    return ",".join(f"[{write(key)},{write(table.entries[key])}]" for key in sorted(table.entries))


def write_fields(record: Mapping[str, Any]) -> str:
    """A record."""
    fields = [f'"{name}":{WRITERS[type(each)](each)}' for name, each in record.items()]
    return f"{{{','.join(fields)}}}"


WRITERS: Mapping[type, Callable[[Any], str]] = {
    str: lru_cache(KEPT)(json.dumps),
    bool: json.dumps,
    int: lambda value: str(value) if abs(value) < 2**53 else f'{{"#bigint":"{value}"}}',
    type(None): lambda _: '{"tag":"none","value":{"#tup":[]}}',
    Some: lambda some: f'{{"tag":"some","value":{write(some.value)}}}',
    Tag: lambda tag: f'{{"tag":"{tag.tag}","value":{write(tag.value)}}}',
    Table: lambda table: f'{{"#map":[{write_pairs(table)}]}}',
    tuple: write_tuple,
    list: lambda value: f"[{write_all(value)}]",
    frozenset: lambda value: f'{{"#set":[{write_all(sorted(value))}]}}',
    bytes: lambda value: f'{{"#bytes":"{base64.b64encode(value).decode()}"}}',
    dict: write_fields,
    Written: lambda written: written.text,
}


class Effects:
    """What a broker asks of the world during one call, and the clock of that call."""

    def __init__(self, call: object, now: int) -> None:
        self.now = now
        self._call = call
        self._count = 0

    def ask(self, kind: str, args: Message) -> Any:  # noqa: ANN401 # by the kind
        """Ask for one effect, and wait for its answer."""
        self._count += 1
        asked = {"type": "effect", "id": self._count, "call": self._call, "kind": kind}
        say({**asked, "args": args})
        return read(sys.stdin.buffer.readline())["value"]


def say(message: Message) -> None:
    """One line to the harness. Log on standard error: nothing else may stand here."""
    sys.stdout.buffer.write(write_fields(message).encode() + b"\n")
    sys.stdout.buffer.flush()


Call = Callable[[Any, Message, Effects], tuple[Any, Any]]
"""Takes a broker and arguments; answers the broker after the call, and the reply."""


def serve(
    welcome: Message,
    calls: Mapping[str, Call],
    shown: Callable[[Any], Message | Written],
    loaded: Callable[[Message], Any] | None = None,
) -> None:
    """Answer the harness until it says goodbye. Brokers are values, so a fork is another name."""
    brokers: dict[str, Any] = {}
    for line in sys.stdin.buffer:
        message = read(line)
        kind, number = message["type"], message.get("id")
        if kind == "call":
            say(answered(calls[message["op"]], brokers, message, shown))
        elif kind == "snapshot":
            say({"type": "state", "id": number, "value": shown(brokers[message["broker"]])})
        elif kind == "reset":
            brokers.clear()
            say({"type": "ready", "id": number})
        elif kind == "load" and loaded is not None:
            brokers[message["broker"]] = loaded(message)
            say({"type": "ready", "id": number})
        elif kind == "fork":
            brokers[message["broker"]] = brokers[message["from"]]
            say({"type": "ready", "id": number})
        elif kind == "hello":
            say({"type": "welcome", "protocol": 1, **welcome})
        else:
            return


def answered(
    call: Call, brokers: dict[str, Any], message: Message, shown: Callable[[Any], Message | Written]
) -> Message:
    """Make a call. What it raises is a crash, of the kind `argument` where it is a ValueError."""
    number, name = message["id"], message["broker"]
    effects = Effects(number, message["now"])
    try:
        broker, reply = call(brokers.get(name), message["args"], effects)
    except ValueError as raised:
        return {"type": "crash", "id": number, "kind": "argument", "message": str(raised)}
    if broker is not None:
        brokers[name] = broker
    said = {"type": "reply", "id": number, "value": reply}
    is_shown = "show" in message and name in brokers  # a refused `open` leaves none
    return {**said, "state": shown(brokers[name])} if is_shown else said


# ---- broker ---------------------------------------------------------------------------------

View = dict[str, dict[Any, Any]]
"""Topics, ranges, segments and commits, as one vnode has them."""
KINDS = ("topics", "ranges", "segments", "committed", "migrating")
NOTHING: Message = {**{kind: {} for kind in KINDS}, "migrating": frozenset()}


class Broker(NamedTuple):
    """A frontend. Its parts are never changed in place."""

    options: Message
    view: Message
    offsets: Message
    heads: Message
    sequences: Message
    rolling: Message
    fencing: Message


def hashed(value: object, size: int) -> int:
    """Where a value falls: not Erlang's hash, and so an oracle."""
    return zlib.crc32(repr(value).encode()) % size


def in_state(view: Message, kind: str, state: str) -> list[Any]:
    """The ids of ranges or segments in a state, ascending."""
    return sorted(one for one, found in view[kind].items() if found["state"] == state)


def head_of(view: Message, range_id: Any) -> Any:  # noqa: ANN401 # an id, or none
    """The active segment that a range lists."""
    active = in_state(view, "segments", "active")
    return next((one for one in active if one[0] == range_id), None)


def changed(view: Message, kind: str, entries: Mapping[Any, Any]) -> Message:
    """A view with some entries replaced."""
    return {**view, kind: {**view[kind], **entries}}


def create_topic(view: Message, args: Message, _now: int) -> Message:
    """A topic and its root range."""
    name, bits = args["topic"], args["bits"]
    is_name = name not in {"", ".", ".."} and not set(name) - NAME
    if not is_name or name in view["topics"] or not 1 <= bits <= BITS:
        return view
    topic = {"keyspace_size": 1 << bits, "state": "active", "next_range_seq": 1, "policy": None}
    block = {"key_start": 0, "key_end": 1 << bits, "keyspace_size": 1 << bits}
    root = {**block, "state": "active", "parents": []}
    return changed(changed(view, "topics", {name: topic}), "ranges", {(name, 0): root})


def register_segment(view: Message, args: Message, now: int) -> Message:
    """A segment where the sealed ones of its range end."""
    owner, new, start = args["range_id"], args["segment_id"], args["start_offset"]
    listed = [one for one in view["segments"].values() if one["range_id"] == owner]
    ends = [one["start_offset"] + one["length"] for one in listed if one["length"] is not None]
    is_open = is_active(view, owner) and new not in view["segments"]
    if not is_open or head_of(view, owner) is not None or (ends and start != max(ends)):
        return view
    opened = {
        "range_id": owner,
        "replica_set": args["replica_set"],
        "start_offset": start,
        "state": "active",
        "length": None,
        "byte_size": None,
        "opened_at": now,
        "sealed_at": None,
    }
    return changed(view, "segments", {new: opened})


def seal_segment(view: Message, args: Message, _now: int) -> Message:
    """A length, once."""
    found = view["segments"].get(args["segment_id"])
    if found is None or found["length"] is not None:
        return view
    closed = {name: args[name] for name in ("length", "byte_size", "sealed_at")}
    return changed(view, "segments", {args["segment_id"]: {**found, **closed, "state": "sealed"}})


def delete_segment(view: Message, args: Message, _now: int) -> Message:
    """A sealed segment is gone."""
    found = view["segments"].get(args["segment_id"])
    if found is None or found["state"] == "active":
        return view
    kept = {one: each for one, each in view["segments"].items() if one != args["segment_id"]}
    return {**view, "segments": kept}


def split_range(view: Message, args: Message, _now: int) -> Message:
    """A range is retired for its halves."""
    parent_id = args["range_id"]
    if not is_active(view, parent_id) or head_of(view, parent_id) is not None:
        return view
    parent = view["ranges"][parent_id]
    start, end = parent["key_start"], parent["key_end"]
    if end - start <= 1:
        return view
    middle = start + (end - start) // 2
    child = {**parent, "parents": [*parent["parents"], parent_id]}
    halves = [{**child, "key_end": middle}, {**child, "key_start": middle}]
    return succeeded(view, [parent_id], halves)


def merge_ranges(view: Message, args: Message, _now: int) -> Message:
    """Two buddies are retired for their union."""
    ids = [args["first"], args["second"]]
    if not all(is_active(view, one) and head_of(view, one) is None for one in ids):
        return view
    first, second = (view["ranges"][one] for one in ids)
    size = first["key_end"] - first["key_start"]
    is_buddy = (
        ids[0][0] == ids[1][0]
        and size == second["key_end"] - second["key_start"]
        and first["key_start"] ^ size == second["key_start"]
    )
    if not is_buddy:
        return view
    parents = list(dict.fromkeys(first["parents"] + second["parents"] + ids))
    start = min(first["key_start"], second["key_start"])
    block = {"key_start": start, "key_end": start + 2 * size, "parents": parents}
    return succeeded(view, ids, [{**first, **block}])


def succeeded(view: Message, retired: list[Any], children: list[Message]) -> Message:
    """Ranges are retired, and their children numbered."""
    name = retired[0][0]
    topic = view["topics"][name]
    first = topic["next_range_seq"]
    ranges = {one: {**view["ranges"][one], "state": "sealed"} for one in retired}
    ranges |= {(name, first + place): child for place, child in enumerate(children)}
    counted = {**topic, "next_range_seq": first + len(children)}
    return changed(changed(view, "topics", {name: counted}), "ranges", ranges)


def is_active(view: Message, range_id: Any) -> bool:  # noqa: ANN401 # an id
    """Whether a range is there and open."""
    return range_id in view["ranges"] and view["ranges"][range_id]["state"] == "active"


NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
BITS = 32
MACHINE: Mapping[str, Callable[[Message, Message, int], Message]] = {
    "create_topic": create_topic,
    "register_segment": register_segment,
    "seal_segment": seal_segment,
    "delete_segment": delete_segment,
    "split_range": split_range,
    "merge_ranges": merge_ranges,
}


def apply(view: Message, command: Tag, now: int) -> Message:
    """The view after a command: the same where it is refused, or the topic is being moved."""
    args = command.value
    owner = args.get("segment_id", (args.get("range_id", args.get("first")),))[0]
    known = view["segments"] if "segment_id" in args and "range_id" not in args else view["ranges"]
    subject = args.get("segment_id") if known is view["segments"] else owner
    if owner is not None and owner[0] in view["migrating"] and subject in known:
        return view
    return MACHINE[command.tag](view, args, now)


def tell(broker: Broker, tag: str, args: Message, effects: Effects) -> tuple[Broker, Any]:
    """Send a command; the broker with the view that came of it, and the reply."""
    command = Tag(tag, args)
    answer = effects.ask("command", {"command": command})
    match answer["view"]:
        case Tag("apply"):
            view = apply(broker.view, command, effects.now)
        case Tag("set", told):
            view = one_vnode(told)
        case _:
            view = broker.view
    return broker._replace(view=view), answer["reply"]


def one_vnode(told: Tag) -> Message:
    """The metadata of a view of one vnode, or of none."""
    found: Message = next(iter(told.value["vnodes"].values()), NOTHING)
    return found


def ranked(broker: Broker, segment_id: Any) -> list[str]:  # noqa: ANN401 # an id
    """The brokers for a segment, the best first."""
    members = set(broker.options["brokers"])
    return sorted(members, key=lambda one: (hashed((segment_id, one), 2**27), one), reverse=True)


def placed(broker: Broker, segment_id: Any, effects: Effects) -> Any:  # noqa: ANN401 # set, error
    """A replica set, or why there is none."""
    options = broker.options
    spread = options["spread_by"]
    name = broker.view["topics"][segment_id[0][0]]["policy"]
    policy = None if name is None else effects.ask("policy", {"name": name})
    if policy is not None:
        spread = policy["spread_by"]
    turn: dict[Any, int] = {}
    order = []
    for place, one in enumerate(ranked(broker, segment_id)):
        domain = (options["broker_attributes"].get(one) or {}).get(spread) if spread else one
        turn[domain] = turn.get(domain, -1) + 1
        order.append((turn[domain], list(turn).index(domain) if spread else place, domain, one))
    chosen = sorted(order, key=lambda entry: entry[:2])[: options["replication_factor"]]
    covered, required = len({entry[2] for entry in chosen}), options["min_domains"]
    if required is not None and covered < required and options["placement_policy"] != "soft":
        return error("insufficient_domains", {"covered": covered, "required": required})
    return [entry[3] for entry in chosen]


def raised(entries: Message, key: Any, floor: int) -> Message:  # noqa: ANN401 # an id
    """Entries of which one is at least so high."""
    return entries if entries.get(key, -1) >= floor else {**entries, key: floor}


def with_head(broker: Broker, range_id: Any, head: Message) -> Broker:  # noqa: ANN401 # an id
    """The broker that caches a head."""
    sequences = raised(broker.sequences, range_id, head["id"][1] + 1)
    return broker._replace(heads={**broker.heads, range_id: head}, sequences=sequences)


def adopted(broker: Broker, range_id: Any) -> Broker | None:  # noqa: ANN401 # an id
    """The broker with the head that its view lists, if there is one that somebody holds."""
    listed = head_of(broker.view, range_id)
    found = broker.view["segments"].get(listed)
    if found is None or not found["replica_set"]:
        return None
    start, replicas = found["start_offset"], found["replica_set"]
    seated = broker._replace(offsets=raised(broker.offsets, range_id, start))
    head = {"id": listed, "start_offset": start, "bytes": 0, "replica_set": replicas}
    return with_head(seated, range_id, head)


def opened(broker: Broker, range_id: Any, effects: Effects) -> Any:  # noqa: ANN401 # or an error
    """A broker that caches a head of the range, or an error."""
    if range_id in broker.heads:
        return broker if broker.heads[range_id]["replica_set"] else error("no_replicas")
    found = adopted(broker, range_id)
    if found is not None:
        return found
    segment_id = (range_id, broker.sequences.get(range_id, 0))
    replicas = placed(broker, segment_id, effects)
    if isinstance(replicas, Tag):
        return replicas
    start = broker.offsets.get(range_id, 0)
    args = {"range_id": range_id, "segment_id": segment_id}
    args |= {"replica_set": replicas, "start_offset": start}
    told, reply = tell(broker, "register_segment", args, effects)
    if reply == OK:
        head = {"id": segment_id, "start_offset": start, "bytes": 0, "replica_set": replicas}
        return with_head(told, range_id, head)
    if reply.tag == "error":
        is_stale = reply.value.tag in {"segment_exists", "segment_overlap", "active_segment_exists"}
        return (adopted(told, range_id) if is_stale else None) or reply
    return error("unexpected_register_reply", reply.value or reply.tag)


def routed(broker: Broker, args: Message) -> Any:  # noqa: ANN401 # groups, or an error
    """The records by range, or why there is no range for one."""
    topic, view = args["topic"], broker.view
    if topic not in view["topics"]:
        return error("no_such_topic")
    size = view["topics"][topic]["keyspace_size"]
    blocks = [(one, view["ranges"][one]) for one in in_state(view, "ranges", "active")]
    blocks = [(one, block) for one, block in blocks if one[0] == topic]
    groups: dict[Any, list[Message]] = {}
    for record in args["records"]:
        position = 0 if len(blocks) == 1 else hashed(record["key"], size)
        owner = next(
            (
                one
                for one, block in blocks
                if block["key_start"] <= position < block["key_end"]
                or block["key_end"] - block["key_start"] == size
            ),
            None,
        )
        if owner is None:
            return error("unroutable", maybe(record["key"]))
        groups.setdefault(owner, []).append(record)
    return sorted(groups.items())


def size_of(record: Message) -> int:
    """The encoded bytes of a record."""
    headers = sum(8 + len(name) + len(value) for name, value in record["headers"])
    return 39 + len(record["key"] or b"") + len(record["value"]) + headers


def tallied(broker: Broker, range_id: Any, records: list[Message]) -> Broker:  # noqa: ANN401 # an id
    """The broker that counted the bytes of a batch, and owes a roll where they are many."""
    head = broker.heads[range_id]
    total = head["bytes"] + sum(size_of(record) for record in records)
    counted = broker._replace(heads={**broker.heads, range_id: {**head, "bytes": total}})
    if total < broker.options["segment_max_bytes"] or range_id in broker.rolling:
        return counted
    owed = roll_of(range_id, head["id"], head)
    return counted._replace(rolling={**broker.rolling, range_id: owed})


def roll_of(range_id: Any, segment_id: Any, held: Message) -> Message:  # noqa: ANN401 # ids
    """The roll of a segment."""
    return {
        "range_id": range_id,
        "segment_id": segment_id,
        "primary": held["replica_set"][0],
        "start_offset": held["start_offset"],
        "fence_sent_at": None,
    }


def records_out(records: list[Message]) -> list[Message]:
    """Records on their way to the wire."""
    return [optional_out(each, "key", "offset") for each in records]


def roll_out(roll: Message) -> Message:
    """A roll on its way to the wire."""
    return optional_out(roll, "fence_sent_at")


def produce(broker: Broker, args: Message, effects: Effects) -> tuple[Broker, Any]:
    """Replicate each group; the first that fails ends it."""
    groups = routed(broker, args)
    if isinstance(groups, Tag):
        return broker, groups
    placements = []
    for range_id, records in groups:
        found = opened(broker, range_id, effects)
        if isinstance(found, Tag):
            return broker, found
        head = found.heads[range_id]
        batch = {"primary": head["replica_set"][0], "segment": head["id"]}
        batch |= {"replica_set": head["replica_set"], "base_offset": head["start_offset"]}
        reply = effects.ask("replicate", {**batch, "records": records_out(records)})
        if reply.tag == "error":
            if reply.value.tag == "sealed":
                broker = sat_down(broker, range_id, head["id"], reply.value.value)
            return broker, passed_on(reply)
        last = reply.value
        found = found._replace(offsets=raised(found.offsets, range_id, last + 1))
        broker = tallied(found, range_id, records)
        first = last - len(records) + 1
        placements.append({"range_id": range_id, "first": first, "last": last})
    return broker, Tag("ok", placements)


def passed_on(reply: Tag) -> Tag:
    """An error that an effect answered, as it goes back."""
    return reply


def produce_plan(broker: Broker, args: Message, effects: Effects) -> tuple[Broker, Any]:
    """Reserve offsets for each group: all of them, or none."""
    groups = routed(broker, args)
    if isinstance(groups, Tag):
        return broker, groups
    planned, placements, dispatches = broker, [], []
    for range_id, records in groups:
        found = opened(planned, range_id, effects)
        if isinstance(found, Tag):
            return broker, found
        head, first = found.heads[range_id], found.offsets.get(range_id, 0)
        last = first + len(records) - 1
        placements.append({"range_id": range_id, "first": first, "last": last})
        dispatches.append(
            {
                "range_id": range_id,
                "primary": head["replica_set"][0],
                "segment_id": head["id"],
                "replica_set": head["replica_set"],
                "base_offset": head["start_offset"],
                "records": records_out(records),
                "first": first,
                "last": last,
                "count": len(records),
            }
        )
        reserved = found._replace(offsets={**found.offsets, range_id: last + 1})
        planned = tallied(reserved, range_id, records)
    return planned, Tag("ok", {"placements": placements, "dispatches": dispatches})


def sat_down(broker: Broker, range_id: Any, segment_id: Any, end: int) -> Broker:  # noqa: ANN401
    """The broker behind somebody else's seal, if it knew the segment."""
    head, roll = broker.heads.get(range_id), broker.rolling.get(range_id)
    is_head = head is not None and head["id"] == segment_id
    is_owed = roll is not None and roll["segment_id"] == segment_id
    if not (is_head or is_owed):
        return broker
    return seated(broker, range_id, segment_id, end)


def without(entries: Message, key: Any, field: str, segment_id: Any) -> Message:  # noqa: ANN401
    """Entries less one, if it is about this segment."""
    if key not in entries or entries[key][field] != segment_id:
        return entries
    return {one: each for one, each in entries.items() if one != key}


def seated(broker: Broker, range_id: Any, segment_id: Any, end: int) -> Broker:  # noqa: ANN401
    """The broker behind the end of a segment."""
    return broker._replace(
        heads=without(broker.heads, range_id, "id", segment_id),
        rolling=without(broker.rolling, range_id, "segment_id", segment_id),
        offsets={**broker.offsets, range_id: end},
    )


def cleared(broker: Broker, roll: Message) -> Broker:
    """The broker that owes a roll no more, and awaits no answer to its fence."""
    range_id, segment_id = roll["range_id"], roll["segment_id"]
    return broker._replace(
        rolling=without(broker.rolling, range_id, "segment_id", segment_id),
        fencing=without(broker.fencing, range_id, "segment_id", segment_id),
    )


def record_seal(broker: Broker, args: Message, effects: Effects) -> tuple[Broker, Any]:
    """Record what closing a segment answered: all of it, or nothing."""
    roll = args["roll"]
    range_id, segment_id = roll["range_id"], roll["segment_id"]
    listed = broker.view["segments"].get(segment_id)
    start = roll["start_offset"] if listed is None else listed["start_offset"]
    command = {"segment_id": segment_id, "length": args["end_offset"] - start}
    command |= {"byte_size": args["byte_size"], "sealed_at": args["sealed_at"]}
    told, reply = tell(broker, "seal_segment", command, effects)
    length = command["length"]
    if reply.tag == "error" and reply.value.tag == "already_sealed":
        length = reply.value.value
    elif reply.tag == "error":
        return broker, reply
    elif reply != OK:
        return broker, error("unexpected_seal_reply", reply.value or reply.tag)
    done = seated(told, range_id, segment_id, start + length)
    fencing = without(done.fencing, range_id, "segment_id", segment_id)
    return done._replace(fencing=fencing), OK


def record_fence(broker: Broker, args: Message, effects: Effects) -> tuple[Broker, Any]:
    """Record the answer to a fence, unless the view says that the segment is sealed."""
    listed = broker.view["segments"].get(args["roll"]["segment_id"])
    if listed is not None and listed["state"] == "sealed":
        return cleared(broker, args["roll"]), OK
    recorded, reply = record_seal(broker, args, effects)
    if reply == error("no_such_segment"):
        return cleared(broker, args["roll"]), OK
    return recorded, reply


def fences_to_send(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """The owed rolls whose fence goes out now."""
    now, sent = args["now"], []
    for _, roll in sorted(broker.rolling.items()):
        before = roll["fence_sent_at"]
        if before is None or now - before >= args["retry_after"]:
            sent.append({**roll, "fence_sent_at": now})
    rolling = broker.rolling | {roll["range_id"]: roll for roll in sent}
    marks = {roll["range_id"]: {"segment_id": roll["segment_id"], "sent_at": now} for roll in sent}
    marked = broker._replace(rolling=rolling, fencing=broker.fencing | marks)
    return marked, [roll_out(roll) for roll in sent]


def request_rolls(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """Owe rolls for active segments that somebody found too old."""
    for segment_id, segment in args["segments"]:
        range_id = segment["range_id"]
        if segment["state"] == "active" and segment["replica_set"]:
            sequences = raised(broker.sequences, range_id, segment_id[1] + 1)
            rolling = {range_id: roll_of(range_id, segment_id, segment)} | broker.rolling
            broker = broker._replace(sequences=sequences, rolling=rolling)
    return broker, OK


def active_roll(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """The roll of a range's head: the listed one, else the cached one."""
    range_id = args["range"]
    listed = head_of(broker.view, range_id)
    if listed is not None:
        held, segment_id = broker.view["segments"][listed], listed
    else:
        held = broker.heads.get(range_id)
        segment_id = None if held is None else held["id"]
    if held is None or not held["replica_set"]:
        return broker, None
    return broker, maybe(roll_out(roll_of(range_id, segment_id, held)))


def is_awaited(broker: Broker, range_id: Any, args: Message) -> bool:  # noqa: ANN401 # an id
    """Whether the fence of a range is awaited still."""
    mark = broker.fencing.get(range_id)
    return mark is not None and args["now"] - mark["sent_at"] < args["window"]


def awaiting_fence(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """Whether the fence of this segment is awaited still."""
    mark = broker.fencing.get(args["range"])
    is_this = mark is not None and mark["segment_id"] == args["segment"]
    return broker, is_this and is_awaited(broker, args["range"], args)


def range_awaiting_fence(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """The lowest range of a topic whose fence is awaited still."""
    found = [one for one in sorted(broker.fencing) if one[0] == args["topic"]]
    return broker, maybe(next((one for one in found if is_awaited(broker, one, args)), None))


def adopt_offsets(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """Take the primary's word, if it speaks of the head."""
    head = broker.heads.get(args["range"])
    if head is None or head["id"] != args["segment"]:
        return broker, OK
    raised_to = raised(broker.offsets, args["range"], args["last"] + 1)
    return broker._replace(offsets=raised_to), OK


def serving(broker: Broker, range_id: Any, offset: int) -> Any:  # noqa: ANN401 # or none
    """The segment that serves an offset, else the next above, and where to read."""
    listed = sorted(
        (one, each) for one, each in broker.view["segments"].items() if each["range_id"] == range_id
    )
    best = None
    for segment_id, segment in listed:
        start, length = segment["start_offset"], segment["length"] or 0
        at = max(offset, start)
        if segment["state"] == "active" or at < start + length:
            rank = (0, -start) if start <= offset else (1, start)
            if best is None or rank < best[0]:
                best = rank, segment_id, segment, at
    return best


def read_range(broker: Broker, args: Message, effects: Effects) -> tuple[Broker, Any]:
    """Records of one segment, up to its edge."""
    range_id, offset, most = args["range"], args["offset"], args["max"]
    if most < 1:
        return broker, error("invalid_argument")
    if not 0 <= offset < broker.offsets.get(range_id, 0):
        return broker, Tag("eof")
    found = serving(broker, range_id, offset)
    if found is None:
        return broker, Tag("eof")
    _, segment_id, segment, at = found
    if not segment["replica_set"]:
        return broker, error("no_replicas")
    if segment["state"] == "sealed":
        most = min(most, segment["start_offset"] + (segment["length"] or 0) - at)
    asked = {"primary": segment["replica_set"][0], "segment": segment_id}
    reply = effects.ask("read", {**asked, "offset": at, "max": most})
    return broker, Tag("ok", records_out(reply.value)) if reply.tag == "ok" else reply


def open_broker(_broker: Broker | None, args: Message, _effects: Effects) -> tuple[Any, Any]:
    """A new broker on a view."""
    if not args["brokers"] or args["replication_factor"] < 1 or args["segment_max_bytes"] < 1:
        raise ValueError("brokers, replication_factor and segment_max_bytes must not be empty")
    return Broker(args, one_vnode(args["view"]), {}, {}, {}, {}, {}), OK


def told(tag: str, *names: str) -> Call:
    """A call that sends one command and keeps the view that came with the answer."""

    def call(broker: Broker, args: Message, effects: Effects) -> tuple[Broker, Any]:
        given = {name.removesuffix("_id") if name not in args else name: name for name in names}
        return tell(broker, tag, {name: args[key] for key, name in given.items()}, effects)

    return call


def told_or_stay(tag: str, *names: str) -> Call:
    """The same, but the broker stays what it was where nothing was created."""
    send = told(tag, *names)

    def call(broker: Broker, args: Message, effects: Effects) -> tuple[Broker, Any]:
        after, reply = send(broker, args, effects)
        return (after if reply.tag == "created" else broker), reply

    return call


Writer = Callable[[Any], Any]
ONCE: dict[tuple[int, Writer], tuple[Any, Written]] = {}


def once(part: Any, out: Writer) -> Written:  # noqa: ANN401 # any part of a state
    """A part on the wire. Parts are never changed in place, so each is written once."""
    found = ONCE.get((id(part), out))
    if found is None:
        if len(ONCE) >= KEPT:
            ONCE.clear()
        found = ONCE[id(part), out] = part, Written(write(out(part)))
    return found[1]


def topics_out(topics: Message) -> Table:
    """Topics on their way to the wire."""
    return Table({name: {**each, "policy": maybe(each["policy"])} for name, each in topics.items()})


def segments_out(segments: Message) -> Table:
    """Segments on their way to the wire."""
    return Table({one: optional_out(each, *OPTIONAL) for one, each in segments.items()})


OPTIONAL = ("length", "byte_size", "opened_at", "sealed_at")


def optional_out(record: Message, *names: str) -> Message:
    """A record of which some fields may be none, on its way to the wire."""
    return {**record, **{name: maybe(record[name]) for name in names}}


def committed_out(committed: Message) -> Table:
    """Commits on their way to the wire."""
    return Table({key: Table(each) for key, each in committed.items()})


def rolling_out(rolling: Message) -> Table:
    """Owed rolls on their way to the wire."""
    return Table({one: roll_out(each) for one, each in rolling.items()})


def view_out(view: Message) -> Message:
    """A view on its way to the wire."""
    return {
        "topics": once(view["topics"], topics_out),
        "ranges": once(view["ranges"], Table),
        "segments": once(view["segments"], segments_out),
        "committed": once(view["committed"], committed_out),
        "migrating": view["migrating"],
    }


def shown(broker: Broker) -> Message:
    """The whole state of a broker on its way to the wire."""
    return {
        "offsets": once(broker.offsets, Table),
        "heads": once(broker.heads, Table),
        "sequences": once(broker.sequences, Table),
        "rolling": once(broker.rolling, rolling_out),
        "fencing": once(broker.fencing, Table),
        "unrecovered": frozenset(),
        "journal": None,
        "view": once(broker.view, view_out),
    }


def loaded(message: Message) -> Broker:
    """A broker in the state that the harness tells."""
    state = message["state"]
    names = ("view", "offsets", "heads", "sequences", "rolling", "fencing")
    return Broker(message["options"], *[state[name] for name in names])


def active_ids(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """The active ranges of a topic."""
    active = in_state(broker.view, "ranges", "active")
    return broker, [one for one in active if one[0] == args["topic"]]


def owed(broker: Broker, _args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """The rolls that are owed."""
    return broker, [roll_out(roll) for _, roll in sorted(broker.rolling.items())]


def forget_fence(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """Await a fence no longer."""
    roll = args["roll"]
    fencing = without(broker.fencing, roll["range_id"], "segment_id", roll["segment_id"])
    return broker._replace(fencing=fencing), OK


def forget_sealed(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """Sit down behind somebody else's seal."""
    return sat_down(broker, args["range"], args["segment"], args["end_offset"]), OK


def position(broker: Broker, args: Message, _effects: Effects) -> tuple[Broker, Any]:
    """Where a key falls."""
    return broker, hashed(args["key"], args["size"])


def rank(_broker: Broker, args: Message, _effects: Effects) -> tuple[None, Any]:
    """The brokers for a segment, the best first."""
    asked = Broker({"brokers": args["brokers"]}, {}, {}, {}, {}, {}, {})
    return None, ranked(asked, args["segment"])


CALLS: Mapping[str, Call] = {
    "open": open_broker,
    "create_topic": told("create_topic", "topic", "bits"),
    "active_range_ids": active_ids,
    "metadata": lambda broker, _args, _effects: (broker, view_out(broker.view)),
    "produce": produce,
    "read": read_range,
    "produce_plan": produce_plan,
    "adopt_offsets": adopt_offsets,
    "active_roll": active_roll,
    "due_rolls": owed,
    "request_rolls": request_rolls,
    "fences_to_send": fences_to_send,
    "awaiting_fence": awaiting_fence,
    "range_awaiting_fence": range_awaiting_fence,
    "forget_fence": forget_fence,
    "record_fence": record_fence,
    "record_seal": record_seal,
    "forget_sealed": forget_sealed,
    "split_range": told_or_stay("split_range", "range_id"),
    "merge_ranges": told_or_stay("merge_ranges", "first", "second"),
    "delete_segment": told("delete_segment", "segment_id"),
}
ORACLES: Mapping[str, Call] = {"position": position, "rank": rank}
WELCOME = {
    "implementation": "sample broker in Python",
    "ops": list(CALLS),
    "level": "L3",
    "capabilities": {
        "clock": "injected",
        "position": "oracle",
        "placement": "oracle",
        "load": True,
        "fork": True,
        "show": True,
        "brokers": 8,
    },
}

if __name__ == "__main__":
    serve(WELCOME, {**CALLS, **ORACLES}, lambda broker: once(broker, shown), loaded)
