"""Machine code of the kernels: out of a file where it was compiled before, else compiled now.

A stored file is named by a hash of all that the code depends on: the text of the kernels and of
what compiles them, numba, llvmlite, Python and the processor. Code of another hash is never read.
"""

import base64
import ctypes
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm

Kernel = Callable[[int], None]


class Family(NamedTuple):
    """Kernels that are compiled and stored together."""

    name: str
    sources: tuple[str, ...]
    lists: tuple[str, ...]
    """What the lists of those that are called from outside are called in the sources."""


SEARCHING = Family("kernels", ("sidekernels.py", "kernels.py"), ("SEARCH_KERNELS", "OTHER_KERNELS"))
BESIDE = ("places.py", "memory.py", "compiling.py", "machinecode.py")
FOLDER_VARIABLE = "MALACHI_MODEL_CACHE"
Code = dict[str, tuple[str, bytes]]


class Loaded:
    """Kernels for rows of so many words, ready to be called with the address of a context."""

    def __init__(
        self, words: int, warn: Callable[[str], None] | None = None, family: Family = SEARCHING
    ) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple().create_target_machine()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
        code = stored_or_compiled(words, warn, family)
        for _, machine_code in code.values():
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(machine_code))
        self._engine.finalize_object()
        self._symbols = {name: symbol for name, (symbol, _) in code.items()}

    def kernel(self, name: str) -> Kernel:
        """Answer one of the kernels."""
        kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
        function = kind(self._engine.get_function_address(self._symbols[name]))

        def call(context: int) -> None:
            answer, raised = ctypes.c_int64(), ctypes.c_void_p()
            function(ctypes.addressof(answer), ctypes.addressof(raised), context)

        return call


class Machine(Loaded):
    """The kernels of the search."""

    def __init__(self, words: int, warn: Callable[[str], None] | None = None) -> None:
        super().__init__(words, warn)
        self.expand = self.kernel("expand")
        self.answer_misses = self.kernel("answer_misses")
        self.collect = self.kernel("collect")
        self.take_in = self.kernel("take_in")
        self.deal = self.kernel("deal")
        self.double = self.kernel("double")
        self.rebuild = self.kernel("rebuild")
        self.ask = self.kernel("ask")
        self.tally_misses = self.kernel("tally_misses")
        self.match = self.kernel("match")
        self.trace_back = self.kernel("trace_back")
        self.lay_out = self.kernel("lay_out")
        self.split = self.kernel("split")
        self.compose = self.kernel("compose")


_made: dict[int, Machine] = {}


def machine_for(words: int, warn: Callable[[str], None] | None = None) -> Machine:
    """Answer the kernels for rows of so many words; they are loaded once."""
    if words not in _made:
        _made[words] = Machine(words, warn)
    return _made[words]


def slot_words(words: int) -> int:
    """Answer the words in a slot: a key and its information, rounded up to a power of two."""
    return 1 << words.bit_length()


def kernels_for(words: int, family: Family = SEARCHING) -> ModuleType:
    """Answer the kernels as a module of their own, for rows of so many words.

    The sources that import from others come first, so that what these define is what counts.
    """
    module = ModuleType(f"{__package__}.{family.name}_{words}")
    sys.modules[module.__name__] = module
    for name in family.sources:
        path = Path(__file__).with_name(name)
        exec(compile(path.read_text("utf-8"), path, "exec"), module.__dict__)  # noqa: S102 - own text
    called = [kernel for name in family.lists for kernel in getattr(module, name)]
    module.__dict__.update(WORDS=words, SLOT=slot_words(words), CALLED=called)
    return module


def stored_or_compiled(
    words: int, warn: Callable[[str], None] | None = None, family: Family = SEARCHING
) -> Code:
    """Answer the code from its file; where there is none, compile it and try to store it."""
    path = cache_folder() / f"kernels-{code_hash(words, family)}.json"
    stored = read_code(path)
    if stored is not None:
        return stored
    from checker.search.compiling import machine_code  # noqa: PLC0415 - numba is slow to import

    code = machine_code(kernels_for(words, family))
    try:
        write_code(path, code)
    except OSError as error:
        if warn is not None:
            warn(f"machine code is compiled anew each time: cannot write {path.parent}: {error}")
    return code


def cache_folder() -> Path:
    """Answer where machine code is stored."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "malachi-model"


def code_hash(words: int, family: Family = SEARCHING) -> str:
    """Answer the hash of all that machine code depends on."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for name in (*family.sources, *BESIDE):
        digest.update((here / name).read_bytes())
    numba = find_spec("numba")
    version = (
        Path(numba.origin).with_name("_version.py").read_bytes() if numba and numba.origin else b""
    )
    features: Any = llvm.get_host_cpu_features()
    machine = [llvm.get_host_cpu_name(), features.flatten(), llvm.get_process_triple()]
    for text in (str(words), sys.version, llvmlite.__version__, *machine):
        digest.update(text.encode())
    digest.update(version)
    return digest.hexdigest()[:32]


def read_code(path: Path) -> Code | None:
    """Answer the code in a file; None where there is none or it is damaged."""
    try:
        text = json.loads(path.read_text("utf-8"))
        code = {name: (symbol, base64.b64decode(data)) for name, symbol, data in text["kernels"]}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return code if text.get("check") == _check(code) else None


def write_code(path: Path, code: Code) -> None:
    """Store code in one move, so that nobody ever reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kernels = [
        [name, symbol, base64.b64encode(data).decode()] for name, (symbol, data) in code.items()
    ]
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        json.dump({"kernels": kernels, "check": _check(code)}, file)
    Path(file.name).replace(path)


def _check(code: Code) -> str:
    digest = hashlib.sha256()
    for name, (symbol, data) in sorted(code.items()):
        digest.update(f"{name} {symbol} ".encode() + data)
    return digest.hexdigest()
