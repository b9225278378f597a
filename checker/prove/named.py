"""The rules that a defect puts in the place of the reference's own."""

from checker.prove.pages import PAGES
from checker.world.kinds import Defect
from checker.world.reading import defects as reading
from checker.world.reading import rules as reading_rules
from checker.world.sharing import callers
from checker.world.sharing import defects as sharing
from checker.world.sharing.rules import REFERENCE, Rules

SHARING = (*sharing.DEFECTS, *callers.DEFECTS)


def rules_of(defect: str | None) -> Rules:
    """The rules of a defect by its name; the reference's own for none."""
    if defect is None:
        return REFERENCE
    found = next(each for each in (*SHARING, *reading.DEFECTS) if each.name == defect)
    return _rules_in(found)


def has_rules(defect: str) -> bool:
    """Whether a defect is a change of the rules that are proved.

    What a caller never does breaks no step: that shows on the whole runs of `holding` alone.
    """
    return any(each.name == defect and each.scope != "holding" for each in SHARING) or any(
        each.name == defect and _is_of_pages(_rules_in(each)) for each in reading.DEFECTS
    )


def _rules_in(defect: Defect) -> Rules:
    for step in defect.build().steps:
        rules = getattr(getattr(step.rule, "__self__", None), "rules", None)
        if isinstance(rules, Rules):
            return rules
    raise LookupError(f"{defect.name} changes no rule of frontends that share a range")


def _is_of_pages(rules: Rules) -> bool:
    """Whether rules read in another way than the reference does."""
    plain = reading_rules.REFERENCE
    return any(getattr(rules, name, None) is not getattr(plain, name) for name in PAGES)
