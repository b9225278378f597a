"""Changes of worlds of views that have no number, each with a law that notices it."""

from checker.world.alone.nameless import Nameless
from checker.world.views import mutations
from checker.world.views.parts import Begun
from checker.world.views.rules import REFERENCE, Rules
from checker.world.views.scopes import built
from reference.frontend import CommandFun, Frontend


def blank_while_journaled(front: Frontend, begun: Begun, tell: CommandFun) -> Frontend:
    """A refresh that takes a vnode for blank where there is something to replay."""
    installs = mutations.blank_vnode_installed if front.journal else REFERENCE.install
    return installs(front, begun, tell)


CHANGES: tuple[Nameless[Rules], ...] = (
    Nameless(
        "blank_while_journaled",
        "a vnode that did not answer is blank where there is something to replay",
        "an_unread_vnode_keeps_what_was_held",
        Rules(install=blank_while_journaled),
        "refresh",
        built,
    ),
)
