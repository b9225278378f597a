"""Tiny models that tests of the search share."""

from checker.search.model import Law, Model, Outcome, Step


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
