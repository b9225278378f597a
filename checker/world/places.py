"""Where findings were looked for on purpose, what was found there, and where nothing else was.

A place is something that protocols of this kind get wrong. Each has the findings that came of it,
the promises of the surroundings that it rests on, and the worlds that have it in them and in which
every law holds: they are searched whole, so what they say is known within their bounds.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sound:
    """A world that has the place in it, and in which every law holds."""

    scope: str
    what: str
    """What of the place happens there."""
    closed_by: str = ""
    """The finding whose remedy is in it, where there is one."""
    states: int | None = None
    """How large that world is; the size of the scope, where no remedy is in it."""


@dataclass(frozen=True, slots=True)
class Searched:
    """One place."""

    name: str
    sentence: str
    """What may go wrong there."""
    findings: tuple[str, ...] = ()
    """What does go wrong."""
    assumptions: tuple[str, ...] = ()
    """What is taken for granted there."""
    sound: tuple[Sound, ...] = ()


PLACES: tuple[Searched, ...] = (
    Searched(
        "restarts with expired ranges",
        "a frontend comes back with nothing in its memory, and the range lists nothing either",
        ("F15", "F27", "F47"),
        ("A8",),
        (
            Sound("recover", "a frontend restarts, recovers, and may hear nothing of a primary"),
            Sound("restart", "the same while segments roll by size"),
            Sound("restart-raft", "the same where commands go through a log"),
            Sound(
                "expire-remembered",
                "it restarts behind an expiry; the newest sealed segment, the ids above it and the"
                " latches of deleted copies are kept, as the remedies of the findings ask",
            ),
            Sound("expire-remembered:batches=2+1", "the same with one batch more"),
        ),
    ),
    Searched(
        "reads that meet holes and empty seals",
        "a page has to step over what has expired and over segments that were sealed empty",
        ("F13", "F14", "F19"),
        ("A18",),
        (
            Sound("read", "a consumer crosses a split and an expired segment; one read fails"),
            Sound("read-holes", "two rolls, an empty seal, a hole, a restart and a mute primary"),
            Sound("read-merge", "an ancestor of two parents, a hole and a restart"),
            Sound("read-settling", "and the consumer comes to the end of its range at last"),
        ),
    ),
    Searched(
        "refused commands on stale views",
        "a frontend acts on a view that is behind, and is refused",
        ("F1", "F3", "F5", "F6", "F7", "F8", "F10", "F11", "F20", "F21", "F22", "F23"),
        ("A12", "A15", "A16"),
        (
            Sound("race", "two frontends race to open what follows a roll"),
            Sound("crowd", "three frontends open, roll and are refused"),
            Sound("journal", "two frontends create, commit and bind what the other does too"),
            Sound("heal", "a coordinator's commands are refused, lost and not answered"),
            Sound("split-lost", "a split is refused, lost, and tried again"),
            Sound("merge-lost", "a merge is refused, lost, and tried again"),
        ),
    ),
    Searched(
        "late and duplicate messages",
        "a batch, a fence or a command arrives after its sender has given it up, or twice",
        ("F26", "F34", "F37", "F43", "F46"),
        ("A7", "A14", "A17"),
        (
            Sound("faults", "any two of lost, late and failed batches, fences and seals"),
            Sound("doubts", "a late batch at a primary that a failover passed over"),
            Sound("unheard", "a coordinator's commands are applied and their answers lost"),
        ),
    ),
    Searched(
        "topics deleted and made again",
        "what was kept under the name of a topic meets another topic of that name",
        ("F18", "F29", "F40"),
        ("A20",),
        (Sound("refresh", "a topic comes and goes while frontends refresh and open segments"),),
    ),
    Searched(
        "replicas moved under a reader or a writer",
        "a frontend goes on with the set of replicas that it has cached",
        ("F30", "F32", "F38", "F43"),
        ("A5", "A10"),
        (
            Sound("moves", "an active segment gets another follower while two frontends write"),
            Sound("healing", "a sealed segment gets a new replica, and the old copy is cleared"),
            Sound("read-overrun", "a store holds more than its sealed length, and is read"),
            Sound(
                "healing:reads=1",
                "a consumer reads through a frontend that never hears of the new set, while a"
                " replica is replaced and its copy is cleared away",
                "F31",
                24_107,
            ),
        ),
    ),
    Searched(
        "reads of what a failover then cuts",
        "a record is read from a primary before a majority holds it",
        ("F17", "F31"),
        ("A11",),
        (
            Sound(
                "served",
                "primaries serve what a majority holds, as the remedies of the findings ask",
            ),
        ),
    ),
    Searched(
        "the newest sealed segment removed",
        "nothing is left that says where a range ends",
        ("F15", "F16", "F27", "F33", "F47", "F48"),
        ("A8", "A19"),
        (
            Sound("retention", "a range loses its sealed segments, and its writer goes on"),
            Sound("retention-raft", "the same where commands go through a log"),
            Sound("expire-remembered", "the newest sealed segment is kept"),
        ),
    ),
    Searched(
        "latches lost with a disk, or with a copy",
        "a copy that was closed takes a batch again",
        ("F34", "F35", "F37", "F43", "F46"),
        ("A1", "A6"),
        (
            Sound("failover", "a primary stops and comes back with its disk and its latch"),
            Sound("sweep", "the same while an age roll races the failover"),
            Sound("expire-remembered", "a broker remembers the latch of a copy that it deleted"),
        ),
    ),
)
