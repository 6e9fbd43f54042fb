"""Editions: those that come along, and those that users make of them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from flask import Flask

from domain.canonical import digest
from domain.game import Edition
from service.cache import Cache
from tests.service.conftest import NewMatch
from tests.service.harness import NDJSON, UNKNOWN_ID, Service, entry, is_new_id, lines, ok, pointers, problem

EDITIONS = "/games/cite-lumiere/editions"
SOURCES = {"rulebook", "public source", "assumed", "user"}


def leaves(document: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, member in document.items():
        if isinstance(member, dict) and "value" in member:
            yield f"{path}/{name}", member
        elif isinstance(member, dict):
            yield from leaves(member, f"{path}/{name}")


def amend(service: Service, changes: Any, based_on: str = "devir-2019", title: str = "Ours") -> Any:
    body = {"title": title, "based_on": based_on, "changes": changes}
    return ok(service.post(EDITIONS, body), 201)


def hashed(document: dict[str, Any]) -> str:
    return digest({name: member for name, member in document.items() if name not in {"id", "digest"}})


def test_an_edition_tells_each_value_with_its_source(service: Service) -> None:
    document = ok(service.get(f"{EDITIONS}/devir-2019"))
    assert (document["game"], document["id"], document["edition"]) == ("cite-lumiere", "devir-2019", "devir-2019")
    assert document["title"]
    values = dict(leaves(document))
    assert values["/chimneys"] == {"value": 7, "source": "rulebook"}
    assert {leaf["source"] for leaf in values.values()} <= SOURCES
    assert document["digest"] == hashed(document)


def test_an_edition_of_ones_own_marks_what_was_touched(service: Service) -> None:
    body = {"title": "Our box", "based_on": "devir-2019", "changes": {"chimneys": 5, "faces": {"2": "ssss"}}}
    response = service.post(EDITIONS, body)
    made = ok(response, 201)
    assert is_new_id(made["id"])
    assert response.headers["Location"] == f"/api/v1{EDITIONS}/{made['id']}"
    read = ok(service.client.get(response.headers["Location"]))
    assert made == read
    assert (read["game"], read["edition"], read["title"]) == ("cite-lumiere", made["id"], "Our box")
    base, values = dict(leaves(ok(service.get(f"{EDITIONS}/devir-2019")))), dict(leaves(read))
    assert values["/chimneys"] == {"value": 5, "source": "user"}
    assert values["/faces/2"] == {"value": "ssss", "source": "user"}
    untouched = set(base) - {"/chimneys", "/faces/2"}
    assert {path: values[path] for path in untouched} == {path: base[path] for path in untouched}
    assert read["digest"] == hashed(read)
    assert made["id"] in ok(service.get("/games/cite-lumiere"))["editions"]


def test_editions_build_on_each_other(service: Service) -> None:
    first = amend(service, {"chimneys": 5})
    second = amend(service, {"action_tokens": 3}, based_on=first["id"], title="Ours, smaller")
    assert second["chimneys"] == {"value": 5, "source": "user"}
    assert second["action_tokens"] == {"value": 3, "source": "user"}
    assert ok(service.get(f"{EDITIONS}/{first['id']}"))["action_tokens"]["source"] == "rulebook"


def test_the_same_changes_twice_are_two_editions(service: Service) -> None:
    assert amend(service, {"chimneys": 5})["id"] != amend(service, {"chimneys": 5})["id"]


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"chimneys": 0}, "/changes/chimneys"),
        ({"chimneys": 99}, "/changes/chimneys"),
        ({"chimneys": "7"}, "/changes/chimneys"),
        ({"chimneys": 7.0}, "/changes/chimneys"),
        ({"chimneys": True}, "/changes/chimneys"),
        ({"chimneys": None}, "/changes/chimneys"),
        ({"chimneys": {"value": 7, "source": "rulebook"}}, "/changes/chimneys"),
        ({"colour": "red"}, "/changes/colour"),
        ({"title": "x"}, "/changes/title"),
        ({"game": "paris"}, "/changes/game"),
        ({"faces": 7}, "/changes/faces"),
        ({"faces": None}, "/changes/faces"),
        ({"faces": {"9": "ssss"}}, "/changes/faces/9"),
        ({"faces": {"1": "zzzz"}}, "/changes/faces/1"),
        ({"faces": {"1": None}}, "/changes/faces/1"),
        ({"buildings": {"U6": ["##"]}}, "/changes/buildings/U6"),
        ({"buildings": {"a/b": ["##"]}}, "/changes/buildings/a~1b"),
        ({"first_game_set": ["levitation"]}, "/changes/first_game_set"),
        ({"grand_lamp_spaces": [[0, 0]]}, "/changes/grand_lamp_spaces/0"),
        ({"flip_buildings": "yes"}, "/changes/flip_buildings"),
    ],
)
def test_changes_are_checked_value_by_value(service: Service, changes: Any, pointer: str) -> None:
    body = {"title": "Ours", "based_on": "devir-2019", "changes": changes}
    assert pointer in pointers(problem(service.post(EDITIONS, body), 422, "malformed"))
    assert ok(service.get("/games/cite-lumiere"))["editions"] == ["devir-2019"]


@pytest.mark.unchanging
def test_all_that_is_wrong_is_told_at_once(service: Service) -> None:
    body = {"title": "Ours", "based_on": "devir-2019", "changes": {"chimneys": 0, "faces": {"1": "zzzz"}}}
    refused = problem(service.post(EDITIONS, body), 422, "malformed")
    assert set(pointers(refused)) == {"/changes/chimneys", "/changes/faces/1"}


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"title": ...}, "/title"),
        ({"title": " "}, "/title"),
        ({"title": "x" * 81}, "/title"),
        ({"based_on": ...}, "/based_on"),
        ({"based_on": 7}, "/based_on"),
        ({"changes": ...}, "/changes"),
        ({"changes": []}, "/changes"),
        ({"note": "x"}, "/note"),
    ],
)
def test_the_form_of_an_edition_is_strict(service: Service, changes: dict[str, Any], pointer: str) -> None:
    whole = {"title": "Ours", "based_on": "devir-2019", "changes": {}} | changes
    body = {name: value for name, value in whole.items() if value is not ...}
    assert pointer in pointers(problem(service.post(EDITIONS, body), 422, "malformed"))


@pytest.mark.unchanging
def test_an_edition_is_based_on_one_that_is_there(service: Service) -> None:
    for based_on in ("devir-2020", UNKNOWN_ID, ""):
        body = {"title": "Ours", "based_on": based_on, "changes": {}}
        problem(service.post(EDITIONS, body), 422, "unknown-edition")
    body = {"title": "Ours", "based_on": "devir-2019", "changes": {}}
    problem(service.post("/games/chess/editions", body), 404, "not-found")


def test_a_match_goes_by_its_edition(service: Service, new_match: NewMatch) -> None:
    edition = amend(service, {"chimneys": 2, "faces": {"1": "ssss"}})
    match = new_match(edition=edition["id"])
    assert match.document()["edition"] == edition["id"]
    assert match.events()[0]["payload"]["edition"] == edition["id"]
    assert match.events()[0]["payload"]["edition_digest"] == edition["digest"]
    state = ok(match.post("/moves", entry("orange pave O1 a1 0")), 201)["state"]
    assert state["board"][:2] == ["oo......", "oo......"]
    assert state["seats"]["orange"]["chimneys"] == 2
    assert ok(match.get("/verify"))["valid"] is True
    assert [item["id"] for item in service.all_items(f"/matches?edition={edition['id']}")] == [match.id]
    other = new_match()
    assert ok(other.post("/moves", entry("orange pave O1 a1 0")), 201)["state"]["board"][:2] != state["board"][:2]


def test_an_edition_that_is_not_the_recorded_one_is_found_out(
    service: Service, new_match: NewMatch, dsn: str, app: Flask
) -> None:
    edition = amend(service, {"chimneys": 2})
    match = new_match(edition=edition["id"])
    with psycopg.connect(dsn) as connection:
        connection.execute("""UPDATE editions SET document = replace(document, '"value":2,', '"value":3,')""")
    app.extensions["carnet"] = replace(app.extensions["carnet"], custom_editions=Cache(2**20, lambda _: 1))
    answer = ok(match.get("/verify"))
    assert (answer["valid"], answer["first_broken"]) == (False, 1)


def test_without_sign_in_there_is_room_for_many_editions_and_no_more(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.editions.MAX_EDITIONS_WITHOUT_SIGN_IN", 3)
    monkeypatch.setattr("service.games.editions.MAX_EDITIONS", 2)
    monkeypatch.setattr("service.games.routes.MAX_EDITIONS", 2)
    made = [amend(service, {}, title=f"Box {number}")["id"] for number in range(3)]
    problem(service.post(EDITIONS, {"title": "x", "based_on": "devir-2019", "changes": {}}), 409, "too-many-editions")
    assert ok(service.get("/games/cite-lumiere"))["editions"] == ["devir-2019", *made[1:]]
    assert [item["id"] for item in service.all_items(f"{EDITIONS}?limit=1")] == ["devir-2019", *made]
    assert [line["title"] for line in lines(service.get(EDITIONS, NDJSON))][1:] == ["Box 0", "Box 1", "Box 2"]


def test_only_so_many_editions_stay_in_memory(service: Service, app: Flask) -> None:
    editions = Cache[tuple[str, str], Edition](2, lambda _: 1)
    app.extensions["carnet"] = replace(app.extensions["carnet"], custom_editions=editions)
    made = [amend(service, {"chimneys": chimneys}) for chimneys in range(3, 7)]
    assert [ok(service.get(f"{EDITIONS}/{one['id']}")) for one in made] == made
    assert [editions.find(("cite-lumiere", one["id"])) is not None for one in made] == [False, False, True, True]
