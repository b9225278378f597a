# A broker in Elixir behind protocol 1: fill in the marked places.
#
# It is for a broker of your own. A checkout of Malachi needs no filling in:
# `malachi-model conform init --lang elixir` writes its adapter.
#
# Values: texts, whole numbers, lists and true or false are themselves, a record is a map with texts
# as keys, a tuple a tuple, a map {:map, map}, bytes {:bytes, binary}, a variant {:tag, name, value},
# and a value or none the value or nil; on the way out a value that may be none is {:maybe, value}.

defmodule Harness.Json do
  def read(line), do: line |> value() |> elem(0)

  defp value(<<c, rest::binary>>) when c in ' \t', do: value(rest)
  defp value("{" <> rest), do: items(rest, ?}, [], &pair/1, &meaning/1)
  defp value("[" <> rest), do: items(rest, ?], [], &value/1, & &1)
  defp value("\"" <> rest), do: text(rest, [])
  defp value("true" <> rest), do: {true, rest}
  defp value("false" <> rest), do: {false, rest}
  defp value(rest), do: Integer.parse(rest)

  defp items(<<c, rest::binary>>, last, found, one, made) when c in ', \t',
    do: items(rest, last, found, one, made)

  defp items(<<last, rest::binary>>, last, found, _one, made),
    do: {found |> Enum.reverse() |> made.(), rest}

  defp items(rest, last, found, one, made) do
    {item, rest} = one.(rest)
    items(rest, last, [item | found], one, made)
  end

  defp pair("\"" <> rest) do
    {name, rest} = text(rest, [])
    {value, rest} = rest |> String.trim_leading() |> String.trim_leading(":") |> value()
    {{name, value}, rest}
  end

  defp text("\"" <> rest, found), do: {IO.iodata_to_binary(Enum.reverse(found)), rest}

  defp text(<<"\\u", digits::binary-size(4), rest::binary>>, found),
    do: text(rest, [<<String.to_integer(digits, 16)::utf8>> | found])

  defp text(<<"\\", c, rest::binary>>, found), do: text(rest, [letter(c) | found])
  defp text(<<c, rest::binary>>, found), do: text(rest, [c | found])

  defp letter(?n), do: ?\n
  defp letter(?t), do: ?\t
  defp letter(?r), do: ?\r
  defp letter(c), do: c

  defp meaning([{"#tup", parts}]), do: List.to_tuple(parts)
  defp meaning([{"#map", pairs}]), do: {:map, Map.new(pairs, fn [key, value] -> {key, value} end)}
  defp meaning([{"#set", parts}]), do: {:set, parts}
  defp meaning([{"#bytes", text}]), do: {:bytes, Base.decode64!(text)}
  defp meaning([{"#bigint", digits}]), do: String.to_integer(digits)

  defp meaning(fields) do
    case Map.new(fields) do
      %{"tag" => "none", "value" => {}} -> nil
      %{"tag" => "some", "value" => value} -> value
      %{"tag" => tag, "value" => value} -> {:tag, tag, value}
      record -> record
    end
  end

  def write({:bytes, bytes}), do: object([{"#bytes", Base.encode64(bytes)}])
  def write({:map, map}), do: object([{"#map", for({key, value} <- map, do: [key, value])}])
  def write({:set, parts}), do: object([{"#set", Enum.to_list(parts)}])
  def write({:maybe, nil}), do: write({:tag, "none", {}})
  def write({:maybe, value}), do: write({:tag, "some", value})
  def write({:tag, tag, value}), do: object([{"tag", tag}, {"value", value}])
  def write(tuple) when is_tuple(tuple), do: object([{"#tup", Tuple.to_list(tuple)}])
  def write(record) when is_map(record), do: object(Enum.to_list(record))
  def write(list) when is_list(list), do: [?[, Enum.map_intersperse(list, ?,, &write/1), ?]]
  def write(flag) when is_boolean(flag), do: Atom.to_string(flag)
  def write(text) when is_binary(text), do: [?", escaped(text), ?"]
  def write(n) when abs(n) < 0x20000000000000, do: Integer.to_string(n)
  def write(n), do: object([{"#bigint", Integer.to_string(n)}])

  defp object(fields) do
    pairs =
      Enum.map_intersperse(fields, ?,, fn {name, value} -> [write(name), ?:, write(value)] end)

    [?{, pairs, ?}]
  end

  defp escaped(text) do
    for <<c::utf8 <- text>> do
      cond do
        c in [?", ?\\] -> [?\\, c]
        c < 32 -> ["\\u00", c |> Integer.to_string(16) |> String.pad_leading(2, "0")]
        true -> <<c::utf8>>
      end
    end
  end
end

defmodule Harness.Wire do
  # Nothing but messages may stand on standard output: log on standard error.
  def say(message), do: IO.binwrite(:stdio, [Harness.Json.write(message), ?\n])

  def hear do
    case IO.binread(:stdio, :line) do
      line when is_binary(line) -> Harness.Json.read(line)
      _ -> %{"type" => "bye"}
    end
  end

  # Ask for one effect (command, replicate, read, policy), and wait for its answer.
  def ask(call, kind, args) do
    number = Process.get(:effects, 0) + 1
    Process.put(:effects, number)
    asked = %{"type" => "effect", "id" => number, "call" => call, "kind" => kind, "args" => args}
    say(asked)
    hear()["value"]
  end
end

defmodule Harness.Calls do
  # FILL IN: the calls that you have. `malachi-model conform list` names them by profile.
  def ops, do: ["open", "create_topic"]

  # A call takes the broker as it is, the arguments and what asks for effects, and answers the broker
  # as it is afterwards, and the reply. An argument that a function does not take is an ArgumentError.

  # FILL IN: open a broker with these options.
  def call("open", _broker, args, _ask), do: {%{options: args}, {:tag, "ok", {}}}

  # FILL IN: send the command, hold the view that comes back, answer the reply.
  def call("create_topic", broker, args, ask) do
    answer = ask.("command", %{"command" => {:tag, "create_topic", args}})
    {broker, answer["reply"]}
  end

  # FILL IN: the state of a broker, once you want to be judged at L3.
  def shown(_broker), do: raise("not filled in")
end

defmodule Harness.Serve do
  alias Harness.{Calls, Wire}

  @welcome %{
    "type" => "welcome",
    "protocol" => 1,
    "implementation" => "FILL IN",
    "level" => "L1",
    # FILL IN, once you show states: "show" => true sends each along with its reply.
    "capabilities" => %{"position" => "phash2"}
  }

  def run(brokers \\ %{}) do
    message = Wire.hear()
    id = message["id"]

    case message["type"] do
      "hello" ->
        Wire.say(Map.put(@welcome, "ops", Calls.ops()))
        run(brokers)

      "call" ->
        {answer, brokers} = answered(message, brokers)
        Wire.say(answer)
        run(brokers)

      "snapshot" ->
        Wire.say(%{
          "type" => "state",
          "id" => id,
          "value" => Calls.shown(brokers[message["broker"]])
        })

        run(brokers)

      "reset" ->
        Wire.say(%{"type" => "ready", "id" => id})
        run()

      _ ->
        :ok
    end
  end

  defp answered(%{"id" => id, "broker" => name, "op" => op, "args" => args} = message, brokers) do
    {after_call, reply} = Calls.call(op, brokers[name], args, &Wire.ask(id, &1, &2))
    # A refused `open` has no broker to answer: what the name stood for, if anything, stays.
    broker = after_call || brokers[name]
    said = %{"type" => "reply", "id" => id, "value" => reply}

    said =
      if message["show"] && broker, do: Map.put(said, "state", Calls.shown(broker)), else: said

    {said, Map.put(brokers, name, broker)}
  rescue
    error ->
      kind = if error.__struct__ == ArgumentError, do: "argument", else: inspect(error.__struct__)
      said = Exception.message(error)
      {%{"type" => "crash", "id" => id, "kind" => kind, "message" => said}, brokers}
  end
end

:ok = :io.setopts(:standard_io, binary: true, encoding: :latin1)
Harness.Serve.run()
