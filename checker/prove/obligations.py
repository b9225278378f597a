"""Everything that is to be proved, by name, and what is left out on purpose."""

from collections.abc import Mapping

from checker.prove import environment, pages, turns
from checker.prove.drawing import Draw
from checker.prove.proving import Stage, model_for, stage_of, steps_of
from checker.prove.shapes import Cast
from checker.world.sharing.rules import Rules

CUT: Mapping[str, str] = {
    "a segment beyond the bound": "the range lists at most so many segments",
    "a journal is replayed": "F1, F3 and F5 show what it breaks; only that it stands is proved",
    "a segment expires": "the range lists its segments from the first on",
    "a range is split or merged": "one range, which stays active",
    "a page over more segments": "one is read of two, and turn by turn of one in each source",
    "a longer history": "one is read of a range with one segment, whose ancestor has one",
    "a frontend restarts": "no frontend forgets what it knew",
    "a command is applied to the caller's view": "the mode raft: F6 to F8 show what it breaks",
}
"""The steps that are not taken, and why."""


def obligations(
    rules: Rules, segments: int, without: frozenset[str] = frozenset()
) -> dict[str, Stage]:
    """Every obligation, the largest first, from states that need not fulfil some laws."""
    model = model_for(rules, segments)

    def cast(draw: Draw) -> Cast:
        return Cast(draw, segments, without)

    found = {step.name: stage_of(model, step, cast) for step in steps_of(model)}
    found |= {
        "initially": environment.initially(rules, segments),
        "growth": environment.growth(cast),
        "overlap": environment.overlap(cast),
        "pacing": environment.pacing(rules, cast),
        "f1 refreshes with a journal": environment.replaying(rules, cast),
        **pages.paging(rules, segments),
        "read_consume goes on": turns.turning(min(segments, turns.MOST), is_child=segments > 1),
    }
    weights = {step.name: _WEIGHTS.get(step.rule_name, 1) for step in steps_of(model)}
    weights |= {"read_consume": 6, "read_consume goes on": 6, "read": 3}
    return dict(sorted(found.items(), key=lambda pair: -weights.get(pair[0], 1)))


_WEIGHTS: Mapping[str, int] = {"plan": 9, "open": 8, "open unheard": 7, "record": 6, "hear": 5}
"""What takes longest is begun first, so that both processors end together."""
