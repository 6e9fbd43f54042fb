"""No spelling of an address and no header leads round the question who asks."""

from collections.abc import Mapping

import pytest
from flask import Flask

from tests.service.auth.people import ALL_SCOPES, Person
from tests.service.harness import API, OPENING, Match, entry, ok, problem

SPELLINGS = (
    "/matches/{id}/",
    "/matches/{id}//",
    "//matches/{id}",
    "/matches//{id}",
    "/matches/{ID}",
    "/matches/%7B{id}%7D",
    "/matches/{id}%20",
    "/matches/{id}%00",
    "/matches/{id};x=1",
    "/matches/{id}%2Fevents",
    "/matches/{id}/%2e%2e/{id}",
    "/matches/../matches/{id}",
    "/openapi.json/../matches/{id}",
    "/matches/{id}?key=",
    "/matches/{id}?key=%00",
    "/matches/{id}?key=carnet_",
    "/matches/{id}?KEY={key}",
    "/matches/{id}?key={other}&key={key}",
    "/matches/{id}?token={token}",
    "/matches/{id}?access_token={token}",
    "/matches/{id}?key={token}",
)
HEADERS: tuple[Mapping[str, str], ...] = (
    {"X-HTTP-Method-Override": "GET"},
    {"X-Original-URL": "/api/v1/games", "X-Rewrite-URL": "/api/v1/games"},
    {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1"},
    {"X-Forwarded-User": "olga", "X-Remote-User": "olga", "Remote-User": "olga"},
    {"X-Forwarded-Host": "localhost", "Forwarded": "for=127.0.0.1;host=localhost"},
    {"Proxy-Authorization": "Bearer {token}"},
    {"X-Authorization": "Bearer {token}", "X-Api-Key": "{token}", "X-Auth-Token": "{token}"},
    {"Cookie": "carnet_session={token}"},
    {"Cookie": "session={cookie}"},
    {"Cookie": "CARNET_SESSION={cookie}"},
    {"X-CSRF-Token": "{proof}"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
)


@pytest.fixture
def anyone(app: Flask) -> Person:
    """Somebody of whom nothing is known, whose client sends cookies as it is told."""
    person = Person(app)
    person.client = app.test_client(use_cookies=False)
    return person


@pytest.fixture
def words(ana: Person) -> dict[str, str]:
    """A private match, with everything that would open it if it came in the right place."""
    match, other = ana.begin(visibility="private"), ana.begin(visibility="public")
    secrets = [
        ok(ana.post(f"/matches/{each['id']}/links", {"allows": "record"}), 201)["secret"] for each in (match, other)
    ]
    cookie = ana.client.get_cookie("carnet_session")
    assert cookie is not None
    return {
        "id": match["id"],
        "ID": match["id"].upper(),
        "key": secrets[0],
        "other": secrets[1],
        "token": ana.token(*ALL_SCOPES)["secret"],
        "cookie": cookie.value,
        "proof": ana.headers["X-CSRF-Token"],
    }


def test_the_words_open_the_match_in_the_right_place(ana: Person, anyone: Person, words: Mapping[str, str]) -> None:
    path = f"/matches/{words['id']}"
    assert ok(Person(ana.app, words["token"]).get(path))["id"] == words["id"]
    assert ok(Person(ana.app, key=words["key"]).get(path))["id"] == words["id"]
    assert ok(anyone.get(path, {"Cookie": f"carnet_session={words['cookie']}"}))["id"] == words["id"]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_of_an_address_opens_a_match(anyone: Person, words: Mapping[str, str], spelling: str) -> None:
    response = anyone.client.get(API + spelling.format(**words))
    assert response.status_code == 404, response.text
    assert response.content_type == "application/problem+json"


@pytest.mark.parametrize("headers", HEADERS, ids=", ".join)
def test_no_header_opens_a_match(anyone: Person, words: Mapping[str, str], headers: Mapping[str, str]) -> None:
    sent = {name: value.format(**words) for name, value in headers.items()}
    path = f"/matches/{words['id']}"
    problem(anyone.get(path, sent), 404, "not-found")
    assert anyone.post(f"{path}/moves", entry(OPENING[0]), sent).status_code == 404
    assert anyone.get("/accounts", sent).status_code == 401


def test_of_two_tokens_none_counts(ana: Person, words: Mapping[str, str]) -> None:
    headers = [("Authorization", f"Bearer {words['token']}"), ("Authorization", "Bearer carnet_wrong")]
    for order in (headers, headers[::-1]):
        response = ana.app.test_client().get(f"{API}/matches/{words['id']}", headers=order)
        problem(response, 401, "wrong-token")


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_other_methods_tell_no_more(anyone: Person, words: Mapping[str, str], method: str) -> None:
    assert anyone.send(method, f"/matches/{words['id']}").status_code == 404


def test_nothing_of_a_request_that_was_refused_is_done(ana: Person, anyone: Person, words: Mapping[str, str]) -> None:
    match = Match(ana, words["id"])
    before = (match.document(), match.events(), ok(match.get("/links")))
    for path, body in (
        ("/moves", entry(OPENING[0])),
        ("/abandon", None),
        ("/withdraw", None),
        ("/links", {"allows": "record"}),
        ("/annotations", {"ply": 0, "text": "Hm."}),
    ):
        assert anyone.post(match.path + path, body).status_code == 404
    assert anyone.patch(match.path, {"visibility": "public"}).status_code == 404
    assert (match.document(), match.events(), ok(match.get("/links"))) == before
