"""Refreshing where more than one range is stale."""

from dataclasses import replace

from reference.refreshing import drop_stale_active_segments
from tests.oracles.values import (
    CREATE,
    LEFT,
    RIGHT,
    SPLIT,
    caching,
    frontend,
    head_of,
    opened,
    owing,
    roll_of,
    sealed,
    segment_of,
    view_after,
)

L0, R0 = segment_of(0, LEFT), segment_of(0, RIGHT)


def test_every_stale_head_and_every_stale_roll_is_dropped() -> None:
    """[RFR-12, RFR-15, S22] Not only those of the first range."""
    view = view_after(CREATE, SPLIT, opened(L0), opened(R0), sealed(L0, 2), sealed(R0, 3))
    front = replace(
        frontend(),
        view=view,
        heads=caching(head_of(L0), head_of(R0)),
        rolling=owing(roll_of(L0), roll_of(R0)),
    )

    fresh = drop_stale_active_segments(front)

    assert (len(fresh.heads), len(fresh.rolling)) == (0, 0)
    assert (fresh.offsets[LEFT], fresh.offsets[RIGHT]) == (2, 3)


def test_every_stale_roll_is_dropped_though_no_head_is_cached() -> None:
    """[RFR-15, S22, P10] An owed roll of an uncached segment has no head to go with."""
    view = view_after(CREATE, SPLIT, opened(L0), opened(R0), sealed(L0, 2), sealed(R0, 3))
    front = replace(frontend(), view=view, rolling=owing(roll_of(L0), roll_of(R0)))

    assert len(drop_stale_active_segments(front).rolling) == 0
