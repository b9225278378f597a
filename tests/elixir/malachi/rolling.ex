defmodule Malachi.Broker.Rolling do
  @moduledoc "A segment ends with a fence, and what the fence answered becomes its length."

  alias Malachi.Broker.{Control, Producing}

  @doc "[ROL-11, ROL-13] Owe the roll of a segment, unless the range owes one."
  def owe(broker, range, segment) do
    %{broker | rolling: Map.put_new(broker.rolling, range, roll(range, segment))}
  end

  defp roll(range, %{replica_set: [primary | _]} = segment) do
    %{
      range_id: range,
      segment_id: segment.id,
      primary: primary,
      start_offset: segment.start_offset,
      fence_sent_at: nil
    }
  end

  @doc "[ROL-23, ROL-24] The roll of a range's head: the listed one, else the cached one."
  def active_roll(broker, range) do
    case Control.listed_head(broker, range) || broker.segments[range] do
      %{replica_set: [_ | _]} = head -> roll(range, head)
      _ -> :none
    end
  end

  @doc "[ROL-14] What is owed."
  def due_rolls(broker), do: Enum.map(Enum.sort(broker.rolling), &elem(&1, 1))

  @doc "[ROL-15, ROL-16] Owe rolls of segments that a sweep found too old."
  def request_rolls(broker, segments) do
    Enum.reduce(segments, broker, fn
      %{state: :active, replica_set: [_ | _], id: {range, number}} = segment, broker ->
        sequences = Producing.raise_to(broker.segment_seq, range, number + 1)
        owe(%{broker | segment_seq: sequences}, range, segment)

      _, broker ->
        broker
    end)
  end

  @doc "[ROL-17, ROL-18] The fences that go out now, marked as sent."
  def fences_to_send(broker, now, retry_after) do
    sent =
      for %{fence_sent_at: before} = roll <- due_rolls(broker),
          before == nil or now - before >= retry_after,
          do: %{roll | fence_sent_at: now}

    marked =
      Enum.reduce(sent, broker, fn %{range_id: range, segment_id: segment} = roll, broker ->
        mark = %{segment_id: segment, sent_at: now}
        rolling = Map.put(broker.rolling, range, roll)
        %{broker | rolling: rolling, fencing: Map.put(broker.fencing, range, mark)}
      end)

    {marked, sent}
  end

  @doc "[ROL-19] Whether the fence of this segment is awaited."
  def awaiting_fence?(broker, range, segment, now, window) do
    case broker.fencing do
      %{^range => %{segment_id: ^segment, sent_at: sent}} -> now - sent < window
      _ -> false
    end
  end

  @doc "[ROL-21] The lowest range of a topic whose fence is awaited, or nil."
  def range_awaiting_fence(broker, topic, now, window) do
    waiting =
      for {{^topic, _} = range, mark} <- broker.fencing, now - mark.sent_at < window, do: range

    Enum.min(waiting, fn -> nil end)
  end

  @doc "[ROL-22] Await a fence that failed no longer."
  def forget_fence(broker, roll), do: await_no_more(broker, roll.range_id, roll.segment_id)

  @doc "[ROL-25..ROL-28] Record what a fence answered."
  def record_fence(broker, roll, end_offset, size, at) do
    case Control.listed(broker, roll.segment_id) do
      %{state: :sealed} ->
        {cleared(broker, roll), :ok}

      _ ->
        case record_seal(broker, roll, end_offset, size, at) do
          {_, {:error, :no_such_segment}} -> {cleared(broker, roll), :ok}
          recorded -> recorded
        end
    end
  end

  @doc "[ROL-5..ROL-10] Record what closing a segment answered: all of it, or nothing."
  def record_seal(broker, %{segment_id: {{topic, _}, _} = segment} = roll, end_offset, size, at) do
    start = (Control.listed(broker, segment) || roll).start_offset
    length = end_offset - start

    case Control.tell(broker, topic, {:seal_segment, segment, length, size, at}) do
      {told, :ok} -> {closed(told, roll, start + length), :ok}
      {told, {:error, {:already_sealed, existing}}} -> {closed(told, roll, start + existing), :ok}
      {_told, {:error, _} = refusal} -> {broker, refusal}
      {_told, other} -> {broker, {:error, {:unexpected_seal_reply, other}}}
    end
  end

  @doc "[ROL-7, ROL-29, ROL-30] Sit down behind a seal that somebody else performed."
  def forget_sealed(broker, range, segment, end_offset) do
    head? = match?(%{^range => %{id: ^segment}}, broker.segments)
    owed? = match?(%{^range => %{segment_id: ^segment}}, broker.rolling)
    if head? or owed?, do: seated(broker, range, segment, end_offset), else: broker
  end

  @doc "Let go of the cached head of a range, where it is this segment."
  def evict(broker, range, segment) do
    case broker.segments do
      %{^range => %{id: ^segment}} -> %{broker | segments: Map.delete(broker.segments, range)}
      _ -> broker
    end
  end

  @doc "Owe the roll of a segment no longer, and await no answer to its fence."
  def cleared(broker, %{range_id: range, segment_id: segment}),
    do: broker |> owe_no_more(range, segment) |> await_no_more(range, segment)

  defp closed(broker, %{range_id: range, segment_id: segment}, edge),
    do: broker |> seated(range, segment, edge) |> await_no_more(range, segment)

  # ROL-6: set, and not raised.
  defp seated(broker, range, segment, edge) do
    broker = broker |> evict(range, segment) |> owe_no_more(range, segment)
    %{broker | offsets: Map.put(broker.offsets, range, edge)}
  end

  defp owe_no_more(broker, range, segment) do
    case broker.rolling do
      %{^range => %{segment_id: ^segment}} ->
        %{broker | rolling: Map.delete(broker.rolling, range)}

      _ ->
        broker
    end
  end

  defp await_no_more(broker, range, segment) do
    case broker.fencing do
      %{^range => %{segment_id: ^segment}} ->
        %{broker | fencing: Map.delete(broker.fencing, range)}

      _ ->
        broker
    end
  end
end
