"""Scenes of healing, and of the coordinators that decide what is healed."""

from checker.prove.drawing import Draw
from checker.prove.scenes import drawn
from checker.prove.scenes.refreshing import seal
from checker.prove.scenes.scene import Scene, scene
from checker.world.sharing.parts import BROKERS, TOPIC, segment_of
from reference import coordinating, healing
from reference.controlplane import Metadata
from reference.coordinating import FenceAnswer, RetentionPolicy
from reference.vnodes import metadata_of
from spec.commands import SetSegmentReplicas
from spec.vocabulary import ByteSize, Millis


def apply_heal_reply(draw: Draw) -> object:
    """Apply a seal and a move of replicas."""
    front = drawn.with_head(draw, drawn.frontend(draw, drawn.view(draw, "seen")), 1)
    front = drawn.with_counter(draw, drawn.with_roll(draw, front, 1))
    plane = drawn.Plane(drawn.view(draw, "plane"), drawn.millis(draw, "now"))
    moved = SetSegmentReplicas(segment_of(0), BROKERS[:1])
    return healing.apply_heal_reply(front, (seal(draw), moved), plane.tell), plane.newest


def apply_heal(draw: Draw) -> object:
    """Apply a seal."""
    front = drawn.with_head(draw, drawn.frontend(draw, drawn.view(draw, "seen")), 1)
    plane = drawn.Plane(drawn.view(draw, "plane"), drawn.millis(draw, "now"))
    return healing.apply_heal(front, (seal(draw),), plane.tell)


def known(draw: Draw, most: int = 2) -> Metadata:
    """Draw what the coordinators see."""
    return metadata_of(drawn.view(draw, "plane", most), TOPIC)


def failover_candidates(draw: Draw) -> object:
    """Ask what needs a failover while the first broker is away."""
    return coordinating.failover_candidates(known(draw), BROKERS[1:])


def failover_plan(draw: Draw) -> object:
    """Plan a failover on the answers of two replicas."""
    answers = {
        segment_of(0): tuple(
            FenceAnswer(
                broker,
                drawn.offset(draw, f"{broker}.end"),
                ByteSize(draw.integer(f"{broker}.bytes")),
            )
            for broker in BROKERS[1:]
        )
    }
    return coordinating.failover_plan(known(draw), BROKERS[1:], answers, drawn.millis(draw, "now"))


def orphaned_fence_candidates(draw: Draw) -> object:
    """Ask which open segments to ask about."""
    return coordinating.orphaned_fence_candidates(known(draw), BROKERS)


def orphaned_fence_plan(draw: Draw) -> object:
    """Seal what a primary says is fenced."""
    answer = (segment_of(0), drawn.offset(draw, "end"), ByteSize(draw.integer("bytes", 0)))
    return coordinating.orphaned_fence_plan(known(draw), (answer,), drawn.millis(draw, "now"))


def sealed_overrun(draw: Draw) -> object:
    """Ask which of two copies reaches above its edge."""
    ends = [(segment_of(seq), BROKERS[0], drawn.offset(draw, f"s{seq}.end")) for seq in (0, 1)]
    return coordinating.sealed_overrun(known(draw), ends)


def retention_expired(draw: Draw) -> object:
    """Ask what has expired, by age, by size or by both."""
    by_age, by_size = draw.pick("limits", ((True, False), (False, True), (True, True)))
    policy = RetentionPolicy(
        Millis(draw.integer("max_age", 0)) if by_age else None,
        ByteSize(draw.integer("max_bytes", 0)) if by_size else None,
    )
    return coordinating.retention_expired(known(draw), policy, drawn.millis(draw, "now"))


def age_rolls(draw: Draw) -> object:
    """Ask which open segment is too old."""
    now = drawn.millis(draw, "now")
    opened = drawn.opened_view(draw, drawn.millis(draw, "opened_at"))
    limit = {TOPIC: Millis(draw.integer("max_age", 0))}
    return coordinating.age_rolls(metadata_of(opened, TOPIC), limit, now)


SCENES: tuple[Scene, ...] = (
    scene("apply_heal", apply_heal),
    scene("apply_heal_reply", apply_heal_reply),
    scene("failover_candidates", failover_candidates),
    scene("failover_plan", failover_plan),
    scene("orphaned_fence_candidates", orphaned_fence_candidates),
    scene("orphaned_fence_plan", orphaned_fence_plan),
    scene("sealed_overrun", sealed_overrun),
    scene("retention_expired", retention_expired),
    scene("age_rolls", age_rolls),
)
