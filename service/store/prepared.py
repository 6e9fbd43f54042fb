"""Statements that are run so often that they are prepared and sent by hand.

What psycopg does for every statement, so that it may be any, takes several times as long as this.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import psycopg
from psycopg import errors
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from service.store.database import Connection

_NAMED: Final = re.compile(r"%\((\w+)\)s")


class Prepared:
    """A statement that changes rows and answers with none; each connection prepares it when it first runs it."""

    def __init__(self, name: str, query: str) -> None:
        self._query = query
        self._name = name.encode()
        self._order = tuple(dict.fromkeys(_NAMED.findall(query)))
        numbers = {parameter: f"${number}" for number, parameter in enumerate(self._order, start=1)}
        self._text = _NAMED.sub(lambda found: numbers[found[1]], query).encode()

    def run(self, connection: Connection, values: Mapping[str, object]) -> int:
        """Run it with values, and answer how many rows it changed."""
        if connection.pgconn.transaction_status != TransactionStatus.IDLE:
            # There it is one of many, and its transaction would not survive that it is no longer prepared.
            return connection.execute(self._query, values).rowcount
        # None stands for NULL, of which the types of psycopg do not know.
        given: Any = [_as_text(values[name]) for name in self._order]
        if self._name not in connection.prepared:
            self._prepare(connection)
        try:
            return _changed(connection, connection.pgconn.exec_prepared(self._name, given))
        except errors.InvalidSqlStatementName:
            # After a transaction that failed psycopg lets go of everything that is prepared.
            self._prepare(connection)
            return _changed(connection, connection.pgconn.exec_prepared(self._name, given))

    def _prepare(self, connection: Connection) -> None:
        _changed(connection, connection.pgconn.prepare(self._name, self._text))
        connection.prepared.add(self._name)


def _as_text(value: object) -> bytes | None:
    """A value as PostgreSQL reads it, which knows of each parameter what it is to be."""
    return None if value is None else str(value).encode()


def _changed(connection: Connection, result: PGresult) -> int:
    if result.status == ExecStatus.COMMAND_OK:
        return result.command_tuples or 0
    if connection.pgconn.status == ConnStatus.BAD:
        raise psycopg.OperationalError(result.get_error_message())
    raise errors.error_from_result(result)
