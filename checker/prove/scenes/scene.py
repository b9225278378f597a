"""What a scene is."""

from collections.abc import Callable
from dataclasses import dataclass

from checker.prove.drawing import Draw


@dataclass(frozen=True, slots=True)
class Scene:
    """Calls of a function on values that are drawn: shapes are picked, integers are unknown."""

    name: str
    """`record_fence`; one that shows another side of a function says which."""
    function: str
    """The function that it calls."""
    call: Callable[[Draw], object]
    """Draws the arguments, calls the function, and answers what came of it."""


def scene(name: str, call: Callable[[Draw], object]) -> Scene:
    """A scene; its function is the first word of its name."""
    return Scene(name, name.partition(" ")[0], call)
