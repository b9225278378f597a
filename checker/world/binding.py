"""How a law of `spec.laws` becomes a law of a model: with its clause, its sentence, its parts."""

import re
from collections.abc import Callable, Iterable

from checker.search.model import Law, Parts, Step, StepLaw
from spec.premises import Judgement, premise_of

Judge = Callable[[Judgement, Step, Parts, Parts], bool]
"""Shows the step, and the parts before and after it, to a law."""

_CLAUSE = re.compile(r"\[([A-Z]+-\d+)\]")


def bound(
    law: Judgement, reads: tuple[str, ...], show: Callable[[Judgement], Callable[..., bool]]
) -> Law:
    """A law with the parts that it reads, and how they are shown to it.

    It speaks where it is shown a case that fulfils its premise: where one that denies every such
    case would not hold.
    """
    denied = show(denial_of(law))
    return Law(
        law.__name__,
        clause_cited(law),
        in_words(law),
        reads,
        show(law),
        lambda *parts: not denied(*parts),
    )


def of_steps(law: Judgement, rule_names: Iterable[str], judge: Judge) -> StepLaw:
    """A law of the steps of some rules, and how they are shown to it; it speaks as others do."""
    denied = denial_of(law)

    def holds(step: Step, before: Parts, after: Parts) -> bool:
        return judge(law, step, before, after)

    def speaks(step: Step, before: Parts, after: Parts) -> bool:
        return not judge(denied, step, before, after)

    rules = frozenset(rule_names)
    return StepLaw(law.__name__, clause_cited(law), in_words(law), rules, holds, speaks)


def denial_of(law: Judgement) -> Judgement:
    """What holds of a case exactly where the premise of a law is not met."""
    premise = premise_of(law)

    def denies(*values: object, **named: object) -> bool:
        return not premise(*values, **named)

    return denies


def clause_cited(law: Judgement) -> str:
    """The clause that a law's docstring begins with."""
    found = _CLAUSE.match(law.__doc__ or "")
    assert found is not None, f"the law {law.__name__} cites no clause"
    return found[1]


def in_words(law: Judgement | str) -> str:
    """The sentence that is the name of a law."""
    words = (law if isinstance(law, str) else law.__name__).replace("_", " ")
    return f"{words[0].upper()}{words[1:]}."
