"""Where a kernel finds what, and how tables are laid out.

A context is an array of words that holds addresses and counts at the places named here. A table
maps (who asks, the words it reads) to a word of information. A slot is that word behind the WORDS
words read; the information holds who asked, from 1, in its upper 16 bits, then how many outcomes
there are in 16, then where the first one stands in 32. No information, no entry.
"""

WORDS = 2
"""Words in a row; the machine code is made for each width by itself."""
SLOT = 4
"""Words in a slot: WORDS + 1, rounded up to a power of two."""

# Places in a context.
ROWS, FIRST, LAST, NEXT = 0, 1, 2, 3
"""Rows to work on, from FIRST up to LAST; NEXT is where the kernel stopped."""
ASKERS, MASKS = 4, 5
"""How many ask, and by asker the words that it reads, as masks."""
TABLE, TABLE_SHIFT, TABLE_LAST = 6, 7, 8
"""Slots, how far a hash is shifted to be a slot's place, and the last place."""
OUTCOMES, KEEPS = 9, 10
"""Outcomes (WORDS words to set, and the step), and by step the words that it keeps, as masks."""
OUT, OUT_COUNT, OUT_ROOM, OUT_MARGIN = 11, 13, 15, 16
"""Two buffers of successors, one for each owner; a row never makes more than the margin."""
MISSES, MISS_COUNT, MISS_ROOM = 17, 18, 19
"""Pairs of a row, by its place among ROWS, and an asker whose key the table lacks."""
TRANSITIONS = 20
SEEN, SEEN_SHIFT, SEEN_LAST, SEEN_LIMIT = 21, 22, 23, 24
"""The rows that one owner has seen: how far a hash is shifted to be a row's place, the last place
that may be taken, and how many rows may be in before it must grow. Beyond the last place all is
zero, so that a search for an empty place ends."""
IN, IN_COUNT = 25, 26
"""A buffer of rows to take in."""
LOG, LOG_COUNT = 27, 28
"""All rows of one owner in the order of discovery."""
KEYS, KEY_COUNT, KEY_ROOM = 30, 31, 32
"""New keys: who asks, the place of the slot, the words read."""
TABLE_COUNT, TABLE_LIMIT = 33, 34
HITS, HIT_COUNT = 35, 36
"""Pairs of a row and a question that was answered with an outcome."""
FIELDS, FIELD_COUNT = 37, 38
"""For a new layout: word, shift, width as mask, new word, new shift of each field."""
STRIDE, TO, TO_STRIDE = 39, 40, 41
"""How far apart rows are read for a new layout, where they are written, and how far apart."""
ACTIVE = 42
"""The askers, by number, of which ASKERS says how many."""
TARGETS, TARGETS_SHIFT = 43, 44
"""A table of rows to be led to."""
KEY = 46
"""A key to compare with what the first mask reads."""
FORESEEN, ENTRIES = 47, 48
"""Room to note, by turn, where a key's slot is looked for, and what was found."""
MEMBERS = 29
"""For each group of askers where its members stand in this very list, and how many; then these."""
MADE, MADE_COUNT, MADE_ROOM, MOST = 49, 50, 51, 52
"""Outcomes of groups, put together; and by group how many one of its keys has at most."""
PORTION, PORTION_SHIFT = 53, 54
"""The rows to take in now: those of which the upper bits of the hash are PORTION."""
TURNED, TURNED_COUNT = 56, 58
"""Two further buffers of successors, for the rows that stand for others."""
EXCHANGES, EXCHANGE_COUNT, EXCHANGE_WORDS = 60, 61, 62
"""For each exchange how many fields it renames, WORDS words that it keeps, as masks, and for each
field where its id stands (word, shift, width as mask), the words that ids become, and where these
belong (word, mask, shift). Fields stand in the order in which renamed rows are compared."""
IMAGE = 63
"""Room for a renamed row."""
TALLIES = 55
"""By asker: how many rows were answered with an outcome."""
PLACES = 64
"""Words in a context."""

AHEAD = 12
"""How many rows before its turn a row's slot is fetched."""
WHO, COUNT, COUNT_MASK, START_MASK = 48, 32, 0xFFFF, 0xFFFFFFFF
PENDING = START_MASK
"""Where the first outcome stands while nobody knows."""
MIX, MIX_AGAIN = -0x61C8864680B583EB, -0x3D4D51C2D82B14B1
