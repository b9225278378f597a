defmodule Malachi.Cluster.Placement do
  @moduledoc "Which brokers keep a segment, and which of them leads."

  @doc "[PLC-5..PLC-13] A replica set for a segment, or why there is none."
  def place(segment, brokers, factor, spread_by, attributes, min_domains, policy) do
    ranked = rank(segment, Enum.uniq(brokers))

    cond do
      ranked == [] -> {:error, :no_brokers}
      factor < 1 -> {:error, :invalid_replication_factor}
      true -> chosen(ranked, factor, spread_by, attributes, min_domains, policy)
    end
  end

  @doc "[PLC-18] How many domains a replica set spans."
  def domains(replicas, spread_by, attributes) do
    replicas |> Enum.map(&domain(&1, spread_by, attributes)) |> Enum.uniq() |> length()
  end

  defp rank(segment, brokers),
    do: Enum.sort_by(brokers, &{:erlang.phash2({segment, &1}), &1}, :desc)

  defp chosen(ranked, factor, spread_by, attributes, min_domains, policy) do
    replicas = ranked |> in_turns(spread_by, attributes) |> Enum.take(factor)
    covered = domains(replicas, spread_by, attributes)

    if min_domains != nil and covered < min_domains and policy != :soft do
      {:error, {:insufficient_domains, covered, min_domains}}
    else
      {:ok, replicas}
    end
  end

  # One broker of each domain, then a second of each, domains by their best broker.
  defp in_turns(ranked, nil, _attributes), do: ranked

  defp in_turns(ranked, spread_by, attributes) do
    order = ranked |> Enum.map(&domain(&1, spread_by, attributes)) |> Enum.uniq()
    members = Enum.group_by(ranked, &domain(&1, spread_by, attributes))

    turns =
      for {domain, place} <- Enum.with_index(order),
          {broker, turn} <- Enum.with_index(members[domain]) do
        {turn, place, broker}
      end

    turns |> Enum.sort() |> Enum.map(&elem(&1, 2))
  end

  # PLC-9: brokers without the attribute share a domain; PLC-12: without one, each is its own.
  defp domain(broker, nil, _attributes), do: broker
  defp domain(broker, spread_by, attributes), do: Map.get(attributes, broker, %{})[spread_by]
end
