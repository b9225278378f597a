"""A page as it is at one place of its stream, for laws that speak of single records.

What holds of an arbitrary place holds of all of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checker.prove.measuring import Run
from checker.prove.shelves import Place, Source
from reference.frontend import Frontend
from spec.truth import Passage, Passed
from spec.vocabulary import DONE, ConsumeCursor, Count, Cursor, HistoryCursor, Offset, Page, Record


@dataclass(frozen=True, slots=True)
class Asked:
    """A page that was asked for, and what there was to read."""

    front: Frontend
    sources: tuple[Source, ...]
    cursor: ConsumeCursor
    budget: Count
    page: Page

    def whole(self) -> Passage:
        """The page itself, with nothing of what it passed."""
        names = tuple(source.range_id for source in self.sources)
        return Passage(names, self.cursor, self.budget, self.page, ())

    def near(self, place: Place) -> Passage:
        """The page at one place of the stream."""
        page = replace(self.page, records=tuple(records_at(self.page.records, place)))
        is_passed = place.is_a_record and self.is_between(place)
        passed = (self.passed(place),) if is_passed else ()
        return replace(self.whole(), page=page, passed=passed)

    def stretches(self) -> tuple[tuple[int, int, int], ...]:
        """What the page holds: of each stretch its source, its first offset and its length."""
        names = [f"r{source.range_id.seq}." for source in self.sources]
        return tuple(
            (source, piece.offset or 0, piece.count if isinstance(piece, Run) else 1)
            for piece in self.page.records
            for source, name in enumerate(names)
            if piece.value.startswith(name.encode())
        )

    def is_between(self, place: Place) -> bool:
        """Whether a place lies behind the cursor that was asked with, and not behind the other."""
        begun, ended = at(self.cursor), at(self.page.cursor, self.sources)
        return bool(begun <= (place.source, place.offset) < ended)

    def passed(self, place: Place) -> Passed:
        """What there is at a place, stored or not."""
        shelf = place.shelf
        record = Record(None, b"", offset=place.offset)
        if shelf is not None:
            record = shelf.record(place.offset, is_in_slice=place.is_in_slice)
        return Passed(
            place.source,
            record,
            is_stored=shelf is not None and shelf.is_listed,
            is_in_slice=place.is_in_slice,
            is_known=self.is_known(place),
        )

    def is_known(self, place: Place) -> bool:
        """Whether a place lies below the frontend's counter of its range."""
        return place.offset < self.front.offsets.get(place.range_id, Offset(0))

    def is_gone(self, place: Place) -> bool:
        """Whether the page passed a place where nothing is stored, as far as can be known."""
        is_stored = place.shelf is not None and place.shelf.is_listed
        return not is_stored and self.is_known(place) and self.is_between(place)


def at(cursor: ConsumeCursor | HistoryCursor, sources: Sequence[Source] = ()) -> tuple[int, int]:
    """A cursor as a place; the end is past the last source."""
    if cursor == DONE:
        return len(sources), 0
    return (cursor.source, cursor.offset) if isinstance(cursor, Cursor) else (0, 0)


def records_at(records: Sequence[Record], place: Place) -> Iterator[Record]:
    """What was delivered at a place, as often as it was."""
    name = f"r{place.range_id.seq}.".encode()
    for piece in records:
        if not piece.value.startswith(name):
            continue
        assert piece.offset is not None, "what a store answers has an offset"
        count = piece.count if isinstance(piece, Run) else 1
        if piece.offset <= place.offset < piece.offset + count:
            yield Record(piece.key, piece.value, offset=place.offset)
