"""Tiny models that tests of the search share."""

from collections.abc import Hashable

from checker.search.model import Law, Model, Outcome, Step, Symmetry


def _swap(left: int, right: int) -> list[Outcome]:
    return [Outcome("they swap", (right, left))]


def counters(most: int = 3, **changes: object) -> Model:
    """Answer two counters that go up to a limit and swap, changed field by field."""

    def up(value: int) -> list[Outcome]:
        return [Outcome(f"{value} goes up", (value + 1,))] if value < most else []

    fields: dict[str, object] = {
        "name": "counters",
        "initial": {"left": 0, "right": 0},
        "steps": (
            Step("left up", "up", ("left",), ("left",), up),
            Step("right up", "up", ("right",), ("right",), up),
            Step("swap", "swap", ("left", "right"), ("left", "right"), _swap),
        ),
    }
    return Model(**{**fields, **changes})  # type: ignore[arg-type] # fields are named by the test


def below(limit: int) -> Law:
    """Answer the law that the right counter stays below a limit."""
    return Law(f"below_{limit}", "T-1", f"Below {limit}.", ("right",), lambda right: right < limit)


NAMES = ("a", "b", "c")


def line(most: int = 2, *, hasty: str = "", **changes: object) -> Model:
    """Answer three guests who stand in line, so many times each, any two of whom may change places.

    One of them may be hasty, and leave the line though others stand before; but only in the last
    round.
    """
    fields: dict[str, object] = {
        "name": "line",
        "initial": {**dict.fromkeys(NAMES, 0), "line": (), "served": (), "last": ""},
        "steps": tuple(step for name in NAMES for step in _guest(name, most, name == hasty)),
        "symmetries": (changing_places("a", "b"), changing_places("b", "c")),
    }
    return Model(**{**fields, **changes})  # type: ignore[arg-type] # fields are named by the test


def _guest(name: str, most: int, is_hasty: bool) -> tuple[Step, Step]:
    def joins(rounds: int, line: tuple[str, ...]) -> list[Outcome]:
        if rounds == most or name in line:
            return []
        return [Outcome(f"{name} joins", (rounds + 1, (*line, name)))]

    def leaves(rounds: int, line: tuple[str, ...], served: tuple[str, ...]) -> list[Outcome]:
        if name not in line or (line[0] != name and not (is_hasty and rounds == most)):
            return []
        left = tuple(each for each in line if each != name)
        return [Outcome(f"{name} leaves", (left, (*served, name)[-3:], name))]

    return (
        Step(f"{name} joins", "join", (name, "line"), (name, "line"), joins),
        Step(
            f"{name} leaves",
            "leave",
            (name, "line", "served"),
            ("line", "served", "last"),
            leaves,
        ),
    )


def changing_places(left: str, right: str) -> Symmetry:
    """Answer the symmetry of two guests."""
    other = {left: right, right: left}

    def renamed(_part: str, value: Hashable) -> Hashable:
        if isinstance(value, tuple):
            return tuple(other.get(each, each) for each in value)
        return other.get(value, value) if isinstance(value, str) else value

    steps = [f"{name} {does}" for name in (left, right) for does in ("joins", "leaves")]
    return Symmetry(
        f"{left} and {right}",
        other,
        {step: f"{other[step[0]]}{step[1:]}" for step in steps},
        renamed,
    )
