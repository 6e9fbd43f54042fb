"""Tokens: made once and seen once, good for what they say, and for no longer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import psycopg
import pytest

from service.app import create_app
from tests.service.auth.conftest import SIGN_IN
from tests.service.auth.people import Person
from tests.service.auth.test_accounts import expire
from tests.service.harness import UNKNOWN_ID, ok, pointers, problem


def test_the_secret_of_a_token_is_shown_once_and_kept_by_its_digest(ana: Person, dsn: str) -> None:
    made = ana.token("read")
    secret = made.pop("secret")
    assert secret.startswith("carnet_")
    assert len(secret) == len("carnet_") + 43, "256 random bits"
    assert ok(ana.get("/tokens"))["items"] == [made]
    with psycopg.connect(dsn) as connection:
        kept = connection.execute("SELECT * FROM secrets WHERE secret_id = %s", (made["id"],)).fetchone()
    assert kept is not None
    assert sha256(secret.encode()).digest() in kept
    assert secret not in str(kept)


def test_an_answer_with_a_secret_is_not_kept(ana: Person) -> None:
    response = ana.post("/tokens", {"label": "x", "scopes": ["read"]})
    assert response.headers["Cache-Control"] == "no-store"


def test_every_token_may_read(ana: Person) -> None:
    assert ana.token("record")["scopes"] == ["read", "record"]
    assert ana.token("annotate", "annotate", "read")["scopes"] == ["read", "annotate"]


def test_a_token_makes_none_that_may_do_more(ana: Person) -> None:
    manager = ana.with_token("manage")
    made = problem(manager.post("/tokens", {"label": "more", "scopes": ["manage", "record"]}), 422, "malformed")
    assert pointers(made) == ["/scopes"]
    assert manager.token("manage")["scopes"] == ["read", "manage"]
    problem(
        ana.with_token("record", "annotate").post("/tokens", {"label": "x", "scopes": ["read"]}), 403, "not-allowed"
    )


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"scopes": []}, "/scopes"),
        ({"scopes": ["everything"]}, "/scopes/0"),
        ({"label": " "}, "/label"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "/expires_at"),
        ({"account_id": "x"}, "/account_id"),
    ],
)
def test_a_token_that_makes_no_sense_is_not_made(ana: Person, body: Any, pointer: str) -> None:
    response = ana.post("/tokens", {"label": "x", "scopes": ["read"], **body})
    assert pointers(problem(response, 422, "malformed")) == [pointer]
    assert ok(ana.get("/tokens"))["items"] == []


def test_a_token_ends_when_it_expires_or_is_revoked(ana: Person, dsn: str) -> None:
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    tokens = [ana.token("read", expires_at=later), ana.token("read")]
    for token in tokens:
        assert ok(Person(ana.app, token["secret"]).get("/me"))["account"] == ana.account
    expire(dsn, tokens[0]["id"])
    assert ana.delete(f"/tokens/{tokens[1]['id']}").status_code == 204
    for token in tokens:
        refused = Person(ana.app, token["secret"]).get("/me")
        problem(refused, 401, "wrong-token")
        assert refused.headers["WWW-Authenticate"] == 'Bearer realm="Carnet", error="invalid_token"'
    assert ok(ana.get("/tokens"))["items"] == []


def test_an_account_has_only_so_many_tokens_at_once(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.auth.tokens.MAX_TOKENS", 2)
    tokens = [ana.token("read") for _ in range(2)]
    problem(ana.post("/tokens", {"label": "third", "scopes": ["read"]}), 409, "too-many-tokens")
    assert ana.delete(f"/tokens/{tokens[0]['id']}").status_code == 204
    ana.token("read")


def test_a_match_has_only_so_many_links_at_once(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.auth.tokens.MAX_LINKS", 2)
    path = f"/matches/{ana.begin()['id']}/links"
    for _ in range(2):
        ok(ana.post(path, {"allows": "read"}), 201)
    problem(ana.post(path, {"allows": "record"}), 409, "too-many-links")


def test_nobody_revokes_the_token_of_another(ana: Person, olga: Person) -> None:
    token = ana.token("read")
    problem(olga.delete(f"/tokens/{token['id']}"), 404, "not-found")
    assert ok(Person(ana.app, token["secret"]).get("/me"))["scopes"] == ["read"]


def test_the_last_use_is_noted_once_a_minute(ana: Person, dsn: str) -> None:
    token = ana.token("read")
    program = Person(ana.app, token["secret"])

    def used_at() -> Any:
        return ok(ana.get("/tokens"))["items"][0]["used_at"]

    assert used_at() is None
    program.get("/me")
    first = used_at()
    assert first is not None
    program.get("/me")
    assert used_at() == first
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE secrets SET used_at = used_at - interval '61 seconds'")
    program.get("/me")
    assert used_at() >= first


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer null",
        "Bearer {0}x",
        "Bearer x{0}",
        "Bearer {0} {0}",
        "Bearer {0},",
        "Bearer '{0}'",
        "Basic {0}",
        "{0}",
        "Token {0}",
        "Bearer\t{0}x",
    ],
)
def test_whatever_is_no_token_is_refused(ana: Person, header: str) -> None:
    secret = ana.token("read")["secret"]
    problem(Person(ana.app).get("/me", {"Authorization": header.format(secret)}), 401, "wrong-token")
    assert ok(Person(ana.app).get("/me", {"Authorization": f"bearer {secret}"}))["account"] == ana.account


def test_a_wrong_token_is_not_made_up_for_by_a_cookie(ana: Person) -> None:
    assert ok(ana.get("/me"))["account"] == ana.account
    problem(ana.get("/me", {"Authorization": "Bearer carnet_wrong"}), 401, "wrong-token")


def test_other_secrets_are_no_tokens(ana: Person) -> None:
    link = ok(ana.post(f"/accounts/{ana.account['id']}/sign-in-links"), 201)["secret"]
    cookie = ana.client.get_cookie("carnet_session")
    assert cookie is not None
    match = ana.begin()["id"]
    invitation = ok(ana.post(f"/matches/{match}/links", {"allows": "record"}), 201)["secret"]
    for secret in (link, cookie.value, cookie.value.partition(".")[0], invitation):
        problem(Person(ana.app, secret).get(f"/matches/{match}"), 401, "wrong-token")
    token = ana.token("record")["secret"]
    problem(Person(ana.app).post("/sign-in", {"link": token}), 404, "not-found")
    problem(Person(ana.app, key=token).get(f"/matches/{match}"), 404, "not-found")


def test_a_guess_costs_the_same_work_however_near_it_is(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = ana.token("read")["secret"]
    match = ana.begin(visibility="private")["id"]
    asked: list[Any] = []
    execute = psycopg.Connection.execute

    def counted(self: Any, query: Any, values: Any = None, **options: Any) -> Any:
        asked.append(query)
        return execute(self, query, values, **options)

    monkeypatch.setattr(psycopg.Connection, "execute", counted)
    guesses = ["x", "carnet_" + "A" * 43, secret[:-1] + ("A" if secret[-1] != "A" else "B"), secret[:20], secret * 50]
    done = []
    for guess in guesses:
        problem(Person(ana.app, guess).get(f"/matches/{match}"), 401, "wrong-token")
        done.append(tuple(asked))
        asked.clear()
    assert len(set(done)) == 1
    for unreadable in (match, UNKNOWN_ID):
        problem(Person(ana.app).get(f"/matches/{unreadable}"), 404, "not-found")
        assert tuple(asked) == done[0]
        asked.clear()


def test_each_account_may_ask_so_often_though_all_come_from_one_address(ana: Person, eva: Person) -> None:
    app = create_app(replace(SIGN_IN, rate=4), ana.app.extensions["carnet"].database)
    people = [Person(app, person.token("read")["secret"]) for person in (ana, eva)]
    for person in (*people, Person(app)):
        statuses = [person.get("/me").status_code for _ in range(5)]
        assert (statuses[0], statuses[-1]) == (200, 429)
    problem(Person(app, "carnet_guessed").get("/me"), 429, "too-many-requests")
    app.extensions["carnet"].close()
