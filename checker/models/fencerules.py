"""The rules of FenceCore, as functions of the values they read.

Each answers the values it writes, once for each distinct message that it could take.
"""

from checker.models.fencevalues import Acked, Cached, Pending, Segment, Segments, Store, replaced
from checker.search.model import Outcome


def send(
    f: int, s: int, batches: int, cached: Cached, sent: int, offset: int, requests: int
) -> list[Outcome]:
    """Send an append to the cached segment. Writes sent, next, requests."""
    if cached != s or sent >= batches:
        return []
    return [Outcome(f"f{f} sends an append to s{s}", (sent + 1, offset + 1, requests + 1))]


def adopt(
    f: int, batches: int, cached: Cached, sent: int, view: Segments, offset: int
) -> list[Outcome]:
    """Cache the active segment of the view. Writes cached, next."""
    active = [s for s, segment in enumerate(view) if not segment.is_sealed]
    if cached is not None or sent >= batches or not active:
        return []
    s = active[0]
    return [Outcome(f"f{f} adopts s{s}", (s, max(offset, view[s].start)))]


def register(
    f: int,
    limits: tuple[int, int],
    cached: Cached,
    sent: int,
    view: Segments,
    offset: int,
    cp: Segments,
) -> list[Outcome]:
    """Ask for a new segment where the view has none active. Writes cp, view, cached."""
    batches, most = limits
    if cached is not None or sent >= batches or not all(segment.is_sealed for segment in view):
        return []
    may_open = len(cp) < most and all(segment.is_sealed for segment in cp)
    if not may_open or offset < (cp[-1].end if cp else 0):
        return [Outcome(f"f{f} is refused a new segment", (cp, cp, None))]
    grown = (*cp, Segment(is_sealed=False, start=offset, length=0))
    return [Outcome(f"f{f} opens s{len(cp)} at {offset}", (grown, grown, len(cp)))]


def would_send(batches: int, cached: Cached, sent: int) -> bool:
    """Answer whether only the number of batches keeps a frontend from sending."""
    return cached is not None and sent == batches


def would_open(
    limits: tuple[int, int],
    cached: Cached,
    sent: int,
    view: Segments,
    offset: int,
    cp: Segments,
) -> bool:
    """Answer whether only the number of segments keeps a frontend from opening one."""
    batches, most = limits
    is_at_the_end = bool(cp) and offset >= cp[-1].end
    is_all_sealed = all(segment.is_sealed for segment in (*view, *cp))
    return cached is None and sent < batches and is_all_sealed and len(cp) == most and is_at_the_end


def append(
    f: int, s: int, requests: int, store: Store, pending: Pending, refusals: int
) -> list[Outcome]:
    """Take an append, or refuse it behind the latch. Writes requests, store, pending, refusals."""
    if not requests:
        return []
    if store.is_fenced:
        values = (requests - 1, store, pending, refusals + 1)
        return [Outcome(f"s{s} refuses an append of f{f}", values)]
    grown = Store(store.appended + 1, is_fenced=False)
    values = (requests - 1, grown, replaced(pending, store.appended, f), refusals)
    return [Outcome(f"s{s} takes an append of f{f}", values)]


def acknowledge(
    f: int, s: int, pending: Pending, acked: Acked, offset: int, cp: Segments
) -> list[Outcome]:
    """Hear that an append stands. Writes pending, acked, next."""
    return [
        Outcome(
            f"f{f} hears that its record {place} stands in s{s}",
            (
                replaced(pending, place, None),
                acked | {place},
                max(offset, cp[s].start + place + 1),
            ),
        )
        for place, owner in enumerate(pending)
        if owner == f
    ]


def refuse(
    f: int,
    s: int,
    refusals: int,
    store: Store,
    cp: Segments,
    cached: Cached,
    owed: Cached,
    offset: int,
) -> list[Outcome]:
    """Hear that a segment is sealed. Writes refusals, cached, owed, next."""
    if not refusals:
        return []
    is_current = cached == s
    values = (
        refusals - 1,
        None if is_current else cached,
        None if owed == s else owed,
        cp[s].start + store.appended if is_current else offset,
    )
    return [Outcome(f"f{f} hears that s{s} is sealed", values)]


def request_roll(f: int, cached: Cached, owed: Cached) -> list[Outcome]:
    """Owe the roll of the cached segment. Writes owed."""
    if cached is None or owed is not None:
        return []
    return [Outcome(f"f{f} owes the roll of s{cached}", (cached,))]


def send_fence(f: int, s: int, owed: Cached, fences: int, answers: int) -> list[Outcome]:
    """Send the fence of an owed roll, one at a time. Writes fences."""
    if owed != s or fences or answers:
        return []
    return [Outcome(f"f{f} sends a fence to s{s}", (1,))]


def fence(f: int, s: int, fences: int, store: Store, answers: int) -> list[Outcome]:
    """Fence a store. Writes fences, store, answers."""
    if not fences:
        return []
    latched = Store(store.appended, is_fenced=True)
    return [Outcome(f"s{s} is fenced for f{f}", (fences - 1, latched, answers + 1))]


def seal(
    f: int,
    s: int,
    has_defect: bool,
    answers: int,
    store: Store,
    cp: Segments,
    cached: Cached,
    owed: Cached,
    offset: int,
) -> list[Outcome]:
    """Hear the end of a fenced store. Writes answers, cp, view, cached, owed, next."""
    if not answers:
        return []
    start = cp[s].start
    still_owed = None if owed == s else owed
    if cp[s].is_sealed:
        values = (answers - 1, cp, cp, cached, still_owed, offset)
        return [Outcome(f"f{f} hears the end of s{s}, sealed before", values)]
    end = offset if has_defect else start + store.appended
    sealed = (*cp[:s], Segment(is_sealed=True, start=start, length=end - start), *cp[s + 1 :])
    values = (answers - 1, sealed, sealed, None, still_owed, end)
    return [Outcome(f"f{f} seals s{s} at {end}", values)]


def refresh(f: int, view: Segments, cp: Segments, cached: Cached, offset: int) -> list[Outcome]:
    """Look at the control plane again. Writes view, cached, next."""
    is_stale = cached is not None and cp[cached].is_sealed
    if view == cp and not is_stale:
        return []
    if cached is not None and is_stale:
        return [Outcome(f"f{f} refreshes and drops s{cached}", (cp, None, cp[cached].end))]
    return [Outcome(f"f{f} refreshes", (cp, cached, offset))]


def lose(what: str, count: int) -> list[Outcome]:
    """Lose one of several equal messages. Writes their count."""
    return [Outcome(f"{what} is lost", (count - 1,))] if count else []


def lose_acknowledgement(s: int, pending: Pending) -> list[Outcome]:
    """Lose one acknowledgement. Writes pending."""
    return [
        Outcome(
            f"the acknowledgement of record {place} of s{s} to f{owner} is lost",
            (replaced(pending, place, None),),
        )
        for place, owner in enumerate(pending)
        if owner is not None
    ]
