"""Rows as bits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.search.packing import Layout, layout_for

COUNTS = st.lists(st.integers(min_value=1, max_value=5000), min_size=1, max_size=40)


def fields(layout: Layout) -> list[tuple[int, range]]:
    """Answer the word and the bits of each part."""
    return [
        (word, range(shift, shift + width))
        for word, shift, width in zip(layout.word, layout.shift, layout.width, strict=True)
    ]


@given(COUNTS)
def test_no_two_parts_share_a_bit_and_the_highest_bit_is_nobodys(counts: list[int]) -> None:
    layout = layout_for(counts)

    taken = [(word, bit) for word, bits in fields(layout) for bit in bits]

    assert len(taken) == len(set(taken))
    assert (0, 63) not in taken
    assert all(0 <= word < layout.words and 0 <= bit < 64 for word, bit in taken)
    assert layout.holds(counts)


@given(COUNTS, st.randoms(use_true_random=False))
def test_a_row_gives_back_the_ids_it_was_made_of(counts: list[int], random: st.DataObject) -> None:
    layout = layout_for(counts)
    ids = tuple(random.randrange(count) for count in counts)  # type: ignore[attr-defined] # a Random
    parts = range(len(counts))

    row = layout.row(ids)

    assert layout.ids(parts, row) == ids
    assert layout.ids(parts, layout.packed(parts, ids)) == ids
    assert row[0] >> 63 == 1
    assert all(0 <= word < 1 << 64 for word in row)


def test_a_layout_holds_as_many_ids_as_its_fields_have_room_for() -> None:
    layout = Layout(1, (0, 0), (0, 2), (2, 3))

    assert layout.holds([4, 8])
    assert not layout.holds([5, 8])
    assert layout.mask([1]) == [0b11100]


@pytest.mark.parametrize(("parts", "words"), [(63, 1), (64, 2), (127, 2), (128, 3)])
def test_a_row_has_no_more_words_than_its_parts_need(parts: int, words: int) -> None:
    assert layout_for([2] * parts).words == words
