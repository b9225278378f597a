"""Scenes of ranges: what the control plane lists, and commands that are about it."""

from dataclasses import replace

from immutables import Map

from checker.prove.drawing import Draw
from checker.prove.scenes import drawn
from checker.prove.scenes.refreshing import GROUP, position, seal
from checker.prove.scenes.scene import Scene, scene
from checker.world.sharing.parts import BROKERS, RANGE, TOPIC, segment_of
from reference import controlplane, placing, ranges
from reference import frontend as frontends
from reference.vnodes import DEFAULT_VNODE, View, metadata_of
from spec.commands import CommitOffset, Positions, RegisterSegment
from spec.vocabulary import ByteSize, Position, Range


def blocks(draw: Draw) -> View:
    """Draw a view whose root range covers any block."""
    metadata = metadata_of(drawn.FIRST_VIEW, TOPIC)
    start, end = draw.integer("key_start", 0), draw.integer("key_end", 0)
    block = Range(Position(start), Position(end), draw.integer("keyspace", 2))
    listed = replace(metadata, ranges=metadata.ranges.set(RANGE, block))
    return replace(drawn.FIRST_VIEW, vnodes=drawn.FIRST_VIEW.vnodes.set(DEFAULT_VNODE, listed))


def split_range(draw: Draw) -> object:
    """Split a block of any size."""
    held = blocks(draw)
    plane = drawn.Plane(held, drawn.millis(draw, "now"))
    return ranges.split_range(drawn.frontend(draw, held), RANGE, plane.tell)


def active_range_ids(draw: Draw) -> object:
    """List the ranges of a topic with a block of any size."""
    return ranges.active_range_ids(drawn.frontend(draw, blocks(draw)), TOPIC)


def delete_segment(draw: Draw) -> object:
    """Delete a segment, whatever its state."""
    plane = drawn.Plane(drawn.view(draw, "plane"), drawn.millis(draw, "now"))
    front = drawn.frontend(draw, drawn.view(draw, "seen"))
    return ranges.delete_segment(front, segment_of(0), plane.tell), plane.newest


def commit_offset(draw: Draw) -> object:
    """Commit a position."""
    plane = drawn.Plane(drawn.FIRST_VIEW, drawn.millis(draw, "now"))
    positions: Positions = Map({RANGE: position(draw, "told")})
    front = drawn.frontend(draw, drawn.FIRST_VIEW)
    return ranges.commit_offset(front, GROUP, TOPIC, positions, plane.tell)


def committed_offsets(draw: Draw) -> object:
    """Look up a position that was committed."""
    plane = drawn.Plane(drawn.FIRST_VIEW, drawn.millis(draw, "now"))
    told = CommitOffset(GROUP, TOPIC, Map({RANGE: position(draw, "told")}))
    held, _ = plane.tell(drawn.FIRST_VIEW, told)
    return ranges.committed_offsets(drawn.frontend(draw, held), GROUP, TOPIC)


def metadata(draw: Draw) -> object:
    """Look at the view as one."""
    return ranges.metadata(drawn.frontend(draw, drawn.view(draw, "seen", 2)))


def register_segment(draw: Draw) -> object:
    """Open a segment at any start."""
    metadata = metadata_of(drawn.view(draw, "plane", 2), TOPIC)
    asked = RegisterSegment(RANGE, segment_of(2), BROKERS, drawn.offset(draw, "told.start"))
    return controlplane.register_segment(metadata, asked, drawn.millis(draw, "now"))


def seal_segment(draw: Draw) -> object:
    """Seal a segment at any length."""
    return controlplane.seal_segment(metadata_of(drawn.view(draw, "plane"), TOPIC), seal(draw))


def commit(draw: Draw) -> object:
    """Tell a vnode of a position."""
    told = CommitOffset(GROUP, TOPIC, Map({RANGE: position(draw, "told")}))
    return controlplane.apply(metadata_of(drawn.FIRST_VIEW, TOPIC), told)


def open_frontend(draw: Draw) -> object:
    """Open a frontend with any threshold and any number of replicas."""
    factor, limit = draw.integer("replication_factor"), draw.integer("segment_max_bytes")
    try:
        return frontends.open(
            brokers=BROKERS,
            replication_factor=factor,
            segment_max_bytes=ByteSize(limit),
            view=drawn.FIRST_VIEW,
        )
    except ValueError as error:
        return str(error).partition(" ")[0]


def domain_violations(draw: Draw) -> object:
    """Count thin segments for any number of domains."""
    front = drawn.frontend(draw, drawn.view(draw, "seen", 2))
    options = replace(front.options, spread_by="rack", min_domains=draw.integer("min_domains"))
    return placing.domain_violations(replace(front, options=options))


SCENES: tuple[Scene, ...] = (
    scene("split_range", split_range),
    scene("active_range_ids", active_range_ids),
    scene("delete_segment", delete_segment),
    scene("commit_offset", commit_offset),
    scene("committed_offsets", committed_offsets),
    scene("metadata", metadata),
    scene("register_segment", register_segment),
    scene("seal_segment", seal_segment),
    scene("apply a commit", commit),
    scene("open", open_frontend),
    scene("domain_violations", domain_violations),
)
