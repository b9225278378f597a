# The adapter of a checkout of Malachi in Elixir, for protocol 1.
#
# It drives Malachi.Broker through its public functions and needs no edit for a checkout that has
# those of the document, and nothing but Elixir 1.14 or later. From the checkout, once it is
# compiled:
#
#   elixir --erl -noinput -pa "_build/dev/lib/*/ebin" adapter.exs
#   elixir --erl -noinput -S mix run --no-start --no-compile adapter.exs
#
# Without `--erl -noinput` it works as well, and several times slower. Under `conform run --tcp` it
# connects to where its environment says, and standard input and output are its own.
#
# What the document leaves open is settled here as follows. Brokers and vnodes are atoms. A command
# function takes the sharded view, the topic and the command. Commands are tuples of their word and
# their arguments. Views are made by sending commands to Malachi.Cluster.DSRSM, so no metadata is
# built from outside. A policy function takes a name and answers nil or a map; recordings of the
# broker show spread_by at its top, and the document nothing, so it stands there and under placement
# as well. The parts of a broker are the fields offsets, segments,
# segment_seq, rolling, fencing, unrecovered and journal; one that a checkout holds otherwise is not
# compared, and its name is told.

defmodule Conform.Checkout do
  @moduledoc "What the document promises, and what of it a checkout has."

  @broker Malachi.Broker
  @document "the document of Malachi.Broker at machine version 4"
  @functions [
    {"open", :open, 1},
    {"create_topic", :create_topic, 3},
    {"active_range_ids", :active_range_ids, 2},
    {"metadata", :metadata, 1},
    {"produce", :produce, 4},
    {"read", :read, 5},
    {"produce_plan", :produce_plan, 3},
    {"adopt_offsets", :adopt_offsets, 4},
    {"active_roll", :active_roll, 2},
    {"due_rolls", :due_rolls, 1},
    {"request_rolls", :request_rolls, 2},
    {"fences_to_send", :fences_to_send, 3},
    {"awaiting_fence", :awaiting_fence?, 5},
    {"range_awaiting_fence", :range_awaiting_fence, 4},
    {"forget_fence", :forget_fence, 2},
    {"record_fence", :record_fence, 5},
    {"record_seal", :record_seal, 5},
    {"forget_sealed", :forget_sealed, 4},
    {"split_range", :split_range, 2},
    {"merge_ranges", :merge_ranges, 3},
    {"delete_segment", :delete_segment, 2},
    {"read_consume", :read_consume, 5},
    {"stream_history", :stream_history, 5},
    {"read_history", :read_history, 3},
    {"commit_offset", :commit_offset, 4},
    {"committed_offsets", :committed_offsets, 3},
    {"apply_heal", :apply_heal, 2},
    {"apply_heal_reply", :apply_heal_reply, 2},
    {"seed_range_state", :seed_range_state, 4},
    {"seed_unrecovered_range", :seed_unrecovered_range, 3},
    {"unrecovered", :unrecovered?, 2},
    {"put_cache", :put_cache, 3},
    {"drop_stale_active_segments", :drop_stale_active_segments, 1},
    {"journal", :journal, 1},
    {"take_journal", :take_journal, 1},
    {"replay_journal", :replay_journal, 2},
    {"bind_topic_policy", :bind_topic_policy, 3},
    {"topic_policy_name", :topic_policy_name, 2},
    {"topics_bound_to", :topics_bound_to, 2},
    {"set_brokers", :set_brokers, 2},
    {"set_broker_attributes", :set_broker_attributes, 2},
    {"domain_violations", :domain_violations, 1},
    {"domain_violations_over", :domain_violations, 2}
  ]
  @neighbours [
    {Malachi.Cluster.DSRSM, :single, 0},
    {Malachi.Cluster.DSRSM, :command, 3},
    {Malachi.Log.Record, :__struct__, 0}
  ]
  defstruct ops: [], lacking: [], opaque: [], patterns: nil

  @doc "Look at the modules on the code path. Ends the program where there is no broker at all."
  def look do
    unless Code.ensure_loaded?(@broker) do
      stop(
        "there is no module Malachi.Broker on the code path: compile the checkout, and name " <>
          ~s(its modules, as in -pa "_build/dev/lib/*/ebin")
      )
    end

    for {module, name, arity} <- @neighbours, not has?(module, name, arity) do
      stop("the checkout lacks #{inspect(module)}.#{name}/#{arity}, which the adapter stands on")
    end

    {there, lacking} =
      Enum.split_with(@functions, fn {_, name, arity} -> has?(@broker, name, arity) end)

    ops = for {op, _, _} <- there, do: op
    lacking = for {_, name, arity} <- lacking, do: "#{name}/#{arity}"

    if "open" not in ops,
      do: stop("the checkout lacks Malachi.Broker.open/1: nothing can be called")

    if lacking != [],
      do: warn("the checkout lacks of Malachi.Broker: " <> Enum.join(lacking, ", "))

    %__MODULE__{ops: ops, lacking: lacking}
  end

  @doc "Who answers: how much of which document it has, and what it lacks."
  def implementation(checkout) do
    count = "#{length(checkout.ops)} of #{length(@functions)} functions of #{@document}"

    lacks =
      if checkout.lacking == [], do: "", else: ", without " <> Enum.join(checkout.lacking, ", ")

    hides =
      if checkout.opaque == [],
        do: "",
        else: "; not compared: " <> Enum.join(checkout.opaque, ", ")

    "Malachi.Broker in Elixir #{System.version()}: #{count}#{lacks}#{hides}"
  end

  defp has?(module, name, arity) do
    Code.ensure_loaded?(module) and function_exported?(module, name, arity)
  end

  defp warn(text), do: IO.puts(:stderr, "adapter: " <> text)

  defp stop(text) do
    warn(text)
    System.halt(1)
  end
end

# A checkout that cannot be judged is told so before the rest is compiled.
checkout = Conform.Checkout.look()

defmodule Conform.Json do
  @moduledoc """
  Reads a line into plain terms.

  Records become maps with texts as keys, maps become maps, and so on; a variant becomes
  {:variant, tag, value}, and a value or none the value or nil.
  """

  def read(line) do
    {value, _rest} = value(line)
    value
  end

  defp value(<<c, rest::binary>>) when c in ' \t\r\n', do: value(rest)
  defp value(<<?{, rest::binary>>), do: object(rest, [])
  defp value(<<?[, rest::binary>>), do: array(rest, [])
  defp value(<<?", rest::binary>>), do: text(rest)
  defp value(<<"true", rest::binary>>), do: {true, rest}
  defp value(<<"false", rest::binary>>), do: {false, rest}
  defp value(<<?-, rest::binary>>), do: number(rest, 0, -1)
  defp value(<<c, _::binary>> = rest) when c in ?0..?9, do: number(rest, 0, 1)

  defp number(<<c, rest::binary>>, sum, sign) when c in ?0..?9,
    do: number(rest, sum * 10 + c - ?0, sign)

  defp number(rest, sum, sign), do: {sign * sum, rest}

  defp array(<<c, rest::binary>>, found) when c in ', \t\r\n', do: array(rest, found)
  defp array(<<?], rest::binary>>, found), do: {Enum.reverse(found), rest}

  defp array(rest, found) do
    {one, rest} = value(rest)
    array(rest, [one | found])
  end

  defp object(<<c, rest::binary>>, found) when c in ', \t\r\n', do: object(rest, found)
  defp object(<<?}, rest::binary>>, found), do: {meaning(found), rest}

  defp object(<<?", rest::binary>>, found) do
    {name, rest} = text(rest)
    {one, rest} = value(after_colon(rest))
    object(rest, [{name, one} | found])
  end

  defp after_colon(<<?:, rest::binary>>), do: rest
  defp after_colon(<<_, rest::binary>>), do: after_colon(rest)

  defp meaning([{"#tup", parts}]), do: List.to_tuple(parts)
  defp meaning([{"#map", pairs}]), do: Map.new(pairs, fn [key, value] -> {key, value} end)
  defp meaning([{"#set", parts}]), do: MapSet.new(parts)
  defp meaning([{"#bytes", text}]), do: Base.decode64!(text)
  defp meaning([{"#bigint", digits}]), do: String.to_integer(digits)
  defp meaning([{"value", value}, {"tag", tag}]), do: variant(tag, value)
  defp meaning([{"tag", tag}, {"value", value}]), do: variant(tag, value)
  defp meaning(fields), do: Map.new(fields)

  defp variant("none", {}), do: nil
  defp variant("some", value), do: value
  defp variant(tag, value), do: {:variant, tag, value}

  # The run of bytes up to the next quote or backslash is taken in one piece.
  defp text(rest), do: text(rest, rest, 0, [])

  defp text(<<?", rest::binary>>, from, size, found) do
    case found do
      [] -> {binary_part(from, 0, size), rest}
      _ -> {IO.iodata_to_binary([found, binary_part(from, 0, size)]), rest}
    end
  end

  defp text(<<?\\, rest::binary>>, from, size, found) do
    {one, rest} = escaped(rest)
    text(rest, rest, 0, [found, binary_part(from, 0, size), one])
  end

  defp text(<<_, rest::binary>>, from, size, found), do: text(rest, from, size + 1, found)

  defp escaped(<<?u, digits::binary-size(4), rest::binary>>) do
    case {String.to_integer(digits, 16), rest} do
      {high, <<"\\u", low::binary-size(4), rest::binary>>} when high in 0xD800..0xDBFF ->
        low = String.to_integer(low, 16)
        {<<0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)::utf8>>, rest}

      {code, rest} ->
        {<<code::utf8>>, rest}
    end
  end

  defp escaped(<<?n, rest::binary>>), do: {"\n", rest}
  defp escaped(<<?t, rest::binary>>), do: {"\t", rest}
  defp escaped(<<?r, rest::binary>>), do: {"\r", rest}
  defp escaped(<<?b, rest::binary>>), do: {"\b", rest}
  defp escaped(<<?f, rest::binary>>), do: {"\f", rest}
  defp escaped(<<c, rest::binary>>), do: {<<c>>, rest}
end

defmodule Conform.Write do
  @moduledoc "Values on their way to the wire, as iodata: first the shapes, then the nouns."

  @small 0x20000000000000
  @unit ~s({"#tup":[]})
  @refusals ~w(
    invalid_topic_name already_exists invalid_keyspace_bits no_such_topic no_such_range
    active_segment_exists cannot_split different_topic range_topic_mismatch not_buddies
    segment_exists segment_overlap no_such_segment segment_active invalid_policy migrating no_vnode
    unknown_command no_brokers invalid_replication_factor no_replicas metadata_unavailable
    invalid_argument
  )a

  def integer(n) when n > -@small and n < @small, do: Integer.to_string(n)
  def integer(n), do: [~s({"#bigint":"), Integer.to_string(n), ~s("})]

  def text(atom) when is_atom(atom), do: text(Atom.to_string(atom))

  def text(text) do
    if plain?(text), do: [?", text, ?"], else: [?", for(<<c::utf8 <- text>>, do: letter(c)), ?"]
  end

  defp plain?(<<c, rest::binary>>) when c >= 32 and c != ?" and c != ?\\, do: plain?(rest)
  defp plain?(rest), do: rest == ""

  defp letter(?"), do: ~S(\")
  defp letter(?\\), do: ~S(\\)
  defp letter(c) when c < 32, do: ["\\u", String.pad_leading(Integer.to_string(c, 16), 4, "0")]
  defp letter(c), do: <<c::utf8>>

  def bytes(bytes), do: [~s({"#bytes":"), Base.encode64(bytes), ~s("})]
  def flag(true), do: "true"
  def flag(false), do: "false"
  def unit, do: @unit

  def many(values, write \\ & &1), do: [?[, Enum.intersperse(Enum.map(values, write), ?,), ?]]
  def tuple(parts), do: [~s({"#tup":), many(parts), ?}]
  def set(values, write), do: [~s({"#set":), many(values, write), ?}]

  def map(pairs),
    do: [~s({"#map":), many(pairs, fn {key, value} -> [?[, key, ?,, value, ?]] end), ?}]

  def record(fields) do
    [
      ?{,
      Enum.intersperse(for({name, value} <- fields, do: [?", "#{name}", ~s(":), value]), ?,),
      ?}
    ]
  end

  def variant(tag, value \\ @unit), do: [~s({"tag":"), tag, ~s(","value":), value, ?}]
  def option(nil, _write), do: variant("none")
  def option(value, write), do: variant("some", write.(value))

  def range_id({topic, number}), do: tuple([text(topic), integer(number)])
  def segment_id({range, number}), do: tuple([range_id(range), integer(number)])
  def brokers(names), do: many(names, &text/1)

  def log_record(record) do
    record(
      key: option(record.key, &bytes/1),
      value: bytes(record.value),
      headers: many(record.headers, fn {name, value} -> tuple([bytes(name), bytes(value)]) end),
      timestamp: integer(record.timestamp),
      offset: option(record.offset, &integer/1)
    )
  end

  def records(records), do: many(records, &log_record/1)

  def cursor(:start), do: variant("start")
  def cursor(:done), do: variant("done")
  def cursor({source, offset}), do: variant("at", tuple([integer(source), integer(offset)]))
  def positions(found), do: map(for {range, at} <- found, do: {range_id(range), cursor(at)})

  def head(head) do
    record(
      id: segment_id(head.id),
      start_offset: integer(head.start_offset),
      bytes: integer(head.bytes),
      replica_set: brokers(head.replica_set)
    )
  end

  def roll(roll) do
    record(
      range_id: range_id(roll.range_id),
      segment_id: segment_id(roll.segment_id),
      primary: text(roll.primary),
      start_offset: integer(roll.start_offset),
      fence_sent_at: option(roll.fence_sent_at, &integer/1)
    )
  end

  def rolls(rolls), do: many(rolls, &roll/1)

  def fencing(mark) do
    record(segment_id: segment_id(mark.segment_id), sent_at: integer(mark.sent_at))
  end

  def placements(placements) do
    many(Enum.sort(placements), fn {range, {first, last}} ->
      record(range_id: range_id(range), first: integer(first), last: integer(last))
    end)
  end

  def dispatch(dispatch) do
    record(
      range_id: range_id(dispatch.range_id),
      primary: text(dispatch.primary),
      segment_id: segment_id(dispatch.segment_id),
      replica_set: brokers(dispatch.replica_set),
      base_offset: integer(dispatch.base_offset),
      records: records(dispatch.records),
      first: integer(dispatch.first),
      last: integer(dispatch.last),
      count: integer(dispatch.count)
    )
  end

  def skip(skip) do
    offsets = if skip.offsets == :unknown, do: nil, else: skip.offsets

    record(
      range_id: range_id(skip.range_id),
      source_range_id: range_id(skip.source_range_id),
      from_offset: integer(skip.from),
      offsets: option(offsets, &integer/1),
      origin: text(skip.origin),
      source: text(skip.source)
    )
  end

  def metadata(metadata, marked?) do
    migrating = if marked?, do: members(metadata.migrating), else: []

    record(
      topics: map(for {name, topic} <- metadata.topics, do: {text(name), topic(topic)}),
      ranges: map(for {id, range} <- metadata.ranges, do: {range_id(id), range(range)}),
      segments:
        map(for {id, segment} <- metadata.segments, do: {segment_id(id), segment(segment)}),
      committed: map(committed(metadata.committed_offsets)),
      migrating: set(migrating, &text/1)
    )
  end

  defp members(%MapSet{} = set), do: set
  defp members(map) when is_map(map), do: Map.keys(map)
  defp members(list), do: list

  # By group and topic, or by group and then by topic.
  defp committed(found) do
    for {key, value} <- found,
        {group, topic, positions} <- committed(key, value),
        do: {tuple([text(group), text(topic)]), positions(positions)}
  end

  defp committed({group, topic}, positions), do: [{group, topic, positions}]

  defp committed(group, topics),
    do: for({topic, positions} <- topics, do: {group, topic, positions})

  defp topic(topic) do
    record(
      keyspace_size: integer(topic.keyspace_size),
      state: text(topic.state),
      next_range_seq: integer(topic.next_range_seq),
      policy: option(topic[:policy], &text/1)
    )
  end

  defp range(range) do
    record(
      key_start: integer(range.key_start),
      key_end: integer(range.key_end),
      keyspace_size: integer(range.keyspace_size),
      state: text(range.state),
      parents: many(range.parents, &range_id/1)
    )
  end

  defp segment(segment) do
    record(
      range_id: range_id(segment.range_id),
      replica_set: brokers(segment.replica_set),
      start_offset: integer(segment.start_offset),
      state: text(segment.state),
      length: option(segment[:length], &integer/1),
      byte_size: option(segment[:byte_size], &integer/1),
      opened_at: option(segment[:opened_at], &integer/1),
      sealed_at: option(segment[:sealed_at], &integer/1)
    )
  end

  def command({word, topic, bits}) when word == :create_topic,
    do: command(word, topic: text(topic), bits: integer(bits))

  def command({word, topic})
      when word in [:seal_topic, :delete_topic, :begin_migration, :end_migration],
      do: command(word, topic: text(topic))

  def command({:split_range = word, range}), do: command(word, range_id: range_id(range))

  def command({:merge_ranges = word, one, other}),
    do: command(word, first: range_id(one), second: range_id(other))

  def command({:register_segment = word, range, segment, replicas, start}) do
    command(word,
      range_id: range_id(range),
      segment_id: segment_id(segment),
      replica_set: brokers(replicas),
      start_offset: integer(start)
    )
  end

  def command({:seal_segment = word, segment, length, size, at}) do
    command(word,
      segment_id: segment_id(segment),
      length: integer(length),
      byte_size: integer(size),
      sealed_at: integer(at)
    )
  end

  def command({:delete_segment = word, segment}),
    do: command(word, segment_id: segment_id(segment))

  def command({:set_segment_replicas = word, segment, replicas}),
    do: command(word, segment_id: segment_id(segment), replica_set: brokers(replicas))

  def command({:commit_offset = word, group, topic, positions}),
    do: command(word, group: text(group), topic: text(topic), positions: positions(positions))

  def command({:bind_topic_policy = word, topic, name}),
    do: command(word, topic: text(topic), policy: option(name, &text/1))

  defp command(word, fields), do: variant(Atom.to_string(word), record(fields))

  @doc "What a command was answered."
  def command_reply(:ok), do: variant("ok")
  def command_reply({:ok, range}), do: variant("created", many([range_id(range)]))
  def command_reply({:ok, left, right}), do: variant("created", many([left, right], &range_id/1))
  def command_reply({:error, reason}), do: error(reason)
  def command_reply(other), do: variant("unexpected", text(strange(other)))

  def done(:ok), do: variant("ok")
  def done({:error, reason}), do: error(reason)

  def error(reason), do: variant("error", refusal(reason))

  defp refusal(reason) when reason in @refusals, do: variant(Atom.to_string(reason))
  defp refusal(:sealed), do: variant("range_sealed")
  defp refusal({:sealed, offset}), do: variant("sealed", integer(offset))
  defp refusal({:already_sealed, length}), do: variant("already_sealed", integer(length))
  defp refusal({:unroutable, key}), do: variant("unroutable", option(key, &bytes/1))

  defp refusal({:insufficient_domains, covered, required}) do
    fields = [covered: integer(covered), required: integer(required)]
    variant("insufficient_domains", record(fields))
  end

  defp refusal({word, answer}) when word in [:unexpected_register_reply, :unexpected_seal_reply],
    do: variant(Atom.to_string(word), text(strange(answer)))

  defp refusal(reason), do: variant("failed", text(strange(reason)))

  defp strange(answer) when is_atom(answer), do: answer
  defp strange(answer) when is_tuple(answer) and elem(answer, 0) == :ok, do: "Created"
  defp strange(answer), do: inspect(answer)
end

defmodule Conform.Given do
  @moduledoc "Values from the wire as the checkout has them."

  def brokers(names), do: Enum.map(names, &String.to_atom/1)
  def records(records), do: Enum.map(records, &record/1)

  defp record(found) do
    struct!(Malachi.Log.Record,
      key: found["key"],
      value: found["value"],
      headers: found["headers"],
      timestamp: found["timestamp"],
      offset: found["offset"]
    )
  end

  def attributes(found), do: Map.new(found, fn {name, own} -> {String.to_atom(name), own} end)

  def roll(found) do
    %{
      range_id: found["range_id"],
      segment_id: found["segment_id"],
      primary: String.to_atom(found["primary"]),
      start_offset: found["start_offset"],
      fence_sent_at: found["fence_sent_at"]
    }
  end

  def listed({id, found}) do
    %{
      id: id,
      range_id: found["range_id"],
      replica_set: brokers(found["replica_set"]),
      start_offset: found["start_offset"],
      state: String.to_existing_atom(found["state"]),
      length: found["length"],
      byte_size: found["byte_size"],
      opened_at: found["opened_at"],
      sealed_at: found["sealed_at"]
    }
  end

  def cursor({:variant, "start", {}}), do: :start
  def cursor({:variant, "done", {}}), do: :done
  def cursor({:variant, "at", {source, offset}}), do: {source, offset}
  def positions(found), do: Map.new(found, fn {range, at} -> {range, cursor(at)} end)

  def commands(found), do: Enum.map(found, &command/1)

  def command({:variant, word, args}), do: command(String.to_atom(word), args)

  defp command(:create_topic, args), do: {:create_topic, args["topic"], args["bits"]}
  defp command(:split_range, args), do: {:split_range, args["range_id"]}
  defp command(:merge_ranges, args), do: {:merge_ranges, args["first"], args["second"]}

  defp command(:register_segment, args) do
    replicas = brokers(args["replica_set"])
    {:register_segment, args["range_id"], args["segment_id"], replicas, args["start_offset"]}
  end

  defp command(:seal_segment, args) do
    {:seal_segment, args["segment_id"], args["length"], args["byte_size"], args["sealed_at"]}
  end

  defp command(:delete_segment, args), do: {:delete_segment, args["segment_id"]}

  defp command(:set_segment_replicas, args),
    do: {:set_segment_replicas, args["segment_id"], brokers(args["replica_set"])}

  defp command(:commit_offset, args),
    do: {:commit_offset, args["group"], args["topic"], positions(args["positions"])}

  defp command(:bind_topic_policy, args), do: {:bind_topic_policy, args["topic"], args["policy"]}
  defp command(word, args), do: {word, args["topic"]}

  @doc "The topic that a command is routed by."
  def topic({:register_segment, {topic, _}, _, _, _}), do: topic
  def topic({:split_range, {topic, _}}), do: topic
  def topic({:merge_ranges, {topic, _}, _}), do: topic
  def topic({:commit_offset, _, topic, _}), do: topic

  def topic(command) do
    case elem(command, 1) do
      {{topic, _}, _} -> topic
      topic -> topic
    end
  end

  @doc "The answer to a command, a batch or a read, less what is not the same for all of them."
  def answer({:variant, "ok", {}}), do: :ok
  def answer({:variant, "ok", value}), do: {:ok, value}
  def answer({:variant, "eof", {}}), do: :eof
  def answer({:variant, "created", [one]}), do: {:ok, one}
  def answer({:variant, "created", [left, right]}), do: {:ok, left, right}
  def answer({:variant, "unexpected", text}), do: String.to_atom(text)
  def answer({:variant, "error", refusal}), do: {:error, refusal(refusal)}

  defp refusal({:variant, "range_sealed", {}}), do: :sealed
  defp refusal({:variant, "failed", text}), do: String.to_atom(text)

  defp refusal({:variant, "insufficient_domains", facts}),
    do: {:insufficient_domains, facts["covered"], facts["required"]}

  defp refusal({:variant, word, {}}), do: String.to_atom(word)
  defp refusal({:variant, word, fact}), do: {String.to_atom(word), fact}
end

defmodule Conform.Views do
  @moduledoc "Views, made by the checkout's own machine from the commands that lead to them."

  alias Malachi.Cluster.DSRSM

  @doc "The view of a log. Of a log that goes on from the last one, only the rest is applied."
  def made({:variant, "log", %{"ring" => ring, "commands" => commands}}) do
    {kept, rest} =
      case Process.get(:last_view) do
        {^ring, told, view} -> after_last(told, commands, view, ring)
        _ -> {empty(ring), commands}
      end

    view = Enum.reduce(rest, kept, &applied/2)
    Process.put(:last_view, {ring, commands, view})
    view
  end

  defp after_last(told, commands, view, ring) do
    if List.starts_with?(commands, told) do
      {view, Enum.drop(commands, length(told))}
    else
      {empty(ring), commands}
    end
  end

  defp applied({command, _now}, view) do
    command = Conform.Given.command(command)
    {view, _reply} = DSRSM.command(view, Conform.Given.topic(command), command)
    view
  end

  defp empty([{0, "vnode_0"}]), do: DSRSM.single()

  defp empty(ring) do
    Enum.reduce(ring, DSRSM.new(), fn {token, name}, view ->
      {:ok, view} = DSRSM.add_vnode(view, String.to_atom(name), token)
      view
    end)
  end
end

defmodule Conform.Wire do
  @moduledoc "One line in, one line out, over a socket where there is one, or standard streams."

  @longest 0x1000000
  @host "MALACHI_CONFORM_HOST"
  @port "MALACHI_CONFORM_PORT"
  @token "MALACHI_CONFORM_TOKEN"

  @doc "Take the streams. What a broker prints, and what is logged, goes to standard error."
  def open do
    streams = Process.group_leader()
    Process.group_leader(self(), Process.whereis(:standard_error))
    log_to_standard_error()
    where = {System.get_env(@host), System.get_env(@port)}

    case {where, :init.get_argument(:noinput)} do
      {{host, port}, _} when is_binary(host) and is_binary(port) ->
        {:socket, connected(String.to_charlist(host), String.to_integer(port))}

      {_, :error} ->
        :ok = :io.setopts(streams, binary: true, encoding: :latin1)
        {:device, streams}

      _ ->
        {:port, :erlang.open_port({:fd, 0, 1}, [:binary, :eof, {:line, @longest}])}
    end
  end

  @doc "What shows the harness that it is us who connect."
  def token, do: System.get_env(@token, "")

  # Of a line that is longer than the buffer, several parts come.
  defp connected(host, port) do
    options = [:binary, packet: :line, active: false, nodelay: true, buffer: 0x100000]
    {:ok, socket} = :gen_tcp.connect(host, port, options)
    socket
  end

  defp log_to_standard_error do
    :logger.remove_handler(:default)
    :logger.add_handler(:default, :logger_std_h, %{config: %{type: :standard_error}})
    if Process.whereis(Logger), do: Logger.remove_backend(:console)
  end

  @doc "The next line, or :eof."
  def line({:device, streams}), do: IO.binread(streams, :line)

  def line({:port, port} = wire) do
    receive do
      {^port, {:data, {:eol, line}}} -> line
      {^port, {:data, {:noeol, part}}} -> part <> line(wire)
      {^port, :eof} -> :eof
    end
  end

  def line({:socket, socket} = wire) do
    case :gen_tcp.recv(socket, 0) do
      {:ok, part} -> if whole?(part), do: part, else: part <> line(wire)
      {:error, _} -> :eof
    end
  end

  defp whole?(part), do: :binary.last(part) == ?\n

  def say({:socket, socket}, message), do: :gen_tcp.send(socket, [message, ?\n])
  def say({:device, streams}, message), do: IO.binwrite(streams, [message, ?\n])
  def say({:port, port}, message), do: Port.command(port, [message, ?\n])
end

defmodule Conform.Effects do
  @moduledoc "The functions that a broker is given: each asks the harness, and waits."

  alias Conform.{Given, Json, Views, Wire, Write}
  alias Malachi.Cluster.DSRSM

  defstruct [:wire, :counts]

  def new(wire), do: %__MODULE__{wire: wire, counts: :counters.new(2, [])}

  @doc "Effects belong to this call from now on, and are counted from 1."
  def begin(effects, call) do
    :counters.put(effects.counts, 1, call)
    :counters.put(effects.counts, 2, 0)
  end

  defp ask(effects, kind, args) do
    :counters.add(effects.counts, 2, 1)

    Wire.say(
      effects.wire,
      Write.record(
        type: ~s("effect"),
        id: Integer.to_string(:counters.get(effects.counts, 2)),
        call: Integer.to_string(:counters.get(effects.counts, 1)),
        kind: [?", kind, ?"],
        args: Write.record(args)
      )
    )

    case Wire.line(effects.wire) do
      line when is_binary(line) -> Json.read(line)["value"]
      _gone -> System.halt(1)
    end
  end

  def command_fun(effects) do
    fn view, topic, command ->
      answer = ask(effects, "command", command: Write.command(command))
      {coming(answer["view"], view, topic, command), Given.answer(answer["reply"])}
    end
  end

  defp coming({:variant, "keep", {}}, view, _topic, _command), do: view
  defp coming({:variant, "set", told}, _view, _topic, _command), do: Views.made(told)

  defp coming({:variant, "apply", {}}, view, topic, command) do
    {view, _reply} = DSRSM.command(view, topic, command)
    view
  end

  def replicate_fun(effects) do
    fn primary, segment, replicas, base, records ->
      Given.answer(
        ask(effects, "replicate",
          primary: Write.text(primary),
          segment: Write.segment_id(segment),
          replica_set: Write.brokers(replicas),
          base_offset: Write.integer(base),
          records: Write.records(records)
        )
      )
    end
  end

  def read_fun(effects) do
    fn primary, segment, offset, max ->
      asked = [
        primary: Write.text(primary),
        segment: Write.segment_id(segment),
        offset: Write.integer(offset),
        max: Write.integer(max)
      ]

      case Given.answer(ask(effects, "read", asked)) do
        {:ok, records} -> {:ok, Given.records(records)}
        other -> other
      end
    end
  end

  def policy_fun(effects) do
    fn name ->
      case ask(effects, "policy", name: Write.text(name)) do
        nil -> nil
        %{"spread_by" => by} -> %{spread_by: by, placement: %{spread_by: by}}
      end
    end
  end
end

defmodule Conform.Calls do
  @moduledoc "Each call of the protocol as the function of the broker that it stands for."

  alias Conform.{Effects, Given, Views, Write}
  alias Malachi.Broker

  @ok Write.variant("ok")

  @doc "Make a call; the broker afterwards, and the reply as it goes to the wire."
  def call("open", _broker, args, effects) do
    options = [
      brokers: Given.brokers(args["brokers"]),
      replication_factor: args["replication_factor"],
      segment_max_bytes: args["segment_max_bytes"],
      spread_by: args["spread_by"],
      broker_attributes: Given.attributes(args["broker_attributes"]),
      min_domains: args["min_domains"],
      placement_policy: String.to_atom(args["placement_policy"]),
      command_fun: Effects.command_fun(effects),
      policy_fun: Effects.policy_fun(effects),
      dsrsm: Views.made(args["view"])
    ]

    case Broker.open(Enum.reject(options, fn {_, value} -> value == nil end)) do
      {:ok, broker} -> {broker, @ok}
      {:error, reason} -> {nil, Write.error(reason)}
    end
  end

  def call("create_topic", broker, args, _),
    do: told(Broker.create_topic(broker, args["topic"], args["bits"]))

  def call("active_range_ids", broker, args, _),
    do: {broker, Write.many(Broker.active_range_ids(broker, args["topic"]), &Write.range_id/1)}

  def call("metadata", broker, _, _), do: {broker, view(Broker.metadata(broker))}

  def call("produce", broker, args, effects) do
    records = Given.records(args["records"])

    case Broker.produce(broker, args["topic"], records, Effects.replicate_fun(effects)) do
      {broker, {:ok, placements}} -> {broker, Write.variant("ok", Write.placements(placements))}
      {broker, {:error, reason}} -> {broker, Write.error(reason)}
    end
  end

  def call("read", broker, args, effects) do
    read = Effects.read_fun(effects)
    {broker, found(Broker.read(broker, args["range"], args["offset"], args["max"], read))}
  end

  def call("produce_plan", broker, args, _) do
    case Broker.produce_plan(broker, args["topic"], Given.records(args["records"])) do
      {broker, {:ok, placements, dispatches}} ->
        planned = [
          placements: Write.placements(placements),
          dispatches: Write.many(dispatches, &Write.dispatch/1)
        ]

        {broker, Write.variant("ok", Write.record(planned))}

      {broker, {:error, reason}} ->
        {broker, Write.error(reason)}
    end
  end

  def call("adopt_offsets", broker, args, _),
    do: {Broker.adopt_offsets(broker, args["range"], args["segment"], args["last"]), @ok}

  def call("active_roll", broker, args, _) do
    case Broker.active_roll(broker, args["range"]) do
      :none -> {broker, Write.option(nil, &Write.roll/1)}
      roll -> {broker, Write.option(roll, &Write.roll/1)}
    end
  end

  def call("due_rolls", broker, _, _), do: {broker, Write.rolls(Broker.due_rolls(broker))}

  def call("request_rolls", broker, args, _),
    do: {Broker.request_rolls(broker, Enum.map(args["segments"], &Given.listed/1)), @ok}

  def call("fences_to_send", broker, args, _) do
    {broker, rolls} = Broker.fences_to_send(broker, args["now"], args["retry_after"])
    {broker, Write.rolls(rolls)}
  end

  def call("awaiting_fence", broker, args, _) do
    %{"range" => range, "segment" => segment, "now" => now, "window" => window} = args
    {broker, Write.flag(Broker.awaiting_fence?(broker, range, segment, now, window))}
  end

  def call("range_awaiting_fence", broker, args, _) do
    found = Broker.range_awaiting_fence(broker, args["topic"], args["now"], args["window"])
    {broker, Write.option(found, &Write.range_id/1)}
  end

  def call("forget_fence", broker, args, _),
    do: {Broker.forget_fence(broker, Given.roll(args["roll"])), @ok}

  def call("record_fence", broker, args, _) do
    %{"end_offset" => offset, "byte_size" => size, "sealed_at" => at} = args
    done(Broker.record_fence(broker, Given.roll(args["roll"]), offset, size, at))
  end

  def call("record_seal", broker, args, _) do
    %{"end_offset" => offset, "byte_size" => size, "sealed_at" => at} = args
    done(Broker.record_seal(broker, Given.roll(args["roll"]), offset, size, at))
  end

  def call("forget_sealed", broker, args, _),
    do: {Broker.forget_sealed(broker, args["range"], args["segment"], args["end_offset"]), @ok}

  def call("split_range", broker, args, _), do: told(Broker.split_range(broker, args["range"]))

  def call("merge_ranges", broker, args, _),
    do: told(Broker.merge_ranges(broker, args["first"], args["second"]))

  def call("delete_segment", broker, args, _),
    do: told(Broker.delete_segment(broker, args["segment"]))

  def call("read_consume", broker, args, effects) do
    %{"range" => range, "cursor" => cursor, "max" => max} = args

    case Broker.read_consume(broker, range, Given.cursor(cursor), max, Effects.read_fun(effects)) do
      {:ok, records, cursor, skips} ->
        page = [
          records: Write.records(records),
          cursor: Write.cursor(cursor),
          skips: Write.many(skips, &Write.skip/1)
        ]

        {broker, Write.variant("ok", Write.record(page))}

      {:error, reason} ->
        {broker, Write.error(reason)}
    end
  end

  def call("stream_history", broker, args, effects) do
    %{"range" => range, "cursor" => cursor, "max" => max} = args

    case Broker.stream_history(
           broker,
           range,
           Given.cursor(cursor),
           max,
           Effects.read_fun(effects)
         ) do
      {:ok, records, cursor} ->
        page = [records: Write.records(records), cursor: Write.cursor(cursor)]
        {broker, Write.variant("ok", Write.record(page))}

      {:error, reason} ->
        {broker, Write.error(reason)}
    end
  end

  def call("read_history", broker, args, effects),
    do: {broker, found(Broker.read_history(broker, args["range"], Effects.read_fun(effects)))}

  def call("commit_offset", broker, args, _) do
    %{"group" => group, "topic" => topic, "positions" => positions} = args
    told(Broker.commit_offset(broker, group, topic, Given.positions(positions)))
  end

  def call("committed_offsets", broker, args, _),
    do: {broker, Write.positions(Broker.committed_offsets(broker, args["group"], args["topic"]))}

  def call("apply_heal", broker, args, _),
    do: {Broker.apply_heal(broker, Given.commands(args["commands"])), @ok}

  def call("apply_heal_reply", broker, args, _),
    do: told(Broker.apply_heal_reply(broker, Given.commands(args["commands"])))

  def call("seed_range_state", broker, args, _) do
    %{"range" => range, "next_offset" => offset, "min_seq" => floor} = args
    {Broker.seed_range_state(broker, range, offset, floor), @ok}
  end

  def call("seed_unrecovered_range", broker, args, _),
    do: {Broker.seed_unrecovered_range(broker, args["range"], args["min_seq"]), @ok}

  def call("unrecovered", broker, args, _),
    do: {broker, Write.flag(Broker.unrecovered?(broker, args["range"]))}

  def call("put_cache", broker, args, _) do
    unreachable = Enum.map(args["unreachable"], &String.to_atom/1)
    {Broker.put_cache(broker, Views.made(args["view"]), unreachable), @ok}
  end

  def call("drop_stale_active_segments", broker, _, _),
    do: {Broker.drop_stale_active_segments(broker), @ok}

  def call("journal", broker, _, _), do: {Broker.journal(broker), @ok}

  def call("take_journal", broker, _, _) do
    {commands, broker} = Broker.take_journal(broker)
    {broker, Write.many(commands, &Write.command/1)}
  end

  def call("replay_journal", broker, args, _),
    do: {Broker.replay_journal(broker, Given.commands(args["commands"])), @ok}

  def call("bind_topic_policy", broker, args, _),
    do: told(Broker.bind_topic_policy(broker, args["topic"], args["policy"]))

  def call("topic_policy_name", broker, args, _) do
    case Broker.topic_policy_name(broker, args["topic"]) do
      {:ok, name} -> {broker, Write.variant("ok", Write.option(name, &Write.text/1))}
      {:error, reason} -> {broker, Write.error(reason)}
    end
  end

  def call("topics_bound_to", broker, args, _),
    do: {broker, Write.many(Broker.topics_bound_to(broker, args["policy"]), &Write.text/1)}

  def call("set_brokers", broker, args, _),
    do: {Broker.set_brokers(broker, Given.brokers(args["brokers"])), @ok}

  def call("set_broker_attributes", broker, args, _),
    do: {Broker.set_broker_attributes(broker, Given.attributes(args["attributes"])), @ok}

  def call("domain_violations", broker, _, _),
    do: {broker, counts(Broker.domain_violations(broker))}

  def call("domain_violations_over", broker, args, _) do
    flat = Malachi.Cluster.DSRSM.merged_metadata(Views.made(args["view"]))
    {broker, counts(Broker.domain_violations(broker, flat))}
  end

  @doc "The whole state of a broker, less what the checkout cannot show."
  def state(broker, opaque) do
    Write.record(
      for {part, shown} <- parts(broker), "#{part}" not in opaque, do: {part, shown.()}
    )
  end

  @doc "Each part of a broker's state, with what writes it."
  def parts(broker) do
    [
      offsets: fn -> by_range(broker.offsets, &Write.integer/1) end,
      heads: fn -> by_range(broker.segments, &Write.head/1) end,
      sequences: fn -> by_range(broker.segment_seq, &Write.integer/1) end,
      rolling: fn -> by_range(broker.rolling, &Write.roll/1) end,
      fencing: fn -> by_range(broker.fencing, &Write.fencing/1) end,
      unrecovered: fn -> Write.set(broker.unrecovered, &Write.range_id/1) end,
      journal: fn -> journal(broker) end,
      view: fn -> view(Broker.metadata(broker)) end
    ]
  end

  # How a journal is held is its own business; taking it from a copy shows it in order.
  defp journal(%{journal: nil}), do: Write.option(nil, & &1)

  defp journal(broker) do
    {commands, _} = Broker.take_journal(broker)
    Write.option(commands, fn commands -> Write.many(commands, &Write.command/1) end)
  end

  defp by_range(found, write),
    do: Write.map(for {range, value} <- found, do: {Write.range_id(range), write.(value)})

  defp view(metadata), do: Write.metadata(metadata, is_map_key(metadata, :migrating))

  defp counts(found),
    do: Write.map(for {name, n} <- found, do: {Write.text(name), Write.integer(n)})

  defp told({broker, reply}), do: {broker, Write.command_reply(reply)}
  defp done({broker, reply}), do: {broker, Write.done(reply)}

  defp found({:ok, records}), do: Write.variant("ok", Write.records(records))
  defp found(:eof), do: Write.variant("eof")
  defp found({:error, reason}), do: Write.error(reason)
end

defmodule Conform.Loading do
  @moduledoc """
  Puts a broker that was just opened into a state.

  A head, a roll and a mark of the checkout's own are the patterns: what they hold besides what a
  state shows stays as it is there.
  """

  alias Conform.Given

  def put(broker, state, patterns) do
    %{
      broker
      | offsets: state["offsets"],
        segments: by_range(state["heads"], &head(&1, patterns.head)),
        segment_seq: state["sequences"],
        rolling: by_range(state["rolling"], &Map.merge(patterns.roll, Given.roll(&1))),
        fencing: by_range(state["fencing"], &mark(&1, patterns.mark)),
        unrecovered: state["unrecovered"],
        journal: journal(state["journal"], patterns.order)
    }
  end

  defp by_range(found, made), do: Map.new(found, fn {range, each} -> {range, made.(each)} end)

  defp head(found, pattern) do
    Map.merge(pattern, %{
      id: found["id"],
      start_offset: found["start_offset"],
      bytes: found["bytes"],
      replica_set: Given.brokers(found["replica_set"])
    })
  end

  defp mark(found, pattern),
    do: Map.merge(pattern, %{segment_id: found["segment_id"], sent_at: found["sent_at"]})

  defp journal(nil, _order), do: nil
  defp journal(commands, order), do: order.(Given.commands(commands))
end

defmodule Conform.Probe do
  @moduledoc """
  Tries every part of the state on a small broker in use.

  A checkout may hold a part otherwise than it was recorded. Such a part is said to be opaque, which
  leaves the rest to be compared.
  """

  alias Conform.Calls
  alias Malachi.Broker
  alias Malachi.Cluster.DSRSM

  @range {"probe", 0}

  @doc "The parts of the state that this checkout cannot show."
  def opaque do
    broker = used()
    unwritten = for {part, shown} <- Calls.parts(broker), not tried?(shown), do: "#{part}"
    opaque = if tried?(fn -> shows_marks() end), do: unwritten, else: unwritten ++ ["migrating"]
    if opaque != [], do: IO.puts(:stderr, "adapter: not compared: " <> Enum.join(opaque, ", "))
    opaque
  end

  @doc "How the checkout holds what a state is made of; nil where it cannot be put into one."
  def patterns(opaque) do
    broker = used()

    with [] <- opaque,
         %MapSet{} <- broker.unrecovered,
         [head] <- Map.values(broker.segments),
         [roll] <- Map.values(broker.rolling),
         [mark] <- Map.values(broker.fencing),
         order when order != nil <- order(broker.journal, elem(Broker.take_journal(broker), 0)) do
      %{head: head, roll: roll, mark: mark, order: order}
    else
      _ -> nil
    end
  rescue
    _ -> nil
  end

  # From commands in order to a journal as it is held.
  defp order([_, _ | _] = held, held), do: & &1
  defp order(held, [_, _ | _] = taken), do: if(Enum.reverse(taken) == held, do: &Enum.reverse/1)
  defp order(_held, _taken), do: nil

  defp used do
    commands = [
      {:create_topic, "probe", 1},
      {:commit_offset, "group", "probe", %{@range => :start}}
    ]

    {:ok, broker} = Broker.open(brokers: [:probe], segment_max_bytes: 1, dsrsm: view(commands))
    record = struct!(Malachi.Log.Record, key: "key", value: "value")

    uses = [
      &Broker.journal/1,
      &elem(Broker.create_topic(&1, "probed", 1), 0),
      &elem(Broker.produce(&1, "probe", [record], fn _, _, _, _, _ -> {:ok, 0} end), 0),
      &elem(Broker.fences_to_send(&1, 0, 0), 0),
      &Broker.seed_unrecovered_range(&1, {"probe", 1}, 0)
    ]

    Enum.reduce(uses, broker, fn use, broker ->
      try do
        use.(broker)
      rescue
        _ -> broker
      end
    end)
  end

  # A merged view may leave out which topics are being moved.
  defp shows_marks do
    view = view([{:create_topic, "probe", 1}, {:begin_migration, "probe"}])
    {:ok, broker} = Broker.open(brokers: [:probe], dsrsm: view)
    [_marked] = Enum.to_list(Broker.metadata(broker).migrating)
    ""
  end

  defp view(commands) do
    Enum.reduce(commands, DSRSM.single(), &elem(DSRSM.command(&2, "probe", &1), 0))
  end

  defp tried?(shown) do
    IO.iodata_length(shown.()) >= 0
  rescue
    _ -> false
  end
end

defmodule Conform.Serve do
  @moduledoc "Answers the harness until it says goodbye."

  alias Conform.{Calls, Checkout, Effects, Json, Wire, Write}

  def run(checkout) do
    wire = Wire.open()
    opaque = Conform.Probe.opaque()
    checkout = %{checkout | opaque: opaque, patterns: Conform.Probe.patterns(opaque)}
    loop(wire, Effects.new(wire), checkout, %{})
  end

  defp loop(wire, effects, checkout, brokers) do
    with line when is_binary(line) <- Wire.line(wire),
         message = Json.read(line),
         {answer, brokers} <- answer(message["type"], message, effects, checkout, brokers) do
      Wire.say(wire, answer)
      loop(wire, effects, checkout, brokers)
    end
  end

  defp answer("hello", _message, _effects, checkout, brokers), do: {welcome(checkout), brokers}

  defp answer("call", message, effects, checkout, brokers) do
    %{"id" => id, "broker" => name, "op" => op, "args" => args} = message
    Effects.begin(effects, id)
    {after_call, reply} = Calls.call(op, brokers[name], args, effects)
    # A refused `open` has no broker to answer: what the name stood for, if anything, stays.
    broker = after_call || brokers[name]

    shown =
      if message["show"] && broker, do: [state: Calls.state(broker, checkout.opaque)], else: []

    {said("reply", id, [value: reply] ++ shown), Map.put(brokers, name, broker)}
  rescue
    error ->
      IO.puts(:stderr, Exception.format(:error, error, __STACKTRACE__))
      {crash(message["id"], kind(error), Exception.message(error)), brokers}
  catch
    what, reason -> {crash(message["id"], "#{what}", inspect(reason)), brokers}
  end

  defp answer("snapshot", message, _effects, checkout, brokers) do
    state = Calls.state(brokers[message["broker"]], checkout.opaque)
    {said("state", message["id"], value: state), brokers}
  end

  defp answer("load", message, effects, checkout, brokers) do
    args = Map.put(message["options"], "view", message["view"])
    {broker, _reply} = Calls.call("open", nil, args, effects)
    loaded = Conform.Loading.put(broker, message["state"], checkout.patterns)
    {said("ready", message["id"], []), Map.put(brokers, message["broker"], loaded)}
  end

  defp answer("fork", message, _effects, _checkout, brokers) do
    copied = Map.put(brokers, message["broker"], brokers[message["from"]])
    {said("ready", message["id"], []), copied}
  end

  defp answer("reset", message, _, _, _), do: {said("ready", message["id"], []), %{}}
  defp answer("bye", _, _, _, _), do: :bye

  defp welcome(checkout) do
    Write.record(
      type: ~s("welcome"),
      protocol: "1",
      implementation: Write.text(Checkout.implementation(checkout)),
      ops: Write.many(checkout.ops, &Write.text/1),
      level: ~s("L3"),
      capabilities:
        Write.record(
          view: ~s("log"),
          clock: ~s("opaque"),
          position: ~s("phash2"),
          placement: ~s("phash2"),
          opaque: Write.many(checkout.opaque, &Write.text/1),
          brokers: "64",
          fork: "true",
          show: "true",
          load: Write.flag(checkout.patterns != nil)
        ),
      token: Write.text(Wire.token())
    )
  end

  defp crash(id, kind, text),
    do: said("crash", id, kind: Write.text(kind), message: Write.text(text))

  # What a function's guards turn down is an argument outside its domain.
  defp kind(%module{}) when module in [ArgumentError, FunctionClauseError], do: "argument"
  defp kind(%module{}), do: inspect(module)

  defp said(type, id, fields) do
    Write.record([{"type", Write.text(type)}, {"id", Integer.to_string(id)} | fields])
  end
end

Conform.Serve.run(checkout)
