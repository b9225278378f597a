"""The portable hash inside of tuples, and at its edges, against numbers from Erlang/OTP 25."""

import pytest

from reference.hashing import Atom, EmptyList, Term, phash2

WHOLE = 1 << 32

INSIDE: list[tuple[Term, int]] = [
    ((None,), 4144250807),
    ((b"t", None), 381803195),
    ((b"t", None, b"u"), 1168061357),
    ((EmptyList(),), 1775079505),
    ((b"t", EmptyList()), 880804642),
    ((b"t", EmptyList(), 7), 2717856072),
    ((b"t", Atom("p"), Atom("q")), 1401088569),
    ((Atom("p"), b"t"), 3234588614),
    ((b"t", ()), 2128704623),
    (((), b"t"), 685505164),
    ((b"t", (1, (2,))), 2272751507),
    ((b"",), 682464809),
    ((b"t", b"", 1), 4241040357),
]
"""What a term comes to behind others: each is mixed into the state that they leave."""
NUMBERS: list[tuple[int, int]] = [
    (0, 1286990002),
    (1, 1055937920),
    (-1, 2583481138),
    ((1 << 27) - 1, 2687889866),
    (1 << 27, 97335489),
    (-(1 << 27), 679185984),
    (-(1 << 27) - 1, 3089792039),
    ((1 << 32) - 1, 622754136),
    (1 << 32, 622742884),
    (-(1 << 32) - 1, 961773970),
    ((1 << 64) - 1, 577602244),
    (1 << 64, 3931028492),
    (-(1 << 64), 1707290991),
    ((1 << 128) + 1, 3546337503),
]
"""Numbers behind `t`: where small ones end, and where a further word begins."""
BLOCKS = [(11, 654843389), (12, 2182395667), (13, 2188739600), (26, 601610322)]
"""So many letters of the alphabet behind `t`: around one block of twelve bytes, and beyond two."""
NAMES = [("\x7f", 127), ("\x80", 128), ("\xfe", 254), ("\xff", 255), ("\u0100", 3264)]
"""Names of one character, around the last one that counts as one byte."""


@pytest.mark.parametrize(("term", "recorded"), INSIDE)
def test_a_term_in_a_tuple_hashes_as_erlang_hashes_it(term: Term, recorded: int) -> None:
    """[PLC-21] Replicas are placed by the hash of a tuple."""
    assert phash2(term, WHOLE) == recorded


@pytest.mark.parametrize(("number", "recorded"), NUMBERS)
def test_a_number_in_a_tuple_hashes_as_erlang_hashes_it(number: int, recorded: int) -> None:
    """[PLC-21] A segment's sequence is a number in the tuple that places it."""
    assert phash2((b"t", number), WHOLE) == recorded


@pytest.mark.parametrize(
    ("number", "recorded"),
    [
        (1 << 27, 2562491755),
        (-(1 << 27) - 1, 1418916782),
        (1 << 64, 2519041713),
        (-(1 << 64) - 1, 1695687848),
    ],
)
def test_a_large_number_alone_hashes_as_erlang_hashes_it(number: int, recorded: int) -> None:
    """[PLC-21] The smallest ones that are not small, and the first of two words."""
    assert phash2(number, WHOLE) == recorded


@pytest.mark.parametrize(("length", "recorded"), BLOCKS)
def test_bytes_in_a_tuple_hash_as_erlang_hashes_them(length: int, recorded: int) -> None:
    """[PLC-21] The state so far goes in as the seed of the first block."""
    letters = bytes(range(ord("a"), ord("a") + length))

    assert phash2((b"t", letters), WHOLE) == recorded


@pytest.mark.parametrize(("name", "recorded"), NAMES)
def test_a_character_of_a_name_counts_as_one_byte_up_to_the_last_latin_one(
    name: str, recorded: int
) -> None:
    """[PLC-21] Later characters count as the bytes of their UTF-8."""
    assert phash2(Atom(name), WHOLE) == recorded
