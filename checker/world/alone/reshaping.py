"""Changes of splits and merges that have no number, each with a law that notices it."""

from checker.search.model import Model
from checker.world.alone.nameless import Nameless
from checker.world.reshaping.rules import Rules
from checker.world.reshaping.scopes import again, defective
from reference.frontend import Frontend
from reference.vnodes import View


def read_never(front: Frontend, _view: View) -> Frontend:
    """A refresh that installs nothing."""
    return front


def built(name: str, rules: Rules) -> Model:
    """A world of splits and merges, or that in which they are tried again."""
    return again(rules) if name == "split-again" else defective(name, rules)


CHANGES: tuple[Nameless[Rules], ...] = (
    Nameless(
        "read_never",
        "a frontend reads the control plane and installs nothing",
        "a_refused_reshape_can_be_tried_again",
        Rules(install=read_never),
        "split-again",
        built,
    ),
)
