defmodule Malachi.Broker.Skip do
  @moduledoc "A stretch that a page passed, since it is no longer stored."

  defstruct [:range_id, :source_range_id, :from, :offsets, :origin, :source]
end
