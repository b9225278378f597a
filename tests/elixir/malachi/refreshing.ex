defmodule Malachi.Broker.Refreshing do
  @moduledoc "A newer view, what this broker did meanwhile, and what is recovered after a restart."

  alias Malachi.Broker.{Control, Producing, Rolling}
  alias Malachi.Cluster.DSRSM
  alias Malachi.Metadata

  @doc "[RFR-1, RFR-2] Install a view that was read."
  def put_cache(broker, dsrsm, unreachable),
    do: %{broker | dsrsm: DSRSM.retain_vnodes(dsrsm, broker.dsrsm, unreachable)}

  @doc "[RFR-12..RFR-19] Let go of heads and rolls that the view has moved past, heads first."
  def drop_stale_active_segments(broker) do
    looked =
      Enum.reduce(broker.segments, broker, fn {range, head}, all -> judged(all, range, head) end)

    overtaken = for {_, roll} <- looked.rolling, overtaken?(looked, roll), do: roll
    Enum.reduce(overtaken, looked, &Rolling.cleared(&2, &1))
  end

  defp judged(broker, {topic, _} = range, head) do
    case Control.listed(broker, head.id) do
      %{state: :sealed} = sealed ->
        Rolling.forget_sealed(broker, range, head.id, Metadata.edge(sealed))

      _ ->
        case Control.view(broker, topic).ranges do
          %{^range => %{state: :sealed}} -> Rolling.evict(broker, range, head.id)
          _ -> broker
        end
    end
  end

  defp overtaken?(broker, %{range_id: range, segment_id: {_, number} = segment}) do
    listed = Control.listed(broker, segment)
    later = Control.listed_head(broker, range)

    (listed != nil and listed.state == :sealed) or
      (later != nil and later.replica_set != [] and elem(later.id, 1) > number)
  end

  @doc "[RFR-5] Keep a journal from now on."
  def journal(broker), do: %{broker | journal: broker.journal || []}

  @doc "[RFR-7] What the journal holds, oldest first, and the broker with an empty one."
  def take_journal(%{journal: nil} = broker), do: {[], broker}
  def take_journal(broker), do: {Enum.reverse(broker.journal), %{broker | journal: []}}

  @doc "[RFR-8..RFR-11] Apply commands to the view alone, whatever they answer."
  def replay_journal(broker, commands), do: Enum.reduce(commands, broker, &replayed(&2, &1))

  defp replayed(broker, {:commit_offset, group, topic, positions}) do
    held = Control.committed_offsets(broker, group, topic)

    higher =
      Map.merge(positions, Map.take(held, Map.keys(positions)), fn _, one, other ->
        later(one, other)
      end)

    applied(broker, {:commit_offset, group, topic, higher})
  end

  defp replayed(broker, command), do: applied(broker, command)

  defp later(:start, other), do: other
  defp later(one, :start), do: one
  defp later(one, other), do: max(one, other)

  defp applied(broker, command) do
    case topic_of(command) do
      nil ->
        broker

      topic ->
        {dsrsm, _reply} = DSRSM.command(broker.dsrsm, topic, command)
        %{broker | dsrsm: dsrsm}
    end
  end

  @doc "[RNG-48] The topic that a command is routed by; none for those that move one."
  def topic_of({:commit_offset, _, topic, _}), do: topic
  def topic_of({:register_segment, {topic, _}, _, _, _}), do: topic
  def topic_of({:merge_ranges, {topic, _}, _}), do: topic
  def topic_of({:split_range, {topic, _}}), do: topic
  def topic_of({word, _}) when word in [:begin_migration, :end_migration], do: nil
  def topic_of(command) when is_binary(elem(command, 1)), do: elem(command, 1)
  def topic_of(command), do: command |> elem(1) |> elem(0) |> elem(0)

  @doc "[RFR-20, RFR-21] Seed what was recovered of a range."
  def seed_range_state(broker, range, next, floor) do
    %{
      broker
      | offsets: Producing.raise_to(broker.offsets, range, next),
        segment_seq: Producing.raise_to(broker.segment_seq, range, floor),
        unrecovered: MapSet.delete(broker.unrecovered, range)
    }
  end

  @doc "[RFR-22..RFR-24] Admit that a range's end could not be learned."
  def seed_unrecovered_range(broker, range, floor) do
    raised = %{broker | segment_seq: Producing.raise_to(broker.segment_seq, range, floor)}

    if is_map_key(broker.offsets, range) do
      raised
    else
      unrecovered = MapSet.put(broker.unrecovered, range)
      %{raised | offsets: Map.put(broker.offsets, range, 0), unrecovered: unrecovered}
    end
  end

  @doc "[RFR-25] Whether a range waits for its recovery."
  def unrecovered?(broker, range), do: MapSet.member?(broker.unrecovered, range)
end
