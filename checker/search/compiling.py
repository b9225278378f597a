"""From kernels in Python to machine code, by way of numba. Imported only where none is stored."""

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, register_jitable

from checker.search import memory

INT64 = types.int64
OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""No wrapper that only Python with numba in it could call."""
PREFETCH = "llvm.prefetch.p0"


def machine_code(kernels: ModuleType) -> dict[str, tuple[str, bytes]]:
    """Answer symbol and object code of every kernel, by its name."""
    vars(kernels).update(INSTRUCTIONS)
    for function in list(vars(kernels).values()):
        if isinstance(function, FunctionType) and function.__module__ == kernels.__name__:
            register_jitable(function)
    return {kernel.__name__: _compiled(kernel) for kernel in kernels.CALLED}


def _compiled(kernel: Callable[[int], int]) -> tuple[str, bytes]:
    dispatcher: Any = njit(INT64(INT64), **OPTIONS)(kernel)
    (result,) = dispatcher.overloads.values()
    code: bytes = result.library._get_compiled_object()  # noqa: SLF001 - numba has no other door
    return result.fndesc.llvm_func_name, code


def _place(builder: Any, address: Any, index: Any) -> Any:
    word = ir.IntType(64)
    moved = builder.add(address, builder.mul(index, word(memory.WORD)))
    return builder.inttoptr(moved, word.as_pointer())


@intrinsic
def _load(_typing: Any, _address: Any, _index: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.load(_place(builder, *values))

    return INT64(INT64, INT64), code


@intrinsic
def _store(_typing: Any, _address: Any, _index: Any, _value: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        builder.store(values[2], _place(builder, values[0], values[1]))
        return context.get_dummy_value()

    return types.none(INT64, INT64, INT64), code


@intrinsic
def _fetch(_typing: Any, _address: Any, _index: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        byte, small = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(_place(builder, *values), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, small, small, small])
        function = builder.module.globals.get(PREFETCH) or ir.Function(
            builder.module, kind, PREFETCH
        )
        builder.call(function, [place, small(1), small(3), small(1)])
        return context.get_dummy_value()

    return types.none(INT64, INT64), code


@intrinsic
def _shifted(_typing: Any, _value: Any, _bits: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.lshr(*values)

    return INT64(INT64, INT64), code


@intrinsic
def _product(_typing: Any, _left: Any, _right: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.mul(*values)

    return INT64(INT64, INT64), code


INSTRUCTIONS = {
    "load": _load,
    "store": _store,
    "fetch": _fetch,
    "shifted": _shifted,
    "product": _product,
}
"""What each function of `checker.search.memory` is in machine code."""
