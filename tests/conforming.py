"""What the tests of conformance share: worlds, steps, and runs of them."""

import sys

from immutables import Map

from checker.conform.messages import Level, Limits
from checker.conform.outcomes import Finding
from checker.conform.serving import ReferenceAdapter, reference_adapter
from checker.conform.session import Session, greet
from checker.conform.steps import Call, Step, ViewOf
from checker.conform.transports.inprocess import InProcess
from checker.conform.world import Mode, world_of
from spec.vocabulary import Record

QUICK = Limits(start_ms=20_000, turn_ms=2_000)
SERVE = [sys.executable, "-m", "checker.conform"]
"""The reference as a program."""


def opened(broker: str = "f1", **options: object) -> Call:
    """A broker is opened on the control plane."""
    given: dict[str, object] = {
        "brokers": ("b1", "b2", "b3"),
        "replication_factor": 2,
        "segment_max_bytes": 200,
        "spread_by": None,
        "broker_attributes": Map(),
        "min_domains": None,
        "placement_policy": "hard",
        "view": ViewOf(),
    }
    return Call(broker, "open", {**given, **options})


def created(topic: str = "t", bits: int = 4) -> Call:
    """A topic is created."""
    return Call("f1", "create_topic", {"topic": topic, "bits": bits})


def produced(*keys: bytes, op: str = "produce", broker: str = "f1") -> Call:
    """Records with these keys are produced."""
    records = tuple(Record(key, b"value") for key in keys)
    return Call(broker, op, {"topic": "t", "records": records})


def judged(
    *steps: Step,
    adapter: ReferenceAdapter | None = None,
    mode: Mode = "authoritative",
    level: Level = "L3",
) -> Finding | None:
    """What comes of steps against an adapter in this process."""
    channel = InProcess(adapter or reference_adapter())
    return Session(channel, greet(channel, QUICK), world_of(mode), level).run(steps)
