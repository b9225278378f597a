"""The smallest rules that close the findings of this world. None is on by default."""

from checker.world.sharing.sight import listing_of
from reference import reading
from reference.frontend import Frontend
from spec.replies import MetadataUnavailable, ReadFun, Refusal
from spec.vocabulary import ConsumeCursor, Count, Page, RangeId


def unlearned_is_unrecovered(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, at_most: Count, read_fun: ReadFun
) -> Page | Refusal:
    """[RDG-16] Refuse a range that lists a segment and has no counter here."""
    if range_id not in front.offsets and listing_of(front.view):
        return MetadataUnavailable()
    return reading.read_consume(front, range_id, cursor, at_most, read_fun)
