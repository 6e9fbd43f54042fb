"""Ports for services that are started on the side."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Iterator[int]:
    """A free port of this machine, which the system gives to nobody else until the end.

    It is bound and not listened at, so that a server that sets SO_REUSEADDR, as servers do, can have it.
    """
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]
