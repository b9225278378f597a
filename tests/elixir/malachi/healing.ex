defmodule Malachi.Broker.Healing do
  @moduledoc "What a broker takes over of the commands that heal segments."

  alias Malachi.Broker.{Control, Refreshing, Rolling}
  alias Malachi.Metadata

  @doc "[HEA-1] Send commands, and forget what they answered."
  def apply_heal(broker, commands), do: elem(apply_heal_reply(broker, commands), 0)

  @doc "[HEA-6] Send commands, and answer the first that did not take."
  def apply_heal_reply(broker, commands) do
    Enum.reduce(commands, {broker, :ok}, fn command, {broker, answer} ->
      {told, reply} = Control.tell(broker, topic_of(command), command)
      {healed(told, command), first_failure(answer, reply)}
    end)
  end

  defp topic_of(command), do: Refreshing.topic_of(command) || elem(command, 1)

  defp first_failure(:ok, reply) when reply == :ok or elem(reply, 0) == :ok, do: :ok
  defp first_failure(:ok, reply), do: reply
  defp first_failure(answer, _reply), do: answer

  # HEA-2, HEA-3
  defp healed(broker, {:set_segment_replicas, {range, _} = id, replicas}) do
    case broker.segments do
      %{^range => %{id: ^id} = head} ->
        put_in(broker.segments[range], %{head | replica_set: replicas})

      _ ->
        broker
    end
  end

  # HEA-4, HEA-5
  defp healed(broker, {:seal_segment, {range, _} = id, _, _, _}) do
    case Control.listed(broker, id) do
      %{state: :sealed} = sealed ->
        Rolling.forget_sealed(broker, range, id, Metadata.edge(sealed))

      _ ->
        Rolling.evict(broker, range, id)
    end
  end

  defp healed(broker, _command), do: broker
end
