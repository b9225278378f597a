"""The inner loops of the compiled search.

Each function works on rows of WORDS 64-bit words that it finds through a context. Nothing is
allocated, nothing raises, and a kernel that runs out of room stops where it is and says how far
it came.
"""

from checker.search.memory import fetch, load, product, shifted, store
from checker.search.places import (
    ACTIVE,
    AHEAD,
    ASKERS,
    COUNT,
    COUNT_MASK,
    ENTRIES,
    FIRST,
    FORESEEN,
    HIT_COUNT,
    HITS,
    IN,
    IN_COUNT,
    KEEPS,
    KEY_COUNT,
    KEY_ROOM,
    KEYS,
    LAST,
    LOG,
    LOG_COUNT,
    MASKS,
    MISS_COUNT,
    MISS_ROOM,
    MISSES,
    MIX,
    MIX_AGAIN,
    NEXT,
    OUT,
    OUT_COUNT,
    OUT_MARGIN,
    OUT_ROOM,
    OUTCOMES,
    PENDING,
    PORTION,
    PORTION_SHIFT,
    ROWS,
    SEEN,
    SEEN_LAST,
    SEEN_LIMIT,
    SEEN_SHIFT,
    SLOT,
    START_MASK,
    TABLE,
    TABLE_LAST,
    TABLE_LIMIT,
    TABLE_SHIFT,
    TALLIES,
    TRANSITIONS,
    WHO,
    WORDS,
)


def hash_of(row: int) -> int:
    """Answer the hash of a row; the lowest bit names its owner, the upper ones its slot."""
    mixed = 0
    for j in range(WORDS):
        mixed = product(mixed ^ load(row, j), MIX)
        mixed ^= shifted(mixed, 32)
    mixed = product(mixed, MIX_AGAIN)
    return mixed ^ shifted(mixed, 29)


def key_hash(row: int, masks: int, who: int) -> int:
    """Answer the hash of what an asker reads of a row."""
    mixed = who + 1
    for j in range(WORDS):
        mixed = product(mixed ^ (load(row, j) & load(masks, j)), MIX)
        mixed ^= shifted(mixed, 32)
    return product(mixed, MIX_AGAIN)


def is_key(slot: int, row: int, masks: int) -> bool:
    """Answer whether a slot is of what a mask reads of a row."""
    different = 0
    for j in range(WORDS):
        different |= load(slot, j) ^ (load(row, j) & load(masks, j))
    return different == 0


def find(table: int, shift: int, last: int, row: int, masks: int, who: int) -> int:
    """Answer the address of the slot of a key, or of the empty slot where it would go."""
    place = shifted(key_hash(row, masks, who), shift)
    return find_from(place, table, last, row, masks, who)


def find_from(place: int, table: int, last: int, row: int, masks: int, who: int) -> int:
    """Answer the same for a key whose place is known."""
    while True:
        slot = table + place * (SLOT * 8)
        information = load(slot, WORDS)
        if information == 0:
            return slot
        if shifted(information, WHO) == who + 1 and is_key(slot, row, masks):
            return slot
        place = (place + 1) & last


def emit(context: int, row: int, information: int) -> int:
    """Hand the successors of a row that an entry tells of to the buffers of their owners."""
    count = shifted(information, COUNT) & COUNT_MASK
    outcome = load(context, OUTCOMES) + (information & START_MASK) * ((WORDS + 1) * 8)
    keeps = load(context, KEEPS)
    for _ in range(count):
        keep = keeps + load(outcome, WORDS) * (WORDS * 8)
        mixed = 0
        for j in range(WORDS):
            word = (load(row, j) & load(keep, j)) | load(outcome, j)
            mixed = product(mixed ^ word, MIX)
            mixed ^= shifted(mixed, 32)
        mixed = product(mixed, MIX_AGAIN)
        owner = (mixed ^ shifted(mixed, 29)) & 1
        taken = load(context, OUT_COUNT + owner)
        target = load(context, OUT + owner) + taken * (WORDS * 8)
        for j in range(WORDS):
            store(target, j, (load(row, j) & load(keep, j)) | load(outcome, j))
        store(context, OUT_COUNT + owner, taken + 1)
        outcome += (WORDS + 1) * 8
    return count


def has_room(context: int, more: int) -> bool:
    """Answer whether one more row fits into the buffers of successors and of misses."""
    limit = load(context, OUT_ROOM) - load(context, OUT_MARGIN)
    return (
        load(context, OUT_COUNT) <= limit
        and load(context, OUT_COUNT + 1) <= limit
        and load(context, MISS_COUNT) + more <= load(context, MISS_ROOM)
    )


def note(context: int, pairs: int, count: int, index: int, who: int) -> None:
    """Append a pair to a list whose address and count stand at these places."""
    number = load(context, count)
    place = load(context, pairs) + number * 16
    store(place, 0, index)
    store(place, 1, who)
    store(context, count, number + 1)


def expand(context: int) -> int:
    """Look up every asker for every row; hand on successors, note misses.

    Three rows are under way: the slots of the next are fetched while the entries of this one
    are read, and outcomes are fetched before they are made successors.
    """
    rows, last = load(context, ROWS), load(context, LAST)
    askers, entries = load(context, ASKERS), load(context, ENTRIES)
    transitions = 0
    index = load(context, FIRST)
    if index < last:
        foresee(context, rows + index * (WORDS * 8))
    while index < last and has_room(context, askers):
        row = rows + index * (WORDS * 8)
        enabled = read_entries(context, row, index)
        if index + 1 < last:
            foresee(context, row + WORDS * 8)
        for number in range(enabled):
            transitions += emit(context, row, load(entries, number))
        index += 1
    store(context, NEXT, index)
    store(context, TRANSITIONS, load(context, TRANSITIONS) + transitions)
    return 0


def foresee(context: int, row: int) -> None:
    """Note the place of every key of a row, and fetch its slot."""
    active, masks, table = load(context, ACTIVE), load(context, MASKS), load(context, TABLE)
    shift, foreseen = load(context, TABLE_SHIFT), load(context, FORESEEN)
    for turn in range(load(context, ASKERS)):
        who = load(active, turn)
        place = shifted(key_hash(row, masks + who * (WORDS * 8), who), shift)
        store(foreseen, turn, place)
        fetch(table + place * (SLOT * 8), 0)


def read_entries(context: int, row: int, index: int) -> int:
    """List the entries of a row that have outcomes, and answer how many; note misses."""
    active, masks, table = load(context, ACTIVE), load(context, MASKS), load(context, TABLE)
    table_last, foreseen = load(context, TABLE_LAST), load(context, FORESEEN)
    entries, outcomes = load(context, ENTRIES), load(context, OUTCOMES)
    enabled = 0
    for turn in range(load(context, ASKERS)):
        who = load(active, turn)
        mask = masks + who * (WORDS * 8)
        slot = find_from(load(foreseen, turn), table, table_last, row, mask, who)
        information = load(slot, WORDS)
        if information == 0:
            note(context, MISSES, MISS_COUNT, index, who)
        store(entries, enabled, information)
        fetch(outcomes + (information & START_MASK) * ((WORDS + 1) * 8), 0)
        enabled += (shifted(information, COUNT) & COUNT_MASK) != 0
    return enabled


def answer_misses(context: int) -> int:
    """Look up again what was missed, from FIRST on; every key is known by now."""
    rows, masks, table = load(context, ROWS), load(context, MASKS), load(context, TABLE)
    shift, table_last = load(context, TABLE_SHIFT), load(context, TABLE_LAST)
    index, last = load(context, FIRST), load(context, MISS_COUNT)
    transitions = 0
    while index < last and has_room(context, 0):
        pair = load(context, MISSES) + index * 16
        row, who = rows + load(pair, 0) * (WORDS * 8), load(pair, 1)
        slot = find(table, shift, table_last, row, masks + who * (WORDS * 8), who)
        transitions += emit(context, row, load(slot, WORDS))
        index += 1
    store(context, NEXT, index)
    store(context, TRANSITIONS, load(context, TRANSITIONS) + transitions)
    return 0


def collect(context: int) -> int:
    """Enter the keys of misses into the table, from FIRST on, and list those that are new."""
    rows, masks, table = load(context, ROWS), load(context, MASKS), load(context, TABLE)
    shift, table_last = load(context, TABLE_SHIFT), load(context, TABLE_LAST)
    index, last = load(context, FIRST), load(context, MISS_COUNT)
    count, keys = load(context, KEY_COUNT), load(context, KEYS)
    limit = min(load(context, KEY_ROOM), load(context, TABLE_LIMIT))
    while index < last and count < limit:
        pair = load(context, MISSES) + index * 16
        row, who = rows + load(pair, 0) * (WORDS * 8), load(pair, 1)
        count += enter(table, shift, table_last, row, masks, who, keys, count)
        index += 1
    store(context, NEXT, index)
    store(context, KEY_COUNT, count)
    return 0


def enter(
    table: int, shift: int, last: int, row: int, masks: int, who: int, keys: int, count: int
) -> int:
    """Enter what an asker reads of a row, and list it at this place; answer 0 where it is known."""
    mask = masks + who * (WORDS * 8)
    slot = find(table, shift, last, row, mask, who)
    if load(slot, WORDS) != 0:
        return 0
    key = keys + count * ((WORDS + 2) * 8)
    store(key, 0, who)
    store(key, 1, slot)
    for j in range(WORDS):
        word = load(row, j) & load(mask, j)
        store(slot, j, word)
        store(key, j + 2, word)
    store(slot, WORDS, ((who + 1) << WHO) | PENDING)
    return 1


def take_in(context: int) -> int:
    """Take rows in, from FIRST on: enter those never seen, and append them to the log.

    Rows of other portions of the table than PORTION are passed over.
    """
    rows, last = load(context, IN), load(context, IN_COUNT)
    seen, shift = load(context, SEEN), load(context, SEEN_SHIFT)
    seen_last, log = load(context, SEEN_LAST), load(context, LOG)
    logged, limit = load(context, LOG_COUNT), load(context, SEEN_LIMIT)
    portion, portion_shift = load(context, PORTION), load(context, PORTION_SHIFT)
    index = load(context, FIRST)
    for early in range(index, min(index + AHEAD, last)):
        fetch(seen + shifted(hash_of(rows + early * (WORDS * 8)), shift) * (WORDS * 8), 0)
    while index < last and logged < limit:
        if index + AHEAD < last:
            later = rows + (index + AHEAD) * (WORDS * 8)
            fetch(seen + shifted(hash_of(later), shift) * (WORDS * 8), 0)
        row = rows + index * (WORDS * 8)
        mixed = hash_of(row)
        place = -1
        if shifted(shifted(mixed, 1), portion_shift) == portion:
            place = settle(seen, shifted(mixed, shift), row)
        if place > seen_last:
            limit = logged
        elif place >= 0:
            put(seen + place * (WORDS * 8), row)
            put(log + logged * (WORDS * 8), row)
            logged += 1
        index += place <= seen_last
    store(context, NEXT, index)
    store(context, LOG_COUNT, logged)
    return 0


def settle(seen: int, place: int, row: int) -> int:
    """Answer the empty place where a row would go, or -1 where the row is seen."""
    while True:
        slot = seen + place * (WORDS * 8)
        if load(slot, 0) == 0:
            return place
        different = 0
        for j in range(WORDS):
            different |= load(slot, j) ^ load(row, j)
        if different == 0:
            return -1
        place += 1


def put(target: int, row: int) -> None:
    """Copy a row."""
    for j in range(WORDS):
        store(target, j, load(row, j))


def ask(context: int) -> int:
    """Ask every question about every row; note misses, and rows answered with an outcome.

    By asker, these are counted too.
    """
    rows, last = load(context, ROWS), load(context, LAST)
    first, entries = load(context, FIRST), load(context, ENTRIES)
    if first < last:
        foresee(context, rows + first * (WORDS * 8))
    for index in range(first, last):
        row = rows + index * (WORDS * 8)
        enabled = read_entries(context, row, index)
        if index + 1 < last:
            foresee(context, row + WORDS * 8)
        for number in range(enabled):
            tally(context, load(entries, number))
        if enabled:
            note(context, HITS, HIT_COUNT, index, 0)
    return 0


def tally(context: int, information: int) -> None:
    """Count one row more for the asker of an entry."""
    tallies, who = load(context, TALLIES), shifted(information, WHO) - 1
    store(tallies, who, load(tallies, who) + 1)


def tally_misses(context: int) -> int:
    """Count the rows that were missed; every key is known by now."""
    rows, masks, table = load(context, ROWS), load(context, MASKS), load(context, TABLE)
    shift, table_last = load(context, TABLE_SHIFT), load(context, TABLE_LAST)
    for index in range(load(context, MISS_COUNT)):
        pair = load(context, MISSES) + index * 16
        row, who = rows + load(pair, 0) * (WORDS * 8), load(pair, 1)
        slot = find(table, shift, table_last, row, masks + who * (WORDS * 8), who)
        information = load(slot, WORDS)
        if shifted(information, COUNT) & COUNT_MASK:
            tally(context, information)
    return 0


SEARCH_KERNELS = (expand, answer_misses, collect, take_in, ask, tally_misses)
"""What is called from outside, and compiled."""
