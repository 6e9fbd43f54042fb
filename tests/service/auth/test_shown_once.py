"""A secret is shown once, and again to a client that repeats the request under its key; nothing stored tells it."""

import psycopg
import pytest

from tests.service.auth.people import Person
from tests.service.harness import ok, problem

KEY = {"Idempotency-Key": "once"}


@pytest.fixture
def requests(olga: Person) -> dict[str, object]:
    """What makes a secret, by its path."""
    match = olga.begin()
    return {
        "/tokens": {"label": "phone", "scopes": ["record"]},
        "/invitations": {"name": "Una"},
        f"/accounts/{olga.account['id']}/sign-in-links": None,
        f"/matches/{match['id']}/links": {"allows": "record"},
    }


def all_rows(dsn: str) -> str:
    """All that is stored of secrets."""
    with psycopg.connect(dsn) as connection:
        return "".join(
            str(connection.execute(b"SELECT * FROM " + table.encode()).fetchall())
            for table in ("secrets", "idempotency_keys", "audit_entries")
        )


def test_who_repeats_his_request_is_shown_the_same_secret(olga: Person, requests: dict[str, object], dsn: str) -> None:
    for name, by in (("by session", olga), ("by token", olga.with_token())):
        for path, body in requests.items():
            key = {"Idempotency-Key": name}
            first, again = by.post(path, body, key), by.post(path, body, key)
            assert ok(first, 201) == ok(again, 201)
            assert "Idempotent-Replayed" not in first.headers
            assert again.headers["Idempotent-Replayed"] == "true"
            assert again.headers["Cache-Control"] == "no-store"
            assert first.json is not None
            assert first.json["secret"] not in all_rows(dsn)
            assert ok(by.post(path, body), 201)["secret"] != first.json["secret"]


def test_the_secret_that_is_shown_again_opens_what_the_first_one_did(olga: Person) -> None:
    body = {"label": "phone", "scopes": ["record"]}
    [first, again] = [ok(olga.post("/tokens", body, KEY), 201)["secret"] for _ in range(2)]
    assert ok(Person(olga.app, again).get("/me"))["scopes"] == ["read", "record"]
    assert [token["label"] for token in ok(olga.get("/tokens"))["items"]] == ["phone"]
    assert first == again


def test_with_another_token_of_ones_own_it_cannot_be_told(olga: Person) -> None:
    one, other = olga.with_token(), olga.with_token()
    body = {"label": "phone", "scopes": ["record"]}
    ok(one.post("/tokens", body, KEY), 201)
    problem(other.post("/tokens", body, KEY), 422, "key-reused")
    problem(one.post("/tokens", {**body, "label": "tablet"}, KEY), 422, "key-reused")


def test_two_who_send_the_same_key_get_secrets_of_their_own(ana: Person, eva: Person) -> None:
    body = {"label": "phone", "scopes": ["read"]}
    secrets = [ok(person.post("/tokens", body, KEY), 201)["secret"] for person in (ana, eva)]
    assert secrets[0] != secrets[1]
    assert ok(Person(ana.app, secrets[0]).get("/me"))["account"] == ana.account
