"""Raw memory: 64-bit words, addressed, for the kernels and for those who call them.

The functions are what a kernel may do beside arithmetic. In machine code each becomes one
instruction; here they are the same in Python, so that a kernel can be run without a compiler.
"""

import ctypes
import mmap
import os
import resource
import sys
import weakref
from collections.abc import Sequence
from pathlib import Path

WORD = 8
FULL_WORD = (1 << 64) - 1
NO_RESERVE = 0x4000 if sys.platform == "linux" else 0
"""MAP_NORESERVE, which `mmap` does not name."""
PORTION = 4 << 20
"""So many bytes are copied before those copied are let go of."""
HUGE = 2 << 20
"""The size of a large page; bigger blocks ask for such pages."""


def load(address: int, index: int) -> int:
    """Answer a word."""
    return ctypes.c_int64.from_address(address + WORD * index).value


def store(address: int, index: int, value: int) -> None:
    """Set a word."""
    ctypes.c_int64.from_address(address + WORD * index).value = value


def fetch(address: int, index: int) -> None:
    """Ask the processor to have a word near soon."""


def shifted(value: int, bits: int) -> int:
    """Answer a word shifted to the right, zeros following."""
    return (value & 0xFFFF_FFFF_FFFF_FFFF) >> bits


def product(left: int, right: int) -> int:
    """Answer the lower word of a product."""
    return ctypes.c_int64(left * right).value


class Block:
    """So many words, zero at first. Those never touched take no memory.

    MemoryError where the system grants none.
    With a file they are kept there, and memory holds only what was touched of late.
    """

    def __init__(self, words: int, path: Path | None = None) -> None:
        size = max(words, 1) * WORD
        self.words = words
        self._file: int | None = None
        if path is None:
            kind = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
            try:
                self._map = mmap.mmap(-1, size, flags=kind)
            except OSError as error:
                raise MemoryError(f"the system grants no {size} bytes: {error}") from error
            if size >= HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
                self._map.madvise(mmap.MADV_HUGEPAGE)
        else:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            weakref.finalize(self, os.close, self._file)
            path.unlink()  # gone with the process, however that ends
            os.ftruncate(self._file, size)
            self._map = mmap.mmap(self._file, size)
        self.view = memoryview(self._map).cast("Q")
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._map))

    def ensure(self, words: int) -> None:
        """Take room on the disk for the first so many words; OSError where there is none.

        A mapped file that the disk has no room for would end the process without a word.
        """
        if self._file is not None:
            os.posix_fallocate(self._file, 0, max(words, 1) * WORD)

    def rest(self) -> None:
        """Let go of the memory in which the words of a file are at hand."""
        if self._file is not None:
            self._map.madvise(mmap.MADV_DONTNEED)

    def moved(self, words: int, path: Path) -> "Block":
        """Answer a block in a file, as large as this one, with its first words.

        OSError where the disk has no room, and this one is still whole; else it is used up.
        """
        copy = Block(self.words, path)
        copy.ensure(words)
        for start in range(0, words * WORD, PORTION):
            size = min(PORTION, words * WORD - start)
            ctypes.memmove(copy.address + start, self.address + start, size)
            copy.rest()
            self._map.madvise(mmap.MADV_DONTNEED, start, size)
        return copy

    def put(self, start: int, values: Sequence[int]) -> None:
        """Set words from a place on."""
        for index, value in enumerate(values, start):
            self.view[index] = value

    def grown(self, words: int, used: int) -> "Block":
        """Answer a larger block that begins with the words used of this one."""
        larger = Block(words)
        ctypes.memmove(larger.address, self.address, used * WORD)
        return larger


def most_words() -> int:
    """Answer how many words the machine's memory holds."""
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) // WORD


def resident() -> int:
    """Answer how many bytes of memory this process holds."""
    try:
        with Path("/proc/self/statm").open(encoding="ascii") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
