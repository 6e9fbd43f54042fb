"""The rights of the service's role in the database, and how installations come to have it."""

import logging
import os
from pathlib import Path

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from psycopg.conninfo import make_conninfo

from service.anchors.making import make_anchor
from service.db.checks import DatabaseUnusable
from service.db.migrations import newest_migration
from service.db.roles import HISTORIES, Logins, prepare
from service.server.postgres import OWNER, SERVICE, USER, Server, find_binaries
from tests.service.harness import OPENING, Match, Service, entry, ok
from tests.service.tampering import as_owner, as_service
from tests.service.upgrades import restore

ATTACKS = (
    "UPDATE {table} SET {column} = {column}",
    "DELETE FROM {table}",
    "TRUNCATE {table} CASCADE",
    "MERGE INTO {table} USING (SELECT) AS nothing ON true WHEN MATCHED THEN DELETE",
    "INSERT INTO {table} SELECT * FROM {table} LIMIT 1 ON CONFLICT ({key}) DO UPDATE SET {column} = EXCLUDED.{column}",
    "SELECT * FROM {table} FOR UPDATE",
    "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "DROP TRIGGER {table}_are_kept ON {table}",
    "CREATE RULE forged AS ON INSERT TO {table} DO INSTEAD NOTHING",
    "DROP TABLE {table} CASCADE",
    "ALTER TABLE {table} RENAME TO forged",
    "COPY {table} FROM PROGRAM 'true'",
    "COPY (SELECT * FROM {table}) TO PROGRAM 'true'",
)
ANYWHERE = (
    "SET session_replication_role = replica",
    f"SET ROLE {OWNER}",
    "TRUNCATE matches CASCADE",
    "CREATE TABLE forged ()",
    "CREATE ROLE intruder SUPERUSER",
    f"ALTER ROLE {SERVICE} SUPERUSER",
    "ALTER SYSTEM SET fsync = off",
    "SELECT pg_read_file('/etc/passwd')",
    "UPDATE alembic_version SET version_num = '0001'",
)
KEYS = {
    "events": "match_id, seq",
    "ruling_reasons": "match_id, seq",
    "entered_times": "match_id, seq",
    "match_details": "match_id, revision",
    "player_changes": "player_id, revision",
    "annotation_changes": "match_id, annotation_id, revision",
    "audit_entries": "entry_id",
    "anchors": "number",
    "anchor_heads": "match_id, anchor",
}


@pytest.fixture
def recorded(match: Match, service: Service) -> Match:
    """A match with a row in every history but the audit trail."""
    match.record(*OPENING)
    ruled = {**entry("blue take O4"), "ruling": {"reason": "by turns"}}
    entered = match.document()["created_at"]
    ok(match.post("/moves", {"moves": [{**ruled, "entered_at": entered}]}), 201)
    ok(service.patch(match.path, {"venue": "Café"}))
    ok(service.patch(f"/annotations/{match.annotate(1, text='so')['id']}", {"text": "or so"}))
    make_anchor(match.service.client.application.extensions["carnet"].database, Ed25519PrivateKey.generate())
    return match


@pytest.mark.parametrize("table", HISTORIES)
def test_the_service_may_only_add_to_a_history_and_read_it(recorded: Match, dsn: str, table: str) -> None:
    key = KEYS[table]
    names = {"table": table, "key": key, "column": key.split(",")[0]}
    with psycopg.connect(as_service(dsn), autocommit=True) as connection:
        for attack in ATTACKS:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(attack.format(**names).encode())
    assert ok(recorded.get("/verify"))["valid"]


def test_the_service_owns_nothing_and_is_no_superuser(recorded: Match, dsn: str) -> None:
    with psycopg.connect(as_service(dsn), autocommit=True) as connection:
        for attack in ANYWHERE:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(attack.encode())
        owned = "SELECT FROM pg_class WHERE relowner = current_user::regrole"
        assert connection.execute(owned.encode()).rowcount == 0
    assert ok(recorded.get("/verify"))["valid"]


def test_every_table_that_is_protected_by_a_trigger_is_a_history(dsn: str) -> None:
    query = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE '%_are_kept'"
    with psycopg.connect(dsn) as connection:
        assert {name for (name,) in connection.execute(query)} == set(HISTORIES) == set(KEYS)


@pytest.mark.parametrize("table", sorted({*HISTORIES} - {"audit_entries"}))
def test_not_even_the_owner_changes_a_history_by_mistake(recorded: Match, dsn: str, table: str) -> None:
    with psycopg.connect(as_owner(dsn), autocommit=True) as connection:
        for attack in ("UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "TRUNCATE {0} CASCADE"):
            column = KEYS[table].rpartition(" ")[2]
            if (table, attack[:6]) == ("player_changes", "UPDATE"):
                column = "name"
            with pytest.raises(psycopg.errors.RaiseException, match="never changed"):
                connection.execute(attack.format(table, column).encode())


def test_names_are_taken_from_anonymous_players_alone(service: Service, match: Match, dsn: str) -> None:
    ana, jan = (seat["player_id"] for seat in match.document()["players"])
    ok(service.post(f"/players/{ana}/anonymise"))
    names = "SELECT DISTINCT name FROM player_changes WHERE player_id = %s"
    with psycopg.connect(as_service(dsn), autocommit=True) as connection:
        assert connection.execute(names, (ana,)).fetchall() == [("Player 1",)]
        connection.execute("SELECT take_names_away(%s)", (jan,))
        # What a temporary table is called must not lead the function, which runs by the rights of the owner, astray.
        connection.execute("CREATE TEMPORARY TABLE player_changes (player_id uuid, name text)")
        connection.execute("CREATE TEMPORARY TABLE players (player_id uuid, survivor_id uuid, anonymous integer)")
        connection.execute("INSERT INTO pg_temp.player_changes VALUES (%s, 'Jan')", (jan,))
        connection.execute("INSERT INTO pg_temp.players VALUES (%s, %s, 7)", (jan, jan))
        connection.execute("SELECT take_names_away(%s)", (jan,))
        assert connection.execute("SELECT name FROM pg_temp.player_changes").fetchall() == [("Jan",)]
    with psycopg.connect(dsn) as connection:
        assert connection.execute(names, (jan,)).fetchall() == [("Jan",)]


def test_an_embedded_database_from_before_is_handed_over_at_the_next_start(tmp_path: Path) -> None:
    binaries = find_binaries(os.environ)
    with (
        Server(tmp_path, binaries, fsync=False) as server,
        psycopg.connect(server.dsn(), autocommit=True) as connection,
    ):
        connection.execute(f"ALTER DATABASE carnet OWNER TO {USER}".encode())
        restore(server.dsn())
    with Server(tmp_path, binaries, fsync=False) as server:
        prepare(server.logins())
        with psycopg.connect(server.logins().service) as connection:
            owners = "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
            assert connection.execute(owners.encode()).fetchall() == [(OWNER,)]
            connection.execute("UPDATE installation SET signing_key = ''")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("DELETE FROM events")


def logins(dsn: str) -> Logins:
    return Logins(as_service(dsn), as_owner(dsn))


def test_one_role_for_both_goes_on_working_with_a_warning(dsn: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    prepare(logins(dsn))
    assert caplog.messages == []
    for single in (dsn, as_owner(dsn)):
        prepare(Logins(single, single))
        assert "can change what was recorded" in caplog.messages.pop()


def test_rights_that_were_lost_are_granted_anew_and_those_too_many_taken(
    dsn: str, match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    with psycopg.connect(as_owner(dsn), autocommit=True) as connection:
        connection.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {SERVICE}".encode())
        connection.execute(f"GRANT ALL ON events TO {SERVICE}".encode())
    prepare(logins(dsn))
    assert caplog.messages == []
    match.record(*OPENING)


def test_the_service_cannot_migrate_and_says_who_could(empty_dsn: str) -> None:
    service = as_service(empty_dsn)
    with pytest.raises(DatabaseUnusable, match="DATABASE_OWNER_URL"):
        prepare(Logins(service, service))


def test_two_addresses_must_lead_to_one_database(dsn: str, empty_dsn: str) -> None:
    with pytest.raises(DatabaseUnusable, match="different databases"):
        prepare(Logins(as_service(empty_dsn), as_owner(dsn)))


def test_a_role_of_another_name_will_do(dsn: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE ROLE writer LOGIN")
        try:
            prepare(Logins(make_conninfo(dsn, user="writer"), as_owner(dsn)))
            with psycopg.connect(make_conninfo(dsn, user="writer")) as writing:
                assert writing.execute("SELECT version_num FROM alembic_version").fetchone() == (newest_migration(),)
        finally:
            connection.execute("DROP OWNED BY writer")
            connection.execute("DROP ROLE writer")
