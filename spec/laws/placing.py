"""The laws of placing: where a new segment is kept, and what is reported of thin ones."""

from collections import Counter

from immutables import Map

from spec.replies import InsufficientDomains, Refusal
from spec.truth import Known, Wish, whole
from spec.vocabulary import Attributes, Broker, Count, TopicName


def what_the_membership_says_is_taken_over(
    brokers: tuple[Broker, ...] | None, attributes: Map[Broker, Attributes] | None, wish: Wish
) -> bool:
    """[PLC-15] The brokers, or where they stand, as they were heard last. (S32)"""
    return (brokers is None or wish.brokers == brokers) and (
        attributes is None or wish.attributes == attributes
    )


def a_new_segment_is_placed_on_brokers_that_are_there(
    replica_set: tuple[Broker, ...], wish: Wish
) -> bool:
    """[PLC-15] The set that the frontend knows when it registers, not an earlier one. (S32)"""
    return bool(replica_set) and set(replica_set) <= set(wish.brokers)


def a_new_segment_has_the_replicas_asked_for_or_all_there_are(
    replica_set: tuple[Broker, ...], wish: Wish
) -> bool:
    """[PLC-6] Each broker once, and as many as the factor says or as there are. (S32)"""
    known = len(set(wish.brokers))
    return len(set(replica_set)) == len(replica_set) == min(wish.replication_factor, known)


def a_new_segment_spans_as_many_domains_as_it_can(
    replica_set: tuple[Broker, ...], wish: Wish
) -> bool:
    """[PLC-8] Every domain once before any domain twice, by what is known now. (S32)"""
    there = domains_of(wish.brokers, wish)
    return domains_of(replica_set, wish) == min(wish.replication_factor, there)


def a_hard_policy_places_nothing_thinly(replica_set: tuple[Broker, ...], wish: Wish) -> bool:
    """[PLC-10] Better no segment than copies that can fail together. (S32)"""
    return (
        not wish.is_hard
        or wish.min_domains is None
        or domains_of(replica_set, wish) >= wish.min_domains
    )


def a_placement_is_refused_only_where_domains_are_missing(reply: object, wish: Wish) -> bool:
    """[PLC-10] And the refusal says how many there are and how many were asked for. (S32)"""
    if not isinstance(reply, Refusal) or not isinstance(reply, InsufficientDomains):
        return True
    most = min(wish.replication_factor, domains_of(wish.brokers, wish))
    return most < (wish.min_domains or 0) == reply.required and reply.covered == most


def thin_segments_are_counted(known: Known, wish: Wish, counted: Map[TopicName, Count]) -> bool:
    """[PLC-18] Each topic's, by the frontend's own rule, and no topic that has none. (S32)"""
    if wish.spread_by is None or wish.min_domains is None:
        return not counted
    thin = Counter(
        segment.range_id.topic
        for segment in whole(known.catalog).segments.values()
        if domains_of(segment.replica_set, wish) < wish.min_domains
    )
    return dict(counted.items()) == dict(thin)


def domains_of(brokers: tuple[Broker, ...], wish: Wish) -> int:
    """How many failure domains these brokers span."""
    if wish.spread_by is None:
        return len(set(brokers))
    nowhere: Map[str, str] = Map()
    return len({wish.attributes.get(broker, nowhere).get(wish.spread_by) for broker in brokers})
