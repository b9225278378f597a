defmodule Malachi.Log.Record do
  @moduledoc "One record of a log."

  defstruct key: nil, value: "", headers: [], timestamp: 0, offset: nil

  @doc "[PRD-1] The bytes that a record takes in its log."
  def encoded_size(record) do
    pairs = for {name, value} <- record.headers, do: 8 + byte_size(name) + byte_size(value)
    39 + byte_size(record.key || "") + byte_size(record.value) + Enum.sum(pairs)
  end
end
