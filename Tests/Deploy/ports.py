"""Ports that belong to this run of the tests until it ends."""

import socket

_held: list[socket.socket] = []


def held_port() -> int:
    """A port of the loopback address that the kernel chose and gives to nobody else.

    It stays bound here, by a socket that never listens. A server that sets SO_REUSEADDR, as all of these do, may
    bind it too and listen, as often as it is started; until it listens, connections are refused. A port that was
    only looked up and let go could be another program's before the server takes it.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _held.append(holder)
    return holder.getsockname()[1]
