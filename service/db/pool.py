"""The connection pools: to the leader, and to replicas for what only reads."""

import os
import select
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic, perf_counter, sleep
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL
from psycopg_pool import ConnectionPool

from service.db.leader import NOT_WRITABLE, Leader, to_replicas
from service.metrics import METRICS

DatabaseError: TypeAlias = psycopg.Error
"""All errors of PostgreSQL and of the pool."""
DatabaseAway: TypeAlias = psycopg.OperationalError
"""The errors of a database that is not reachable, and of a pool without a free connection."""

ReadOnlySqlTransaction: TypeAlias = psycopg.errors.ReadOnlySqlTransaction
"""The error of a write to a server that became a standby."""
StatementTookTooLong: TypeAlias = psycopg.errors.QueryCanceled
"""The error of a statement that PostgreSQL cancelled at its time limit."""
TransactionTookTooLong: TypeAlias = psycopg.errors.IdleInTransactionSessionTimeout
"""The error of a transaction that was idle for too long; its connection is lost."""

API_LIMITS: Final[Mapping[str, str]] = {
    "statement_timeout": "5s",
    "idle_in_transaction_session_timeout": "10s",
}
"""PostgreSQL settings of the connections for requests. They are set when a connection is made, which costs no
request a trip to the server."""
DISTRIBUTED_SETTINGS: Final[Mapping[str, str]] = {"citus.multi_shard_modify_mode": "sequential"}
"""Where matches are on several servers, a transaction that has asked all of them may go on to write to tables of which
each server has a copy, such as players. Elsewhere it is a name that nothing reads."""
STATISTICS_LIMITS: Final[Mapping[str, str]] = {
    "statement_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}
STATISTICS_SETTINGS: Final[Mapping[str, str]] = {
    "default_transaction_isolation": "repeatable read",
    "default_transaction_read_only": "on",
    "random_page_cost": "1.1",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
    "work_mem": "32MB",
    "plan_cache_mode": "force_custom_plan",
}
"""Each request sees one snapshot, and statements are planned for their parameters."""
STATISTICS_CONNECTIONS: Final = 1
"""As many statistics as a worker computes at once. Recording waits for none of them, but for the processors: beside 60
strangers its 95th percentile is 1.5 to 1.9 times that without them on two cores; with two connections 2.2 to 3.0."""
MAX_WAITING_FOR_STATISTICS: Final = 32
"""Requests for statistics beyond these are refused at once, so that threads are left for others."""

REPLICA_TRIES: Final = (0.0, 0.002, 0.004, 0.008)
"""Seconds before each look at whether a replica has caught up. The leader answers what it does not have by then."""
REPLICA_TIMEOUT: Final = 1.0
"""Seconds to wait for a connection to a replica before the leader is asked."""
REPLICA_PAUSE: Final = 5.0
"""Seconds for which replicas are not tried again after none could be reached."""
ANYTHING: Final = 0
"""The position of which every replica has what was committed before it."""


class Connection(psycopg.Connection[DictRow]):
    """A connection that remembers which statements were prepared on it by hand, and can be checked for messages."""

    is_plain: bool = False
    """Whether psycopg prepares and sends all of its statements."""
    has_until: int = ANYTHING
    """The position in the write-ahead log that its server was last seen to have applied."""
    is_replica: bool = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.prepared: set[bytes] = set()
        self._heard = select.poll()
        self._heard.register(self.pgconn.socket, select.POLLIN)

    @property
    def is_quiet(self) -> bool:
        """Whether the server has sent nothing that was not read."""
        return not self._heard.poll(0)


class PlainConnection(Connection):
    """A connection without the overrides of `service/db/fast.py`."""

    is_plain = True


ConnectionT = TypeVar("ConnectionT", bound=Connection)


class ReplicaConnection(Connection):
    """A connection to a server that may lag behind the leader and accepts no writes."""

    is_replica = True

    def has(self, position: int) -> bool:
        """Whether the server has applied the write-ahead log up to a position; a former leader has only its own."""
        if self.has_until < position:
            row = self.execute(
                """
                SELECT pg_wal_lsn_diff(
                    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END,
                    '0/0'
                )::bigint AS position
                """
            ).fetchone()
            self.has_until = int(row["position"] or ANYTHING) if row is not None else ANYTHING
        return self.has_until >= position


class Replicas:
    """The pools to the replicas, if there are any."""

    def __init__(self, dsn: str, size: int, *, has_limits: bool) -> None:
        self._pools = _pools(to_replicas(dsn), ReplicaConnection, size, has_limits=has_limits, timeout=REPLICA_TIMEOUT)
        self._not_before = 0.0

    def open(self) -> None:
        for pool in self._pools:
            pool.open()

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools:
            pool.close()

    def enter(self, stack: ExitStack, position: int, *, for_statistics: bool) -> Connection | None:
        """A connection to a replica that has what was committed up to a position, None if there is none in time."""
        if monotonic() < self._not_before:
            return None
        try:
            connection = stack.enter_context(_borrowed(self._pools[for_statistics]))
            for pause in REPLICA_TRIES:
                sleep(pause)
                if connection.has(position):
                    return connection
        except DatabaseAway:
            self._not_before = monotonic() + REPLICA_PAUSE
        stack.close()
        return None


class Database:
    """The connections of one process. A pool never crosses a fork, so each worker opens its own."""

    def __init__(
        self,
        dsn: str,
        size: int = 10,
        *,
        read_dsn: str | None = None,
        failover_wait: float | None = None,
        has_limits: bool = True,
        is_plain: bool = False,
    ) -> None:
        """Without limits statements may take any time, as in commands and tools.

        What only reads is answered by the servers of `read_dsn`, as far as they have caught up with the leader.
        """
        self.leader = Leader(dsn, failover_wait, is_watched=True if read_dsn is not None else None)
        made = PlainConnection if is_plain else Connection
        pools = _pools(self.leader.dsn, made, size, has_limits=has_limits, configure=self.leader.add)
        self._pool, self._statistics_pool = pools
        self._replicas = None if read_dsn is None else Replicas(read_dsn, size, has_limits=has_limits)

    def open(self) -> None:
        """Open the pools."""
        self.leader.start()
        self._pool.open()
        self._statistics_pool.open()
        if self._replicas is not None:
            self._replicas.open()

    def close(self) -> None:
        """Close all connections."""
        self.leader.close()
        self._statistics_pool.close()
        self._pool.close()
        if self._replicas is not None:
            self._replicas.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection in a transaction, which is rolled back after an exception."""
        with self.statements() as connection, connection.transaction():
            yield connection

    @contextmanager
    def statements(self) -> Iterator[Connection]:
        """A connection with autocommit, where each statement takes one trip to the server."""
        self.leader.require()
        with _borrowed(self._pool) as connection:
            yield connection

    @contextmanager
    def snapshot(self, name: str | None = None) -> Iterator[Connection]:
        """A connection with one snapshot of the database: a new one, or that which another connection has exported."""
        with self.transaction() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if name is not None:
                connection.execute(SQL("SET TRANSACTION SNAPSHOT {}").format(name))
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection with autocommit for what only reads: to a replica that has caught up, or to the leader.

        Whatever was committed before is seen. While there is no leader a replica answers with what it has.
        """
        with ExitStack() as stack:
            connection = self._of_replica(stack, for_statistics=False)
            yield connection or stack.enter_context(self.statements())

    @contextmanager
    def statistics(self) -> Iterator[Connection]:
        """A connection for statistics, with one snapshot of the database."""
        with ExitStack() as stack:
            connection = self._of_replica(stack, for_statistics=True)
            if connection is None:
                self.leader.require()
                connection = stack.enter_context(_borrowed(self._statistics_pool))
            stack.enter_context(_pipelined(connection))
            yield connection

    @contextmanager
    def authoritative(self, *, or_replica: bool) -> Iterator[Connection]:
        """A connection to the leader; if there is none, to a replica where outdated rows are better than none."""
        with ExitStack() as stack:
            connection = None
            if or_replica and self._replicas is not None and self.leader.is_away:
                connection = self._replicas.enter(stack, ANYTHING, for_statistics=False)
            yield connection or stack.enter_context(self.statements())

    def _of_replica(self, stack: ExitStack, *, for_statistics: bool) -> Connection | None:
        if self._replicas is None:
            return None
        position = ANYTHING if self.leader.is_away else self._position()
        return self._replicas.enter(stack, position, for_statistics=for_statistics)

    def _position(self) -> int:
        """The end of the leader's write-ahead log, before which all is that was committed by now."""
        try:
            with self.statements() as connection:
                row = connection.execute(
                    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS position"
                ).fetchone()
        except NOT_WRITABLE:
            return ANYTHING
        return int(row["position"]) if row is not None else ANYTHING

    def migration(self) -> str | None:
        """The revision of the database, None if it was never migrated or not for this role."""
        try:
            with self._pool.connection() as connection:
                row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege):
            return None
        return None if row is None else str(row["version_num"])


def _pools(
    dsn: str, connection_class: type[ConnectionT], size: int, *, has_limits: bool, **options: Any
) -> tuple[ConnectionPool[ConnectionT], ConnectionPool[ConnectionT]]:
    """The pool for requests, and the one for statistics."""
    settings = {**DISTRIBUTED_SETTINGS, **(API_LIMITS if has_limits else {})}
    return (
        _pool(dsn, settings, connection_class, min_size=1, max_size=size, **options),
        _pool(
            dsn,
            {**STATISTICS_SETTINGS, **(STATISTICS_LIMITS if has_limits else {})},
            connection_class,
            min_size=0,
            max_size=STATISTICS_CONNECTIONS,
            max_waiting=MAX_WAITING_FOR_STATISTICS,
            num_workers=1,
            **options,
        ),
    )


def _pool(
    dsn: str, settings: Mapping[str, str], connection_class: type[ConnectionT], timeout: float = 5, **options: Any
) -> ConnectionPool[ConnectionT]:
    def require_server(connection: ConnectionT) -> None:
        """Discard a connection whose server has gone, and then all others like it.

        No round trip is needed: on an idle connection a server sends nothing but its shutdown.
        """
        if connection.is_quiet:
            return
        try:
            pool.check_connection(connection)
        except DatabaseAway:
            pool.check()
            raise

    pool = ConnectionPool(
        dsn,
        connection_class=connection_class,
        kwargs={"row_factory": dict_row, "autocommit": True, "options": _options(dsn, settings)},
        timeout=timeout,
        # Otherwise the pool doubles its waiting time with each attempt: up to minutes after an outage.
        reconnect_timeout=5,
        max_idle=30,
        check=require_server,
        open=False,
        **options,
    )
    return pool


@contextmanager
def _pipelined(connection: Connection) -> Iterator[None]:
    """A transaction whose statements wait until rows are fetched: those that are executed together take one trip."""
    try:
        with connection.pipeline():
            connection.execute("BEGIN")
            yield
            connection.execute("COMMIT")
    except BaseException:
        with suppress(DatabaseError):
            connection.rollback()
        raise


def _options(dsn: str, settings: Mapping[str, str]) -> str:
    """PostgreSQL settings in the form of a connection parameter, after those of the operator."""
    chosen = conninfo_to_dict(dsn).get("options") or os.environ.get("PGOPTIONS", "")
    own = (f"-c {name}={value.replace(' ', chr(92) + ' ')}" for name, value in settings.items())
    return " ".join([str(chosen), *own]).strip()


@contextmanager
def _borrowed(pool: ConnectionPool[ConnectionT]) -> Iterator[ConnectionT]:
    began = perf_counter()
    connection = pool.getconn()  # nothing is left open that the pool would have to commit
    METRICS.pool_waits.observe(perf_counter() - began)
    METRICS.pool_used.inc()
    try:
        yield connection
    finally:
        METRICS.pool_used.dec()
        pool.putconn(connection)


def export_snapshot(connection: Connection) -> str:
    """The name by which other connections read what the transaction of this one does, as long as it lasts."""
    row = connection.execute("SELECT pg_export_snapshot() AS name").fetchone()
    assert row is not None
    return str(row["name"])


def lift_limits(connection: Connection) -> None:
    """Lift the time limits of a transaction, for maintenance."""
    connection.execute(
        """
        SELECT set_config('statement_timeout', '0', true),
            set_config('idle_in_transaction_session_timeout', '0', true)
        """
    )


def extend_limits(connection: Connection, limit: str) -> None:
    """Extend the time limits of a transaction, if it has any, for its statements and between them."""
    connection.execute(
        """
        SELECT set_config(name, %s, true) FROM pg_settings
        WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting <> '0'
        """,
        (limit,),
    )


def limit_lock_wait(connection: Connection, limit: str) -> None:
    """Limit the time for which a transaction waits for each lock."""
    connection.execute("SELECT set_config('lock_timeout', %s, true)", (limit,))


def try_lock(connection: Connection, work: str) -> bool:
    """Try to take a transaction-level advisory lock."""
    row = connection.execute("SELECT pg_try_advisory_xact_lock(hashtext(%s)) AS is_locked", (work,)).fetchone()
    return bool(row and row["is_locked"])
