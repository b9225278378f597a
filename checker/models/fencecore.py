"""FenceCore: one range of a log broker, small enough that its counts are known exactly.

Frontends append records to segments of a store, a control plane lists the segments, and a
frontend seals a segment by fencing it at the store. The network is a bag that may lose anything.

Segments and frontends count from 0 here. An appended record is named by its place in its segment,
since a segment never moves; the end that a refusal or a fence's answer carries is always the end
of the fenced store, so both messages are kept as counts.
"""

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product

from checker.models import fencerules
from checker.models.fencevalues import Acked, Segments, Store
from checker.search.model import Law, Limit, Model, Step, Symmetry


@dataclass(frozen=True, slots=True)
class Size:
    """The constants of a FenceCore."""

    frontends: int
    segments: int
    batches: int
    has_defect: bool
    """A fence's answer is recorded at the frontend's own counter, not at the store's end."""

    def channels(self) -> Iterator[tuple[int, int]]:
        """Answer every frontend with every segment."""
        return product(range(self.frontends), range(self.segments))


def fencecore(frontends: int, segments: int, batches: int, *, has_defect: bool = False) -> Model:
    """Answer the model with so many frontends, segments at most and batches for each frontend."""
    size = Size(frontends, segments, batches, has_defect)
    return Model(
        name=f"fencecore {frontends} {segments} {batches}" + " with its defect" * has_defect,
        initial=_initial(size),
        steps=tuple(_steps(size)),
        laws=tuple(_laws(size)),
        bounds={
            "frontends": f"{frontends} frontend{'s' * (frontends != 1)}",
            "segments": f"at most {segments} segment{'s' * (segments != 1)}",
            "batches": f"{batches} batch{'es' * (batches != 1)} of one record for each frontend",
        },
        limits=tuple(_limits(size)),
        symmetries=tuple(_symmetries(size)),
    )


def _limits(size: Size) -> Iterator[Limit]:
    for f in range(size.frontends):
        cached, sent, view, offset = f"cached f{f}", f"sent f{f}", f"view f{f}", f"next f{f}"
        yield Limit("batches", (cached, sent), partial(fencerules.would_send, size.batches))
        would_open = partial(fencerules.would_open, (size.batches, size.segments))
        yield Limit("segments", (cached, sent, view, offset, "cp"), would_open)


def _symmetries(size: Size) -> Iterator[Symmetry]:
    names = [name for name in _initial(size) if " f" in name]
    steps = [step.name for step in _steps(size)]
    for f in range(size.frontends - 1):
        exchanged = partial(re.sub, r"\bf(\d)\b", partial(_other_name, f))
        yield Symmetry(
            f"f{f} and f{f + 1} change places",
            {name: exchanged(name) for name in names},
            {name: exchanged(name) for name in steps},
            partial(_renamed, f),
        )


def _other(first: int, f: int) -> int:
    return {first: first + 1, first + 1: first}.get(f, f)


def _other_name(first: int, found: re.Match[str]) -> str:
    return f"f{_other(first, int(found[1]))}"


def _renamed(first: int, part: str, value: Hashable) -> Hashable:
    if part.startswith("pending") and isinstance(value, tuple):
        return tuple(None if owner is None else _other(first, owner) for owner in value)
    return value


def _initial(size: Size) -> dict[str, Hashable]:
    parts: dict[str, Hashable] = {"cp": ()}
    for f in range(size.frontends):
        parts |= {f"view f{f}": (), f"cached f{f}": None, f"next f{f}": 0}
        parts |= {f"owed f{f}": None, f"sent f{f}": 0}
    for s in range(size.segments):
        nobody = (None,) * (size.frontends * size.batches)
        parts |= {f"store s{s}": Store(0, is_fenced=False), f"pending s{s}": nobody}
        parts[f"acked s{s}"] = frozenset()
    for f, s in size.channels():
        parts |= {f"{what} f{f} s{s}": 0 for what in ("requests", "refusals", "fences", "ends")}
    return parts


def _steps(size: Size) -> Iterator[Step]:
    for f in range(size.frontends):
        yield from _planning(f, size)
        yield from _rolling(f)
    for f, s in size.channels():
        yield from _appending(f, s, size)
        yield from _fencing(f, s, size)
    for f, s in size.channels():
        yield from _losing(f, s)
    for s in range(size.segments):
        rule = partial(fencerules.lose_acknowledgement, s)
        parts = (f"pending s{s}",)
        yield Step(f"an acknowledgement of s{s} is lost", "lose an answer", parts, parts, rule)


def _planning(f: int, size: Size) -> Iterator[Step]:
    cached, sent, view, offset = f"cached f{f}", f"sent f{f}", f"view f{f}", f"next f{f}"
    yield Step(
        f"f{f} adopts",
        "adopt",
        (cached, sent, view, offset),
        (cached, offset),
        partial(fencerules.adopt, f, size.batches),
    )
    yield Step(
        f"f{f} registers",
        "register",
        (cached, sent, view, offset, "cp"),
        ("cp", view, cached),
        partial(fencerules.register, f, (size.batches, size.segments)),
    )
    yield Step(
        f"f{f} refreshes",
        "refresh",
        (view, "cp", cached, offset),
        (view, cached, offset),
        partial(fencerules.refresh, f),
    )


def _rolling(f: int) -> Iterator[Step]:
    yield Step(
        f"f{f} owes a roll",
        "request a roll",
        (f"cached f{f}", f"owed f{f}"),
        (f"owed f{f}",),
        partial(fencerules.request_roll, f),
    )


def _appending(f: int, s: int, size: Size) -> Iterator[Step]:
    cached, owed, offset, sent = f"cached f{f}", f"owed f{f}", f"next f{f}", f"sent f{f}"
    requests, refusals = f"requests f{f} s{s}", f"refusals f{f} s{s}"
    store, pending, acked = f"store s{s}", f"pending s{s}", f"acked s{s}"
    yield Step(
        f"f{f} appends to s{s}",
        "send",
        (cached, sent, offset, requests),
        (sent, offset, requests),
        partial(fencerules.send, f, s, size.batches),
    )
    yield Step(
        f"s{s} takes from f{f}",
        "take",
        (requests, store, pending, refusals),
        (requests, store, pending, refusals),
        partial(fencerules.append, f, s),
    )
    yield Step(
        f"f{f} hears from s{s}",
        "acknowledge",
        (pending, acked, offset, "cp"),
        (pending, acked, offset),
        partial(fencerules.acknowledge, f, s),
    )
    yield Step(
        f"f{f} is refused by s{s}",
        "refuse",
        (refusals, store, "cp", cached, owed, offset),
        (refusals, cached, owed, offset),
        partial(fencerules.refuse, f, s),
    )


def _fencing(f: int, s: int, size: Size) -> Iterator[Step]:
    cached, owed, offset, view = f"cached f{f}", f"owed f{f}", f"next f{f}", f"view f{f}"
    fences, ends, store = f"fences f{f} s{s}", f"ends f{f} s{s}", f"store s{s}"
    yield Step(
        f"f{f} fences s{s}",
        "send a fence",
        (owed, fences, ends),
        (fences,),
        partial(fencerules.send_fence, f, s),
    )
    yield Step(
        f"s{s} is fenced for f{f}",
        "fence",
        (fences, store, ends),
        (fences, store, ends),
        partial(fencerules.fence, f, s),
    )
    yield Step(
        f"f{f} seals s{s}",
        "seal",
        (ends, store, "cp", cached, owed, offset),
        (ends, "cp", view, cached, owed, offset),
        partial(fencerules.seal, f, s, size.has_defect),
    )


def _losing(f: int, s: int) -> Iterator[Step]:
    for part, what in (
        ("requests", f"an append of f{f} to s{s}"),
        ("refusals", f"a refusal of s{s} to f{f}"),
        ("fences", f"a fence of f{f} to s{s}"),
        ("ends", f"the end of s{s} for f{f}"),
    ):
        parts = (f"{part} f{f} s{s}",)
        rule = partial(fencerules.lose, what)
        yield Step(f"{what} is lost", f"lose {part}", parts, parts, rule)


def _laws(size: Size) -> Iterator[Law]:
    for s in range(size.segments):
        yield Law(
            f"ack_below_end s{s}",
            "AckBelowEnd",
            f"An acknowledged record of s{s} lies below the end at which s{s} is sealed.",
            ("cp", f"acked s{s}"),
            partial(_is_ack_below_end, s),
            lambda cp, acked, s=s: _is_sealed(s, cp) and bool(acked),
        )
        yield Law(
            f"sealed_length s{s}",
            "SealedLen",
            f"s{s} is sealed only when its store is fenced, and as long as its store is.",
            ("cp", f"store s{s}"),
            partial(_is_sealed_length_true, s),
            lambda cp, _, s=s: _is_sealed(s, cp),
        )
    yield Law(
        "tile", "Tile", "Each segment begins where the one before ends.", ("cp",), _is_tiled, bool
    )
    yield Law(
        "one_active",
        "OneActive",
        "At most one segment is active.",
        ("cp",),
        _is_one_active,
        lambda cp: len(cp) > 1,
    )


def _is_sealed(s: int, cp: Segments) -> bool:
    return s < len(cp) and cp[s].is_sealed


def _is_ack_below_end(s: int, cp: Segments, acked: Acked) -> bool:
    return not _is_sealed(s, cp) or all(place < cp[s].length for place in acked)


def _is_sealed_length_true(s: int, cp: Segments, store: Store) -> bool:
    return not _is_sealed(s, cp) or (store.is_fenced and cp[s].length == store.appended)


def _is_tiled(cp: Segments) -> bool:
    return not cp or (
        cp[0].start == 0
        and all(left.is_sealed and right.start == left.end for left, right in pairwise(cp))
    )


def _is_one_active(cp: Segments) -> bool:
    return sum(not segment.is_sealed for segment in cp) <= 1
