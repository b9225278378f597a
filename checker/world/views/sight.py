"""How a world of views shows its parts to the laws: as the values of `spec.truth`."""

from functools import lru_cache

from immutables import Map

from checker.world.views.bounds import Bounds
from checker.world.views.parts import Begun, Told
from reference.controlplane import Metadata
from reference.frontend import Frontend
from reference.vnodes import View, metadata_of, route, topic_of
from spec.commands import Command
from spec.truth import Asked, Catalog, Known, Shard, Viewed, Wish
from spec.vocabulary import TopicName, VnodeId

MOST_KEPT = 1 << 16


@lru_cache(maxsize=MOST_KEPT)
def catalog_of(view: View) -> Catalog:
    """What a view lists, by vnode."""
    return Map((vnode, shard_of(one)) for vnode, one in view.vnodes.items())


def shard_of(metadata: Metadata) -> Shard:
    """What one vnode lists."""
    return Shard(metadata.topics, metadata.ranges, metadata.segments, metadata.committed)


@lru_cache(maxsize=MOST_KEPT)
def known_by(front: Frontend) -> Known:
    """What a frontend holds of the control plane."""
    return Known(catalog_of(front.view), front.heads, front.journal)


def viewed_in(begun: Begun) -> Viewed:
    """A read, as it is installed, and what was commanded since of the vnodes that it read."""
    since = tuple(each for each in begun.since if owner_of(begun.view, each) not in begun.unread)
    return Viewed(catalog_of(begun.view), begun.unread, since)


def owner_of(view: View, command: Command) -> VnodeId | None:
    """The vnode that takes a command."""
    topic = topic_of(command)
    return None if topic is None else route(view, topic)


def asked_in(told: Told) -> Asked:
    """A call and what was heard of it."""
    return Asked(told.heard, told.reply)


def wish_of(bounds: Bounds, front: Frontend, topic: TopicName | None) -> Wish:
    """How a frontend is to place a segment of a topic; its own rule where none is named."""
    options = front.options
    spread_by = options.spread_by
    if topic is not None:
        known = metadata_of(front.view, topic).topics.get(topic)
        policy = None if known is None or known.policy is None else known.policy
        if policy is not None and policy in bounds.policies:
            spread_by = bounds.policies[policy].spread_by
    return Wish(
        options.brokers,
        options.replication_factor,
        spread_by,
        options.broker_attributes,
        options.min_domains,
        options.placement_policy != "soft",
    )
