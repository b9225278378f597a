"""How a law of `spec.laws` becomes a law of a model: with its clause, its sentence, its parts."""

import re
from collections.abc import Callable

from checker.search.model import Law

Judgement = Callable[..., bool]
"""A law of `spec.laws`: takes values of `spec.truth`."""

_CLAUSE = re.compile(r"\[([A-Z]+-\d+)\]")


def bound(
    law: Judgement, reads: tuple[str, ...], show: Callable[[Judgement], Callable[..., bool]]
) -> Law:
    """A law with the parts that it reads, and how they are shown to it."""
    return Law(law.__name__, clause_cited(law), in_words(law), reads, show(law))


def clause_cited(law: Judgement) -> str:
    """The clause that a law's docstring begins with."""
    found = _CLAUSE.match(law.__doc__ or "")
    assert found is not None, f"the law {law.__name__} cites no clause"
    return found[1]


def in_words(law: Judgement | str) -> str:
    """The sentence that is the name of a law."""
    words = (law if isinstance(law, str) else law.__name__).replace("_", " ")
    return f"{words[0].upper()}{words[1:]}."
