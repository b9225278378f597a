"""Which parts a step needs, and in what states it can find them."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from checker.prove.shapes import Cast, Entries, entries_of
from checker.search.model import Step
from checker.world.sharing.parts import Answered, Copies, Reading, segment_of
from checker.world.sharing.sight import listing_of, stored_in
from spec.laws import rolling, supporting
from spec.replies import Sealed
from spec.vocabulary import State

if TYPE_CHECKING:
    from reference.frontend import Frontend
    from spec.truth import Listing

Parts = dict[str, Hashable]

OPEN = (False, False)
FORMS = (None, OPEN, (True, False), (False, True), (True, True))
"""How the replicas of a segment stand: nothing written, or closed at the primary, at the others."""
CLOSED_AT_THE_PRIMARY = ((True, False), (True, True))


def place_of(step: Step) -> int | None:
    """The number of the segment that a step is about; none for one that is about none."""
    for part in (*step.reads, *step.writes):
        if part.startswith("s") and part[1:].isdigit():
            return int(part[1:])
        if "/s" in part:
            return int(part.partition("/s")[2])
    return None


class Casting:
    """Draws the state before one step."""

    def __init__(self, cast_: Cast, step: Step) -> None:
        self.draw = cast_.draw
        self.step = step
        self.cast = cast_
        self.view = self.cast.control()
        self.entries: Entries = entries_of(self.view)
        self.listing: Listing = listing_of(self.view)
        self.parts: Parts = {"control": self.view}
        if "faults" in step.reads:
            self.parts["faults"] = 1

    @property
    def name(self) -> str:
        """The frontend whose step it is."""
        return "f1"

    def front(self, *, floors: bool = False) -> None:
        """Add the frontend."""
        self.parts[self.name] = self.cast.front(self.name, self.entries, floors=floors)

    def place(self) -> int | None:
        """The segment that the step is about, if it is listed."""
        place = place_of(self.step)
        return place if place is not None and place < len(self.entries) else None

    def copies(self, place: int, forms: object = FORMS) -> Copies | None:
        """Add the replicas of a listed segment."""
        known = cast("tuple[tuple[bool, bool] | None, ...]", forms)
        entry, name = self.entries[place], f"s{place}"
        law = rolling.a_sealed_length_is_what_closing_answered
        is_kept = self.cast.keeps(law)
        if is_kept and entry.state is State.SEALED:
            known = tuple(form for form in known if form not in {None, OPEN})
        copies = self.cast.copies(name, entry.start_offset, known)
        stored = None if copies is None else stored_in(copies)
        if is_kept:
            self.draw.assume(lambda: law(self.listing, segment_of(place), stored))
        self.parts[name] = copies
        return copies

    def beside(self, place: int, copies: Copies | None) -> None:
        """Add another message that is about the segment: it must stay true whatever happens."""
        kinds = ["none"]
        if copies is not None:
            kinds.append("batch")
        if copies is not None and copies.primary.fenced:
            kinds += ["fence", "refusal"]
        kind = self.draw.pick("beside", kinds)
        if kind == "batch" and copies is not None:
            start = self.entries[place].start_offset
            batch = self.cast.acknowledged("f2.1", segment_of(place), start)
            stored = stored_in(copies)
            law = supporting.an_answered_batch_lies_in_every_copy_that_counts
            if self.cast.keeps(law):
                self.draw.assume(lambda: law(batch, stored))
            self.parts["f2.1"] = batch
        if kind == "refusal" and copies is not None and copies.primary.latch is not None:
            dispatch = self.cast.dispatch("f2.1", segment_of(place), self.entries)
            refusal = Sealed(copies.primary.latch.end)
            self.parts["f2.1"] = Answered(dispatch, refusal, is_again=False)
        if kind == "fence" and copies is not None and copies.primary.latch is not None:
            closed = self.cast.closed("f2", copies.primary.latch)
            self.parts[f"f2/s{place}"] = self.cast.fence(
                "f2", segment_of(place), self.entries, closed
            )


def _planning(casting: Casting) -> bool:
    """Plan a new batch. One that was held is planned by the same call, from fewer states."""
    casting.front(floors=True)
    casting.parts["f1.1"] = None
    return True


def _hearing(casting: Casting) -> bool:
    if not casting.entries:
        return False
    seq = casting.draw.pick("the batch is for", range(len(casting.entries)))
    casting.parts["f1.1"] = casting.cast.answered("f1.1", segment_of(seq), casting.entries)
    casting.front()
    return True


def _losing(casting: Casting) -> bool:
    if not casting.entries:
        return False
    seq = casting.draw.pick("the batch is for", range(len(casting.entries)))
    casting.parts["f1.1"] = casting.cast.sent("f1.1", segment_of(seq), casting.entries)
    casting.front()
    return True


def _appending(casting: Casting) -> bool:
    place = casting.place()
    if place is None:
        return False
    casting.parts["f1.1"] = casting.cast.sent("f1.1", segment_of(place), casting.entries)
    casting.beside(place, casting.copies(place))
    return True


def _closing(casting: Casting) -> bool:
    place = casting.place()
    if place is None:
        return False
    casting.parts[f"f1/s{place}"] = casting.cast.fence(
        "f1", segment_of(place), casting.entries, None
    )
    casting.beside(place, casting.copies(place))
    return True


def _sending(casting: Casting) -> bool:
    casting.front()
    place = casting.place()
    if place is not None:
        casting.parts[f"f1/s{place}"] = None
    return place is not None


def _delaying(casting: Casting) -> bool:
    casting.front()
    place = casting.place()
    if place is None:
        return False
    casting.parts[f"f1/s{place}"] = casting.cast.fence(
        "f1", segment_of(place), casting.entries, None
    )
    return True


def _recording(casting: Casting) -> bool:
    place = casting.place()
    if place is None:
        return False
    copies = casting.copies(place, CLOSED_AT_THE_PRIMARY)
    assert copies is not None, "who has answered a fence is there"
    assert copies.primary.latch is not None, "and is closed"
    closed = casting.cast.closed("f1", copies.primary.latch)
    casting.parts[f"f1/s{place}"] = casting.cast.fence(
        "f1", segment_of(place), casting.entries, closed
    )
    casting.front()
    return True


def _sweeping(casting: Casting) -> bool:
    casting.front()
    return True


def _failing_over(casting: Casting) -> bool:
    """The control plane seals at the end of the others: what a batch was told must be below it."""
    place = casting.place()
    if place is None:
        return False
    casting.beside(place, casting.copies(place))
    return True


def _reading(casting: Casting) -> bool:
    casting.parts["f1.read"] = Reading(1)
    return True


def _installing(casting: Casting) -> bool:
    casting.front()
    read = casting.cast.seen("f1.read", casting.entries)
    casting.parts["f1.read"] = Reading(0, read)
    return True


def _recovering(casting: Casting) -> bool:
    if not casting.entries:
        return False
    casting.front()
    casting.parts["f1.read"] = Reading(0, is_recovering=True)
    front = cast("Frontend", casting.parts["f1"])
    last = len(entries_of(front.view)) - 1
    if last < 0:
        return False
    for part in casting.step.reads:
        if part.startswith("s") and part[1:].isdigit():
            casting.parts[part] = None
    casting.copies(last, (None, OPEN, (True, False)))
    return True


CASTS: Mapping[str, Callable[[Casting], bool]] = {
    "plan": _planning,
    "open": _planning,
    "open unheard": _planning,
    "hear": _hearing,
    "lose": _losing,
    "append": _appending,
    "append short": _appending,
    "fence": _sending,
    "close": _closing,
    "record": _recording,
    "record unheard": _recording,
    "settle": _recording,
    "fail fence": _delaying,
    "wait": _sending,
    "delay": _delaying,
    "sweep": _sweeping,
    "fail over": _failing_over,
    "read": _reading,
    "install": _installing,
    "recover": _recovering,
    "recover mute": _recovering,
}
"""For each rule of the world how the state before it is drawn."""
IDLE: Mapping[str, str] = {
    "hold": "a batch that is held fails: no law of numbers looks at either",
    "lose fence": "a message is gone, and what is true of any one is true of those that are left",
}
"""Rules that can break no law of numbers, and why."""


def with_any_batch(step: Step, records: tuple[object, ...]) -> Step:
    """The same step with another batch to plan."""
    owner = getattr(step.rule, "__self__", None)
    assert owner is not None, "a step that plans is a method of what plans"
    return replace(step, rule=getattr(replace(owner, records=records), step.rule.__name__))
