defmodule Malachi.Broker do
  @moduledoc """
  A small broker frontend, written from the clauses of the specification.

  The value and what opens it stand here, and every function of the document; the chapters have
  modules of their own.
  """

  alias Malachi.Broker.{Control, Healing, Producing, Reading, Refreshing, Rolling}
  alias Malachi.Cluster.{DSRSM, Placement}
  alias Malachi.Metadata

  defstruct dsrsm: nil,
            command_fun: nil,
            policy_fun: nil,
            brokers: [],
            replication_factor: 1,
            segment_max_bytes: 67_108_864,
            spread_by: nil,
            broker_attributes: %{},
            min_domains: nil,
            placement_policy: :hard,
            offsets: %{},
            segments: %{},
            segment_seq: %{},
            rolling: %{},
            fencing: %{},
            unrecovered: MapSet.new(),
            journal: nil

  @doc "[PLC-1..PLC-4] Open an empty broker."
  def open(options) do
    defaults = [dsrsm: DSRSM.single(), command_fun: &DSRSM.command/3, policy_fun: fn _ -> nil end]
    broker = struct!(%__MODULE__{brokers: [node()]}, Keyword.merge(defaults, options))
    if broker.brokers == [], do: raise(ArgumentError, "brokers must not be empty")
    if broker.replication_factor < 1, do: raise(ArgumentError, "replication_factor is below 1")
    if broker.segment_max_bytes < 1, do: raise(ArgumentError, "segment_max_bytes is below 1")

    if broker.placement_policy not in [:hard, :soft],
      do: raise(ArgumentError, "placement_policy is neither hard nor soft")

    {:ok, broker}
  end

  @doc "[PLC-15] Replace the brokers that new segments are placed on."
  def set_brokers(broker, [_ | _] = brokers), do: %{broker | brokers: brokers}

  @doc "[PLC-15] Replace what is known of where brokers stand."
  def set_broker_attributes(broker, attributes), do: %{broker | broker_attributes: attributes}

  @doc "[PLC-18, PLC-19] Segments of each topic that span too few domains."
  def domain_violations(broker), do: domain_violations(broker, metadata(broker))

  @doc "[PLC-20] The same over a view that was merged already."
  def domain_violations(%{spread_by: nil}, _metadata), do: %{}
  def domain_violations(%{min_domains: nil}, _metadata), do: %{}

  def domain_violations(broker, metadata) do
    thin =
      for {{{topic, _}, _}, segment} <- metadata.segments,
          Placement.domains(segment.replica_set, broker.spread_by, broker.broker_attributes) <
            broker.min_domains,
          do: topic

    Enum.frequencies(thin)
  end

  @doc "[RNG-37] The view as one."
  def metadata(broker), do: DSRSM.merged_metadata(broker.dsrsm)

  @doc "[RNG-38] The active ranges of a topic."
  def active_range_ids(broker, topic),
    do: broker.dsrsm |> DSRSM.metadata_of(topic) |> Metadata.active_ranges_of(topic)

  defdelegate create_topic(broker, topic, bits), to: Control
  defdelegate split_range(broker, range), to: Control
  defdelegate merge_ranges(broker, first, second), to: Control
  defdelegate delete_segment(broker, segment), to: Control
  defdelegate commit_offset(broker, group, topic, positions), to: Control
  defdelegate committed_offsets(broker, group, topic), to: Control
  defdelegate bind_topic_policy(broker, topic, name), to: Control
  defdelegate topic_policy_name(broker, topic), to: Control
  defdelegate topics_bound_to(broker, name), to: Control
  defdelegate produce(broker, topic, records, replicate), to: Producing
  defdelegate produce_plan(broker, topic, records), to: Producing
  defdelegate adopt_offsets(broker, range, segment, last), to: Producing
  defdelegate active_roll(broker, range), to: Rolling
  defdelegate due_rolls(broker), to: Rolling
  defdelegate request_rolls(broker, segments), to: Rolling
  defdelegate fences_to_send(broker, now, retry_after), to: Rolling
  defdelegate awaiting_fence?(broker, range, segment, now, window), to: Rolling
  defdelegate range_awaiting_fence(broker, topic, now, window), to: Rolling
  defdelegate forget_fence(broker, roll), to: Rolling
  defdelegate record_fence(broker, roll, end_offset, size, at), to: Rolling
  defdelegate record_seal(broker, roll, end_offset, size, at), to: Rolling
  defdelegate forget_sealed(broker, range, segment, end_offset), to: Rolling
  defdelegate put_cache(broker, dsrsm, unreachable), to: Refreshing
  defdelegate drop_stale_active_segments(broker), to: Refreshing
  defdelegate journal(broker), to: Refreshing
  defdelegate take_journal(broker), to: Refreshing
  defdelegate replay_journal(broker, commands), to: Refreshing
  defdelegate seed_range_state(broker, range, next, floor), to: Refreshing
  defdelegate seed_unrecovered_range(broker, range, floor), to: Refreshing
  defdelegate unrecovered?(broker, range), to: Refreshing
  defdelegate apply_heal(broker, commands), to: Healing
  defdelegate apply_heal_reply(broker, commands), to: Healing
  defdelegate read(broker, range, offset, max, read), to: Reading
  defdelegate read_consume(broker, range, cursor, max, read), to: Reading
  defdelegate stream_history(broker, range, cursor, max, read), to: Reading
  defdelegate read_history(broker, range, read), to: Reading
end
