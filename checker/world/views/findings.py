"""Where the documented protocol breaks a law of views by itself."""

from dataclasses import replace
from functools import partial

from checker.search.model import Model
from checker.world.changing import alone
from checker.world.kinds import Finding, Remedy
from checker.world.sharing import rules as sharing
from checker.world.views import remedies
from checker.world.views.judging import tempting_step_laws
from checker.world.views.rules import Rules
from checker.world.views.scopes import built, is_raft


def judged(scope: str, law: str, rules: Rules | None = None) -> Model:
    """The world of a scope, judged by one law alone: one that is to hold, or a tempting one."""
    return alone(whole(law, rules, scope), law)


def whole(law: str, rules: Rules | None, scope: str) -> Model:
    """The world of a scope under other rules, judged by all its laws and by a tempting one."""
    model = built(scope, rules)
    fired = {step.rule_name for step in model.steps}
    tempting = (
        replace(each, rule_names=each.rule_names & fired)
        for each in tempting_step_laws()
        if each.name == law and each.rule_names & fired
    )
    return replace(model, step_laws=(*model.step_laws, *tempting), goals=())


def in_turn(law: str, scope: str) -> Model:
    """The world of a scope in which a read begins only where none is under way."""
    return whole(law, None, scope.replace(",atonce=2", ""))


def finding(
    name: str,
    title: str,
    meaning: str,
    *,
    law: str,
    scope: str,
    steps: int,
    seen_as: str,
    permitted_by: tuple[str, ...],
    rule: str,
    overlay: Rules | None,
    states: int,
    assumes: tuple[str, ...] = (),
    amends: tuple[str, ...] = (),
) -> Finding:
    """A finding in the world of a scope, and the rules that close it there."""
    without = partial(whole, law, None)
    build = partial(in_turn, law) if overlay is None else partial(whole, law, overlay)
    return Finding(
        name,
        title,
        meaning,
        law,
        scope,
        steps,
        partial(judged, scope, law),
        "raft" if is_raft(scope) else "authoritative",
        seen_as,
        permitted_by,
        assumes,
        Remedy(rule, build, states, without, amends, ELSEWHERE[is_raft(scope)]),
    )


SINCE = Rules(install=remedies.replay_since_the_read)
TAKEABLE = Rules(install=remedies.untaken_replay_dropped)
TAKEN = Rules(plane=sharing.Rules(bring=remedies.bring_what_took))
MOVED = Rules(apply_heal_reply=remedies.head_moved_by_what_took)
AGED = Rules(request_rolls=remedies.ageless_heads_skipped)
DROPPED = Rules(plane=sharing.Rules(command=remedies.positions_dropped))
UPWARDS = Rules(plane=sharing.Rules(command=remedies.commits_only_upwards))
ELSEWHERE = {
    False: ("journal", "refresh", "policy", "heal"),
    True: ("journal-raft", "refresh-raft"),
}
"""The scopes of each mode, the last being `raft`."""

FINDINGS: tuple[Finding, ...] = (
    finding(
        "F20",
        "OLD-COMMAND-REPLAYED",
        "the journal reaches back to the last refresh and not to the beginning of the read; a"
        " command older than the read is replayed over what others have done since, so that a"
        " binding that was changed, or a topic that was deleted, is back in the view",
        law="a_refresh_holds_what_it_read_but_for_later_commands",
        scope="journal:faults=0",
        steps=4,
        seen_as="until the next refresh this frontend places new segments by the old policy, or"
        " takes a deleted topic for one that is there and reads it as empty",
        permitted_by=("RNG-27 RFR-6", "RNG-27", "RFR-4", "RFR-8"),
        rule="A refresh replays only what was commanded, and took, since its own read began.",
        overlay=SINCE,
        states=9_048,
        amends=("RFR-8",),
    ),
    finding(
        "F21",
        "OWN-COMMAND-UNDONE",
        "a command may rest on what others did since the read began: its replay on that read is"
        " refused, and the view no longer shows what this frontend itself has done",
        law="what_was_commanded_since_the_read_survives_the_refresh",
        scope="heal:faults=0",
        steps=4,
        seen_as="a coordinator that has just sealed a segment lists it as open, or not at all, and"
        " plans the same repair again",
        permitted_by=("RFR-4", "PRD-10 RNG-18", "HEA-1", "RFR-8 RFR-9"),
        rule="A refresh replays what took since its own read began, and is given up where that read"
        " refuses one of these, since what is held is newer.",
        overlay=TAKEABLE,
        states=6_091,
        amends=("RFR-8", "RFR-9"),
    ),
    finding(
        "F22",
        "REFUSED-COMMAND-BELIEVED",
        "in the mode raft a refused command is applied to the caller's own view, and takes where"
        " that view is behind: a topic is believed to have another keyspace than it has",
        law="a_refused_command_leaves_the_view",
        scope="journal-raft:faults=0",
        steps=2,
        seen_as="the client hears already_exists, and until the next refresh this frontend routes"
        " keys of the topic by a keyspace of the wrong size",
        permitted_by=("RNG-5", "RNG-5 RNG-43"),
        rule="A caller applies to its own view only what the log answered with success.",
        overlay=TAKEN,
        states=3_251,
        amends=("RNG-43",),
    ),
    finding(
        "F23",
        "UNTAKEN-HEAL-MOVES-THE-HEAD",
        "set_segment_replicas moves the cached head also where it was refused or not answered",
        law="a_command_that_did_not_take_moves_no_head",
        scope="heal",
        steps=2,
        seen_as="this frontend's produces go to a broker that nobody else calls the primary, until"
        " it refreshes onto a sealed segment or is refused",
        permitted_by=("PRD-10", "HEA-1 HEA-2"),
        rule="The cached head follows a new replica set only where the command was answered ok.",
        overlay=MOVED,
        states=34_578,
        amends=("HEA-2",),
    ),
    finding(
        "F24",
        "OVERLAPPING-READS",
        "with two reads under way, the first install empties the journal, and the second, whose"
        " read is just as old, has nothing to replay: positions go back",
        law="a_refresh_moves_no_position_back",
        scope="journal:refreshes=2+0,faults=0,atonce=2",
        steps=5,
        seen_as="a consumer group that asks this frontend where it stands is sent back and reads"
        " again what it has committed",
        permitted_by=("RFR-4", "RFR-4 #1", "RNG-24", "RFR-3 RFR-7", "RFR-3 RFR-7"),
        assumes=("RFR-4 lets two reads overlap, if none is installed behind a later one",),
        rule="A caller begins a read only when the one before it is installed or given up.",
        overlay=None,
        states=22_376,
        amends=("RFR-4",),
    ),
    finding(
        "F25",
        "REPLAYED-HEAD-IS-DUE",
        "a registration that is replayed on an older read has no opening time, and an age sweep"
        " calls what has none due at once",
        law="no_roll_is_owed_before_its_age",
        scope="replayed",
        steps=4,
        seen_as="a segment that was opened a moment ago is fenced and sealed, and the log is cut"
        " into segments of few records",
        permitted_by=("RFR-4", "PRD-10", "RFR-8", "HEA-24"),
        rule="The sweep skips a segment without an opening time; the next refresh brings it.",
        overlay=AGED,
        states=34,
        amends=("HEA-24",),
    ),
    finding(
        "F26",
        "LATE-COMMIT-MOVES-BACK",
        "a commit that was given up and arrives after a later one moves the group back",
        law="what_lands_late_moves_no_position_back",
        scope="lateness",
        steps=3,
        seen_as="a group whose consumer retried elsewhere starts again at the older position",
        permitted_by=("RNG-40", "RNG-24", "RNG-24 #1"),
        assumes=("a command that got no answer may be applied later than one sent after it",),
        rule="The control plane refuses a commit that would take a group back; who means to go back"
        " has to say so.",
        overlay=UPWARDS,
        states=14,
        amends=("RNG-24",),
    ),
    finding(
        "F29",
        "POSITIONS-OF-ANOTHER-TOPIC",
        "what groups committed for a deleted topic is kept under its name; a topic that is created"
        " again has a root range of the same id, and the groups begin where they were in the old",
        law="a_new_topic_has_no_positions",
        scope="positions",
        steps=3,
        seen_as="the first records of the new topic are never delivered: the group stands above"
        " them, and is told that it has caught up",
        permitted_by=("RNG-24", "RNG-23", "RNG-5 RNG-8"),
        rule="Creating a topic drops what was committed for another of its name.",
        overlay=DROPPED,
        states=51,
        amends=("RNG-23", "RNG-25"),
    ),
)
