"""The readers of live streams: woken by notifications, and regularly in case one was lost."""

import select
import socket
from collections import Counter
from dataclasses import dataclass
from threading import Event, Lock
from time import monotonic
from uuid import UUID

from service.db.leader import Leader
from service.db.notifications import Listener
from service.errors import TooManyStreams
from service.metrics import METRICS

MAX_STREAMS = 120
"""Each holds a thread of its worker, and recording must always find a free one."""
MAX_ANONYMOUS = 80
"""Places for readers without an account, so that readers with one always find a place."""
MAX_PER_ADDRESS = 30
"""Places for readers without an account at one address."""
MAX_PER_ACCOUNT = 20
COMPARE_EVERY = 15.0
LOOK_EVERY = 1.0
"""Seconds after which the place of a disconnected client is free again."""

MIN_RETRY, RETRY_SPREAD = 1000, 2000
"""Milliseconds after which the first reader reconnects after a shutdown, and until the last one does."""
HAS_LEFT = getattr(select, "POLLRDHUP", 0)
"""The event of Linux for a client that has closed its side, even if bytes that nobody reads, as of TLS, came before."""
YIELDS_FOR = 15_000
"""Milliseconds after which a reader reconnects whose place another one got."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of places: an account, or an address for readers without one."""

    name: str
    is_account: bool

    @property
    def most(self) -> int:
        """The maximum number of places."""
        return MAX_PER_ACCOUNT if self.is_account else MAX_PER_ADDRESS


class Reader:
    """A client that waits for changes of a match, with its thread."""

    def __init__(
        self, match_id: UUID, client: socket.socket | None, compare_every: float, holder: Holder | None = None
    ) -> None:
        self.match_id = str(match_id)
        self.holder = holder
        self._client = client
        self._compare_every = compare_every
        self._woken = Event()
        self._is_over = False
        self.comes_back_after: int | None = None
        """Milliseconds that the client has to wait before it reconnects."""

    def wake(self) -> None:
        """Make the thread compare the match with what the client knows."""
        self._woken.set()

    def end(self, comes_back_after: int) -> None:
        """End the thread and the stream."""
        self.comes_back_after = comes_back_after
        self._is_over = True
        self._woken.set()

    def wait(self) -> bool:
        """Wait for the next comparison; return False when the stream has ended."""
        latest = monotonic() + self._compare_every
        while (left := latest - monotonic()) > 0 and not self._woken.wait(min(left, LOOK_EVERY)):
            if _has_left(self._client):
                return False
        self._woken.clear()
        return not self._is_over


def _has_left(client: socket.socket | None) -> bool:
    """Whether the client has closed its connection, which otherwise only the second failing write would show."""
    if client is None:
        return False
    try:
        if HAS_LEFT and client.fileno() >= 0:
            poll = select.poll()
            poll.register(client, HAS_LEFT)
            return bool(poll.poll(0))
        return client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class Streams:
    """The readers of one process, with one listener for all of them."""

    def __init__(self, leader: Leader, most: int = MAX_STREAMS, compare_every: float = COMPARE_EVERY) -> None:
        self._most = most
        self._compare_every = compare_every
        self._listener = Listener(leader, self._wake)
        self._lock = Lock()
        self._readers: dict[Reader, None] = {}
        """In the order of their arrival."""
        self._is_over = False

    def enter(self, match_id: UUID, client: socket.socket | None, holder: Holder | None = None) -> Reader:
        """Get a place for a reader, without limits by holder if it has none; raise `TooManyStreams`."""
        reader = Reader(match_id, client, self._compare_every, holder)
        with self._lock:
            self._make_room(holder)
            self._readers[reader] = None
            METRICS.streams.set(len(self._readers))
            if self._is_over:
                reader.end(MIN_RETRY)
        self._listener.start()
        return reader

    def _make_room(self, holder: Holder | None) -> None:
        """Make a place for one more reader; raise `TooManyStreams`."""
        counts = Counter(reader.holder for reader in self._readers)
        if holder is not None and counts[holder] >= holder.most:
            detail = f"{holder.most} streams are open for this {'account' if holder.is_account else 'address'} already."
            raise TooManyStreams(detail)
        anonymous = {other: count for other, count in counts.items() if other is not None and not other.is_account}
        is_crowded = holder is not None and not holder.is_account and sum(anonymous.values()) >= MAX_ANONYMOUS
        if len(self._readers) < self._most and not is_crowded:
            return
        # The holder with most places gives one to a holder with fewer, but accounts never to readers without one.
        yielding = counts if holder is not None and holder.is_account else anonymous
        heaviest = max((other for other in yielding if other is not None), key=counts.__getitem__, default=None)
        if heaviest is None or counts[heaviest] <= counts[holder] + 1:
            raise TooManyStreams("Too many readers wait for changes here; try again.")
        surplus = next(reader for reader in self._readers if reader.holder == heaviest)
        del self._readers[surplus]
        surplus.end(YIELDS_FOR)

    def leave(self, reader: Reader) -> None:
        """Give a place back."""
        with self._lock:
            self._readers.pop(reader, None)
            METRICS.streams.set(len(self._readers))

    def end(self) -> None:
        """End all readers, present and future, spread over time so that they do not all reconnect at once."""
        with self._lock:
            self._is_over = True
            for place, reader in enumerate(self._readers):
                reader.end(MIN_RETRY + place * RETRY_SPREAD // len(self._readers))

    def close(self) -> None:
        """End all readers and stop listening."""
        self.end()
        self._listener.close()

    def _wake(self, match_id: str | None) -> None:
        with self._lock:
            for reader in self._readers:
                if match_id in {None, reader.match_id}:
                    reader.wake()
