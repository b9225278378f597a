"""Recordings as cases: the calls that somebody recorded, with what each came to."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from checker.cases.kinds import CallCase, CallStep, Heading, Plane
from checker.replay.terms import Term, count, fields
from checker.replay.trace import Call, Trace


def case_of_recording(path: Path) -> CallCase:
    """The case that makes the calls of a recording, and expects what was recorded.

    Raises MalformedError for what is no recording, OSError where it cannot be read.
    """
    trace = Trace(path)
    header = trace.header()
    plane = Plane(header.mode, header.vnodes, header.policies)
    heading = Heading(header.name, f"recorded of {header.implementation}")
    return CallCase(heading, plane, tuple(_steps(trace)))


def _steps(trace: Trace) -> Iterator[CallStep]:
    states: dict[str, dict[str, Term]] = {}
    shown: dict[str, dict[str, Term]] = {"plane": {}, "store": {}}
    for call in trace.calls():
        expected: dict[str, Term] = {"reply": call.reply, "effects": list(call.effects)}
        if call.state is not None:
            now = flat(call.state)
            expected |= changed("state", states.get(call.frontend, {}), now)
            states[call.frontend] = now
        if call.authority is not None:
            now = fields(call.authority, "authority")
            expected |= changed("plane", shown["plane"], now)
            shown["plane"] = now
        if call.store is not None:
            expected |= changed("store", shown["store"], {"": call.store})
            shown["store"] = {"": call.store}
        yield CallStep(
            frontend=call.frontend,
            call=call.call,
            args={key: value for key, value in call.args.items() if key != "fault"},
            answers=answers_of(call),
            expected=expected,
        )


def flat(state: Mapping[str, Term]) -> dict[str, Term]:
    """A state by its fields, and its view by those of the view."""
    view = fields(state["metadata"], "metadata")
    return {
        **{key: value for key, value in state.items() if key != "metadata"},
        **{f"metadata.{key}": value for key, value in view.items()},
    }


def changed(name: str, before: Mapping[str, Term], now: Mapping[str, Term]) -> dict[str, Term]:
    """What is not as it was shown last."""
    new = {key: value for key, value in now.items() if key not in before or before[key] != value}
    return {name: new} if new else {}


def answers_of(call: Call) -> dict[str, Term]:
    """What the effects of a call were made to answer."""
    script = fields(call.args.get("fault", {}), "fault")
    return {kind: _answers(fault) for kind, fault in script.items()}


def _answers(fault: Term) -> Term:
    if not isinstance(fault, dict):
        return {"error": fault}
    answer: dict[str, Term] = {key: fault[key] for key in ("error", "reply", "tag") if key in fault}
    if "eof" in fault or "empty" in fault:
        answer["reply"] = "eof" if "eof" in fault else {"ok": []}
    if fault.get("applied"):
        answer["done"] = True
    if "at" not in fault:
        return answer
    truths: list[Term] = ["ok"] * count(fault["at"], "fault.at")
    return [*truths, answer]
