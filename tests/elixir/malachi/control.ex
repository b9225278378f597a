defmodule Malachi.Broker.Control do
  @moduledoc "Commands to the control plane, and what the view says of topics."

  alias Malachi.Cluster.DSRSM
  alias Malachi.Metadata

  @doc "[RNG-39, RFR-6] Send a command; the broker with the view that came back, and the reply."
  def tell(broker, topic, command) do
    {dsrsm, reply} = broker.command_fun.(broker.dsrsm, topic, command)
    journaled? = broker.journal != nil and dsrsm != broker.dsrsm
    journal = if journaled?, do: [command | broker.journal], else: broker.journal
    {%{broker | dsrsm: dsrsm, journal: journal}, reply}
  end

  @doc "What the view holds of a topic's vnode."
  def view(broker, topic), do: DSRSM.metadata_of(broker.dsrsm, topic)

  @doc "What the view lists for a segment, or nil."
  def listed(broker, {{topic, _}, _} = segment), do: view(broker, topic).segments[segment]

  @doc "[RNG-2] The active segment that the view lists for a range, or nil."
  def listed_head(broker, {topic, _} = range), do: Metadata.head_of(view(broker, topic), range)

  def create_topic(broker, topic, bits), do: tell(broker, topic, {:create_topic, topic, bits})

  def split_range(broker, {topic, _} = range),
    do: reshape(broker, topic, {:split_range, range})

  def merge_ranges(broker, {topic, _} = first, second),
    do: reshape(broker, topic, {:merge_ranges, first, second})

  # RNG-15: what is not answered with success leaves nothing behind.
  defp reshape(broker, topic, command) do
    case tell(broker, topic, command) do
      {told, reply} when elem(reply, 0) == :ok -> {told, reply}
      {_told, reply} -> {broker, reply}
    end
  end

  def delete_segment(broker, {{topic, _}, _} = segment),
    do: tell(broker, topic, {:delete_segment, segment})

  def commit_offset(broker, group, topic, positions),
    do: tell(broker, topic, {:commit_offset, group, topic, positions})

  @doc "[RNG-26] Where a group stands."
  def committed_offsets(broker, group, topic),
    do: Map.get(view(broker, topic).committed_offsets, {group, topic}, %{})

  def bind_topic_policy(broker, topic, name),
    do: tell(broker, topic, {:bind_topic_policy, topic, name})

  @doc "[RNG-28] The policy name of a topic."
  def topic_policy_name(broker, topic) do
    case view(broker, topic).topics do
      %{^topic => found} -> {:ok, found.policy}
      _ -> {:error, :no_such_topic}
    end
  end

  @doc "[RNG-29] The topics of a policy name."
  def topics_bound_to(broker, name) do
    metadata = DSRSM.merged_metadata(broker.dsrsm)
    Enum.sort(for {topic, found} <- metadata.topics, found.policy == name, do: topic)
  end
end
