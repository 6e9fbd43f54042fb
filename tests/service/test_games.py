"""The games there are."""

import pytest

from domain.catalogue import GAMES
from tests.service.harness import NDJSON, Service, lines, ok

MEMBERS = {"id", "title", "seats", "min_players", "max_players", "editions", "default_edition", "rules_version"}


@pytest.mark.unchanging
def test_every_game_of_the_catalogue_is_listed(service: Service) -> None:
    page = ok(service.get("/games"))
    assert set(page) == {"items", "next"}
    assert [item["id"] for item in page["items"]] == list(GAMES)
    assert all(set(item) == MEMBERS for item in page["items"])
    (cite,) = (item for item in page["items"] if item["id"] == "cite-lumiere")
    assert cite == {
        "id": "cite-lumiere",
        "title": "Paris: La Cité de la Lumière",
        "seats": ["orange", "blue"],
        "min_players": 2,
        "max_players": 2,
        "editions": ["devir-2019"],
        "default_edition": "devir-2019",
        "rules_version": 1,
    }
    assert lines(service.get("/games", NDJSON)) == page["items"]


@pytest.mark.unchanging
def test_a_game_tells_its_forms_and_every_reason_for_a_refusal(service: Service) -> None:
    for item in ok(service.get("/games"))["items"]:
        game = ok(service.get(f"/games/{item['id']}"))
        assert {name: game[name] for name in MEMBERS} == item
        assert set(game) == {*MEMBERS, "tie_breaks", "schemas", "refusals", "definitions"}
        assert set(game["schemas"]) == {"setup", "move", "state"}
        assert set(game["refusals"]) == set(GAMES[item["id"]].reasons)
        assert all(why["kind"] in {"physical", "rule"} and why["rule"] for why in game["refusals"].values())


@pytest.mark.unchanging
def test_every_edition_that_a_game_lists_is_to_be_had(service: Service) -> None:
    for item in ok(service.get("/games"))["items"]:
        assert item["default_edition"] in item["editions"]
        for edition in item["editions"]:
            assert ok(service.get(f"/games/{item['id']}/editions/{edition}"))["edition"] == edition
