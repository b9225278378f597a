"""Which names and sizes the control plane takes, whatever somebody sends in their place."""

import re

TOPIC_NAME = re.compile(r"(?!\.\.?\Z)[A-Za-z0-9._-]+")
KEYSPACE_BITS_MAX = 32


def is_topic_name(name: object) -> bool:
    """[RNG-6] Letters, digits, dots, underscores and hyphens, and neither `.` nor `..`."""
    return isinstance(name, str) and TOPIC_NAME.fullmatch(name) is not None


def is_keyspace_bits(bits: object) -> bool:
    """[RNG-7] A whole number from 1 to 32."""
    return isinstance(bits, int) and not isinstance(bits, bool) and 1 <= bits <= KEYSPACE_BITS_MAX


def is_policy_name(name: object) -> bool:
    """[RNG-27] Text of at least one character."""
    return isinstance(name, str) and bool(name)
