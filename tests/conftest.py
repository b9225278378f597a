"""Random tests that are the same tomorrow: no seed, no stored examples, no clock.

And `as_in_the_foreground`, for tests that interrupt a program of ours.
"""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


@pytest.fixture
def as_in_the_foreground() -> Iterator[None]:
    """A shell lets what it runs in the background ignore SIGINT, and so would our children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
