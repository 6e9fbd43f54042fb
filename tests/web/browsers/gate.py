"""A way to the service that can be shut and opened again, since drivers of browsers cannot take the network away."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread

CHUNK = 65_536


class Gate:
    """A port in front of another one. While it is shut every connection breaks, and new ones break at once."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._is_shut = False
        self._open: set[socket.socket] = set()
        self._lock = Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._accepting = Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def shut(self) -> None:
        """Take the network away."""
        with self._lock:
            self._is_shut = True
            broken, self._open = self._open, set()
        for end in broken:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def open(self) -> None:
        """Bring the network back."""
        self._is_shut = False

    def close(self) -> None:
        """Listen no longer."""
        self.shut()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._is_shut:
                client.close()
                continue
            service = socket.create_connection(("127.0.0.1", self._target))
            with self._lock:
                self._open |= {client, service}
            for one, other in ((client, service), (service, client)):
                Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while part := one.recv(CHUNK):
                other.sendall(part)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(one)
        one.close()


@contextmanager
def gate_before(address: str) -> Iterator[Gate]:
    """A gate before the service at an address."""
    gate = Gate(int(address.rpartition(":")[2]))
    yield gate
    gate.close()
