"""What it takes to run a world's own rules and laws on batches that are one value each."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from checker.prove.measuring import measuring
from checker.symbolic.batches import Row
from checker.world.remembering import Remembering
from checker.world.sharing import sight
from reference.store import Log
from spec.truth import Copy


@contextmanager
def on_unknowns() -> Iterator[None]:
    """Until the block ends, count runs, keep no answers, and show laws rows of records."""
    shown, called = sight.copy_of, Remembering.__call__
    with measuring():
        vars(sight)["copy_of"] = _in_rows(shown)
        Remembering.__call__ = _asked_again  # type: ignore[method-assign,assignment] # for now
        try:
            yield
        finally:
            Remembering.__call__ = called  # type: ignore[method-assign] # as it was
            vars(sight)["copy_of"] = shown


def _in_rows(shown: Callable[[Log], Copy]) -> Callable[[Log], Copy]:
    def copy_of(log: Log) -> Copy:
        copy = shown(log)
        return replace(copy, records=Row(copy.records))

    return copy_of


def _asked_again(remembering: Remembering[object, object], value: object) -> object:
    """What was answered on one way says nothing of another."""
    return remembering.__wrapped__(value)
