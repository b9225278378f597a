defmodule Malachi.Broker.Reading do
  @moduledoc "Records in order, across expired segments and across the ranges that came before."

  alias Malachi.Broker.{Control, Skip}
  alias Malachi.Metadata

  @page 1000

  @doc "[RDG-1..RDG-8] Records of one segment, up to its edge."
  def read(_broker, _range, _offset, max, _read) when max < 1, do: {:error, :invalid_argument}

  def read(broker, {topic, _} = range, offset, max, read) do
    if offset < 0 or offset >= Map.get(broker.offsets, range, 0) do
      :eof
    else
      segments = Metadata.segments_of(Control.view(broker, topic), range)
      asked(serving(segments, offset), offset, max, read)
    end
  end

  defp asked(nil, _offset, _max, _read), do: :eof
  defp asked(%{replica_set: []}, _offset, _max, _read), do: {:error, :no_replicas}

  defp asked(segment, offset, max, read) do
    from = max(offset, segment.start_offset)
    edge = if segment.state == :sealed, do: Metadata.edge(segment), else: :none
    max = if edge == :none, do: max, else: min(max, edge - from)

    case read.(hd(segment.replica_set), segment.id, from, max) do
      {:ok, records} -> {:ok, Enum.filter(records, &(edge == :none or &1.offset < edge))}
      other -> other
    end
  end

  # RDG-3, RDG-4, RDG-5: the highest start at or below that serves, else the nearest above.
  defp serving(segments, offset) do
    {below, above} =
      segments
      |> Enum.filter(&(&1.state == :active or &1.length > 0))
      |> Enum.split_with(&(&1.start_offset <= offset))

    reaching = Enum.filter(below, &(&1.state == :active or offset < Metadata.edge(&1)))
    Enum.max_by(reaching, & &1.start_offset, fn -> List.first(above) end)
  end

  @doc "[RDG-15..RDG-25] A consumer's page."
  def read_consume(broker, {topic, _} = range, cursor, max, read) do
    metadata = Control.view(broker, topic)

    cond do
      max < 1 -> {:error, :invalid_argument}
      not is_map_key(metadata.ranges, range) -> {:error, :no_such_range}
      MapSet.member?(broker.unrecovered, range) -> {:error, :metadata_unavailable}
      true -> consume(stream(broker, metadata, range, cursor, read), place(cursor), cursor, max)
    end
  end

  defp consume(%{sources: sources}, {source, _}, cursor, _max) when source >= length(sources),
    do: {:ok, [], cursor, []}

  defp consume(stream, place, _cursor, max), do: page(stream, place, max, [], [])

  defp page(_stream, place, 0, records, skips), do: filled(records, place, skips)

  defp page(stream, {source, offset}, left, records, skips) do
    own? = source == length(stream.sources) - 1

    case read(stream.broker, Enum.at(stream.sources, source), offset, left, stream.read) do
      {:ok, [first | _] = found} ->
        passed = skip(stream, source, offset, first.offset - offset)
        kept = slice(stream, source, found)
        next = {source, List.last(found).offset + 1}
        page(stream, next, left - length(kept), records ++ kept, skips ++ passed)

      {:error, _} = failed ->
        failed

      _nothing when own? ->
        resting = max(offset, earliest(stream, source))
        passed = skip(stream, source, offset, resting - offset)
        filled(records, {source, resting}, skips ++ passed)

      _nothing ->
        page(stream, {source + 1, 0}, left, records, skips ++ lost(stream, source, offset))
    end
  end

  defp filled(records, place, skips), do: {:ok, records, place, skips}

  # RDG-22, RDG-23
  defp lost(stream, source, offset) do
    range = Enum.at(stream.sources, source)
    listed = Metadata.segments_of(stream.metadata, range)
    edges = for %{state: :sealed} = segment <- listed, do: Metadata.edge(segment)
    known? = is_map_key(stream.broker.offsets, range) and range not in stream.broker.unrecovered

    if listed == [] and not known? and offset > 0 do
      skip(stream, source, offset, :unknown)
    else
      from = Enum.max([offset | edges])
      skip(stream, source, from, Map.get(stream.broker.offsets, range, 0) - from)
    end
  end

  # RDG-24, RDG-25
  defp skip(_stream, _source, _from, count) when is_integer(count) and count <= 0, do: []

  defp skip(stream, source, from, count) do
    own? = source == length(stream.sources) - 1

    [
      %Skip{
        range_id: stream.range,
        source_range_id: Enum.at(stream.sources, source),
        from: from,
        offsets: count,
        origin: stream.origin,
        source: if(own?, do: :self, else: :ancestor)
      }
    ]
  end

  defp earliest(stream, source) do
    case Metadata.segments_of(stream.metadata, Enum.at(stream.sources, source)) do
      [] -> 0
      [first | _] -> first.start_offset
    end
  end

  @doc "[RDG-26..RDG-28] A page of a history."
  def stream_history(_broker, _range, :done, _max, _read), do: {:ok, [], :done}

  def stream_history(broker, {topic, _} = range, cursor, max, read) do
    metadata = Control.view(broker, topic)

    cond do
      max < 1 -> {:error, :invalid_argument}
      not is_map_key(metadata.ranges, range) -> {:error, :no_such_range}
      true -> history(stream(broker, metadata, range, cursor, read), place(cursor), max)
    end
  end

  defp history(%{sources: sources}, {source, _}, _max) when source >= length(sources),
    do: {:ok, [], :done}

  defp history(stream, {source, offset}, max) do
    case read(stream.broker, Enum.at(stream.sources, source), offset, max, stream.read) do
      {:ok, [_ | _] = found} ->
        {:ok, slice(stream, source, found), {source, List.last(found).offset + 1}}

      {:error, _} = failed ->
        failed

      _nothing ->
        history(stream, {source + 1, 0}, max)
    end
  end

  @doc "[RDG-29] A whole history."
  def read_history(broker, range, read), do: gather(broker, range, :start, read, [])

  defp gather(_broker, _range, :done, _read, records), do: {:ok, records}

  defp gather(broker, range, cursor, read, records) do
    with {:ok, found, next} <- stream_history(broker, range, cursor, @page, read),
         do: gather(broker, range, next, read, records ++ found)
  end

  # RDG-12: the ancestors in their order, then the range itself.
  defp stream(broker, metadata, range, cursor, read) do
    %{
      broker: broker,
      metadata: metadata,
      range: range,
      block: metadata.ranges[range],
      sources: metadata.ranges[range].parents ++ [range],
      origin: if(cursor == :start, do: :start, else: :cursor),
      read: read
    }
  end

  defp place(:start), do: {0, 0}
  defp place(cursor), do: cursor

  # RDG-13
  defp slice(%{sources: sources}, source, records) when source == length(sources) - 1, do: records

  defp slice(%{block: block}, _source, records) do
    Enum.filter(records, fn record ->
      position = :erlang.phash2(record.key, block.keyspace_size)
      block.key_start <= position and position < block.key_end
    end)
  end
end
