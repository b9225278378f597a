"""Opening a frontend, its brokers and their failure domains."""

from dataclasses import replace
from typing import Any

from checker.conform.calls.answers import done, nothing, on_the_wire
from checker.conform.codecs import Codec, map_of, string
from checker.conform.nouns import (
    attributes,
    brokers,
    byte_size,
    count,
    plain_integer,
    plain_string,
    topic_name,
)
from checker.conform.operations import Answered, Arguments, Effects, Operation
from checker.conform.replying import INVALID_ARGUMENT
from checker.conform.variants import option
from checker.conform.views import as_view, view
from reference import placing
from reference.frontend import Frontend
from reference.frontend import open as open_frontend
from reference.vnodes import merged
from spec.replies import Ok, Refusal


def open_(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Open an empty frontend. `front` brings the hash and the ranking it is to use."""
    try:
        opened = open_frontend(
            brokers=args["brokers"],
            replication_factor=args["replication_factor"],
            segment_max_bytes=args["segment_max_bytes"],
            spread_by=args["spread_by"],
            broker_attributes=args["broker_attributes"],
            min_domains=args["min_domains"],
            placement_policy=args["placement_policy"],
            view=as_view(args["view"]),
        )
    except ValueError:
        return front, INVALID_ARGUMENT
    given = front.options
    hashed = replace(opened.options, position_fun=given.position_fun, rank_fun=given.rank_fun)
    return replace(opened, options=hashed), Ok()


def set_brokers(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Replace the brokers."""
    found = placing.set_brokers(front, args["brokers"])
    return (front, on_the_wire(found)) if isinstance(found, Refusal) else (found, Ok())


def set_broker_attributes(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """Replace what is known of where brokers stand."""
    return placing.set_broker_attributes(front, args["attributes"]), Ok()


def domain_violations(front: Frontend, _args: Arguments, _effects: Effects) -> Answered:
    """How many segments are placed too thinly, by the own view."""
    return front, placing.domain_violations(front)


def domain_violations_over(front: Frontend, args: Arguments, _effects: Effects) -> Answered:
    """How many segments are placed too thinly, by a view that was computed already."""
    return front, placing.domain_violations(front, merged(as_view(args["view"])))


violations: Codec[Any] = map_of(topic_name, count)

OPERATIONS = (
    Operation(
        "open",
        "core",
        open_,
        done,
        {
            "brokers": brokers,
            "replication_factor": plain_integer,
            "segment_max_bytes": byte_size,
            "spread_by": option(plain_string),
            "broker_attributes": attributes,
            "min_domains": option(plain_integer),
            "placement_policy": string(str),
            "view": view,
        },
    ),
    Operation("set_brokers", "policy", set_brokers, done, {"brokers": brokers}),
    Operation(
        "set_broker_attributes",
        "policy",
        set_broker_attributes,
        nothing,
        {"attributes": attributes},
    ),
    Operation("domain_violations", "policy", domain_violations, violations, is_query=True),
    Operation(
        "domain_violations_over",
        "policy",
        domain_violations_over,
        violations,
        {"view": view},
        is_query=True,
    ),
)
