"""Overrides of psycopg for speed alone, as `service/http/fast.py` has those of Flask.

`CARNET_PLAIN=1` leaves them out, and nothing else changes.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import psycopg
from psycopg import errors
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from service.db.pool import Connection

_NAMED: Final = re.compile(r"%\((\w+)\)s")


class Prepared:
    """An updating statement without result rows; each connection prepares it at its first use."""

    # 62 µs of 616 per move, 10 %, against `execute` with `prepare=True` (in one process, 2026-11)

    def __init__(self, name: str, query: str) -> None:
        self._query = query
        self._name = name.encode()
        self._order = tuple(dict.fromkeys(_NAMED.findall(query)))
        numbers = {match: f"${number}" for number, match in enumerate(self._order, start=1)}
        self._text = _NAMED.sub(lambda match: numbers[match[1]], query).encode()

    def run(self, connection: Connection, values: Mapping[str, object]) -> int:
        """Run it with values, and return the number of changed rows."""
        if connection.is_plain:
            return connection.execute(self._query, values, prepare=True).rowcount
        if connection.pgconn.transaction_status != TransactionStatus.IDLE:
            # Within a larger transaction, which would not survive that the statement is no longer prepared.
            return connection.execute(self._query, values).rowcount
        # None is NULL, which psycopg's types do not include.
        given: Any = [_as_text(values[name]) for name in self._order]
        if self._name not in connection.prepared:
            self._prepare(connection)
        try:
            return _changed(connection, connection.pgconn.exec_prepared(self._name, given))
        except errors.InvalidSqlStatementName:
            # After a failed transaction psycopg deallocates everything that is prepared.
            self._prepare(connection)
            return _changed(connection, connection.pgconn.exec_prepared(self._name, given))

    def _prepare(self, connection: Connection) -> None:
        _changed(connection, connection.pgconn.prepare(self._name, self._text))
        connection.prepared.add(self._name)


def _as_text(value: object) -> bytes | None:
    """A value as text for PostgreSQL, which knows the type of each parameter."""
    return None if value is None else str(value).encode()


def _changed(connection: Connection, result: PGresult) -> int:
    if result.status == ExecStatus.COMMAND_OK:
        return result.command_tuples or 0
    if connection.pgconn.status == ConnStatus.BAD:
        raise psycopg.OperationalError(result.get_error_message())
    raise errors.error_from_result(result)
