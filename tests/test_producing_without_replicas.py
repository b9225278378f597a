"""A head whose replicas a heal has taken away."""

from reference import frontend, healing, producing, ranges
from reference.commanding import in_memory
from reference.frontend import Frontend
from spec.commands import SetSegmentReplicas
from spec.replies import Failed, NoReplicas
from spec.vocabulary import Broker, Dispatch, Record, TopicName

TOPIC = TopicName("t")


def with_a_bare_head() -> Frontend:
    """A frontend whose cached head lists no replica."""
    front = frontend.open(brokers=[Broker("p")])
    front, _ = ranges.create_topic(front, TOPIC, 4, in_memory)
    front, _ = producing.produce_plan(front, TOPIC, [Record(None, b"v")], in_memory)
    (head,) = front.heads.values()
    return healing.apply_heal(front, [SetSegmentReplicas(head.id, ())], in_memory)


def test_a_plan_for_a_head_without_replicas_sends_nothing() -> None:
    """[PRD-30] There is no primary to name in a dispatch."""
    front = with_a_bare_head()

    planned, reply = producing.produce_plan(front, TOPIC, [Record(None, b"v")], in_memory)

    assert (planned, reply) == (front, NoReplicas())


def test_a_produce_to_a_head_without_replicas_asks_no_store() -> None:
    """[PRD-30] Nothing was sent, so the refusal is definite."""
    front = with_a_bare_head()
    asked: list[Dispatch] = []

    def replicate(dispatch: Dispatch) -> Failed:
        asked.append(dispatch)
        return Failed("asked")

    produced, reply = producing.produce(front, TOPIC, [Record(None, b"v")], replicate, in_memory)

    assert (produced, reply, asked) == (front, NoReplicas(), [])
    assert NoReplicas.is_definite
