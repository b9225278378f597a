"""The portable hash that places keys, topics and replicas.

Every neighbour must place alike, so the hash is Erlang's `phash2`, term for term. It reads a
term as that language would: text is a binary, none is the atom nil.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from spec.vocabulary import Broker, Position, SegmentId

WORD = 0xFFFFFFFF
GOLDEN = 0x9E3779B9
"""2^32 over the golden ratio. Each kind of term is mixed in with its own multiple of it."""
LATIN_1_MAX = 0xFF
PLAIN_SIZE = 1 << 27
"""The range of a hash that names no size of its own."""
EMPTY_LIST_HASH = 3468870702
"""Fixed by the portable hash, outside its own scheme."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A name that hashes as a name, where a text hashes as its bytes."""

    name: str


@dataclass(frozen=True, slots=True)
class EmptyList:
    """The list of nothing. Lists of something are placed nowhere and are left out."""


Term = None | int | str | bytes | Atom | EmptyList | tuple["Term", ...]

NIL = Atom("nil")


def phash2(term: Term, size: int = PLAIN_SIZE) -> int:
    """[PLC-21, PLC-22] Hash a term into the range from 0 below a size of at most 2^32."""
    return _hash_alone(term) % size


@lru_cache(maxsize=65536)
def position_of(key: bytes | None, keyspace_size: int) -> Position:
    """[PLC-21, PRD-2] Where a key falls in a keyspace; a missing one falls where nil does."""
    return Position(phash2(key, keyspace_size))


@lru_cache(maxsize=65536)
def rank_of(segment_id: SegmentId, broker: Broker) -> int:
    """[PLC-5] How high a broker ranks for a segment."""
    return phash2((segment_id, Atom(broker)))


def _hash_alone(term: Term) -> int:
    match term:
        case None:
            return _atom_hash(NIL.name)
        case Atom(name):
            return _atom_hash(name)
        case EmptyList():
            return EMPTY_LIST_HASH
        case _:
            return _mix_in(0, term)


def _mix_in(state: int, term: Term) -> int:
    """Mix a term into what was hashed of the terms around it so far."""
    match term:
        case None:
            return _mix(_atom_hash(NIL.name), 0, state, kind=3)
        case Atom(name):
            return _mix(_atom_hash(name), 0, state, kind=3)
        case EmptyList():
            return _mix(2, 0, state, kind=2)
        case int():
            return _mix_in_integer(state, term)
        case str() | bytes():
            data = term.encode() if isinstance(term, str) else term
            return _hash_block(data, (13 * GOLDEN + state) & WORD)
        case tuple():
            state = _mix(len(term), 0, state, kind=9)
            for element in term:
                state = _mix_in(state, element)
            return state


def _mix_in_integer(state: int, number: int) -> int:
    if -(1 << 27) <= number < 1 << 27:
        # A negative is mixed in by its size first, and then once more as it is.
        if number < 0:
            state = _mix(-number, 0, state, kind=1)
        return _mix(number, 0, state, kind=1)
    kind, rest = (10, -number) if number < 0 else (11, number)
    while rest:
        state = _mix(rest, rest >> 32, state, kind=kind)
        rest >>= 64
    return state


@lru_cache(maxsize=4096)
def _atom_hash(name: str) -> int:
    state = 0
    for code in _atom_codes(name):
        state = (state << 4) + code
        high = state & 0xF0000000
        state = (state ^ high >> 24) & ~high
    return state


def _atom_codes(name: str) -> Iterator[int]:
    """The code of each Latin-1 character, and the UTF-8 bytes of any other."""
    for character in name:
        if ord(character) <= LATIN_1_MAX:
            yield ord(character)
        else:
            yield from character.encode()


def _hash_block(data: bytes, seed: int) -> int:
    """Hash bytes three words of four at a time; the last block makes room for the length."""
    if not data:
        return seed
    first = second = GOLDEN
    third = seed
    whole = len(data) - len(data) % 12
    for at in range(0, whole, 12):
        first, second, third = _stir(
            first + int.from_bytes(data[at : at + 4], "little"),
            second + int.from_bytes(data[at + 4 : at + 8], "little"),
            third + int.from_bytes(data[at + 8 : at + 12], "little"),
        )
    rest = data[whole:]
    return _stir(
        first + int.from_bytes(rest[:4], "little"),
        second + int.from_bytes(rest[4:8], "little"),
        third + len(data) + (int.from_bytes(rest[8:], "little") << 8),
    )[2]


def _mix(low: int, high: int, state: int, *, kind: int) -> int:
    constant = kind * GOLDEN
    return _stir(constant + low, constant + high, state)[2]


def _stir(first: int, second: int, third: int) -> tuple[int, int, int]:
    """Spread every bit of three words over all three: the mixer of Bob Jenkins' lookup2."""
    second &= WORD
    third &= WORD
    first = (first - second - third & WORD) ^ third >> 13
    second = (second - third - first ^ first << 8) & WORD
    third = (third - first - second & WORD) ^ second >> 13
    first = (first - second - third & WORD) ^ third >> 12
    second = (second - third - first ^ first << 16) & WORD
    third = (third - first - second & WORD) ^ second >> 5
    first = (first - second - third & WORD) ^ third >> 3
    second = (second - third - first ^ first << 10) & WORD
    third = (third - first - second & WORD) ^ second >> 15
    return first, second, third
