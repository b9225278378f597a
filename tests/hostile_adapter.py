"""An adapter that misbehaves in one named way, in nothing but the standard library."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

WELCOME = {
    "type": "welcome",
    "protocol": 1,
    "implementation": "hostile",
    "ops": ["open", "create_topic", "active_range_ids"],
    "level": "L3",
}
OK = {"tag": "ok", "value": {"#tup": []}}


def write(text: str) -> None:
    """Write as it is."""
    sys.stdout.write(text)
    sys.stdout.flush()


def say(message: dict[str, object]) -> None:
    """Write a message."""
    write(json.dumps(message) + "\n")


def hear() -> dict[str, object]:
    """Read a message, or leave where there is none."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    message: dict[str, object] = json.loads(line)
    return message


def greeted() -> dict[str, object]:
    """Be nice until the first call; that call."""
    while True:
        message = hear()
        if message["type"] == "hello":
            say(WELCOME)
        elif message["type"] == "reset":
            say({"type": "ready", "id": message["id"]})
        else:
            return message


def effect(number: object, call: object) -> dict[str, object]:
    """A command that nobody asked for."""
    command = {"tag": "create_topic", "value": {"topic": "u", "bits": 1}}
    args = {"command": command}
    return {"type": "effect", "id": number, "call": call, "kind": "command", "args": args}


def log_lines() -> None:
    """Log on standard output."""
    greeted()
    write("[info] broker is starting\n")


def half_a_line() -> None:
    """Stop in the middle of a line."""
    greeted()
    write('{"type": "rep')
    time.sleep(60)


def half_a_line_and_leave() -> None:
    """Leave in the middle of a line."""
    greeted()
    write('{"type": "rep')


def silence() -> None:
    """Say nothing."""
    greeted()
    time.sleep(60)


def flood() -> None:
    """Write on standard error for ever, and answer nothing."""
    greeted()
    while True:
        os.write(2, b"x" * 65536)


def chatter() -> None:
    """Write megabytes on standard error, and then leave."""
    greeted()
    for _ in range(200):
        os.write(2, b"y" * 65536)
    os.write(2, b"the last word")


def leave() -> None:
    """Leave early."""
    greeted()
    sys.exit(3)


def killed() -> None:
    """Be ended by a signal."""
    greeted()
    os.kill(os.getpid(), signal.SIGKILL)


def grandchild() -> None:
    """Leave behind somebody who holds the pipe."""
    greeted()
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", *sys.argv[2:]])
    os._exit(4)


def not_a_number() -> None:
    """Answer NaN."""
    call = greeted()
    write(f'{{"type": "reply", "id": {call["id"]}, "value": NaN}}\n')


def a_fraction() -> None:
    """Answer a fraction."""
    call = greeted()
    write(f'{{"type": "reply", "id": {call["id"]}, "value": 1.5}}\n')


def a_key_twice() -> None:
    """Answer an object with a key that stands twice."""
    call = greeted()
    write(f'{{"type": "reply", "id": {call["id"]}, "id": 7, "value": 1}}\n')


def deep() -> None:
    """Answer what is nested a hundred thousand times."""
    greeted()
    write("[" * 100_000 + "]" * 100_000 + "\n")


def huge() -> None:
    """Answer a line that has no end."""
    greeted()
    while True:
        write("x" * 65536)


def many_values() -> None:
    """Answer a line of a few megabytes that asks for a lot of memory."""
    greeted()
    write("[" + "{}," * 4_000_000 + "{}]\n")


def many_digits() -> None:
    """Answer a number of a million digits."""
    call = greeted()
    write(f'{{"type": "reply", "id": {call["id"]}, "value": {"9" * 1_000_000}}}\n')


def wrong_id() -> None:
    """Answer another call."""
    greeted()
    say({"type": "reply", "id": 999, "value": OK})


def a_reply_too_many() -> None:
    """Answer a call, and then one that nobody made."""
    call = greeted()
    write(2 * (json.dumps({"type": "reply", "id": call["id"], "value": OK}) + "\n"))
    time.sleep(60)


def effect_after_reply() -> None:
    """Ask for an effect after the call is over."""
    call = greeted()
    reply = {"type": "reply", "id": call["id"], "value": OK}
    write(json.dumps(reply) + "\n" + json.dumps(effect(1, call["id"])) + "\n")
    time.sleep(60)


def effect_of_another_call() -> None:
    """Ask for an effect in the name of another call."""
    greeted()
    say(effect(1, 999))
    time.sleep(60)


def endless_effects() -> None:
    """Ask for effects without end."""
    call = greeted()
    number = 0
    while True:
        number += 1
        say(effect(number, call["id"]))
        hear()


def slow_drip() -> None:
    """Write a byte at a time, for ever."""
    greeted()
    while True:
        write(" ")
        time.sleep(0.02)


def not_utf8() -> None:
    """Write bytes that are no text."""
    greeted()
    os.write(1, b'{"type": "\xff\xfe"}\n')


def unknown_type() -> None:
    """Say what the protocol does not have."""
    call = greeted()
    say({"type": "banana", "id": call["id"]})


def not_an_object() -> None:
    """Answer a list."""
    greeted()
    write("[1, 2]\n")


def another_protocol() -> None:
    """Speak another protocol."""
    hear()
    say({**WELCOME, "protocol": 2})
    time.sleep(60)


def deaf() -> None:
    """Read nothing, ever."""
    time.sleep(60)


def banner() -> None:
    """Say what it is before anybody asked."""
    write("broker 1.0 is starting\n")
    time.sleep(60)


def old_id() -> None:
    """Answer the message before."""
    call = greeted()
    say({"type": "reply", "id": int(str(call["id"])) - 1, "value": OK})


def closed_input() -> None:
    """Answer, and hear nothing more."""
    call = greeted()
    os.close(0)
    say({"type": "reply", "id": call["id"], "value": OK})
    time.sleep(60)


def closed_output() -> None:
    """Say nothing more, and live on."""
    greeted()
    os.close(1)
    time.sleep(60)


def flood_behind_closed_output() -> None:
    """Say nothing more, and complain for ever."""
    greeted()
    os.close(1)
    while True:
        os.write(2, b"z" * 65536)


def daemon() -> None:
    """Leave behind somebody of another session who holds the pipes."""
    greeted()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(10)
        os._exit(0)
    os.wait()
    os._exit(0)


def deaf_to_signals() -> None:
    """Say nothing, and do not leave when asked to."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    silence()


def stopped() -> None:
    """Stop, and wait for somebody to say that it goes on."""
    greeted()
    os.kill(os.getpid(), signal.SIGSTOP)


def odd_signal() -> None:
    """Be ended by a signal that has no name."""
    greeted()
    os.kill(os.getpid(), signal.SIGRTMIN + 5)


def crash() -> None:
    """Crash in every call, politely."""
    while True:
        call = greeted()
        say({"type": "crash", "id": call["id"], "kind": "KeyError", "message": "no such thing"})


BEHAVIOURS: dict[str, Callable[[], None]] = {
    name: each
    for name, each in dict(globals()).items()
    if callable(each) and getattr(each, "__module__", "") == __name__
}

if __name__ == "__main__":
    BEHAVIOURS[sys.argv[1]]()
