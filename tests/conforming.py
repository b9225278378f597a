"""What the tests of conformance share: worlds, steps, and runs of them."""

import os
import sys
from threading import Thread
from typing import BinaryIO

from immutables import Map

from checker.conform.messages import BYE, Level, Limits, Message
from checker.conform.outcomes import Finding
from checker.conform.serving import ReferenceAdapter, reference_adapter, serve
from checker.conform.session import Session, greet
from checker.conform.steps import Call, Step, ViewOf
from checker.conform.transports.channel import AnswerFun, DueFun
from checker.conform.transports.inprocess import InProcess
from checker.conform.transports.streams import Streams
from checker.conform.world import Mode, world_of
from spec.vocabulary import Record

PATIENT = Limits(start_ms=120_000, turn_ms=60_000)
QUICK = Limits(start_ms=20_000, turn_ms=2_000)
SERVE = [sys.executable, "-m", "checker.conform"]
"""The reference as a program."""


class Wired:
    """An adapter of this process behind pipes, with a thread of its own: the lines are real."""

    def __init__(self, adapter: ReferenceAdapter, limits: Limits = PATIENT) -> None:
        theirs, to_them = os.pipe()
        ours, to_us = os.pipe()
        self._files = [os.fdopen(to_them, "wb", 0), os.fdopen(ours, "rb", 0)]
        heard, said = os.fdopen(theirs, "rb"), os.fdopen(to_us, "wb")
        self._thread = Thread(target=self._serve, args=(adapter, heard, said), daemon=True)
        self._thread.start()
        self._streams = Streams(ours, to_them, limits)

    def exchange(
        self, message: Message, answer: AnswerFun | None = None, due: DueFun | None = None
    ) -> Message:
        """One turn."""
        return self._streams.exchange(message, answer, due)

    def close(self) -> None:
        """Say goodbye."""
        self._streams.tell(BYE)
        self._thread.join()
        for file in self._files:
            file.close()

    def complaints(self) -> bytes:
        """It has no standard error of its own."""
        return b""

    @staticmethod
    def _serve(adapter: ReferenceAdapter, heard: BinaryIO, said: BinaryIO) -> None:
        with heard, said:
            serve(adapter, heard, said)


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
