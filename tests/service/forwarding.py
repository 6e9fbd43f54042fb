"""A server of PostgreSQL behind a forwarder, which can be cut off as a network is."""

import selectors
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from psycopg.conninfo import conninfo_to_dict, make_conninfo

PORT = 5432


class Forwarder:
    """Passes on what clients and the server send, unless it is cut: then nothing arrives, and nothing ends."""

    def __init__(self, folder: Path, dsn: str) -> None:
        parameters = conninfo_to_dict(dsn)
        self._server = f"{parameters['host']}/.s.PGSQL.{parameters['port']}"
        self.dsn = make_conninfo(dsn, host=str(folder), port=PORT)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / f".s.PGSQL.{PORT}"))
        self._listener.listen()
        self._is_cut = Event()
        self._is_over = Event()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._thread = Thread(target=self._run)
        self._thread.start()

    def cut(self) -> None:
        """Stop forwarding."""
        self._is_cut.set()

    def mend(self) -> None:
        """Forward everything again."""
        self._is_cut.clear()

    def close(self) -> None:
        """End it with all connections."""
        self._is_over.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _run(self) -> None:
        while not self._is_over.is_set():
            if self._is_cut.is_set():
                self._is_over.wait(0.01)
                continue
            for key, _ in self._selector.select(0.01):
                if key.data is None:
                    self._accept()
                else:
                    self._pass_on(key.fileobj, key.data)  # type: ignore[arg-type]

    def _accept(self) -> None:
        client, _ = self._listener.accept()
        server = socket.socket(socket.AF_UNIX)
        server.connect(self._server)
        self._selector.register(client, selectors.EVENT_READ, server)
        self._selector.register(server, selectors.EVENT_READ, client)

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            data = source.recv(2**16)
            if data:
                target.sendall(data)
                return
        for end in (source, target):
            with suppress(KeyError, ValueError):
                self._selector.unregister(end)
            end.close()


@contextmanager
def forwarded(folder: Path, dsn: str) -> Iterator[Forwarder]:
    """A forwarder to a server, for some time."""
    forwarder = Forwarder(folder, dsn)
    try:
        yield forwarder
    finally:
        forwarder.mend()
        forwarder.close()
