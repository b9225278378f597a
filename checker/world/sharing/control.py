"""The control plane as one step of the world meets it."""

from enum import Enum

from checker.world.sharing.rules import Rules
from reference.vnodes import View
from spec.commands import Command
from spec.replies import CommandReply, Failed


class Delivery(Enum):
    """What becomes of a command."""

    ANSWERED = "answered"
    LOST = "lost"
    """It never arrives."""
    UNANSWERED = "unanswered"
    """It is applied, and nobody is told."""


class ControlPlane:
    """Takes the commands of one step, and holds what they leave behind.

    In the mode `authoritative`, the newest view comes back with each reply.
    """

    def __init__(self, rules: Rules, view: View, delivery: Delivery = Delivery.ANSWERED) -> None:
        self.view = view
        self.rules = rules
        self.delivery = delivery
        self.was_asked = False

    def tell(self, held: View, request: Command) -> tuple[View, CommandReply]:
        """[RNG-42] Take a command: the `command_fun` of this step."""
        self.was_asked = True
        if self.delivery is Delivery.LOST:
            return held, Failed("lost")
        self.view, reply = self.rules.command(self.view, request)
        if self.delivery is Delivery.UNANSWERED:
            return held, Failed("unanswered")
        return self.rules.bring(self.view, held, request, reply), reply


def out_of_reach(rules: Rules, held: View) -> ControlPlane:
    """Stand in for the control plane in a step that must do without it."""
    return ControlPlane(rules, held, Delivery.LOST)
