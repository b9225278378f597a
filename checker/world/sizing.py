"""Names of worlds of other sizes: behind a colon stand settings, as in `roll:faults=2`."""

import re
from collections.abc import Callable
from typing import TypeVar

Bounds = TypeVar("Bounds")

SETTING = re.compile(r"([a-z]+)=([0-9](?:\+[0-9])*)")
"""A name and its number, or its numbers: one for each frontend."""


def resized(
    bounds: Bounds | None,
    name: str,
    with_setting: Callable[[Bounds, str, tuple[int, ...]], Bounds | None],
) -> Bounds | None:
    """The bounds with each setting of a name in them; none where one of them means nothing."""
    _, colon, settings = name.partition(":")
    for setting in settings.split(",") if colon else ():
        found = SETTING.fullmatch(setting)
        if bounds is None or found is None:
            return None
        bounds = with_setting(bounds, found[1], tuple(map(int, found[2].split("+"))))
    return bounds
