"""Plant a changed module into the running one.

Everybody has imported the functions of the reference by name, so a new module would reach nobody.
The functions stay the objects that they are, and get the code of the changed ones; constants are
exchanged wherever they were imported under their name. It is done in a process that ends soon.
"""

import re
import sys
from importlib import import_module
from operator import itemgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any

from immutables import Map

PLAIN = (int, str, bytes, tuple, frozenset, re.Pattern, Map, itemgetter)
"""What constants are made of."""
REFERENCE = "reference"
HOUSE = {"spec", REFERENCE, "checker", "tests"}


def plant(name: str, code: CodeType) -> None:
    """Let a module of the reference do what other code says. Raises what the code raises."""
    real = import_module(f"{REFERENCE}.{name}")
    other = ModuleType(real.__name__)
    other.__file__ = real.__file__
    exec(code, other.__dict__)  # noqa: S102 - that is what a mutant is
    for key, new in list(vars(other).items()):
        old = vars(real).get(key)
        if isinstance(old, type) and old.__module__ == real.__name__:
            _plant_class(old, new)
        elif (function := function_of(old)) is not None:
            if function.__module__ == real.__name__:
                _plant_function(function, function_of(new))
        elif isinstance(new, PLAIN) and old != new:
            _exchange(key, old, new)
    forget_answers()


def function_of(value: object) -> FunctionType | None:
    """The function that a value is, or that it remembers the answers of."""
    if isinstance(value, property):
        value = value.fget
    inner = getattr(value, "__wrapped__", value)
    return inner if isinstance(inner, FunctionType) else None


def forget_answers() -> None:
    """Empty whatever the functions of the house remember."""
    for name, module in sorted(sys.modules.items()):
        if name.split(".")[0] in HOUSE:
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear") and not isinstance(value, type):
                    value.cache_clear()


def _plant_class(old: type, new: Any) -> None:  # noqa: ANN401 - whatever the changed module has
    for key, value in vars(new).items():
        function = function_of(vars(old).get(key))
        if function is not None:
            _plant_function(function, function_of(value))


def _plant_function(old: FunctionType, new: FunctionType | None) -> None:
    if new is None:
        return
    if not old.__code__.co_freevars:
        old.__code__ = new.__code__
    old.__defaults__ = new.__defaults__
    old.__kwdefaults__ = new.__kwdefaults__


def _exchange(key: str, old: object, new: object) -> None:
    """Give a constant another value for everybody who imported it under its name."""
    for module in list(sys.modules.values()):
        if type(vars(module).get(key)) is type(old) and vars(module)[key] == old:
            setattr(module, key, new)


def imports(name: str, code: CodeType) -> bool:
    """Whether a changed module of the reference can be loaded at all."""
    try:
        exec(code, ModuleType(f"{REFERENCE}.{name}").__dict__)  # noqa: S102 - a mutant
    except Exception:  # noqa: BLE001 - whatever the change raises
        return False
    return True
