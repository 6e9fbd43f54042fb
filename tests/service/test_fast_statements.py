"""Statements that are prepared and sent by hand."""

from collections.abc import Iterator
from uuid import UUID

import psycopg
import pytest

from service.db.fast import Prepared
from service.db.pool import Connection, Database
from service.identity import new_id
from tests.service.tampering import as_service

RENAME = Prepared(
    "rename", "UPDATE players SET name = %(name)s, revision = %(revision)s WHERE player_id = %(player_id)s"
)


@pytest.fixture
def database(dsn: str) -> Iterator[Database]:
    """The connections of a worker, with `CARNET_PLAIN=1` too."""
    database = Database(as_service(dsn))
    database.open()
    yield database
    database.close()


@pytest.fixture
def player_id(database: Database) -> UUID:
    made = new_id()
    with database.transaction() as connection:
        connection.execute(
            """
            INSERT INTO players (player_id, revision, name, folded, survivor_id, created_at)
            VALUES (%(id)s, 0, 'Ana', 'ana', %(id)s, now())
            """,
            {"id": made},
        )
    return made


def rename(connection: Connection, player_id: UUID, name: str | None, revision: object = 1) -> int:
    return RENAME.run(connection, {"name": name, "revision": revision, "player_id": player_id})


def name_of(connection: Connection, player_id: UUID) -> str:
    row = connection.execute("SELECT name, revision FROM players WHERE player_id = %s", (player_id,)).fetchone()
    assert row is not None
    return f"{row['name']} {row['revision']}"


def prepared_on(connection: Connection) -> list[str]:
    rows = connection.execute("SELECT name FROM pg_prepared_statements WHERE NOT name LIKE '\\_pg3%'").fetchall()
    return [row["name"] for row in rows]


def test_values_arrive_as_they_are_and_the_changed_rows_are_counted(database: Database, player_id: UUID) -> None:
    with database.statements() as connection:
        assert rename(connection, player_id, "Ż 'ó' \\ 🎲", 7) == 1
        assert name_of(connection, player_id) == "Ż 'ó' \\ 🎲 7"
        assert rename(connection, new_id(), "nobody") == 0


def test_plain_connections_leave_it_to_psycopg(dsn: str, player_id: UUID) -> None:
    database = Database(as_service(dsn), is_plain=True)
    database.open()
    with database.statements() as connection:
        assert rename(connection, player_id, "Ż 'ó' \\ 🎲", 7) == 1
        assert name_of(connection, player_id) == "Ż 'ó' \\ 🎲 7"
        assert rename(connection, new_id(), "nobody") == 0
        with pytest.raises(psycopg.errors.NotNullViolation):
            rename(connection, player_id, None)
        assert rename(connection, player_id, "Jan", 1) == 1
        assert prepared_on(connection) == []
    database.close()


def test_it_is_prepared_once_a_connection(database: Database, player_id: UUID) -> None:
    with database.statements() as connection:
        for number in range(3):
            rename(connection, player_id, "Ana", number)
        assert prepared_on(connection) == ["rename"]


def test_what_a_failed_transaction_let_go_of_is_prepared_again(database: Database, player_id: UUID) -> None:
    with database.statements() as connection:
        rename(connection, player_id, "Ana")
        for _ in range(10):  # until psycopg has something of its own to let go of
            connection.execute("SELECT %s::integer", (1,))
        with pytest.raises(psycopg.errors.DivisionByZero), connection.transaction():
            connection.execute("SELECT 1 / 0")
        connection.execute("SELECT 1")
        assert prepared_on(connection) == []
        assert rename(connection, player_id, "Jan", 2) == 1
        assert name_of(connection, player_id) == "Jan 2"


def test_within_a_transaction_it_is_undone_with_it(database: Database, player_id: UUID) -> None:
    with database.statements() as connection:
        with connection.transaction(force_rollback=True):
            assert rename(connection, player_id, "Jan") == 1
        assert name_of(connection, player_id) == "Ana 0"


@pytest.mark.parametrize(
    ("name", "revision", "error"),
    [
        (None, 1, psycopg.errors.NotNullViolation),
        ("Ana", "one", psycopg.errors.InvalidTextRepresentation),
        ("Ana", 2**40, psycopg.errors.NumericValueOutOfRange),
    ],
)
def test_what_the_server_refuses_is_raised_as_psycopg_would(
    database: Database, player_id: UUID, name: str | None, revision: object, error: type[psycopg.Error]
) -> None:
    with database.statements() as connection:
        with pytest.raises(error):
            rename(connection, player_id, name, revision)
        assert rename(connection, player_id, "Jan", 1) == 1


def test_a_server_that_went_away_is_an_operational_error(database: Database, player_id: UUID) -> None:
    with database.statements() as connection:
        rename(connection, player_id, "Ana")
        with database.statements() as other:
            other.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))
        for _ in range(2):
            with pytest.raises(psycopg.OperationalError):
                rename(connection, player_id, "Jan")
    with database.statements() as connection:
        assert rename(connection, player_id, "Jan") == 1
