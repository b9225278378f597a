"""Names and sizes that are of no use, whatever was sent in their place."""

import pytest

from reference.hashing import Atom, phash2
from reference.naming import is_keyspace_bits, is_policy_name, is_topic_name


@pytest.mark.parametrize("name", [None, 5, b"t", ("t",), "", ".", "..", "a b", "t\n"])
def test_what_is_no_topic_name_is_refused_and_raises_nothing(name: object) -> None:
    """[RNG-6] Also where it is no text at all."""
    assert not is_topic_name(name)


@pytest.mark.parametrize("bits", [None, 0, 33, 1.5, "4", True])
def test_what_is_no_size_of_a_keyspace_is_refused_and_raises_nothing(bits: object) -> None:
    """[RNG-7] A whole number from 1 to 32."""
    assert not is_keyspace_bits(bits)


@pytest.mark.parametrize("name", [5, b"fast", "", ("fast",)])
def test_what_is_no_policy_name_is_refused_and_raises_nothing(name: object) -> None:
    """[RNG-27] Also where it is no text at all."""
    assert not is_policy_name(name)


def test_an_atom_of_any_letters_has_a_hash() -> None:
    """[PLC-21] Letters beyond Latin-1 count by their UTF-8 bytes, and others by one code each."""
    assert phash2(Atom("Ж")) == phash2(Atom("\u00d0\u0096"))
    assert phash2(Atom("é")) != phash2(Atom("e"))
