"""The replies and refusals of the protocol, each with its codec."""

from typing import Any

from checker.conform.codecs import Codec, many, named, record_of
from checker.conform.nouns import (
    BOOK,
    count,
    dispatch,
    key,
    offset,
    placement,
    plain_integer,
    plain_string,
    range_id,
    records,
)
from checker.conform.variants import Case, bare, direct, option, single, variant, whole_record
from spec import replies
from spec.replies import Refusal
from spec.vocabulary import (
    TopicPolicy,
)

BARE_REFUSALS: tuple[Refusal, ...] = (
    replies.InvalidTopicName(),
    replies.AlreadyExists(),
    replies.InvalidKeyspaceBits(),
    replies.NoSuchTopic(),
    replies.NoSuchRange(),
    replies.ActiveSegmentExists(),
    replies.CannotSplit(),
    replies.DifferentTopic(),
    replies.RangeTopicMismatch(),
    replies.NotBuddies(),
    replies.SegmentExists(),
    replies.SegmentOverlap(),
    replies.NoSuchSegment(),
    replies.SegmentActive(),
    replies.InvalidPolicy(),
    replies.Migrating(),
    replies.NoVnode(),
    replies.UnknownCommand(),
    replies.NoBrokers(),
    replies.InvalidReplicationFactor(),
    replies.NoReplicas(),
    replies.MetadataUnavailable(),
)
"""Refusals without facts, but for `range_sealed`, which the source calls `sealed` as well."""
INVALID_ARGUMENT = replies.InvalidArgument("", "")
"""On the wire nobody says which argument it was, or why."""
refusal: Codec[Refusal] = named(
    "Refusal",
    variant(
        *(bare(each.name, each) for each in BARE_REFUSALS),
        bare("range_sealed", replies.RangeSealed()),
        single("sealed", replies.Sealed, "end_offset", offset),
        single("already_sealed", replies.AlreadySealed, "existing", count),
        whole_record(
            "insufficient_domains",
            replies.InsufficientDomains,
            covered=plain_integer,
            required=plain_integer,
        ),
        single("unroutable", replies.Unroutable, "key", key),
        single(
            "unexpected_register_reply", replies.UnexpectedRegisterReply, "answer", plain_string
        ),
        single("unexpected_seal_reply", replies.UnexpectedSealReply, "answer", plain_string),
        single("failed", replies.Failed, "reason", plain_string),
        bare("invalid_argument", INVALID_ARGUMENT),
    ),
    BOOK,
)
command_reply: Codec[replies.CommandReply] = named(
    "CommandReply",
    variant(
        bare("ok", replies.Ok()),
        single("created", replies.Created, "range_ids", many(range_id)),
        single("unexpected", replies.Unexpected, "answer", plain_string),
        direct("error", lambda value: isinstance(value, Refusal), refusal),
    ),
    BOOK,
)


def either(*cases: Case) -> Codec[Any]:
    """An answer or a refusal."""
    return variant(*cases, direct("error", lambda value: isinstance(value, Refusal), refusal))


replicate_reply: Codec[replies.ReplicateReply] = named(
    "ReplicateReply", either(single("ok", replies.Appended, "last", offset)), BOOK
)
read_reply: Codec[replies.ReadReply] = named(
    "ReadReply",
    either(single("ok", replies.Records, "records", records), bare("eof", replies.Eof())),
    BOOK,
)
produced: Codec[replies.Produced | Refusal] = named(
    "Produced", either(single("ok", replies.Produced, "placements", many(placement))), BOOK
)
planned: Codec[replies.Planned | Refusal] = named(
    "Planned",
    either(
        whole_record("ok", replies.Planned, placements=many(placement), dispatches=many(dispatch))
    ),
    BOOK,
)
policy_answer: Codec[TopicPolicy | None] = named(
    "PolicyAnswer", option(record_of(TopicPolicy, spread_by=option(plain_string))), BOOK
)
