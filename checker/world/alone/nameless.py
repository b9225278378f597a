"""A change of the machine that has no number: too small to have happened, and worth a notice."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from checker.search.model import Model

Rules = TypeVar("Rules")


@dataclass(frozen=True, slots=True)
class Nameless(Generic[Rules]):
    """One rule exchanged for another, in the worlds of one kind."""

    name: str
    """A few words joined by underscores."""
    words: str
    """What is changed, in words."""
    law: str
    """The law that notices it."""
    rules: Rules
    scope: str
    """The world that it is put into where no other is named."""
    build: Callable[[str, Rules], Model]
    """How the package of that world builds one."""

    def put_into(self, scope: str) -> Model:
        """The world of that name with the change in it."""
        return self.build(scope, self.rules)
