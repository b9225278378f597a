"""The named changes of a world of restarts and of expiry, each one rule exchanged for another."""

from dataclasses import replace

from checker.world.recovering.rules import restart
from reference import reading
from reference.frontend import Frontend
from reference.vnodes import View
from spec.replies import ReadFun, Refusal
from spec.vocabulary import ConsumeCursor, Count, Offset, Page, RangeId, Sequence


def no_seed_at_boot(
    front: Frontend, _range_id: RangeId, _end: Offset, _floor: Sequence
) -> Frontend:
    """[RFR-29] Learn after a restart where a range ends, and keep it from nobody but oneself."""
    return front


def unknown_end_served(
    front: Frontend, range_id: RangeId, cursor: ConsumeCursor, at_most: Count, read_fun: ReadFun
) -> Page | Refusal:
    """[RDG-16] Take the counter of an unrecovered range for its end."""
    trusting = replace(front, unrecovered=front.unrecovered - {range_id})
    return reading.read_consume(trusting, range_id, cursor, at_most, read_fun)


def counter_survives(front: Frontend, view: View) -> Frontend:
    """[RFR-28] Go on after a restart from the counter of before."""
    return replace(restart(front, view), offsets=front.offsets)
