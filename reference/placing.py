"""Placing: which brokers keep a new segment, and which sets are thinner than was asked for."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest

from immutables import Map

from reference.controlplane import Metadata
from reference.frontend import Frontend, RankFun
from reference.hashing import rank_of
from reference.vnodes import merged
from spec.replies import InsufficientDomains, InvalidArgument, InvalidReplicationFactor, NoBrokers
from spec.vocabulary import Attributes, Broker, Count, SegmentId, TopicName

Attribute = str | None
"""The value of an attribute at a broker; none where it has none, which is a value like others."""
PlacementRefusal = NoBrokers | InvalidReplicationFactor | InsufficientDomains


def ranking(
    segment_id: SegmentId, brokers: Iterable[Broker], rank_fun: RankFun = rank_of
) -> tuple[Broker, ...]:
    """[PLC-5, PLC-16] The brokers in the order in which they are asked to keep a segment.

    Every segment ranks them anew, so load spreads and a broker that leaves moves only its own.
    """
    return tuple(
        sorted(
            set(brokers), key=lambda broker: (rank_fun(segment_id, broker), broker), reverse=True
        )
    )


def place(
    segment_id: SegmentId,
    brokers: Iterable[Broker],
    replication_factor: int,
    spread_by: str | None = None,
    attributes: Map[Broker, Attributes] | None = None,
    min_domains: int | None = None,
    policy: str = "soft",
    rank_fun: RankFun = rank_of,
) -> tuple[Broker, ...] | PlacementRefusal:
    """[PLC-6, PLC-7, PLC-10, PLC-11] Choose a replica set; its first broker is the primary.

    Who names no policy wants no refusal. A frontend always names one: its own.
    """
    known = Map[Broker, Attributes]() if attributes is None else attributes
    ranked = ranking(segment_id, brokers, rank_fun)
    if not ranked:
        return NoBrokers()
    if replication_factor < 1:
        return InvalidReplicationFactor()
    spread = ranked if spread_by is None else _in_turn(ranked, spread_by, known)
    chosen = spread[:replication_factor]
    covered = domains_covered(chosen, spread_by, known)
    # Keeps PLC-13: a word that nobody knows is no leave to place thinly.
    if min_domains is not None and covered < min_domains and policy != "soft":
        return InsufficientDomains(covered, min_domains)
    return chosen


def domains_covered(
    brokers: Iterable[Broker], spread_by: str | None, attributes: Map[Broker, Attributes]
) -> int:
    """[PLC-9, PLC-12] How many failure domains a replica set spans.

    Brokers without the attribute make up one domain, and without any attribute to go by each
    broker is its own.
    """
    if spread_by is None:
        return len(set(brokers))
    return len({_attribute(broker, spread_by, attributes) for broker in brokers})


def set_brokers(front: Frontend, brokers: Iterable[Broker]) -> Frontend | InvalidArgument:
    """[PLC-1, PLC-15] Replace the brokers that new segments are placed on."""
    members = tuple(brokers)
    if not members:
        return InvalidArgument("brokers", "a segment needs a broker to be placed on")
    return replace(front, options=replace(front.options, brokers=members))


def set_broker_attributes(front: Frontend, attributes: Map[Broker, Attributes]) -> Frontend:
    """[PLC-9, PLC-15] Replace all that is known of where brokers stand."""
    return replace(front, options=replace(front.options, broker_attributes=attributes))


def domain_violations(front: Frontend, over: Metadata | None = None) -> Map[TopicName, Count]:
    """[PLC-18, PLC-19, PLC-20] How many segments of a topic span too few domains.

    A soft policy places thinly rather than not at all; this is where it shows.
    """
    options = front.options
    spread_by, required = options.spread_by, options.min_domains
    if spread_by is None or required is None:
        return Map()
    metadata = merged(front.view) if over is None else over
    thin = Counter(
        segment.range_id.topic
        for segment in metadata.segments.values()
        if domains_covered(segment.replica_set, spread_by, options.broker_attributes) < required
    )
    return Map((topic, Count(count)) for topic, count in thin.items())


def _in_turn(
    ranked: tuple[Broker, ...], spread_by: str, attributes: Map[Broker, Attributes]
) -> tuple[Broker, ...]:
    """[PLC-8] The best of every domain, then the second best of every domain, and so on."""
    domains: dict[Attribute, list[Broker]] = {}
    for broker in ranked:
        domains.setdefault(_attribute(broker, spread_by, attributes), []).append(broker)
    rounds = zip_longest(*domains.values())
    return tuple(broker for round_ in rounds for broker in round_ if broker is not None)


def _attribute(broker: Broker, spread_by: str, attributes: Map[Broker, Attributes]) -> Attribute:
    known = attributes.get(broker)
    return None if known is None else known.get(spread_by)
