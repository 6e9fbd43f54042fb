"""Secrets and answers whose time is over go by themselves, and none before."""

import threading
from collections.abc import Callable
from functools import partial

import psycopg
import pytest

from service.db.pool import Database
from service.server.maintenance import maintenance, purge_expired
from tests.service.auth.people import Person
from tests.service.harness import Match, ok, problem
from tests.service.workers import wait_until

Run = Callable[..., int]


@pytest.fixture
def run(dsn: str) -> Run:
    """Runs a statement; answers with the number of rows."""

    def run(statement: str, *values: object) -> int:
        with psycopg.connect(dsn) as connection:
            return connection.execute(statement.encode(), values).rowcount

    return run


def known(dsn: str) -> set[str]:
    with psycopg.connect(dsn) as connection:
        return {str(row[0]) for row in connection.execute("SELECT secret_id FROM secrets")}


def is_gone(dsn: str, secret_id: str) -> bool:
    return secret_id not in known(dsn)


def test_secrets_that_open_nothing_go_after_30_days(olga: Person, dsn: str, run: Run, database: Database) -> None:
    revoked, recent, expired, endless = (olga.token("read")["id"] for _ in range(4))
    lasting = olga.token("read", expires_at="2099-01-01T00:00:00Z")["id"]
    ended = "UPDATE secrets SET ended_at = now() - %s::interval WHERE secret_id = %s"
    run(ended, "31 days", revoked)
    run(ended, "29 days", recent)
    run("UPDATE secrets SET expires_at = now() - interval '31 days' WHERE secret_id = %s", expired)
    run("UPDATE secrets SET created_at = now() - interval '1 year', used_at = now() - interval '1 year'")
    before = known(dsn)
    assert purge_expired(database) == 2
    assert before - known(dsn) == {revoked, expired}
    assert {recent, lasting, endless} <= known(dsn)
    assert ok(olga.get("/me"))["account"] is not None
    assert purge_expired(database) == 0


def test_the_trail_of_a_secret_stays(olga: Person, run: Run, database: Database) -> None:
    token = olga.token("read")
    run("UPDATE secrets SET ended_at = now() - interval '31 days' WHERE secret_id = %s", token["id"])
    assert purge_expired(database) == 1
    [made] = ok(olga.get("/audit?act=token_made"))["items"]
    assert made["subject_id"] == token["id"]
    problem(Person(olga.app, token["secret"]).get("/me"), 401, "wrong-token")


def test_answers_go_after_30_days(olga: Person, run: Run, database: Database) -> None:
    match = Match(olga, olga.begin()["id"])
    for number in range(5):
        ok(match.post("/annotations", note(number), key(number)), 201)
    run("UPDATE idempotency_keys SET created_at = now() - interval '31 days' WHERE key <> 'key 4'")
    assert purge_expired(database) == 4
    assert run("SELECT FROM idempotency_keys") == 1
    again = match.post("/annotations", note(4), key(4))
    assert again.headers["Idempotent-Replayed"] == "true"


def note(number: int) -> dict[str, object]:
    return {"ply": 0, "text": f"Note {number}."}


def key(number: int) -> dict[str, str]:
    return {"Idempotency-Key": f"key {number}"}


def test_many_go_in_small_parts(olga: Person, run: Run, database: Database) -> None:
    for _ in range(7):
        olga.token("read")
    run("UPDATE secrets SET ended_at = now() - interval '31 days' WHERE kind = 'token'")
    assert purge_expired(database, batch=3) == 7


def test_one_process_at_a_time_tidies(olga: Person, dsn: str, run: Run, database: Database) -> None:
    token = olga.token("read")["id"]
    run("UPDATE secrets SET ended_at = now() - interval '31 days' WHERE secret_id = %s", token)
    with psycopg.connect(dsn) as other:
        other.execute("SELECT pg_advisory_xact_lock(hashtext('carnet maintenance'))")
        assert purge_expired(database) == 0
        assert token in known(dsn)
    assert purge_expired(database) == 1


def test_a_process_tidies_by_itself_and_again_and_again(olga: Person, dsn: str, run: Run, database: Database) -> None:
    thread = maintenance(database, seconds_between=0.02)
    thread.start()
    for _ in range(2):
        token = olga.token("read")["id"]
        run("UPDATE secrets SET ended_at = now() - interval '31 days' WHERE secret_id = %s", token)
        wait_until(partial(is_gone, dsn, token))
    thread.stop()
    assert "carnet maintenance" not in {running.name for running in threading.enumerate()}


def test_it_goes_on_after_the_database_was_away(
    olga: Person, dsn: str, run: Run, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [psycopg.OperationalError("away")] * 2

    def fail_first(work: Callable[..., object]) -> Callable[..., object]:
        def transaction() -> object:
            if failures:
                raise failures.pop()
            return work()

        return transaction

    token = olga.token("read")["id"]
    run("UPDATE secrets SET ended_at = now() - interval '31 days' WHERE secret_id = %s", token)
    monkeypatch.setattr(database, "transaction", fail_first(database.transaction))
    thread = maintenance(database, seconds_between=0.02)
    thread.start()
    wait_until(partial(is_gone, dsn, token))
    thread.stop()
