defmodule Malachi.Cluster.DSRSM do
  @moduledoc "The control plane in shards: a ring of vnodes, and the metadata of each."

  alias Malachi.Metadata

  defstruct ring: [], vnodes: %{}

  @positions Integer.pow(2, 32)

  @doc "[RNG-31] No vnode at all."
  def new, do: %__MODULE__{}

  @doc "[PLC-3] One vnode, which owns every topic."
  def single(metadata \\ Metadata.new()),
    do: %__MODULE__{ring: [{0, :vnode_0}], vnodes: %{vnode_0: metadata}}

  @doc "One more vnode on the ring."
  def add_vnode(dsrsm, id, token) do
    ring = Enum.sort([{token, id} | dsrsm.ring])
    {:ok, %{dsrsm | ring: ring, vnodes: Map.put(dsrsm.vnodes, id, Metadata.new())}}
  end

  @doc "[RNG-30, RNG-33] Send a command to the vnode of a topic."
  def command(dsrsm, _topic, {:merge_ranges, {one, _}, {other, _}}) when one != other,
    do: {dsrsm, {:error, :range_topic_mismatch}}

  def command(dsrsm, topic, command) do
    case owner(dsrsm, topic) do
      nil ->
        {dsrsm, {:error, :no_vnode}}

      id ->
        {metadata, reply} = Metadata.apply(dsrsm.vnodes[id], command)
        {%{dsrsm | vnodes: Map.put(dsrsm.vnodes, id, metadata)}, reply}
    end
  end

  @doc "What the vnode of a topic holds."
  def metadata_of(dsrsm, topic) do
    case owner(dsrsm, topic) do
      nil -> Metadata.new()
      id -> dsrsm.vnodes[id]
    end
  end

  @doc "[RNG-37] What all vnodes hold, as one."
  def merged_metadata(dsrsm) do
    Enum.reduce(dsrsm.vnodes, Metadata.new(), fn {_, one}, all ->
      %Metadata{
        topics: Map.merge(all.topics, one.topics),
        ranges: Map.merge(all.ranges, one.ranges),
        segments: Map.merge(all.segments, one.segments),
        committed_offsets: Map.merge(all.committed_offsets, one.committed_offsets),
        migrating: MapSet.union(all.migrating, one.migrating)
      }
    end)
  end

  @doc "[RFR-2] The newer view, with some vnodes as they were held before."
  def retain_vnodes(newer, held, ids) do
    %{newer | vnodes: Map.merge(newer.vnodes, Map.take(held.vnodes, ids))}
  end

  defp owner(%{ring: []}, _topic), do: nil

  defp owner(%{ring: [{_, lowest} | _] = ring}, topic) do
    position = :erlang.phash2(topic, @positions)
    Enum.find_value(ring, lowest, fn {token, id} -> if token >= position, do: id end)
  end
end
