"""Ports that are reserved for this test run until it ends."""

import socket

_held: list[socket.socket] = []


def held_port() -> int:
    """Returns a port of the loopback address that the kernel chose and gives to no other process.

    A socket that never listens keeps the port bound. A server that sets SO_REUSEADDR, as all servers here do, can bind
    the port too and listen, any number of times. Until then, connections are refused. Another program could take a port
    that was only looked up and released, before the server binds it.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _held.append(holder)
    return holder.getsockname()[1]
