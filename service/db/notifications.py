"""Notifications that a match has changed, sent after the commit to the processes that have readers.

A notification can get lost, so readers also check from time to time.
"""

from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID, uuid4

import orjson
import psycopg

from service.db.leader import Leader
from service.db.threads import ConnectedThread

_Connection: TypeAlias = psycopg.Connection[Any]

CHANNEL = "carnet"
PAUSE = 0.05
"""Seconds after a notification of this process in which further ones are collected."""
SPENDING_CHANNEL = "carnet_spending"
EXCHANGE_EVERY = 1.0
TOLD_AT_ONCE = 50
"""Clients in one notification, of which PostgreSQL takes 8,000 bytes."""
LISTEN_TIMEOUT = 0.2
"""Seconds after which a listener checks whether it is to end."""


class _ToLeader(ConnectedThread):
    """A thread with a connection to the leader, which is broken off when the leader is lost."""

    def __init__(self, name: str, leader: Leader) -> None:
        super().__init__(name, leader.dsn)
        self._leader = leader

    def _connect(self) -> _Connection:
        connection = super()._connect()
        self._leader.add(connection)
        return connection


class Notifier(_ToLeader):
    """Notifies all processes of the matches that this one has changed."""

    def __init__(self, leader: Leader) -> None:
        super().__init__("carnet notifications", leader)
        self._queue: SimpleQueue[UUID | None] = SimpleQueue()
        self._unsent: set[str] = set()

    def notify(self, match_id: UUID) -> None:
        """Notify of a match, after the commit."""
        self._queue.put(match_id)
        self.start()

    def close(self) -> None:
        """Send what is queued, and end."""
        self._ended.set()
        self._queue.put(None)
        super().close()

    def _work(self, connection: _Connection) -> None:
        connection.execute("SET synchronous_commit TO off")  # nobody would listen for what gets lost in a crash
        goes_on = True
        while goes_on:
            goes_on = self._gather()
            if self._unsent:
                unsent = list(self._unsent)
                connection.execute("SELECT pg_notify(%s, id) FROM unnest(%s::text[]) AS id", (CHANNEL, unsent))
            self._unsent.clear()
            self._ended.wait(PAUSE)

    def _gather(self) -> bool:
        """Wait for notifications and take all there are, each match once; return False if those were the last."""
        match_ids = [] if self._unsent else [self._queue.get()]
        with suppress(Empty):
            while True:
                match_ids.append(self._queue.get_nowait())
        self._unsent |= {str(match_id) for match_id in match_ids if match_id is not None}
        return None not in match_ids


class Listener(_ToLeader):
    """Listens to the notifications of all processes, and passes on the id of the match.

    It passes on None when it has begun to listen: notifications before then are lost.
    """

    def __init__(self, leader: Leader, on_notification: Callable[[str | None], None]) -> None:
        super().__init__("carnet listener", leader)
        self._on_notification = on_notification

    def _work(self, connection: _Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        self._on_notification(None)
        while not self._ended.is_set():
            for notification in connection.notifies(timeout=LISTEN_TIMEOUT):
                self._on_notification(notification.payload)


class Spending(NamedTuple):
    """Requests of the rate limit that a client took in one process."""

    kind: str
    client: str
    spent: float


class SpendingExchange(_ToLeader):
    """Tells the other processes on a database what clients took from the rate limit here, and hears of theirs.

    It is about what was spent within seconds, so nothing is repeated that gets lost.
    """

    def __init__(self, leader: Leader) -> None:
        super().__init__("carnet spending", leader)
        self._name = uuid4().hex
        self._collect: Callable[[], list[Spending]] = list
        self._on_spending: Callable[[Spending], None] = lambda _: None

    def serve(self, collect: Callable[[], list[Spending]], on_spending: Callable[[Spending], None]) -> None:
        """Set what returns the spending of this process, and what is called for each of another one."""
        self._collect, self._on_spending = collect, on_spending

    def _work(self, connection: _Connection) -> None:
        connection.execute("SET synchronous_commit TO off")
        connection.execute(f"LISTEN {SPENDING_CHANNEL}")
        due = monotonic()
        while not self._ended.is_set():
            for notification in connection.notifies(timeout=LISTEN_TIMEOUT):
                self._hear(notification.payload)
            if monotonic() >= due:
                due = monotonic() + EXCHANGE_EVERY
                self._tell(connection)

    def _tell(self, connection: _Connection) -> None:
        spendings = [tuple(spending) for spending in self._collect()]
        for first in range(0, len(spendings), TOLD_AT_ONCE):
            payload = orjson.dumps([self._name, spendings[first : first + TOLD_AT_ONCE]]).decode()
            connection.execute("SELECT pg_notify(%s, %s)", (SPENDING_CHANNEL, payload))

    def _hear(self, payload: str) -> None:
        name, spendings = orjson.loads(payload)
        if name != self._name:
            for spending in spendings:
                self._on_spending(Spending(*spending))
