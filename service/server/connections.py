"""The connections of a worker: their unsent bytes, and which is closed when places or memory run short."""

import select
import socket
import ssl
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from itertools import islice
from math import inf
from threading import Lock
from time import monotonic
from typing import Any

from service.server.framing import RequestBuffer
from service.server.tls import FIRST_BYTE, TlsLayer

TAKEN_WITHIN = 30.0
"""Seconds in which a client must take some of a response."""
MIN_RATE = 2**12
"""Bytes per second that it must take on average, after the first `TAKEN_WITHIN` seconds."""
CLOSED_WITHIN = 2.0
"""Seconds without a byte after which the worker stops waiting for a client to close."""
LINGERS_FOR = 30.0
MAX_DISCARDED = 2**25
"""Seconds and bytes for which it may go on sending a refused body, so that it gets to read the response."""
MAX_PER_ADDRESS = 200
"""Connections of one address in one worker."""
MAX_HELD = 2**26
MAX_HELD_PER_ADDRESS = 2**24
"""Bytes of unsent responses and unfinished requests that a worker keeps in memory, of all and of one address."""
MAX_WAITING = 24
MAX_WAITING_PER_ADDRESS = 6
"""Threads that wait for clients to take a generated response, for all and for one address."""
RECEIVED_AT_ONCE = 2**16
MAX_PIECES = 512
"""Pieces handed to the system at once; it takes 1,024."""

_RESET = struct.pack("ii", 1, 0)


class TooSlow(OSError):
    """The client does not take the response in time."""


class State(Enum):
    """The state of a connection."""

    IDLE = auto()
    """Nothing of the next request has arrived."""
    RECEIVING_HEAD = auto()
    RECEIVING_BODY = auto()
    ANSWERING = auto()
    """A thread has it, and nothing else may touch it."""
    SENDING = auto()
    LINGERING = auto()
    """Everything is sent, and the client has not closed its side yet."""
    CLOSED = auto()


class Connection:
    """A client's connection; it belongs to the event loop of the worker, or to the thread of its request."""

    __slots__ = (
        "_context",
        "_discarded",
        "_taken",
        "_tls",
        "_waited",
        "address",
        "began",
        "buffer",
        "client",
        "due",
        "held",
        "is_kept",
        "is_whole",
        "server",
        "sock",
        "state",
        "unsent",
    )

    def __init__(
        self, sock: socket.socket, client: Any, server: Any, address: str, context: ssl.SSLContext | None = None
    ) -> None:
        """With a `context` the first byte decides whether the client speaks TLS or plain HTTP."""
        sock.setblocking(False)
        self._context = context
        self._tls: TlsLayer | None = None
        self.sock = sock
        self.client = client
        self.server = server
        self.address = address
        """The key for limits by address."""
        self.state = State.IDLE
        self.due = inf
        self.buffer = RequestBuffer()
        self.held = 0
        """Bytes of memory that are counted for it."""
        self.is_kept = False
        """Whether another request may follow after the response."""
        self.is_whole = True
        """Whether all of the current request has arrived."""
        self.unsent: list[bytes | memoryview] = []
        self._discarded = 0
        self.begin_answer()

    def begin_answer(self) -> None:
        """Restart the measurement of the client's pace."""
        self.began = monotonic()
        self._taken = 0
        self._waited = 0.0

    @property
    def is_secure(self) -> bool:
        """Whether the client speaks TLS."""
        return self._tls is not None

    def receive(self) -> bytes | None:
        """Receive a part of a request; None if nothing of one has arrived, empty at the end. Raise `OSError`."""
        try:
            data = self.sock.recv(RECEIVED_AT_ONCE)
        except BlockingIOError:
            return None
        if self._context is not None and data:
            if data[0] == FIRST_BYTE:
                self._tls = TlsLayer(self._context)
            self._context = None
        return data if self._tls is None or not data else self._decrypt(self._tls, data)

    def _decrypt(self, tls: TlsLayer, data: bytes) -> bytes | None:
        try:
            return tls.decrypt(data)
        finally:
            if own := tls.outgoing():
                self.unsent.append(own)
                self.push()

    @property
    def unsent_bytes(self) -> int:
        """The number of bytes that the client has not taken yet."""
        return sum(map(len, self.unsent))

    def sendall(self, data: bytes) -> None:
        """Queue a part of a response; gunicorn calls this like a socket's method."""
        if data:
            self.unsent.append(data if self._tls is None else self._tls.encrypt(data))

    def push(self) -> bool:
        """Send what the client takes without waiting; return whether it took anything. Raise `OSError`."""
        before = self._taken
        with suppress(BlockingIOError):
            while self.unsent:
                sent = self.sock.sendmsg(islice(self.unsent, MAX_PIECES))
                self._taken += sent
                self._drop(sent)
        return self._taken > before

    def _drop(self, sent: int) -> None:
        whole = 0
        for piece in self.unsent:
            if len(piece) > sent:
                break
            sent -= len(piece)
            whole += 1
        del self.unsent[:whole]
        if sent:
            self.unsent[0] = memoryview(self.unsent[0])[sent:]

    def next_due(self) -> float:
        """The time by which the client must take more of a response that the loop sends."""
        return min(monotonic() + TAKEN_WITHIN, self.began + TAKEN_WITHIN + self._taken / MIN_RATE)

    def wait_until_taken(self, most: int) -> None:
        """Wait, in a thread, until at most this many bytes are unsent; raise `OSError`."""
        poll = select.poll()
        poll.register(self.sock, select.POLLOUT)
        while self.unsent_bytes > most:
            allowed = min(TAKEN_WITHIN, TAKEN_WITHIN + self._taken / MIN_RATE - self._waited)
            began = monotonic()
            # The system reports a socket as writable only when a good part of its buffer is free, so always try.
            if allowed > 0:
                poll.poll(allowed * 1000)
            self._waited += monotonic() - began
            if not self.push():
                raise TooSlow

    def linger(self) -> None:
        """Close our side and wait for the client to close its own; raise `OSError`."""
        self.state = State.LINGERING
        if self._tls is not None:
            self.unsent.append(self._tls.end())
            self.push()
        self.sock.shutdown(socket.SHUT_WR)
        self.began = monotonic()
        self.due = self.began + CLOSED_WITHIN

    def discard(self) -> bool:
        """Read and discard what the client still sends; return False if that is over."""
        try:
            received = len(self.sock.recv(2**16))
        except BlockingIOError:
            return True
        self._discarded += received
        self.due = min(monotonic() + CLOSED_WITHIN, self.began + LINGERS_FOR)
        return received > 0 and self._discarded <= MAX_DISCARDED

    def break_off(self) -> None:
        """Make the thread that waits for the client fail."""
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)

    def close(self, *, is_reset: bool = False) -> None:
        """Close the connection; a reset discards what the system has not sent yet."""
        self.state = State.CLOSED
        self.buffer.close()
        if is_reset:
            with suppress(OSError):
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.sock.close()


class Holdings:
    """The resources that the connections of one address hold."""

    __slots__ = ("count", "held", "parked")

    def __init__(self) -> None:
        self.count = 0
        self.held = 0
        self.parked: dict[Connection, None] = {}
        """Connections that wait for their client and may be closed, longest waiting first."""


class Connections:
    """All connections of a worker; used only by its event loop."""

    def __init__(self, max_count: int, *, by_address: bool) -> None:
        self._max_count = max_count
        self._by_address = by_address
        self._all: set[Connection] = set()
        self._held = 0
        self._addresses: dict[str, Holdings] = {}

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._all)

    @property
    def is_full(self) -> bool:
        """Whether there is no place for another connection unless one is closed."""
        return len(self._all) >= self._max_count

    def add(self, connection: Connection) -> None:
        self._all.add(connection)
        self._addresses.setdefault(connection.address, Holdings()).count += 1

    def remove(self, connection: Connection) -> None:
        self.unpark(connection)
        self.hold(connection, 0)
        self._all.remove(connection)
        holdings = self._addresses[connection.address]
        holdings.count -= 1
        if not holdings.count:
            del self._addresses[connection.address]

    def park(self, connection: Connection) -> None:
        """Mark a connection as waiting for its client from now on."""
        parked = self._addresses[connection.address].parked
        parked.pop(connection, None)
        parked[connection] = None

    def unpark(self, connection: Connection) -> None:
        """Mark a connection as no longer waiting."""
        self._addresses[connection.address].parked.pop(connection, None)

    def hold(self, connection: Connection, held: int) -> None:
        """Set the bytes of memory that are counted for a connection."""
        grown = held - connection.held
        if grown:
            connection.held = held
            self._held += grown
            self._addresses[connection.address].held += grown

    def blocks(self, address: str) -> bool:
        """Whether there is no place for a connection of an address."""
        return self.is_full or self._is_crowded(address)

    def in_the_way(self, address: str) -> Connection | None:
        """The connection to close in favour of a new one of an address, if any."""
        if not self._is_crowded(address):
            address = max(self._addresses, key=lambda address: len(self._addresses[address].parked), default="")
        holdings = self._addresses.get(address)
        return None if holdings is None else next(iter(holdings.parked), None)

    def too_much(self, address: str) -> Connection | None:
        """The connection to close because too much memory is held, by all or by an address."""
        if self._by_address and self._addresses[address].held > MAX_HELD_PER_ADDRESS:
            return self._oldest_holder(address)
        if self._held > MAX_HELD:
            return self._oldest_holder(max(self._addresses, key=lambda address: self._addresses[address].held))
        return None

    def _is_crowded(self, address: str) -> bool:
        holdings = self._addresses.get(address)
        return self._by_address and holdings is not None and holdings.count >= MAX_PER_ADDRESS

    def _oldest_holder(self, address: str) -> Connection | None:
        return next((connection for connection in self._addresses[address].parked if connection.held), None)


class WaitingThreads:
    """The threads that wait for slow clients. Of too many, the longest waiting one is ended."""

    def __init__(self, *, by_address: bool) -> None:
        self._by_address = by_address
        self._lock = Lock()
        self._waiting: dict[Connection, None] = {}

    @contextmanager
    def waiting(self, connection: Connection) -> Iterator[None]:
        """Count the current thread while it waits."""
        with self._lock:
            self._waiting[connection] = None
            surplus = self._surplus(connection.address)
            if surplus is not None:
                del self._waiting[surplus]
        if surplus is not None:
            surplus.break_off()
        try:
            yield
        finally:
            with self._lock:
                self._waiting.pop(connection, None)

    def _surplus(self, address: str) -> Connection | None:
        counts: dict[str, int] = {}
        for connection in self._waiting:
            counts[connection.address] = counts.get(connection.address, 0) + 1
        if self._by_address and counts[address] > MAX_WAITING_PER_ADDRESS:
            return self._first_of(address, self._waiting)
        if len(self._waiting) > MAX_WAITING:
            return self._first_of(max(counts, key=lambda address: counts[address]), self._waiting)
        return None

    @staticmethod
    def _first_of(address: str, connections: Iterable[Connection]) -> Connection:
        return next(connection for connection in connections if connection.address == address)
