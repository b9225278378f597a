"""A plain model of one range's counter: what it is after any calls, in numbers alone."""

from dataclasses import dataclass, field


@dataclass
class Counter:
    """One frontend whose own view is the control plane, and one range of it."""

    value: int | None = None
    floor: int = 0
    """The lowest sequence that a new segment may take."""
    head: int | None = None
    owed: int | None = None
    starts: dict[int, int] = field(default_factory=dict)
    lengths: dict[int, int] = field(default_factory=dict)
    """Of the sealed segments; the one that is left is active."""

    @property
    def active(self) -> int | None:
        """The segment that the control plane calls active."""
        return next((seq for seq in self.starts if seq not in self.lengths), None)

    def edge_of(self, seq: int) -> int:
        """Where a segment ends, or begins while it is open."""
        return self.starts[seq] + self.lengths.get(seq, 0)

    def plan(self, count: int) -> None:
        """A batch of so many records is planned."""
        if self.head is None and not self._open():
            return
        self.value = (self.value or 0) + count

    def adopt(self, seq: int, last: int) -> None:
        """A primary answered."""
        if self.head == seq:
            self._raise(last + 1)

    def refuse(self, seq: int, end: int) -> None:
        """A primary refused a batch."""
        if seq in {self.head, self.owed}:
            self._sit_down(seq, end)

    def seal(self, seq: int, end: int) -> None:
        """A fence was answered, and its seal is recorded."""
        if seq not in self.starts:
            return
        self.lengths.setdefault(seq, end - self.starts[seq])
        self._sit_down(seq, self.edge_of(seq))

    def fence(self, seq: int, end: int) -> None:
        """A fence was answered, and recorded as a roll's."""
        if seq in self.starts and seq not in self.lengths:
            self.seal(seq, end)
        elif self.owed == seq:
            self.owed = None

    def heal(self, seq: int, end: int) -> None:
        """A coordinator seals a segment."""
        if seq not in self.starts:
            self.head = None if self.head == seq else self.head
            return
        self.lengths.setdefault(seq, end - self.starts[seq])
        self.refuse(seq, self.edge_of(seq))

    def seed(self, offset: int, seq: int) -> None:
        """A recovery learned the end."""
        self._raise(offset)
        self.floor = max(self.floor, seq)

    def probe(self, seq: int) -> None:
        """A recovery learned no end."""
        self._raise(0)
        self.floor = max(self.floor, seq)

    def roll(self) -> None:
        """The active segment is too old."""
        if self.active is not None:
            self.floor = max(self.floor, self.active + 1)
            self.owed = self.active if self.owed is None else self.owed

    def seal_elsewhere(self, end: int) -> None:
        """Somebody else seals the active segment, and a refresh brings it."""
        if self.active is not None:
            self.lengths[self.active] = end - self.starts[self.active]
        if self.head in self.lengths:
            self._sit_down(self.head, self.edge_of(self.head))
        if self.owed in self.lengths:
            self.owed = None

    def _open(self) -> bool:
        if self.active is not None:
            self.head = self.active
            self._raise(self.starts[self.active])
        else:
            edges = [self.edge_of(seq) for seq in self.lengths]
            if self.floor in self.starts or (edges and max(edges) != (self.value or 0)):
                return False
            self.head = self.floor
            self.starts[self.floor] = self.value or 0
        self.floor = max(self.floor, self.head + 1)
        return True

    def _sit_down(self, seq: int, end: int) -> None:
        self.value = end
        self.head = None if self.head == seq else self.head
        self.owed = None if self.owed == seq else self.owed

    def _raise(self, least: int) -> None:
        self.value = max(self.value or 0, least)
