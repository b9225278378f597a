"""One step beyond each bound of the default check, as a whole search counted it once.

A bound may be too small for what goes wrong behind it. So each was made one larger, by itself, and
the laws were judged there: what broke is a finding, and has a name. Where the count is the same as
the scope's, or hardly more, the bound is not what keeps the world small. `malachi-model check` says
the same of each row again, as in `malachi-model check roll:faults=2`. A fence under way and a read
under way have no such step: more than one of them is another world.
"""

from dataclasses import dataclass

OPEN = "open"
"""The search ended at 15 million states, and no law was broken so far."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """A scope with one bound a step larger."""

    scope: str
    bound: str
    settings: str
    """What stands behind the colon of its name."""
    states: int
    """How many were searched: all, those before a law broke, or those before the search ended."""
    ended: str = ""
    """The finding that broke a law, or `open`; nothing where every law holds."""

    @property
    def name(self) -> str:
        """The name of the larger size."""
        return f"{self.scope}:{self.settings}"


BEYOND: tuple[Beyond, ...] = (
    Beyond("roll", "batches", "batches=2+1", 15_002_114, OPEN),
    Beyond("roll", "segments", "segments=4", 553_836),
    Beyond("roll", "refreshes", "refreshes=0+2", 1_593_341),
    Beyond("roll", "faults", "faults=2", 2_123_872),
    Beyond("faults", "batches", "batches=2+1", 3_278_615),
    Beyond("faults", "segments", "segments=3", 177_872),
    Beyond("faults", "refreshes", "refreshes=0+1", 2_428_685),
    Beyond("faults", "faults", "faults=3", 314_928),
    Beyond("batches", "batches", "batches=2+2", 1_163_757),
    Beyond("batches", "segments", "segments=3", 151_205),
    Beyond("batches", "refreshes", "refreshes=1+0", 1_170_920),
    Beyond("age", "segments", "segments=3", 140_335),
    Beyond("age", "refreshes", "refreshes=1+2", 360_803),
    Beyond("age", "faults", "faults=2", 250_677),
    Beyond("age", "batches", "batches=2+1", 494_313, "F1"),
    Beyond("race", "batches", "batches=2+1", 271_344),
    Beyond("race", "segments", "segments=3", 71_943),
    Beyond("race", "refreshes", "refreshes=1+0", 29_493, "F1"),
    Beyond("recovery", "batches", "batches=2+1", 812_630),
    Beyond("recovery", "segments", "segments=3", 59_703),
    Beyond("recovery", "refreshes", "refreshes=0+3", 59_932),
    Beyond("recovery", "faults", "faults=2", 34_005),
    Beyond("crowd", "batches", "batches=2+1+1", 15_009_814, OPEN),
    Beyond("crowd", "refreshes", "refreshes=0+0+1", 12_057_552),
    Beyond("crowd", "segments", "segments=4", 559_085),
    Beyond("batches-raft", "batches", "batches=2+2", 911_549),
    Beyond("batches-raft", "segments", "segments=3", 58_169),
    Beyond("batches-raft", "refreshes", "refreshes=1+0", 784_925),
    Beyond("failover", "batches", "batches=2+1", 422_727),
    Beyond("failover", "segments", "segments=2", 306_022),
    Beyond("failover", "faults", "faults=2", 256_930),
    Beyond("doubts", "batches", "batches=1+1", 1_607_540),
    Beyond("doubts", "segments", "segments=2", 119_977),
    Beyond("doubts", "faults", "faults=4", 57_752),
    Beyond("unheard", "batches", "batches=1+1", 2_962_658),
    Beyond("unheard", "segments", "segments=3", 15_335),
    Beyond("unheard", "faults", "faults=3", 56_566),
    Beyond("sweep", "batches", "batches=2+0", 45_604),
    Beyond("sweep", "segments", "segments=2", 4_234),
    Beyond("sweep", "faults", "faults=3", 11_504, "F36"),
    Beyond("quiet", "batches", "batches=2+0", 5_153),
    Beyond("quiet", "segments", "segments=2", 522),
    Beyond("quiet", "faults", "faults=3", 1_424, "F36"),
    Beyond("healing", "batches", "batches=2+0", 123_457, "F43"),
    Beyond("healing", "segments", "segments=2", 280_524),
    Beyond("healing", "faults", "faults=3", 116_220),
    Beyond("retention", "batches", "batches=2+1", 2_069, "F48"),
    Beyond("retention", "segments", "segments=3", 77_364),
    Beyond("retention", "faults", "faults=1,stops=1", 163_200),
    Beyond("moves", "batches", "batches=2+1", 13_381),
    Beyond("moves", "segments", "segments=2", 9_636),
    Beyond("moves", "faults", "faults=2", 2_737),
    Beyond("served", "batches", "batches=2+0", 8_980),
    Beyond("served", "segments", "segments=2", 808),
    Beyond("served", "reads", "reads=2", 808),
    Beyond("served", "faults", "faults=3", 2_208),
    Beyond("failover-raft", "batches", "batches=2+1", 397_541),
    Beyond("failover-raft", "segments", "segments=2", 86_696, "F7"),
    Beyond("failover-raft", "faults", "faults=2", 249_756),
    Beyond("split", "batches", "batches=2+2", 1_564_444),
    Beyond("split", "segments", "segments=3", 98_196),
    Beyond("split", "refreshes", "refreshes=2+1", 289_058),
    Beyond("split", "reshapes", "tries=2", 165_893),
    Beyond("split-lost", "batches", "batches=2+2", 1_913_547),
    Beyond("split-lost", "segments", "segments=3", 93_309),
    Beyond("split-lost", "refreshes", "refreshes=1+1", 943_435),
    Beyond("split-lost", "reshapes", "tries=3", 143_382),
    Beyond("split-lost", "faults", "faults=2", 164_866),
    Beyond("split-raft", "batches", "batches=2+2", 1_601_936),
    Beyond("split-raft", "segments", "segments=3", 106_321),
    Beyond("split-raft", "refreshes", "refreshes=2+1", 315_184),
    Beyond("split-raft", "reshapes", "tries=2", 176_513),
    Beyond("merge", "batches", "batches=2+2", 300_484),
    Beyond("merge", "segments", "segments=3", 33_469),
    Beyond("merge", "refreshes", "refreshes=1+1", 415_841),
    Beyond("merge", "reshapes", "tries=2", 75_301),
    Beyond("merge-lost", "batches", "batches=2+1", 436_343),
    Beyond("merge-lost", "segments", "segments=3", 62_577),
    Beyond("merge-lost", "refreshes", "refreshes=1+1", 675_691),
    Beyond("merge-lost", "reshapes", "tries=3", 106_045),
    Beyond("merge-lost", "faults", "faults=2", 101_772),
    Beyond("merge-raft", "batches", "batches=2+2", 199_896),
    Beyond("merge-raft", "segments", "segments=3", 14_668),
    Beyond("merge-raft", "refreshes", "refreshes=1+1", 217_674),
    Beyond("merge-raft", "reshapes", "tries=2", 35_673),
    Beyond("read-overrun", "records", "keys=2", 64),
    Beyond("read", "records", "keys=4", 174_804),
    Beyond("read", "rolls", "rolls=2", 133_111),
    Beyond("read", "reshapes", "shapes=2", 274_849),
    Beyond("read", "expiries", "expiries=2", 130_259),
    Beyond("read", "failed reads", "failures=2", 91_661),
    Beyond("read-holes", "records", "keys=4", 72_713),
    Beyond("read-holes", "unsent batches", "spares=2", 70_722),
    Beyond("read-holes", "rolls", "rolls=3", 55_428),
    Beyond("read-holes", "expiries", "expiries=2", 27_497),
    Beyond("read-holes", "restarts of the reader", "restarts=2", 48_155),
    Beyond("read-holes", "mute recoveries", "mutes=2", 27_497),
    Beyond("read-group-raft", "records", "keys=3", 9_004),
    Beyond("read-group-raft", "reshapes", "shapes=2", 15_155),
    Beyond("read-group-raft", "commits", "commits=2", 7_558),
    Beyond("read-group-raft", "restarts of the consumer", "crashes=2", 5_127),
    Beyond("journal", "orders", "orders=4+2", 320_006),
    Beyond("journal", "others", "others=2", 178_164),
    Beyond("journal", "refreshes", "refreshes=2+0", 130_360),
    Beyond("journal", "faults", "faults=2", 131_699),
    Beyond("journal-raft", "orders", "orders=4+2", 105_535),
    Beyond("journal-raft", "others", "others=2", 50_225),
    Beyond("journal-raft", "refreshes", "refreshes=2+0", 58_700),
    Beyond("journal-raft", "faults", "faults=2", 46_365),
    Beyond("refresh", "orders", "orders=3+2", 118_958),
    Beyond("refresh", "others", "others=2", 78_124),
    Beyond("refresh", "refreshes", "refreshes=2+1", 63_194),
    Beyond("refresh", "faults", "faults=2", 30_523),
    Beyond("refresh-raft", "orders", "orders=3+2", 57_629),
    Beyond("refresh-raft", "others", "others=2", 33_331),
    Beyond("refresh-raft", "refreshes", "refreshes=2+1", 34_155),
    Beyond("refresh-raft", "faults", "faults=2", 14_573),
    Beyond("policy", "orders", "orders=5+2", 77_402),
    Beyond("policy", "others", "others=2", 142_325),
    Beyond("policy", "refreshes", "refreshes=2+0", 72_519),
    Beyond("heal", "orders", "orders=4+2", 215_493),
    Beyond("heal", "refreshes", "refreshes=2+0", 89_322),
    Beyond("heal", "faults", "faults=2", 79_556),
    Beyond("heal", "others", "others=2", 106_019),
    Beyond("recover", "batches", "batches=2+1", 1_001_810),
    Beyond("recover", "segments", "segments=3", 63_674),
    Beyond("recover", "refreshes", "refreshes=0+2", 103_325),
    Beyond("recover", "faults", "faults=2", 41_416),
    Beyond("recover", "memory", "restarts=2", 78_976),
    Beyond("expire-remembered", "batches", "batches=2+1", 1_524_250),
    Beyond("expire-remembered", "segments", "segments=3", 95_144),
    Beyond("expire-remembered", "refreshes", "refreshes=0+2", 129_328),
    Beyond("expire-remembered", "expiry", "expiries=2", 53_237),
    Beyond("expire-remembered", "memory", "restarts=2", 94_549),
    Beyond("overlap", "refreshes", "refreshes=4", 163),
    Beyond("overlap", "others", "others=3", 515),
    Beyond("unread", "orders", "orders=3+1", 3_157),
    Beyond("unread", "others", "others=1", 2_063),
    Beyond("unread", "refreshes", "refreshes=3+0", 1_116),
    Beyond("unread", "faults", "faults=2", 888),
    Beyond("unread-raft", "orders", "orders=3+1", 2_572),
    Beyond("unread-raft", "others", "others=1", 1_509),
    Beyond("unread-raft", "refreshes", "refreshes=3+0", 945),
    Beyond("unread-raft", "faults", "faults=2", 749),
)
