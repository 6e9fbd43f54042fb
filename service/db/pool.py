"""The connection pool."""

import os
import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final, TypeAlias

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool

from service.metrics import METRICS

DatabaseError: TypeAlias = psycopg.Error
"""All errors of PostgreSQL and of the pool."""
DatabaseAway: TypeAlias = psycopg.OperationalError
"""The errors of a database that is not reachable, and of a pool without a free connection."""

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


class Connection(psycopg.Connection[DictRow]):
    """A connection that remembers which statements were prepared on it by hand, and can be checked for messages."""

    is_plain: bool = False
    """Whether psycopg prepares and sends all of its statements."""

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


class Database:
    """The connections of one process. A pool never crosses a fork, so each worker opens its own."""

    def __init__(self, dsn: str, size: int = 10, *, has_limits: bool = True, is_plain: bool = False) -> None:
        """Without limits statements may take any time, as in commands and tools."""
        self.dsn = dsn
        made = PlainConnection if is_plain else Connection
        self._pool = _pool(dsn, API_LIMITS if has_limits else {}, connection_class=made, min_size=1, max_size=size)
        self._statistics_pool = _pool(
            dsn,
            {**STATISTICS_SETTINGS, **(STATISTICS_LIMITS if has_limits else {})},
            connection_class=Connection,
            min_size=0,
            max_size=STATISTICS_CONNECTIONS,
            max_waiting=MAX_WAITING_FOR_STATISTICS,
            num_workers=1,
        )

    def open(self) -> None:
        """Open the pool."""
        self._pool.open()
        self._statistics_pool.open()

    def close(self) -> None:
        """Close all connections."""
        self._statistics_pool.close()
        self._pool.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection in a transaction, which is rolled back after an exception."""
        with self.statements() as connection, connection.transaction():
            yield connection

    @contextmanager
    def statements(self) -> Iterator[Connection]:
        """A connection with autocommit, where each statement takes one trip to the server."""
        with _borrowed(self._pool) as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection with one snapshot of the database."""
        with self.transaction() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield connection

    @contextmanager
    def statistics(self) -> Iterator[Connection]:
        """A connection for statistics, with one snapshot of the database."""
        with _borrowed(self._statistics_pool) as connection, connection.transaction():
            yield connection

    def migration(self) -> str | None:
        """The revision of the database, None if it was never migrated or not for this role."""
        try:
            with self._pool.connection() as connection:
                row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege):
            return None
        return None if row is None else str(row["version_num"])


def _pool(
    dsn: str, settings: Mapping[str, str], connection_class: type[Connection], **options: Any
) -> ConnectionPool[Connection]:
    def require_server(connection: Connection) -> None:
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
        timeout=5,
        # Otherwise the pool doubles its waiting time with each attempt: up to minutes after an outage.
        reconnect_timeout=5,
        max_idle=30,
        check=require_server,
        open=False,
        **options,
    )
    return pool


def _options(dsn: str, settings: Mapping[str, str]) -> str:
    """PostgreSQL settings in the form of a connection parameter, after those of the operator."""
    chosen = conninfo_to_dict(dsn).get("options") or os.environ.get("PGOPTIONS", "")
    own = (f"-c {name}={value.replace(' ', chr(92) + ' ')}" for name, value in settings.items())
    return " ".join([str(chosen), *own]).strip()


@contextmanager
def _borrowed(pool: ConnectionPool[Connection]) -> Iterator[Connection]:
    began = perf_counter()
    connection = pool.getconn()  # nothing is left open that the pool would have to commit
    METRICS.pool_waits.observe(perf_counter() - began)
    METRICS.pool_used.inc()
    try:
        yield connection
    finally:
        METRICS.pool_used.dec()
        pool.putconn(connection)


def lift_limits(connection: Connection) -> None:
    """Lift the time limits of a transaction, for maintenance."""
    connection.execute(
        """
        SELECT set_config('statement_timeout', '0', true),
            set_config('idle_in_transaction_session_timeout', '0', true)
        """
    )


def limit_lock_wait(connection: Connection, limit: str) -> None:
    """Limit the time for which a transaction waits for each lock."""
    connection.execute("SELECT set_config('lock_timeout', %s, true)", (limit,))


def try_lock(connection: Connection, work: str) -> bool:
    """Try to take a transaction-level advisory lock."""
    row = connection.execute("SELECT pg_try_advisory_xact_lock(hashtext(%s)) AS is_locked", (work,)).fetchone()
    return bool(row and row["is_locked"])
