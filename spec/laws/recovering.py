"""The laws of reading anew: which read counts, and what a frontend knows after a restart."""

from spec.premises import everywhere, where
from spec.replies import MetadataUnavailable, Refusal
from spec.truth import Listing, Seen, Stored, Viewed, edge_of
from spec.vocabulary import Page


@everywhere
def a_read_that_began_earlier_is_given_up(
    before: tuple[Viewed, ...], after: tuple[Viewed, ...]
) -> bool:
    """[RFR-4] With a read that is installed, those that began before it are gone. (S21)"""
    return len(after) < len(before) and after == before[len(before) - len(after) :]


@everywhere
def a_restart_keeps_nothing(after: Seen, listing: Listing) -> bool:
    """[RFR-28] The view is what the control plane lists now, and nothing else is known. (S18)"""
    return after == Seen(None, None, None, None, None, listing, (), is_recovered=True)


@where("a recovery was due", lambda before, _: not before.is_recovered)
def a_seal_leaves_a_recovery_due(before: Seen, after: Seen) -> bool:
    """[RFR-27] Where one segment ends is not where the range does. (S20)"""
    return before.is_recovered or not after.is_recovered


@where(
    "a segment is listed, and the end is taken for known",
    lambda seen, _: bool(seen.listing) and seen.is_recovered,
)
def a_recovery_learns_where_the_range_ends(seen: Seen, stored: Stored | None) -> bool:
    """[RFR-29] The edge of its last segment, or what that one's primary holds now. (S18)"""
    if not seen.listing or not seen.is_recovered:
        return True
    _, segment = seen.listing[-1]
    end = edge_of(segment)
    if end is None:
        end = segment.start_offset if stored is None else stored.primary.end
    return seen.next_offset >= end


@where("a recovery is due", lambda seen, _: not seen.is_recovered)
def an_unrecovered_range_is_not_read(seen: Seen, reply: Page | Refusal) -> bool:
    """[RDG-16] A page that stops at an end which nobody knows would look like all of it. (S18)"""
    return seen.is_recovered or isinstance(reply, MetadataUnavailable)


@where(
    "a segment is listed, and no counter is held",
    lambda seen, _: seen.counter is None and bool(seen.listing),
)
def a_range_whose_end_was_never_learned_is_not_read(seen: Seen, reply: Page | Refusal) -> bool:
    """[RDG-16] Whether or not a recovery has failed yet. (S18)

    Tempting and false: between the refresh that brings a range and its recovery, the frontend
    holds no counter, and answers a page that is empty and successful.
    """
    is_known = seen.counter is not None or not seen.listing
    return is_known or not isinstance(reply, Page)
