"""Brokers, their attributes and failure domains, as a recording calls them."""

from checker.replay import decoding, encoding
from checker.replay.machine import Entry, Turn
from checker.replay.terms import Term, text, wrong
from reference import placing
from reference.vnodes import merged
from spec.replies import Refusal


def set_brokers(turn: Turn) -> Term:
    """Ok, or raised for an empty set."""
    found = placing.set_brokers(turn.front, turn.args.brokers("brokers"))
    if isinstance(found, Refusal):
        return encoding.refusal(found)
    turn.front = found
    return "ok"


def set_broker_attributes(turn: Turn) -> Term:
    """Ok."""
    attributes = turn.args.get("attributes", decoding.attributes)
    turn.front = placing.set_broker_attributes(turn.front, attributes)
    return "ok"


def domain_violations(turn: Turn) -> Term:
    """Counts by topic, over the frontend's own view or over the control plane."""
    over = turn.args.find("over", text)
    if over not in {None, "authority"}:
        raise wrong("args.over", '"authority"', over)
    metadata = None if over is None else merged(turn.machine.world.authority)
    return dict(sorted(placing.domain_violations(turn.front, metadata).items()))


CALLS = {
    "set_brokers": Entry(set_brokers, ("brokers",)),
    "set_broker_attributes": Entry(set_broker_attributes, ("attributes",)),
    "domain_violations": Entry(domain_violations, (), ("over",)),
}
