"""What a rule holds besides its arguments: what it closes over, its defaults, its globals."""

import dis
import pickle
import warnings
from collections.abc import Iterator
from functools import partial
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import NamedTuple

from checker.search.constancy import why_mutable


class Holding(NamedTuple):
    """Something that can change and that a rule can reach."""

    name: str
    value: object


def holdings(rule: object) -> tuple[Holding, ...]:
    """Answer all that can change and that a rule, or a function of its package, can reach."""
    found: dict[int, Holding] = {}
    for each in _functions(rule):
        for name, value in _held(each):
            if not _is_callable(value) and why_mutable(value) is not None:
                found.setdefault(id(value), Holding(name, value))
    return tuple(found.values())


def outside_writes(rule: object) -> tuple[str, ...]:
    """Answer the names outside of it that a rule, or a function of its package, assigns to."""
    names = [
        str(each.argval)
        for function in _functions(rule)
        if isinstance(function, FunctionType)
        for code in _codes(function.__code__)
        for each in dis.get_instructions(code)
        if each.opname in {"STORE_GLOBAL", "DELETE_GLOBAL"}
        or (each.opname == "STORE_DEREF" and each.argval in function.__code__.co_freevars)
    ]
    return tuple(dict.fromkeys(names))


def photograph(value: object) -> bytes:
    """Answer the state of something that can change, to be compared with a later one."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return pickle.dumps(value)
    except Exception:  # noqa: BLE001 - what cannot be written down is at least shown
        return repr(value).encode()


def _functions(rule: object) -> list[object]:
    """Answer a rule and all that it can call, as far as it is of the same package."""
    package, found, waiting = _package(rule), [rule], [rule]
    while waiting:
        for _, value in _held(waiting.pop()):
            is_near = _is_callable(value) and _package(value) == package
            if is_near and not any(value is each for each in found):
                found.append(value)
                waiting.append(value)
    return found


def _held(each: object) -> Iterator[tuple[str, object]]:
    if isinstance(each, partial):
        yield getattr(each.func, "__name__", "function"), each.func
        yield from ((f"argument {place}", value) for place, value in enumerate(each.args))
        yield from each.keywords.items()
    elif isinstance(each, MethodType):
        yield "self", each.__self__
        yield each.__func__.__name__, each.__func__
    elif isinstance(each, FunctionType):
        yield from _held_by_function(each)
    else:
        yield "self", each
        yield "__call__", getattr(type(each), "__call__", None)  # noqa: B004 - it is what runs


def _held_by_function(function: FunctionType) -> Iterator[tuple[str, object]]:
    code = function.__code__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # the cell is empty: its name is assigned later, or never
            continue
    yield from (("a default", value) for value in function.__defaults__ or ())
    yield from (function.__kwdefaults__ or {}).items()
    names = {name for inner in _codes(code) for name in inner.co_names}
    for name in sorted(names & function.__globals__.keys()):
        yield name, function.__globals__[name]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _is_callable(value: object) -> bool:
    return isinstance(value, FunctionType | MethodType | partial | BuiltinFunctionType | ModuleType)


def _package(value: object) -> str:
    while isinstance(value, partial):
        value = value.func
    return str(getattr(value, "__module__", None)).partition(".")[0]
