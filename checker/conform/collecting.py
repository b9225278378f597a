"""The collector of cycles, asked to look rarely: the values of a run have no cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

ALLOCATIONS = 500_000
"""So many objects are made before the youngest are looked at."""


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Look for cycles rarely, and never among what is there already."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
