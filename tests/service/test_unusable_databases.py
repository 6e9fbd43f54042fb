"""A database that Carnet cannot work with is refused in one sentence, and left as it is."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from scripts.ports import reserved_port
from service.cli import main
from service.db import checks
from service.db.checks import DatabaseUnusable, connected
from service.db.roles import Logins, prepare
from service.server.postgres import OWNER, SERVICE, Server
from tests.service.tampering import as_owner, as_service

ROOT = Path(__file__).parents[2]


def refusals(service: str, owner: str | None = None) -> tuple[str, str]:
    """The sentences of the service, and of a command, which must both refuse and say nothing else."""
    with pytest.raises(DatabaseUnusable) as refused:
        prepare(Logins(service, owner or service))
    checked = CliRunner().invoke(main, ["verify"], env={"DATABASE_URL": service})
    assert (checked.exit_code, checked.stdout) == (2, "")
    messages = (str(refused.value), checked.stderr.removesuffix("\n"))
    assert all("\n" not in sentence and sentence.endswith(".") for sentence in messages)
    return messages


def objects(dsn: str) -> list[Any]:
    with psycopg.connect(dsn) as connection:
        listed = b"SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
        return connection.execute(listed).fetchall()


@pytest.fixture
def foreign_dsn(server: Server, run_sql: Callable[[str], None]) -> Iterator[Callable[[str], str]]:
    """Makes a database in an encoding."""
    made = []

    def make(encoding: str) -> str:
        name = f"foreign_{encoding.lower()}"
        made.append(name)
        run_sql(
            f"CREATE DATABASE {name} OWNER {OWNER} ENCODING '{encoding}' TEMPLATE template0 "
            "LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'"
        )
        return server.dsn(name, OWNER)

    yield make
    for name in made:
        run_sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("address", ["mysql://joe:secret@db/carnet", "carnet", "postgresql://joe:sec/ret@db/carnet"])
def test_a_malformed_address_is_refused_without_repeating_it(address: str) -> None:
    for sentence in refusals(address):
        assert sentence.startswith("DATABASE_URL must be the address of a PostgreSQL database")
        assert "sec" not in sentence


def test_a_server_that_does_not_listen_is_named() -> None:
    with reserved_port() as port:
        for sentence in refusals(f"postgresql://127.0.0.1:{port}/carnet"):
            assert f'"127.0.0.1", port {port} failed: Connection refused' in sentence


@pytest.mark.parametrize(("part", "missing"), [("dbname", "nowhere"), ("user", "nobody_at_all")])
def test_a_database_or_role_that_does_not_exist_is_named(dsn: str, part: str, missing: str) -> None:
    for sentence in refusals(make_conninfo(dsn, **{part: missing})):
        assert sentence.startswith("The database of DATABASE_URL cannot be reached: ")
        assert sentence.endswith(f'"{missing}" does not exist.')


def test_a_role_that_may_not_connect_is_refused(dsn: str, run_sql: Callable[[str], None]) -> None:
    run_sql(f"REVOKE CONNECT ON DATABASE {conninfo_to_dict(dsn)['dbname']} FROM PUBLIC")
    for sentence in refusals(as_service(dsn)):
        assert "permission denied for database" in sentence


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_is_not_in_utf8_is_refused(foreign_dsn: Callable[[str], str], encoding: str) -> None:
    dsn = foreign_dsn(encoding)
    for sentence in refusals(dsn):
        assert f"has the encoding {encoding}" in sentence and "ENCODING 'UTF8'" in sentence
    assert objects(dsn) == []


@pytest.mark.parametrize(
    "others", ["customers (name text)", "players (name text)", "alembic_version (version_num text)"]
)
def test_tables_of_another_program_are_left_alone(empty_dsn: str, others: str) -> None:
    with psycopg.connect(empty_dsn) as connection:
        connection.execute(f"CREATE TABLE {others}".encode())
        connection.execute(b"CREATE TABLE orders (number bigint)")
    before = objects(empty_dsn)
    for sentence in refusals(empty_dsn):
        assert sentence == "The database has tables of another program; Carnet needs a database of its own."
    assert objects(empty_dsn) == before


def test_a_database_of_a_newer_version_is_refused(dsn: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseUnusable, match=r"^The database is of a newer version of Carnet\.$"):
        prepare(Logins(as_service(dsn), as_owner(dsn)))
    assert refusals(as_owner(dsn)) == ("The database is of a newer version of Carnet.",) * 2


def test_a_role_that_may_not_make_tables_is_told_who_can(empty_dsn: str) -> None:
    with pytest.raises(DatabaseUnusable, match=rf"The role {SERVICE} may not make .* DATABASE_OWNER_URL") as refused:
        prepare(Logins(as_service(empty_dsn), as_service(empty_dsn)))
    assert str(refused.value).endswith("(permission denied for schema public).")


def test_a_role_that_owns_none_of_the_tables_is_told_who_can(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE ROLE stranger LOGIN")
        try:
            with pytest.raises(DatabaseUnusable, match=r"The role stranger may not .* has to connect as their owner"):
                prepare(Logins(as_service(dsn), make_conninfo(dsn, user="stranger")))
        finally:
            connection.execute("DROP ROLE stranger")


def test_a_database_that_can_only_be_read_is_refused(empty_dsn: str) -> None:
    read_only = make_conninfo(empty_dsn, options="-c default_transaction_read_only=on")
    with pytest.raises(DatabaseUnusable, match="read-only transaction"):
        prepare(Logins(read_only, read_only))


def test_two_addresses_of_different_databases_are_refused_before_either_is_changed(dsn: str, empty_dsn: str) -> None:
    with pytest.raises(DatabaseUnusable, match="lead to different databases"):
        prepare(Logins(as_service(dsn), empty_dsn))
    assert objects(empty_dsn) == []


def test_two_databases_of_carnet_are_told_apart(dsn: str, template: str, server: Server) -> None:
    with pytest.raises(DatabaseUnusable, match="lead to different databases"):
        prepare(Logins(as_service(dsn), server.dsn(template, OWNER)))


def test_extensions_are_no_tables_of_another_program(empty_dsn: str, server: Server) -> None:
    name = conninfo_to_dict(empty_dsn)["dbname"]
    with psycopg.connect(server.dsn(str(name))) as connection:
        connection.execute("CREATE EXTENSION pg_stat_statements")
    prepare(Logins(as_service(empty_dsn), empty_dsn))


def test_an_older_server_is_refused(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MIN_SERVER_VERSION", 990000)
    with (
        pytest.raises(DatabaseUnusable, match="Carnet needs PostgreSQL 99 or newer, not 1"),
        connected(dsn, "DATABASE_URL"),
    ):
        pass


@pytest.mark.slow
def test_the_service_ends_with_1_and_the_sentence_alone(tmp_path: Path) -> None:
    with reserved_port() as port, reserved_port() as silent:
        done = subprocess.run(
            [sys.executable, "-m", "service"],
            env={
                **os.environ,
                "DATABASE_URL": f"postgresql://127.0.0.1:{silent}/carnet",
                "CARNET_PORT": str(port),
                "CARNET_DATA": str(tmp_path / "data"),
            },
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The database of DATABASE_URL cannot be reached: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()
