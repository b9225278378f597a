"""The laws of placing: where a new segment is kept, and what is reported of thin ones."""

from collections import Counter

from immutables import Map

from spec.premises import everywhere, where
from spec.replies import InsufficientDomains, Refusal
from spec.truth import Known, Wish, whole
from spec.vocabulary import Attributes, Broker, Count, TopicName


@where(
    "brokers are told, or where they stand",
    lambda brokers, attributes, _: brokers is not None or attributes is not None,
)
def what_the_membership_says_is_taken_over(
    brokers: tuple[Broker, ...] | None, attributes: Map[Broker, Attributes] | None, wish: Wish
) -> bool:
    """[PLC-15] The brokers, or where they stand, as they were heard last. (S32)"""
    return (brokers is None or wish.brokers == brokers) and (
        attributes is None or wish.attributes == attributes
    )


@everywhere
def a_new_segment_is_placed_on_brokers_that_are_there(
    replica_set: tuple[Broker, ...], wish: Wish
) -> bool:
    """[PLC-15] The set that the frontend knows when it registers, not an earlier one. (S32)"""
    return bool(replica_set) and set(replica_set) <= set(wish.brokers)


@everywhere
def a_new_segment_has_the_replicas_asked_for_or_all_there_are(
    replica_set: tuple[Broker, ...], wish: Wish
) -> bool:
    """[PLC-6] Each broker once, and as many as the factor says or as there are. (S32)"""
    known = len(set(wish.brokers))
    return len(set(replica_set)) == len(replica_set) == min(wish.replication_factor, known)


@everywhere
def a_new_segment_spans_as_many_domains_as_it_can(
    replica_set: tuple[Broker, ...], wish: Wish
) -> bool:
    """[PLC-8] Every domain once before any domain twice, by what is known now. (S32)"""
    there = domains_of(wish.brokers, wish)
    return domains_of(replica_set, wish) == min(wish.replication_factor, there)


@where(
    "the policy is hard and names a least spread",
    lambda _, wish: wish.is_hard and wish.min_domains is not None,
)
def a_hard_policy_places_nothing_thinly(replica_set: tuple[Broker, ...], wish: Wish) -> bool:
    """[PLC-10] Better no segment than copies that can fail together. (S32)"""
    return (
        not wish.is_hard
        or wish.min_domains is None
        or domains_of(replica_set, wish) >= wish.min_domains
    )


@where(
    "domains are what the refusal names", lambda reply, _: isinstance(reply, InsufficientDomains)
)
def a_placement_is_refused_only_where_domains_are_missing(reply: object, wish: Wish) -> bool:
    """[PLC-10] And the refusal says how many there are and how many were asked for. (S32)"""
    if not isinstance(reply, Refusal) or not isinstance(reply, InsufficientDomains):
        return True
    most = min(wish.replication_factor, domains_of(wish.brokers, wish))
    return most < (wish.min_domains or 0) == reply.required and reply.covered == most


@where(
    "a segment is thin, or one is counted",
    lambda known, wish, counted: bool(counted) or bool(_thin(known, wish)),
)
def thin_segments_are_counted(known: Known, wish: Wish, counted: Map[TopicName, Count]) -> bool:
    """[PLC-18] Each topic's, by the frontend's own rule, and no topic that has none. (S32)"""
    return dict(counted.items()) == dict(_thin(known, wish))


def domains_of(brokers: tuple[Broker, ...], wish: Wish) -> int:
    """How many failure domains these brokers span."""
    if wish.spread_by is None:
        return len(set(brokers))
    nowhere: Map[str, str] = Map()
    return len({wish.attributes.get(broker, nowhere).get(wish.spread_by) for broker in brokers})


def _thin(known: Known, wish: Wish) -> Counter[TopicName]:
    """How many segments of each topic span too few domains; none where nobody asks for any."""
    least = wish.min_domains
    if wish.spread_by is None or least is None:
        return Counter()
    return Counter(
        segment.range_id.topic
        for segment in whole(known.catalog).segments.values()
        if domains_of(segment.replica_set, wish) < least
    )
