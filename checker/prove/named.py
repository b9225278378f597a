"""The rules that a defect puts in the place of the reference's own."""

from checker.world.sharing.defects import DEFECTS
from checker.world.sharing.rules import REFERENCE, Rules


def rules_of(defect: str | None) -> Rules:
    """The rules of a defect by its name; the reference's own for none."""
    if defect is None:
        return REFERENCE
    found = next(each for each in DEFECTS if each.name == defect)
    for step in found.build().steps:
        rules = getattr(getattr(step.rule, "__self__", None), "rules", None)
        if isinstance(rules, Rules):
            return rules
    raise LookupError(f"{defect} changes no rule of frontends that share a range")


def has_rules(defect: str) -> bool:
    """Whether a defect is a change of the rules that are proved."""
    return any(each.name == defect for each in DEFECTS)
