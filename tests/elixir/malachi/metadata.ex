defmodule Malachi.Metadata do
  @moduledoc "The control plane of one vnode: a command goes in, an answer comes out."

  import Kernel, except: [apply: 2]

  defstruct topics: %{},
            ranges: %{},
            segments: %{},
            committed_offsets: %{},
            migrating: MapSet.new()

  @name ~r/\A[A-Za-z0-9._-]+\z/
  @largest 32

  @doc "A control plane without topics."
  def new, do: %__MODULE__{}

  @doc "[RNG-3] Apply a command. One that is refused changes nothing."
  def apply(metadata, command) do
    if moving?(metadata, command) do
      {metadata, {:error, :migrating}}
    else
      step(metadata, command)
    end
  end

  @doc "The segments of a range, by start and then by id."
  def segments_of(metadata, range) do
    found = for {_, segment} <- metadata.segments, segment.range_id == range, do: segment
    Enum.sort_by(found, &{&1.start_offset, &1.id})
  end

  @doc "[RNG-2] The active segment of a range, or nil."
  def head_of(metadata, range) do
    Enum.find(segments_of(metadata, range), &(&1.state == :active))
  end

  @doc "[RNG-38] The ids of a topic's active ranges, ascending."
  def active_ranges_of(metadata, topic) do
    Enum.sort(for {{^topic, _} = id, range} <- metadata.ranges, range.state == :active, do: id)
  end

  @doc "Where a sealed segment ends."
  def edge(segment), do: segment.start_offset + segment.length

  # RNG-34: only what is known can be on its way elsewhere, and a merge looks at its first range.
  defp moving?(metadata, command) do
    case subject(metadata, command) do
      nil -> false
      topic -> MapSet.member?(metadata.migrating, topic)
    end
  end

  defp subject(metadata, {word, {topic, _} = range})
       when word == :split_range and is_map_key(metadata.ranges, range),
       do: topic

  defp subject(metadata, {:merge_ranges, {topic, _} = range, _})
       when is_map_key(metadata.ranges, range),
       do: topic

  defp subject(metadata, {:register_segment, {topic, _} = range, _, _, _})
       when is_map_key(metadata.ranges, range),
       do: topic

  defp subject(metadata, {:commit_offset, _, topic, _}) when is_map_key(metadata.topics, topic),
    do: topic

  defp subject(metadata, command)
       when elem(command, 0) in [:seal_topic, :delete_topic, :bind_topic_policy] do
    topic = elem(command, 1)
    if is_map_key(metadata.topics, topic), do: topic
  end

  defp subject(metadata, command)
       when elem(command, 0) in [:seal_segment, :delete_segment, :set_segment_replicas] do
    id = elem(command, 1)
    if is_map_key(metadata.segments, id), do: id |> elem(0) |> elem(0)
  end

  defp subject(_metadata, _command), do: nil

  # RNG-5, RNG-6, RNG-7
  defp step(metadata, {:create_topic, topic, bits}) do
    cond do
      topic in [".", ".."] or not Regex.match?(@name, topic) ->
        {metadata, {:error, :invalid_topic_name}}

      is_map_key(metadata.topics, topic) ->
        {metadata, {:error, :already_exists}}

      bits not in 1..@largest ->
        {metadata, {:error, :invalid_keyspace_bits}}

      true ->
        size = Integer.pow(2, bits)
        made = %{keyspace_size: size, state: :active, next_range_seq: 1, policy: nil}
        root = range({topic, 0}, 0, size, size, [])
        {metadata |> put(:topics, topic, made) |> put(:ranges, root.id, root), {:ok, root.id}}
    end
  end

  # RNG-22
  defp step(metadata, {:seal_topic, topic}) do
    with_topic(metadata, topic, fn metadata, found ->
      ranges =
        Map.new(metadata.ranges, fn
          {{^topic, _} = id, range} -> {id, %{range | state: :sealed}}
          other -> other
        end)

      {put(%{metadata | ranges: ranges}, :topics, topic, %{found | state: :sealed}), :ok}
    end)
  end

  # RNG-23
  defp step(metadata, {:delete_topic, topic}) do
    with_topic(metadata, topic, fn metadata, _found ->
      ranges = Map.reject(metadata.ranges, fn {{owner, _}, _} -> owner == topic end)
      segments = Map.reject(metadata.segments, fn {{{owner, _}, _}, _} -> owner == topic end)
      topics = Map.delete(metadata.topics, topic)
      {%{metadata | topics: topics, ranges: ranges, segments: segments}, :ok}
    end)
  end

  # RNG-9, RNG-10
  defp step(metadata, {:split_range, id}) do
    with {:ok, parent} <- writable(metadata, id),
         :ok <- without_head(metadata, id),
         :ok <- splittable(parent) do
      middle = parent.key_start + div(parent.key_end - parent.key_start, 2)
      parents = parent.parents ++ [id]
      blocks = [{parent.key_start, middle}, {middle, parent.key_end}]
      {metadata, [left, right]} = succeed(metadata, [id], blocks, parents)
      {metadata, {:ok, left, right}}
    else
      refusal -> {metadata, refusal}
    end
  end

  # RNG-11, RNG-12
  defp step(metadata, {:merge_ranges, first, second}) do
    with {:ok, one} <- writable(metadata, first),
         {:ok, other} <- writable(metadata, second),
         :ok <- without_head(metadata, first),
         :ok <- without_head(metadata, second),
         :ok <- same_topic(first, second),
         :ok <- buddies(one, other) do
      block = {min(one.key_start, other.key_start), max(one.key_end, other.key_end)}
      parents = Enum.uniq(one.parents ++ other.parents ++ [first, second])
      {metadata, [child]} = succeed(metadata, [first, second], [block], parents)
      {metadata, {:ok, child}}
    else
      refusal -> {metadata, refusal}
    end
  end

  # RNG-16, RNG-17, RNG-18
  defp step(metadata, {:register_segment, range, id, replicas, start}) do
    with {:ok, _} <- writable(metadata, range),
         :ok <- refuse(is_map_key(metadata.segments, id), :segment_exists),
         :ok <- without_head(metadata, range),
         :ok <- refuse(overlaps?(metadata, range, start), :segment_overlap) do
      {put(metadata, :segments, id, opened(range, id, replicas, start)), :ok}
    else
      refusal -> {metadata, refusal}
    end
  end

  # RNG-19
  defp step(metadata, {:seal_segment, id, length, size, at}) do
    case metadata.segments do
      %{^id => %{state: :active} = segment} ->
        sealed = %{segment | state: :sealed, length: length, byte_size: size, sealed_at: at}
        {put(metadata, :segments, id, sealed), :ok}

      %{^id => %{length: ^length}} ->
        {metadata, :ok}

      %{^id => %{length: existing}} ->
        {metadata, {:error, {:already_sealed, existing}}}

      _ ->
        {metadata, {:error, :no_such_segment}}
    end
  end

  # RNG-20
  defp step(metadata, {:delete_segment, id}) do
    case metadata.segments do
      %{^id => %{state: :active}} -> {metadata, {:error, :segment_active}}
      %{^id => _} -> {%{metadata | segments: Map.delete(metadata.segments, id)}, :ok}
      _ -> {metadata, {:error, :no_such_segment}}
    end
  end

  # RNG-21
  defp step(metadata, {:set_segment_replicas, id, replicas}) do
    case metadata.segments do
      %{^id => segment} -> {put(metadata, :segments, id, %{segment | replica_set: replicas}), :ok}
      _ -> {metadata, {:error, :no_such_segment}}
    end
  end

  # RNG-24, RNG-25
  defp step(metadata, {:commit_offset, group, topic, positions}) do
    merged = Map.merge(Map.get(metadata.committed_offsets, {group, topic}, %{}), positions)

    kept =
      if is_map_key(metadata.topics, topic),
        do: Map.take(merged, active_ranges_of(metadata, topic)),
        else: merged

    {put(metadata, :committed_offsets, {group, topic}, kept), :ok}
  end

  # RNG-27
  defp step(metadata, {:bind_topic_policy, topic, name}) do
    with_topic(metadata, topic, fn metadata, found ->
      if name == nil or (is_binary(name) and name != "") do
        {put(metadata, :topics, topic, %{found | policy: name}), :ok}
      else
        {metadata, {:error, :invalid_policy}}
      end
    end)
  end

  # RNG-35
  defp step(metadata, {:begin_migration, topic}) do
    with_topic(metadata, topic, fn metadata, _found ->
      {%{metadata | migrating: MapSet.put(metadata.migrating, topic)}, :ok}
    end)
  end

  defp step(metadata, {:end_migration, topic}),
    do: {%{metadata | migrating: MapSet.delete(metadata.migrating, topic)}, :ok}

  # RNG-32
  defp step(metadata, _command), do: {metadata, {:error, :unknown_command}}

  defp with_topic(metadata, topic, run) do
    case metadata.topics do
      %{^topic => found} -> run.(metadata, found)
      _ -> {metadata, {:error, :no_such_topic}}
    end
  end

  defp writable(metadata, id) do
    case metadata.ranges do
      %{^id => %{state: :active} = range} -> {:ok, range}
      %{^id => _} -> {:error, :sealed}
      _ -> {:error, :no_such_range}
    end
  end

  defp without_head(metadata, range),
    do: refuse(head_of(metadata, range) != nil, :active_segment_exists)

  defp splittable(range), do: refuse(range.key_end - range.key_start < 2, :cannot_split)
  defp same_topic({topic, _}, {topic, _}), do: :ok
  defp same_topic(_, _), do: {:error, :different_topic}

  # RNG-13
  defp buddies(one, other) do
    size = one.key_end - one.key_start

    fits =
      one.keyspace_size == other.keyspace_size and size == other.key_end - other.key_start and
        Bitwise.bxor(one.key_start, size) == other.key_start

    refuse(not fits, :not_buddies)
  end

  defp overlaps?(metadata, range, start) do
    case for(%{state: :sealed} = one <- segments_of(metadata, range), do: edge(one)) do
      [] -> false
      edges -> start != Enum.max(edges)
    end
  end

  defp refuse(true, reason), do: {:error, reason}
  defp refuse(false, _reason), do: :ok

  # RNG-8: the ids come from the topic's counter, in the order of the blocks.
  defp succeed(metadata, [{topic, _} = first | _] = retired, blocks, parents) do
    owner = metadata.topics[topic]
    size = metadata.ranges[first].keyspace_size

    children =
      for {{from, to}, place} <- Enum.with_index(blocks) do
        range({topic, owner.next_range_seq + place}, from, to, size, parents)
      end

    ranges = Enum.reduce(retired, metadata.ranges, &put_in(&2[&1].state, :sealed))
    ranges = Enum.reduce(children, ranges, &Map.put(&2, &1.id, &1))
    counted = %{owner | next_range_seq: owner.next_range_seq + length(children)}
    {put(%{metadata | ranges: ranges}, :topics, topic, counted), Enum.map(children, & &1.id)}
  end

  defp range(id, from, to, size, parents) do
    %{
      id: id,
      key_start: from,
      key_end: to,
      keyspace_size: size,
      state: :active,
      parents: parents
    }
  end

  defp opened(range, id, replicas, start) do
    %{
      id: id,
      range_id: range,
      replica_set: replicas,
      start_offset: start,
      state: :active,
      length: nil,
      byte_size: nil,
      opened_at: nil,
      sealed_at: nil
    }
  end

  defp put(metadata, part, key, value),
    do: Map.update!(metadata, part, &Map.put(&1, key, value))
end
