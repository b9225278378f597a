"""Worlds of a few states, each made to show one verdict of the search."""

from checker.search.model import Accepting, Limit, Model, Outcome, ProgressGoal, Step


def relay(losses: int | None = 0) -> Model:
    """Answer a letter that is posted until it arrives, and may be lost so often; None: always.

    Posting and delivering are fair. The letter arrives unless it may be lost for ever.
    """
    initial = {"post": "empty", "receiver": "waits", "losses left": losses}
    return Model(
        name="relay",
        initial=initial,
        steps=(
            Step("the letter is posted", "send", ("receiver", "post"), ("post",), _send),
            Step("the post delivers", "deliver", ("post",), ("post", "receiver"), _deliver),
            Step("the post loses", "lose", ("post", "losses left"), ("post", "losses left"), _lose),
        ),
        bounds={"losses": f"{losses} losses"} if losses is not None else {},
        limits=(Limit("losses", ("post", "losses left"), _is_safe),) if losses is not None else (),
        expected_dead=frozenset({"lose"} if losses == 0 else ()),
        progress=(
            ProgressGoal(
                "the_letter_arrives",
                "TOY-1",
                "The letter arrives at last.",
                "inevitable",
                ("receiver",),
                lambda receiver: receiver == "served",
            ),
        ),
        fair=frozenset({"send", "deliver"}),
        accepting=Accepting(
            "TOY-2",
            "The world rests when the receiver is served.",
            ("receiver",),
            lambda receiver: receiver == "served",
        ),
    )


def _send(receiver: str, post: str) -> list[Outcome]:
    can_send = receiver == "waits" and post == "empty"
    return [Outcome("the letter is posted", ("full",))] if can_send else []


def _deliver(post: str) -> list[Outcome]:
    return [Outcome("the letter arrives", ("empty", "served"))] if post == "full" else []


def _lose(post: str, left: int | None) -> list[Outcome]:
    can_lose = post == "full" and left != 0
    after = None if left is None else left - 1
    return [Outcome("the letter is lost", ("empty", after))] if can_lose else []


def _is_safe(post: str, left: int | None) -> bool:
    return post == "full" and left == 0


def locked_box(*, is_careful: bool = False) -> Model:
    """Answer a box whose key may be locked in, unless its owner is careful."""

    def lock(lid: str, key: str) -> list[Outcome]:
        can_lock = lid == "open" and (key == "outside" or not is_careful)
        return [Outcome("the box is locked", ("locked",))] if can_lock else []

    return Model(
        name="careful box" if is_careful else "box",
        initial={"lid": "open", "key": "outside"},
        steps=(
            Step("the key goes in", "put in", ("lid", "key"), ("key",), _moves_in),
            Step("the key comes out", "take out", ("lid", "key"), ("key",), _moves_out),
            Step("the box is locked", "lock", ("lid", "key"), ("lid",), lock),
            Step("the box is unlocked", "unlock", ("lid", "key"), ("lid",), _unlock),
        ),
        progress=(
            ProgressGoal(
                "the_box_can_be_opened",
                "TOY-3",
                "Whatever was done, the box can be opened again.",
                "possible",
                ("lid",),
                lambda lid: lid == "open",
            ),
        ),
    )


def _moves_in(lid: str, key: str) -> list[Outcome]:
    can_move = lid == "open" and key == "outside"
    return [Outcome("the key is laid into the box", ("inside",))] if can_move else []


def _moves_out(lid: str, key: str) -> list[Outcome]:
    can_move = lid == "open" and key == "inside"
    return [Outcome("the key is taken out", ("outside",))] if can_move else []


def _unlock(lid: str, key: str) -> list[Outcome]:
    can_unlock = lid == "locked" and key == "outside"
    return [Outcome("the box is unlocked", ("open",))] if can_unlock else []


def diners(*, is_ordered: bool = False) -> Model:
    """Answer two diners who share two forks, and starve unless both take them in one order."""
    forks = ("left fork", "right fork")
    orders = {"Ada": forks, "Bo": forks if is_ordered else forks[::-1]}
    steps = [
        step for who, (first, second) in orders.items() for step in _dining(who, first, second)
    ]
    return Model(
        name="ordered diners" if is_ordered else "diners",
        initial=dict.fromkeys(forks, "free"),
        steps=tuple(steps),
        accepting=Accepting("TOY-4", "Nobody starves.", (), lambda: False),
    )


def _dining(who: str, first: str, second: str) -> list[Step]:
    def grab(fork: str) -> list[Outcome]:
        return [Outcome(f"{who} takes the {first}", (who,))] if fork == "free" else []

    def take(fork: str, held: str) -> list[Outcome]:
        can_take = fork == "free" and held == who
        return [Outcome(f"{who} takes the {second}", (who,))] if can_take else []

    def eat(left: str, right: str) -> list[Outcome]:
        return [Outcome(f"{who} eats", ("free", "free"))] if left == right == who else []

    return [
        Step(f"{who} takes the {first}", "take first", (first,), (first,), grab),
        Step(f"{who} takes the {second}", "take second", (second, first), (second,), take),
        Step(f"{who} eats", "eat", (first, second), (first, second), eat),
    ]
