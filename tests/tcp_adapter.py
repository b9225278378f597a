"""An adapter over TCP that misbehaves in one named way."""

import json
import os
import socket
import struct
import sys
import time

WELCOME = {"type": "welcome", "protocol": 1, "implementation": "x", "ops": ["open"], "level": "L1"}


def main(behaviour: str) -> None:
    """Connect, and misbehave."""
    if behaviour == "never_connects":
        time.sleep(60)
    if behaviour == "leaves":
        sys.exit(5)
    address = os.environ["MALACHI_CONFORM_HOST"], int(os.environ["MALACHI_CONFORM_PORT"])
    with socket.create_connection(address) as connection, connection.makefile("rw") as file:
        file.readline()
        if behaviour == "resets":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            os._exit(0)
        token = "wrong" if behaviour == "wrong_token" else os.environ["MALACHI_CONFORM_TOKEN"]
        file.write(json.dumps({**WELCOME, "token": token}) + "\n")
        file.flush()
        file.readline()


main(sys.argv[1])
