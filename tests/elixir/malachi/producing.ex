defmodule Malachi.Broker.Producing do
  @moduledoc "Records are routed by key, and sent to the head of each range that they touch."

  alias Malachi.Broker.{Control, Rolling}
  alias Malachi.Cluster.Placement
  alias Malachi.Log.Record
  alias Malachi.Metadata

  @raced [:segment_exists, :segment_overlap, :active_segment_exists]

  @doc "[PRD-19..PRD-22] Send each group and wait for it; the first that fails ends it."
  def produce(broker, topic, records, replicate) do
    with {:ok, groups} <- routed(broker, topic, records) do
      send_groups(broker, groups, %{}, replicate)
    else
      refusal -> {broker, refusal}
    end
  end

  @doc "[PRD-15..PRD-17] Reserve offsets for all groups, or for none."
  def produce_plan(broker, topic, records) do
    with {:ok, groups} <- routed(broker, topic, records),
         {:ok, planned, placements, dispatches} <- plan(broker, groups, %{}, []) do
      {planned, {:ok, placements, dispatches}}
    else
      refusal -> {broker, refusal}
    end
  end

  @doc "[PRD-23..PRD-25] Take the primary's word, if it speaks of the head."
  def adopt_offsets(broker, range, segment, last) do
    case broker.segments do
      %{^range => %{id: ^segment}} -> adopted_end(broker, range, last)
      _ -> broker
    end
  end

  defp adopted_end(broker, range, last) do
    raised = raise_to(broker.offsets, range, last + 1)
    %{broker | offsets: raised, unrecovered: MapSet.delete(broker.unrecovered, range)}
  end

  # PRD-3..PRD-7: everything is routed before anything is opened.
  defp routed(broker, topic, records) do
    metadata = Control.view(broker, topic)

    if is_map_key(metadata.topics, topic) do
      ranges = Metadata.active_ranges_of(metadata, topic)
      size = metadata.topics[topic].keyspace_size
      blocks = for id <- ranges, do: {id, metadata.ranges[id]}
      grouped(Enum.map(records, &{owner(blocks, &1.key, size), &1}))
    else
      {:error, :no_such_topic}
    end
  end

  defp owner(blocks, key, size) do
    position = :erlang.phash2(key, size)

    Enum.find_value(blocks, fn {id, range} ->
      if range.key_start <= position and position < range.key_end, do: id
    end)
  end

  defp grouped(owned) do
    case Enum.find(owned, fn {range, _} -> range == nil end) do
      {nil, record} -> {:error, {:unroutable, record.key}}
      nil -> {:ok, owned |> Enum.group_by(&elem(&1, 0), &elem(&1, 1)) |> Enum.sort()}
    end
  end

  defp send_groups(broker, [], placements, _replicate), do: {broker, {:ok, placements}}

  defp send_groups(broker, [{range, records} | rest], placements, replicate) do
    with {:ok, opened} <- with_head(broker, range),
         {:ok, last} <- replicated(opened.segments[range], records, replicate) do
      sent = opened |> adopted_end(range, last) |> tally(range, records)
      placements = Map.put(placements, range, {last - length(records) + 1, last})
      send_groups(sent, rest, placements, replicate)
    else
      {:refused, id, at} ->
        {Rolling.forget_sealed(broker, range, id, at), {:error, {:sealed, at}}}

      {:error, _} = refusal ->
        {broker, refusal}
    end
  end

  # PRD-22: the refusal speaks of the head that was written to.
  defp replicated(%{replica_set: [primary | _]} = head, records, replicate) do
    case replicate.(primary, head.id, head.replica_set, head.start_offset, records) do
      {:error, {:sealed, at}} -> {:refused, head.id, at}
      other -> other
    end
  end

  defp plan(broker, [], placements, dispatches),
    do: {:ok, broker, placements, Enum.reverse(dispatches)}

  defp plan(broker, [{range, records} | rest], placements, dispatches) do
    with {:ok, opened} <- with_head(broker, range) do
      first = Map.get(opened.offsets, range, 0)
      last = first + length(records) - 1
      dispatch = dispatch(range, opened.segments[range], records, first, last)
      reserved = put_in(opened.offsets[range], last + 1)
      placements = Map.put(placements, range, {first, last})
      plan(tally(reserved, range, records), rest, placements, [dispatch | dispatches])
    end
  end

  defp dispatch(range, head, records, first, last) do
    %{
      range_id: range,
      primary: hd(head.replica_set),
      segment_id: head.id,
      replica_set: head.replica_set,
      base_offset: head.start_offset,
      records: records,
      first: first,
      last: last,
      count: length(records)
    }
  end

  # PRD-8, PRD-30
  defp with_head(broker, range) do
    case broker.segments do
      %{^range => %{replica_set: []}} -> {:error, :no_replicas}
      %{^range => _} -> {:ok, broker}
      _ -> opened(broker, range)
    end
  end

  defp opened(broker, range) do
    case adopted(broker, range) do
      nil -> register(broker, range)
      adopted -> {:ok, adopted}
    end
  end

  # PRD-9
  defp adopted(broker, range) do
    case Control.listed_head(broker, range) do
      %{replica_set: [_ | _]} = listed ->
        opened = head(broker, range, listed.id, listed.start_offset, listed.replica_set)
        %{opened | offsets: raise_to(opened.offsets, range, listed.start_offset)}

      _ ->
        nil
    end
  end

  # PRD-10..PRD-14
  defp register(broker, {topic, _} = range) do
    id = {range, Map.get(broker.segment_seq, range, 0)}
    start = Map.get(broker.offsets, range, 0)

    with {:ok, replicas} <- placed(broker, id, topic) do
      case Control.tell(broker, topic, {:register_segment, range, id, replicas, start}) do
        {told, :ok} -> {:ok, head(told, range, id, start, replicas)}
        {told, {:error, reason}} when reason in @raced -> winner(told, range, reason)
        {_told, {:error, reason}} -> {:error, reason}
        {_told, other} -> {:error, {:unexpected_register_reply, other}}
      end
    end
  end

  defp winner(told, range, reason) do
    case adopted(told, range) do
      nil -> {:error, reason}
      adopted -> {:ok, adopted}
    end
  end

  # PLC-14
  defp placed(broker, id, topic) do
    policy = Control.view(broker, topic).topics[topic].policy

    spread_by =
      case policy && broker.policy_fun.(policy) do
        %{placement: %{spread_by: attribute}} -> attribute
        _ -> broker.spread_by
      end

    Placement.place(
      id,
      broker.brokers,
      broker.replication_factor,
      spread_by,
      broker.broker_attributes,
      broker.min_domains,
      broker.placement_policy
    )
  end

  defp head(broker, range, {_, number} = id, start, replicas) do
    head = %{id: id, start_offset: start, bytes: 0, replica_set: replicas}
    sequences = raise_to(broker.segment_seq, range, number + 1)
    %{broker | segments: Map.put(broker.segments, range, head), segment_seq: sequences}
  end

  # PRD-26, ROL-11
  defp tally(broker, range, records) do
    head = broker.segments[range]
    bytes = head.bytes + Enum.sum(Enum.map(records, &Record.encoded_size/1))
    broker = put_in(broker.segments[range], %{head | bytes: bytes})
    if bytes >= broker.segment_max_bytes, do: Rolling.owe(broker, range, head), else: broker
  end

  @doc "A map in which one value is at least so high."
  def raise_to(map, key, floor), do: Map.update(map, key, floor, &max(&1, floor))
end
