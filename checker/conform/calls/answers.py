"""Codecs of what several calls answer."""

from typing import Any

from checker.conform.codecs import Codec
from checker.conform.replying import INVALID_ARGUMENT, refusal
from checker.conform.variants import bare, direct, variant
from spec.replies import InvalidArgument, Ok, Refusal

nothing: Codec[Any] = variant(bare("ok", Ok()))
"""A call that cannot fail and answers nothing."""
done: Codec[Any] = variant(
    bare("ok", Ok()), direct("error", lambda value: isinstance(value, Refusal), refusal)
)
"""A call that answers nothing, or a refusal."""


def on_the_wire(value: object) -> object:
    """A reply without what nobody says on the wire: which argument was out of its domain."""
    return INVALID_ARGUMENT if isinstance(value, InvalidArgument) else value
