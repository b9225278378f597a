"""What it takes to run a world's own rules and laws on batches that are one value each."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from checker.prove.measuring import measuring
from checker.symbolic.batches import Row
from checker.world.copies import sight as copies
from checker.world.remembering import Remembering
from checker.world.sharing import sight
from reference import store
from reference.store import Log
from spec.truth import Copy
from spec.vocabulary import Record


@contextmanager
def on_unknowns() -> Iterator[None]:
    """Until the block ends, count runs, keep no answers, and hold records in rows."""
    shown, called, longer = sight.copy_of, Remembering.__call__, store.append_past_latch
    with measuring():
        replica = vars(copies)["shown"]
        vars(sight)["copy_of"] = vars(copies)["shown"] = _in_rows(shown)
        vars(store)["append_past_latch"] = _in_a_row(longer)
        Remembering.__call__ = _asked_again  # type: ignore[method-assign,assignment] # for now
        try:
            yield
        finally:
            Remembering.__call__ = called  # type: ignore[method-assign] # as it was
            vars(store)["append_past_latch"] = longer
            vars(copies)["shown"] = replica
            vars(sight)["copy_of"] = shown


def _in_a_row(
    longer: Callable[[Log, tuple[Record, ...]], Log],
) -> Callable[[Log, tuple[Record, ...]], Log]:
    def append_past_latch(log: Log, records: tuple[Record, ...]) -> Log:
        stored = longer(log, records)
        return replace(stored, records=Row(stored.records))

    return append_past_latch


def _in_rows(shown: Callable[[Log], Copy]) -> Callable[[Log], Copy]:
    def copy_of(log: Log) -> Copy:
        copy = shown(log)
        return replace(copy, records=Row(copy.records))

    return copy_of


def _asked_again(remembering: Remembering[object, object], value: object) -> object:
    """What was answered on one way says nothing of another."""
    return remembering.__wrapped__(value)
