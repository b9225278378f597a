"""Parts of a frontend that are drawn when somebody first asks for them.

So a shape is what a step and a law read, and nothing else: what no one looks at is not picked.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import ClassVar, Generic, TypeVar, cast

from immutables import Map

from checker.prove.drawing import Draw, current
from checker.world.sharing.parts import RANGE, TOPIC
from reference.controlplane import segments_of
from reference.frontend import Frontend
from reference.vnodes import metadata_of
from spec.truth import Listing, Seen
from spec.vocabulary import Millis, RangeId, Roll

Key = TypeVar("Key")
Value = TypeVar("Value")


class Late(Generic[Key, Value]):
    """A map with one key or none, as far as anybody has asked."""

    def __init__(self, name: str, key: Key, make: Callable[[Draw], Value | None]) -> None:
        self.name = name
        self.key = key
        self.make = make

    def _map(self) -> Map[Key, Value]:
        value = current().once(self.name, self.make)
        return Map() if value is None else Map({self.key: value})

    def get(self, key: Key, default: Value | None = None) -> Value | None:
        """Look a key up."""
        return self._map().get(key, default)

    def __getitem__(self, key: Key) -> Value:
        return self._map()[key]

    def __contains__(self, key: Key) -> bool:
        return key in self._map()

    def __iter__(self) -> Iterator[Key]:
        return iter(self._map())

    def __len__(self) -> int:
        return len(self._map())

    def items(self) -> Iterator[tuple[Key, Value]]:
        """Every entry."""
        return iter(self._map().items())

    def set(self, key: Key, value: Value) -> Map[Key, Value]:
        """Set a key. With the one key there is set, nothing of the map is left to draw."""
        return Map({key: value}) if key == self.key else self._map().set(key, value)

    def delete(self, key: Key) -> Map[Key, Value]:
        """Delete a key."""
        return self._map().delete(key)

    def update(self, entries: Mapping[Key, Value]) -> object:
        """Set some keys; the same map where there are none."""
        return self._map().update(entries) if entries else self

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        theirs = other._map() if isinstance(other, Late) else other
        return self._map() == theirs

    def __hash__(self) -> int:
        raise TypeError("what is drawn late has no hash")


def late(name: str, key: Key, make: Callable[[Draw], Value | None]) -> Map[Key, Value]:
    """A map whose one entry is drawn when it is asked for."""
    return cast("Map[Key, Value]", Late(name, key, make))


class Owed(Roll):
    """A roll of which it is drawn late when its fence was sent, if it was."""

    __slots__ = ("make", "name")

    # What `replace` makes of it is a plain roll.
    __class__ = Roll  # type: ignore[assignment] # what isinstance answers by

    name: str
    make: Callable[[Draw], Millis | None]

    @property
    def fence_sent_at(self) -> Millis | None:
        """When its fence was sent last."""
        return current().once(self.name, self.make)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Roll):
            return NotImplemented
        return all(getattr(self, each.name) == getattr(other, each.name) for each in fields(Roll))

    def __hash__(self) -> int:
        raise TypeError("what is drawn late has no hash")


def owed(roll: Roll, name: str, make: Callable[[Draw], Millis | None]) -> Roll:
    """The same roll, its fence sent at a time that is drawn when it is asked for."""
    held = object.__new__(Owed)
    for each in fields(Roll):
        if each.name != "fence_sent_at":
            object.__setattr__(held, each.name, getattr(roll, each.name))
    object.__setattr__(held, "name", name)
    object.__setattr__(held, "make", make)
    return held


class Waiting(frozenset):  # type: ignore[type-arg] # of range ids
    """The ranges that wait for a recovery, one or none, as far as anybody has asked."""

    name: str

    def __contains__(self, _range_id: object) -> bool:
        return current().once(self.name, lambda draw: draw.integer(self.name)) > 0

    def __sub__(self, _other: object) -> frozenset[RangeId]:
        return frozenset()

    def __or__(self, _other: object) -> frozenset[RangeId]:
        return frozenset({RANGE})


def _listing(front: Frontend) -> Listing:
    return segments_of(metadata_of(front.view, TOPIC), RANGE)


_SHOWN: Mapping[str, tuple[Callable[[Frontend], object], Callable[[Frontend], object]]] = {
    "counter": (lambda front: front.offsets, lambda front: front.offsets.get(RANGE)),
    "sequence": (lambda front: front.sequences, lambda front: front.sequences.get(RANGE)),
    "head": (lambda front: front.heads, lambda front: front.heads.get(RANGE)),
    "owed": (lambda front: front.rolling, lambda front: front.rolling.get(RANGE)),
    "awaited": (lambda front: front.fencing, lambda front: front.fencing.get(RANGE)),
    "listing": (lambda front: front.view, _listing),
    "journal": (lambda front: front.journal, lambda front: front.journal or ()),
    "is_recovered": (
        lambda front: front.unrecovered,
        lambda front: RANGE not in front.unrecovered,
    ),
}
"""For each field of what a law sees: where it lies in the frontend, and what it is."""


class Glimpse:
    """What one frontend remembers of the range, shown field by field as a law asks.

    It stands for `spec.truth.Seen`. Two that share what a field lies in agree in that field.
    """

    __class__ = Seen  # type: ignore[assignment] # what isinstance answers by
    __dataclass_fields__: ClassVar = {each.name: each for each in fields(Seen)}
    next_offset = Seen.next_offset

    def __init__(self, front: Frontend, changes: Mapping[str, object] | None = None) -> None:
        self.front = front
        self.changes = changes or {}

    def but(self, **changes: object) -> "Glimpse":
        """The same with other values for some fields; no field is drawn for it."""
        return Glimpse(self.front, {**self.changes, **changes})

    def __getattr__(self, name: str) -> object:
        if name in self.changes:
            return self.changes[name]
        if name not in _SHOWN:
            raise AttributeError(name)
        return _SHOWN[name][1](self.front)

    def __eq__(self, other: object) -> bool:
        if type(other) is not Glimpse:
            return all(getattr(self, name) == getattr(other, name) for name in _SHOWN)
        return all(
            self._shares(other, name) or getattr(self, name) == getattr(other, name)
            for name in _SHOWN
        )

    def _shares(self, other: "Glimpse", name: str) -> bool:
        """Whether two have a field from one place."""
        if name in self.changes or name in other.changes:
            return False
        where, _ = _SHOWN[name]
        return where(self.front) is where(other.front)

    def __hash__(self) -> int:
        raise TypeError("what is drawn late has no hash")
