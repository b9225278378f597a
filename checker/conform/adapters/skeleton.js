// A broker behind protocol 1: fill in the marked places.
// Values: strings, numbers, arrays (lists) and objects (records) are themselves; a tuple is
// {"#tup": [...]}, a map {"#map": [[key, value], ...]}, bytes {"#bytes": base64}.
"use strict";

const readline = require("readline");

const OK = { tag: "ok", value: { "#tup": [] } };

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

class Effects {
  constructor(call, lines) {
    this.call = call;
    this.lines = lines;
    this.count = 0;
  }

  // Ask for one effect (command, replicate, read, policy), and wait for its answer.
  async ask(kind, args) {
    this.count += 1;
    say({ type: "effect", id: this.count, call: this.call, kind, args });
    return JSON.parse((await this.lines.next()).value).value;
  }
}

// FILL IN: your broker. A call takes it as it is, the arguments and the effects, and answers it as
// it is afterwards, and the reply. `malachi-model conform list` names the calls by profile.
const calls = {
  // FILL IN: open a broker with these options.
  open: async (_broker, args, _effects) => [{ options: args }, OK],

  // FILL IN: send the command, hold the view that comes back, answer the reply.
  create_topic: async (broker, args, effects) => {
    const answer = await effects.ask("command", { command: { tag: "create_topic", value: args } });
    return [broker, answer.reply];
  },
};

// FILL IN: the state of a broker, once you want to be judged at L3.
function shown(_broker) {
  throw new Error("not filled in");
}

const welcome = {
  type: "welcome",
  protocol: 1,
  implementation: "FILL IN",
  ops: Object.keys(calls),
  level: "L1",
  // FILL IN, once you show states: { show: true } sends each along with its reply.
  capabilities: {},
};

async function answered(brokers, message, lines) {
  try {
    const call = calls[message.op];
    const effects = new Effects(message.id, lines);
    const before = brokers.get(message.broker);
    const [after, reply] = await call(before, message.args, effects);
    // A refused `open` has no broker to answer: what the name stood for, if anything, stays.
    const broker = after ?? before;
    if (broker) brokers.set(message.broker, broker);
    const said = { type: "reply", id: message.id, value: reply };
    return message.show && broker ? { ...said, state: shown(broker) } : said;
  } catch (error) {
    const kind = error instanceof RangeError ? "argument" : error.name;
    return { type: "crash", id: message.id, kind, message: error.message };
  }
}

async function main() {
  const brokers = new Map();
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const message = JSON.parse(line.value);
    if (message.type === "hello") say(welcome);
    else if (message.type === "call") say(await answered(brokers, message, lines));
    else if (message.type === "snapshot")
      say({ type: "state", id: message.id, value: shown(brokers.get(message.broker)) });
    else if (message.type === "reset") {
      brokers.clear();
      say({ type: "ready", id: message.id });
    } else break;
  }
  process.exit(0);
}

main();
