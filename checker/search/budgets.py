"""What a search may hold in memory, and where its rows go when that is used up.

Rows in files are still read and written as memory, and what is touched counts until it is let go
of. So new rows are taken in portion by portion of the table in which they are looked for, and a
portion is no larger than the memory left allows.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from checker.search.memory import resident
from checker.search.owners import OWNERS, Owner

NEARLY = 0.75
"""The share of the memory allowed at which rows in files are let go of."""
AT_HAND = 16
"""One part in so many is kept for what a round needs beside rows."""
LEAST_ROOM = 1 << 20
"""Bytes that a portion may have however little memory is left."""


class Stop(NamedTuple):
    """Why a search cannot go on."""

    reason: str
    """`memory` or `disk`."""
    sentence: str


class Budget:
    """How much memory a search may hold, and the folder for more rows than that."""

    def __init__(self, most: int, folder: Path) -> None:
        self.most = most
        self.folder = folder
        self.is_spilled = False
        """Whether rows are in files."""

    def new_owners(self, words: int, rows: int) -> list[Owner]:
        """Answer owners for so many rows that are to come, in files where memory is short."""
        owners = [Owner(words) for _ in range(OWNERS)]
        if self.is_spilled or resident() + sum(each.bytes_for(rows) for each in owners) > self.most:
            try:
                self.spill(owners)
                for owner in owners:
                    owner.reserve(rows)
            except OSError:
                # In memory they are safe; the next look finds that there is no room.
                self.is_spilled = False
                return [Owner(words) for _ in range(OWNERS)]
        return owners

    def spill(self, owners: Sequence[Owner]) -> None:
        """Keep rows in files from now on; OSError where there is no room for them."""
        self.is_spilled = True
        for number, owner in enumerate(owners):
            owner.spill(self.folder, f"rows-{os.getpid()}-{number}")

    def passed(self, owners: Sequence[Owner]) -> Stop | None:
        """Move rows to files where memory runs short; say so where that is not enough."""
        if not self.is_spilled:
            growth = sum(owner.growth for owner in owners) + self.most // AT_HAND
            if resident() + growth <= self.most:
                return None
            try:
                self.spill(owners)
            except OSError as error:
                return Stop("disk", f"no room for rows in {self.folder}: {error}")
        self.let_go(owners)
        held = resident()
        for owner in owners:
            # Both owners are at work at once, and half of the room is for what else they touch.
            owner.take_in_by(max(LEAST_ROOM, (self.most - held) // (2 * OWNERS)))
        if held <= self.most:
            return None
        needed = f"what cannot be kept in files takes {held >> 20:,} MB"
        return Stop("memory", f"{needed}, and {self.most >> 20:,} MB are allowed")

    def let_go(self, owners: Sequence[Owner]) -> None:
        """Let go of the memory of rows in files, where it is much by now."""
        if self.is_spilled and resident() > self.most * NEARLY:
            for owner in owners:
                owner.rest()


NO_BUDGET = Budget(1 << 62, Path())
"""All there is."""
