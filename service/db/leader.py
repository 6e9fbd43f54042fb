"""The leader: the server of the database that accepts writes, when there are several.

PostgreSQL's client library finds it by `target_session_attrs=read-write`. What it does not do is to notice that the
server at the other end of an open connection has stopped responding: a stopped process or a lost network sends nothing,
and a request would wait for as long as the system keeps the connection. So one thread asks the leader every second, and
if the answer stays away all connections to it are broken off; whatever waited on them fails at once and can be tried
again with the next leader.
"""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from select import POLLIN, poll
from threading import Event, Lock, Semaphore
from time import monotonic
from typing import Any, Final, TypeVar
from weakref import WeakSet

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.db.threads import ConnectedThread

CHECK_EVERY: Final = 1.0
ANSWER_WITHIN: Final = 5.0
"""Seconds after which a leader that does not answer is given up. A checkpoint or a slow disk takes less."""
CONNECT_WITHIN: Final = 3
"""Seconds for each of several servers, so that one that does not answer does not hide the others."""
OUTDATED_FOR: Final = 60.0
"""Seconds for which a server that writes an earlier timeline than the last leader is not taken for one. A former leader
whose machine stood still goes on until it learns that there is another; what it refuses then may be wrong."""
RETRY_EVERY: Final = 0.2
MAX_WAITING: Final = 32
"""Requests of a process that wait for a leader; threads must be left for readers. Further ones are refused at once."""
USUAL_WAIT: Final = 10.0
"""Seconds that writes wait for a leader if there are several servers and nothing else is configured."""

Value = TypeVar("Value")


class LeaderAway(psycopg.OperationalError):
    """No server accepts writes at the moment."""


NOT_WRITABLE: Final = (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction)
"""The errors of statements that another server may accept: the connection is lost, or its server became a standby."""


def has_several_servers(dsn: str) -> bool:
    """Whether a connection string names more than one server; a malformed one is refused where it is used."""
    try:
        parameters = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        return False
    return any("," in str(parameters.get(name) or "") for name in ("host", "hostaddr"))


def to_leader(dsn: str) -> str:
    """A connection string that leads to the server that accepts writes, if several are named."""
    if not has_several_servers(dsn):
        return dsn
    return _with_defaults(dsn, target_session_attrs="read-write", connect_timeout=CONNECT_WITHIN)


def to_replicas(dsn: str) -> str:
    """A connection string that leads to any of the servers, each time to another one."""
    if not has_several_servers(dsn):
        return dsn
    return _with_defaults(dsn, load_balance_hosts="random", connect_timeout=CONNECT_WITHIN)


def _with_defaults(dsn: str, **defaults: str | int) -> str:
    given = conninfo_to_dict(dsn)
    return make_conninfo(dsn, **{name: value for name, value in defaults.items() if name not in given})


class Leader:
    """The leader as one process knows it, and the connections to it."""

    def __init__(self, dsn: str, wait: float | None = None, *, is_watched: bool | None = None) -> None:
        """It is watched if there are several servers; `wait` is how long writes wait for one, in seconds."""
        self.dsn = to_leader(dsn)
        self._is_watched = has_several_servers(dsn) if is_watched is None else is_watched
        self._wait = (USUAL_WAIT if self._is_watched else 0.0) if wait is None else wait
        self._connections: WeakSet[psycopg.Connection[Any]] = WeakSet()
        self._lock = Lock()
        self._is_there = Event()
        self._is_there.set()
        self._waiting = Semaphore(MAX_WAITING)
        self._when_found: list[Callable[[], None]] = []
        self._timeline = 0
        """That which the last leader wrote: each one begins a new timeline."""
        self._seen = 0.0
        self._watch = _Watch(self) if self._is_watched else None

    def start(self) -> None:
        """Begin to watch, if there are several servers; this must be after the fork."""
        if self._watch is not None:
            self._watch.start()

    def close(self) -> None:
        """End the watch."""
        if self._watch is not None:
            self._watch.close()

    def add(self, connection: psycopg.Connection[Any]) -> None:
        """Note a new connection to be broken off when its server is lost.

        One to a former leader is closed; raise `LeaderAway`.
        """
        if self._is_watched:
            if not self.is_followed_by(written_timeline(connection, ANSWER_WITHIN)):
                connection.close()
                raise LeaderAway("the server is no longer the leader")
            with self._lock:
                self._connections.add(connection)

    def is_followed_by(self, timeline: int) -> bool:
        """Whether a server that writes a timeline, 0 for none, is the leader: the last one, or a later one."""
        with self._lock:
            if not timeline or (timeline < self._timeline and monotonic() < self._seen + OUTDATED_FOR):
                return False
            self._timeline, self._seen = timeline, monotonic()
            return True

    @property
    def is_away(self) -> bool:
        """Whether no server is known that accepts writes."""
        return not self._is_there.is_set()

    def require(self) -> None:
        """Raise `LeaderAway` at once instead of waiting for a connection."""
        if self.is_away:
            raise LeaderAway("no server of the database accepts writes at the moment")

    def retried(self, work: Callable[[], Value]) -> Value:
        """Do some work that may be done again, until a leader is there or the time to wait is over."""
        try:
            return work()
        except NOT_WRITABLE:
            if self._wait <= 0 or not self._waiting.acquire(blocking=False):
                raise
        try:
            return self._retry(work, monotonic() + self._wait)
        finally:
            self._waiting.release()

    def _retry(self, work: Callable[[], Value], latest: float) -> Value:
        while True:
            # The watch may notice the loss later than the request that failed.
            Event().wait(min(RETRY_EVERY, max(0.0, latest - monotonic())))
            self._is_there.wait(max(0.0, latest - monotonic()))
            try:
                return work()
            except NOT_WRITABLE:
                if monotonic() >= latest:
                    raise

    def when_found(self, act: Callable[[], None]) -> None:
        """Call something whenever a leader is there again. It may lack what the last one, or a replica, had."""
        self._when_found.append(act)

    def found(self) -> None:
        """Note that there is a leader."""
        if self.is_away:
            for act in self._when_found:
                act()
        self._is_there.set()

    def lost(self) -> None:
        """Note that there is none, and break off the connections to it."""
        self._is_there.clear()
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            _break_off(connection)


class _Watch(ConnectedThread):
    """Asks the leader regularly whether it still accepts writes."""

    def __init__(self, leader: Leader) -> None:
        super().__init__("carnet leader", leader.dsn)
        self._leader = leader

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            return super()._connect()
        except psycopg.Error:
            self._leader.lost()
            raise

    def _work(self, connection: psycopg.Connection[Any]) -> None:
        while self._leader.is_followed_by(written_timeline(connection, ANSWER_WITHIN)):
            self._leader.found()
            if self._ended.wait(CHECK_EVERY):
                return
        self._leader.lost()


_WRITTEN_TIMELINE: Final = b"""
SELECT CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END
"""


def written_timeline(connection: psycopg.Connection[Any], within: float) -> int:
    """The timeline that the server of a connection writes; 0 if it is a standby or does not answer in time."""
    latest = monotonic() + within
    pgconn = connection.pgconn
    readable = poll()
    readable.register(pgconn.socket, POLLIN)
    try:
        pgconn.send_query(_WRITTEN_TIMELINE)
        pgconn.flush()
        while pgconn.is_busy():
            if not readable.poll(max(0.0, latest - monotonic()) * 1000):
                return 0
            pgconn.consume_input()
        answers = iter(pgconn.get_result, None)
        return max((int(answer.get_value(0, 0) or 0) for answer in answers), default=0)
    except psycopg.Error:
        return 0


def _break_off(connection: psycopg.Connection[Any]) -> None:
    """Shut the socket of a connection down, which ends every wait on it in other threads."""
    with suppress(psycopg.Error, OSError):
        if not connection.closed:
            with socket.socket(fileno=os.dup(connection.pgconn.socket)) as shared:
                shared.shutdown(socket.SHUT_RDWR)
