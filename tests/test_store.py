"""The segment store: a log with a latch, and batches that go to a majority."""

from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from reference.store import (
    NO_QUORUM,
    Log,
    append,
    append_past_latch,
    append_with_quorum,
    byte_size,
    cut,
    fence,
    read,
)
from spec.replies import Appended, Eof, Records, Sealed
from spec.vocabulary import Broker, Count, Offset, Record

P, Q, X = Broker("p"), Broker("q"), Broker("x")
ALL = frozenset((P, Q, X))


def batch(*keys: str) -> tuple[Record, ...]:
    """Records of 39 bytes and their key."""
    return tuple(Record(key.encode(), b"") for key in keys)


def log_of(start: int, *keys: str) -> Log:
    """An open log that holds records with these keys."""
    return append(Log(Offset(start)), batch(*keys))[0]


batches = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), max_size=8)


@given(st.integers(0, 9), batches)
def test_a_log_gives_the_next_offsets_in_order(start: int, told: list[list[str]]) -> None:
    """[ROL-31, S8] It answers the last one it gave."""
    log, total = Log(Offset(start)), 0
    for keys in told:
        log, answer = append(log, batch(*keys))
        total += len(keys)
        assert answer == Appended(Offset(start + total - 1))

    assert [record.offset for record in log.records] == list(range(start, start + total))


@given(batches, batches)
def test_nothing_lands_behind_a_fence(before: list[list[str]], behind: list[list[str]]) -> None:
    """[ROL-2, ROL-43, S3] Whatever is tried, the log answers the end of the fence."""
    log = Log(Offset(4))
    for keys in before:
        log, _ = append(log, batch(*keys))
    fenced, end, _ = fence(log)
    for keys in behind:
        assert append(fenced, batch(*keys)) == (fenced, Sealed(end))

    assert fenced.records == log.records
    assert end == log.end


def test_a_fence_sent_twice_answers_the_same_end() -> None:
    """[ROL-1, S3] Retrying a fence is safe, so a lost answer costs nothing."""
    once = fence(log_of(4, "a", "bb"))

    twice = fence(once[0])

    assert twice == once
    assert once[1:] == (6, 81)


def test_a_fence_answers_the_same_whatever_gets_past_it() -> None:
    """[ROL-1] A resurrected copy that holds more still names the edge it was closed at."""
    fenced, end, size = fence(log_of(4, "a"))
    swollen = append_past_latch(fenced, batch("b"))

    assert swollen.end == end + 1
    assert fence(swollen) == (swollen, end, size)
    assert append(swollen, batch("c")) == (swollen, Sealed(end))


def test_a_replica_that_was_never_written_answers_its_start() -> None:
    """[ROL-33, S3] And no bytes."""
    assert fence(Log(Offset(7)))[1:] == (7, 0)


def test_bytes_are_those_of_the_encoded_records() -> None:
    """[PRD-1] 39 for a record, 8 for a header, and what they carry."""
    headers = ((b"h", b"vv"),)
    log, _ = append(Log(Offset(0)), (Record(None, b"v"), Record(b"k", b"", headers)))

    assert byte_size(log) == (39 + 1) + (39 + 1 + 8 + 3)


@given(st.integers(0, 9), st.integers(1, 9))
def test_a_read_answers_at_most_so_many_from_an_offset_on(offset: int, at_most: int) -> None:
    """[RDG-35] Below the start it begins at the start, and past the end there is nothing."""
    log = log_of(3, "a", "b", "c")

    answer = read(log, Offset(offset), Count(at_most))

    expected = [each for each in (3, 4, 5) if each >= offset][:at_most]
    if not expected:
        assert answer == Eof()
    else:
        assert isinstance(answer, Records)
        assert [record.offset for record in answer.records] == expected


def test_a_cut_copy_ends_at_the_edge_and_stays_closed() -> None:
    """[HEA-18, S5] What stood above was never part of the log."""
    trimmed = cut(log_of(3, "a", "b", "c"), Offset(4))

    assert fence(trimmed) == (trimmed, 4, 40)
    assert append(trimmed, batch("d"))[1] == Sealed(Offset(4))
    assert read(trimmed, Offset(4), Count(9)) == Eof()


def test_a_batch_is_acknowledged_when_a_majority_holds_it() -> None:
    """[ROL-32] The primary and one of two followers are enough."""
    copies, answer = append_with_quorum(Map(), (P, Q, X), Offset(4), batch("a"), frozenset((X,)))

    assert answer == Appended(Offset(4))
    assert copies == Map({P: log_of(4, "a"), X: log_of(4, "a")})


def test_a_batch_without_a_majority_stands_at_the_primary_all_the_same() -> None:
    """[ROL-32] So its error is indefinite, and the offsets are used up."""
    copies, answer = append_with_quorum(Map(), (P, Q, X), Offset(4), batch("a"), frozenset())

    assert answer == NO_QUORUM
    assert not NO_QUORUM.is_definite
    assert copies == Map({P: log_of(4, "a")})


def test_half_is_no_majority() -> None:
    """[ROL-32] Two of four may be the two that are lost."""
    _, answer = append_with_quorum(
        Map(), (P, Q, X, Broker("y")), Offset(0), batch("a"), frozenset((Q,))
    )

    assert answer == NO_QUORUM


def test_a_follower_that_missed_a_batch_gets_it_with_the_next() -> None:
    """[ROL-32] Copies are contiguous, so it cannot take the next one alone."""
    copies, _ = append_with_quorum(Map(), (P, Q), Offset(0), batch("a"), frozenset())

    copies, answer = append_with_quorum(copies, (P, Q), Offset(0), batch("b"), ALL)

    assert answer == Appended(Offset(1))
    assert copies == Map({P: log_of(0, "a", "b"), Q: log_of(0, "a", "b")})


def test_a_fenced_primary_stores_and_copies_nothing() -> None:
    """[ROL-2] The refusal is definite."""
    copies = Map({P: fence(log_of(0, "a"))[0]})

    assert append_with_quorum(copies, (P, Q), Offset(0), batch("b"), ALL) == (
        copies,
        Sealed(Offset(1)),
    )
    assert Sealed(Offset(1)).is_definite


def test_a_fenced_follower_takes_no_copy() -> None:
    """[ROL-2, S38] A failover that fenced a majority keeps the old primary from acknowledging."""
    copies = Map({Q: fence(Log(Offset(0)))[0], X: fence(Log(Offset(0)))[0]})

    after, answer = append_with_quorum(copies, (P, Q, X), Offset(0), batch("a"), ALL)

    assert answer == NO_QUORUM
    assert after == copies.set(P, log_of(0, "a"))


def test_a_follower_that_parted_from_the_primary_takes_no_copy() -> None:
    """[ROL-32] It holds records that the primary does not have; healing cuts it first."""
    copies = Map({Q: log_of(0, "z", "y")})

    after, answer = append_with_quorum(copies, (P, Q), Offset(0), batch("a"), ALL)

    assert (after[Q], answer) == (log_of(0, "z", "y"), NO_QUORUM)


def test_what_was_read_once_is_read_again_whatever_comes_behind_it() -> None:
    """[RDG-31] Neither a batch nor a fence moves or changes what a consumer has seen."""
    log, _ = append(log_of(3, "a"), batch("b"))
    seen = read(log, Offset(3), Count(2))

    longer, _ = append(log, batch("c"))
    closed, _, _ = fence(longer)

    assert read(longer, Offset(3), Count(2)) == seen
    assert read(closed, Offset(3), Count(2)) == seen
