"""The portable hash against rows recorded from Erlang itself."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.hashing import PLAIN_SIZE, Atom, EmptyList, Term, phash2, position_of

VECTORS = Path(__file__).parent / "data" / "vectors" / "phash2.jsonl"
WHOLE = 1 << 32


def rows() -> list[dict[str, Any]]:
    """The recorded rows, without the header."""
    return [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()[1:]]


def term_of(written: list[Any]) -> Term:
    """The term that a row writes down."""
    match written:
        case ["nil"]:
            return None
        case ["bin", digits]:
            return bytes.fromhex(digits)
        case ["int", number] | ["bigint", number]:
            return int(number)
        case ["atom", name]:
            return Atom(name)
        case ["tuple"]:
            return ()
        case ["list"]:
            return EmptyList()
        case _:
            raise ValueError(f"unknown kind of term: {written}")


def test_every_recorded_term_hashes_as_erlang_hashes_it() -> None:
    """[PLC-21] Two neighbours that hash apart would place a key in two ranges."""
    recorded = rows()

    wrong = [row for row in recorded if phash2(term_of(row["term"]), row["size"]) != row["phash2"]]

    assert (len(recorded), wrong) == (2000, [])


@given(st.binary(max_size=40), st.integers(1, WHOLE))
def test_a_smaller_range_takes_the_remainder_of_the_whole_hash(data: bytes, size: int) -> None:
    """[PLC-22] The whole hash has 32 bits."""
    assert phash2(data, size) == phash2(data, WHOLE) % size


def test_a_hash_without_a_size_has_27_bits() -> None:
    """[PLC-21] So `phash2` does with one argument."""
    assert phash2(b"k0") == phash2(b"k0", PLAIN_SIZE) == phash2(b"k0", WHOLE) % (1 << 27)


@given(st.one_of(st.none(), st.binary(max_size=20)), st.integers(1, 32))
def test_a_position_lies_in_its_keyspace(key: bytes | None, bits: int) -> None:
    """[PLC-22] So every key has an owner while the ranges tile."""
    assert 0 <= position_of(key, 1 << bits) < 1 << bits


def test_a_record_without_a_key_falls_where_the_atom_nil_does() -> None:
    """[PLC-21] None is a key like any other."""
    assert position_of(None, WHOLE) == phash2(Atom("nil"), WHOLE)


@given(st.text(max_size=20))
def test_a_text_hashes_as_its_bytes(text: str) -> None:
    """[PLC-21] Topic names are binaries where they were recorded."""
    assert phash2(text) == phash2(text.encode())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Atom("p"), b"p"),
        ((1, 2), (2, 1)),
        ((), EmptyList()),
        (((1,), 2), (1, (2,))),
        ((b"t", (1 << 27) - 1), (b"t", 1 << 27)),
        ((b"t", -1), (b"t", 1)),
        ((b"t", None), (b"t", EmptyList())),
        ((b"t", 1 << 64), (b"t", -(1 << 64))),
    ],
)
def test_terms_that_differ_in_kind_order_or_sign_hash_apart(first: Term, second: Term) -> None:
    """[PLC-21] These pairs are told apart by the recorded scheme."""
    assert phash2(first, WHOLE) != phash2(second, WHOLE)
