"""The loops around the search: rows change hands, tables grow, traces are found backwards.

They keep to the same rules as the kernels of the search.
"""

from checker.search.kernels import enter, find, hash_of, is_key, note, put, settle
from checker.search.memory import load, shifted, store
from checker.search.places import (
    ACTIVE,
    ASKERS,
    COUNT,
    COUNT_MASK,
    FIELD_COUNT,
    FIELDS,
    FIRST,
    HIT_COUNT,
    HITS,
    IN,
    IN_COUNT,
    KEEPS,
    KEY,
    KEY_COUNT,
    KEY_ROOM,
    KEYS,
    LAST,
    MADE,
    MADE_COUNT,
    MADE_ROOM,
    MASKS,
    MEMBERS,
    MOST,
    NEXT,
    OUT,
    OUT_COUNT,
    OUTCOMES,
    PENDING,
    ROWS,
    SEEN,
    SEEN_SHIFT,
    SLOT,
    START_MASK,
    STRIDE,
    TABLE,
    TABLE_LAST,
    TABLE_LIMIT,
    TABLE_SHIFT,
    TARGETS,
    TARGETS_SHIFT,
    TO,
    TO_STRIDE,
    WHO,
    WORDS,
)


def deal(context: int) -> int:
    """Hand rows to the buffers of their owners."""
    rows = load(context, ROWS)
    for index in range(load(context, FIRST), load(context, LAST)):
        row = rows + index * (WORDS * 8)
        owner = hash_of(row) & 1
        taken = load(context, OUT_COUNT + owner)
        put(load(context, OUT + owner) + taken * (WORDS * 8), row)
        store(context, OUT_COUNT + owner, taken + 1)
    return 0


def double(context: int) -> int:
    """Spread the rows of a table over one twice as large, in the same place.

    A row's slot is told by the upper bits of its hash, so rows move upwards, and are moved from
    the last one down: here the places from FIRST to NEXT, as counted from there. The few that
    would land among those still to be moved wait in TO until the end.
    """
    seen, shift = load(context, SEEN), load(context, SEEN_SHIFT)
    waiting = load(context, TO)
    hand, count = waiting, load(context, HIT_COUNT)
    for number in range(load(context, FIRST), load(context, NEXT)):
        place = load(context, LAST) - 1 - number
        slot = seen + place * (WORDS * 8)
        if load(slot, 0) != 0:
            put(hand, slot)
            for j in range(WORDS):
                store(slot, j, 0)
            home = shifted(hash_of(hand), shift)
            if home < place:
                put(waiting + count * (WORDS * 8), hand)
                count += 1
            else:
                put(seen + settle(seen, home, hand) * (WORDS * 8), hand)
    store(context, HIT_COUNT, count)
    if load(context, NEXT) == load(context, LAST):
        for number in range(1, count):
            row = waiting + number * (WORDS * 8)
            put(seen + settle(seen, shifted(hash_of(row), shift), row) * (WORDS * 8), row)
    return 0


def rebuild(context: int) -> int:
    """Move the slots of an old table (ROWS, up to LAST) to an empty one."""
    old, table = load(context, ROWS), load(context, TABLE)
    shift, table_last = load(context, TABLE_SHIFT), load(context, TABLE_LAST)
    masks = load(context, MASKS)
    for index in range(load(context, LAST)):
        slot = old + index * (SLOT * 8)
        information = load(slot, WORDS)
        if information != 0 and (information & START_MASK) != PENDING:
            who = shifted(information, WHO) - 1
            target = find(table, shift, table_last, slot, masks + who * (WORDS * 8), who)
            for j in range(WORDS + 1):
                store(target, j, load(slot, j))
    return 0


def match(context: int) -> int:
    """Note the rows of which the first mask reads the key."""
    rows, mask, key = load(context, ROWS), load(context, MASKS), load(context, KEY)
    for index in range(load(context, FIRST), load(context, LAST)):
        row = rows + index * (WORDS * 8)
        if is_key(key, row, mask):
            note(context, HITS, HIT_COUNT, index, 0)
    return 0


def trace_back(context: int) -> int:
    """Note the rows that lead to a target in one step."""
    rows, masks = load(context, ROWS), load(context, MASKS)
    table, shift = load(context, TABLE), load(context, TABLE_SHIFT)
    table_last, active = load(context, TABLE_LAST), load(context, ACTIVE)
    for index in range(load(context, FIRST), load(context, LAST)):
        row = rows + index * (WORDS * 8)
        leads = False
        for turn in range(load(context, ASKERS)):
            who = load(active, turn)
            slot = find(table, shift, table_last, row, masks + who * (WORDS * 8), who)
            leads = leads or leads_to_target(context, row, load(slot, WORDS))
        if leads:
            note(context, HITS, HIT_COUNT, index, 0)
    return 0


def leads_to_target(context: int, row: int, information: int) -> bool:
    """Answer whether an outcome of an entry makes a target of a row."""
    outcome = load(context, OUTCOMES) + (information & START_MASK) * ((WORDS + 1) * 8)
    keeps, made = load(context, KEEPS), load(context, TO)
    for _ in range(shifted(information, COUNT) & COUNT_MASK):
        keep = keeps + load(outcome, WORDS) * (WORDS * 8)
        for j in range(WORDS):
            store(made, j, (load(row, j) & load(keep, j)) | load(outcome, j))
        place = shifted(hash_of(made), load(context, TARGETS_SHIFT))
        if settle(load(context, TARGETS), place, made) < 0:
            return True
        outcome += (WORDS + 1) * 8
    return False


def lay_out(context: int) -> int:
    """Copy the fields of rows, STRIDE words apart, to rows of a new layout."""
    rows, last = load(context, ROWS), load(context, LAST)
    fields, count = load(context, FIELDS), load(context, FIELD_COUNT)
    stride, to, width = load(context, STRIDE), load(context, TO), load(context, TO_STRIDE)
    for index in range(load(context, FIRST), last):
        row, target = rows + index * stride * 8, to + index * width * 8
        for j in range(width):
            store(target, j, 0)
        for number in range(count):
            field = fields + number * 40
            value = shifted(load(row, load(field, 0)), load(field, 1)) & load(field, 2)
            word = load(field, 3)
            store(target, word, load(target, word) | (value << load(field, 4)))
    return 0


def split(context: int) -> int:
    """Enter what the members of groups read of new keys (IN) into the table, and list the new.

    It stops at a key whose members may not all fit.
    """
    table, masks = load(context, TABLE), load(context, MASKS)
    shift, table_last = load(context, TABLE_SHIFT), load(context, TABLE_LAST)
    members, keys = load(context, MEMBERS), load(context, KEYS)
    index, last, count = load(context, FIRST), load(context, IN_COUNT), load(context, KEY_COUNT)
    limit = min(load(context, KEY_ROOM), load(context, TABLE_LIMIT))
    while index < last:
        group = load(context, IN) + index * ((WORDS + 2) * 8)
        first, size = load(members, 2 * load(group, 0)), load(members, 2 * load(group, 0) + 1)
        if count + size > limit:
            break
        for turn in range(size):
            who = load(members, first + turn)
            count += enter(table, shift, table_last, group + 16, masks, who, keys, count)
        index += 1
    store(context, NEXT, index)
    store(context, KEY_COUNT, count)
    return 0


def compose(context: int) -> int:
    """Put the outcomes of new keys (IN) of groups together from those of their members.

    It stops at a key whose outcomes do not fit into the room that is made for them.
    """
    table, masks = load(context, TABLE), load(context, MASKS)
    shift, table_last = load(context, TABLE_SHIFT), load(context, TABLE_LAST)
    members, outcomes = load(context, MEMBERS), load(context, OUTCOMES)
    index, last = load(context, FIRST), load(context, IN_COUNT)
    made, most = load(context, MADE_COUNT), load(context, MOST)
    while index < last:
        group = load(context, IN) + index * ((WORDS + 2) * 8)
        asker = load(group, 0)
        first, size = load(members, 2 * asker), load(members, 2 * asker + 1)
        count = 0
        for turn in range(size):
            who = load(members, first + turn)
            slot = find(table, shift, table_last, group + 16, masks + who * (WORDS * 8), who)
            information = load(slot, WORDS)
            own = shifted(information, COUNT) & COUNT_MASK
            if made + count + own > load(context, MADE_ROOM):
                count = -1
                break
            source = outcomes + (information & START_MASK) * ((WORDS + 1) * 8)
            target = load(context, MADE) + (made + count) * ((WORDS + 1) * 8)
            for word in range(own * (WORDS + 1)):
                store(target, word, load(source, word))
            count += own
        if count < 0:
            break
        store(
            load(group, 1), WORDS, ((asker + 1) << WHO) | (min(count, COUNT_MASK) << COUNT) | made
        )
        store(most, asker, max(load(most, asker), count))
        made += count
        index += 1
    store(context, NEXT, index)
    store(context, MADE_COUNT, made)
    return 0


OTHER_KERNELS = (deal, double, rebuild, match, trace_back, lay_out, split, compose)
"""What is called from outside, and compiled."""
