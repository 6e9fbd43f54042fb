"""What one request may cost, whatever it asks for: every route is asked with as much as a request line holds."""

from collections.abc import Iterator
from time import perf_counter
from urllib.parse import urlencode

import pytest
from werkzeug.routing import Rule

from service.run import LONGEST_REQUEST_LINE
from tests.service.harness import UNKNOWN_ID, Match, Service, ok, pointers, problem

SOON = 1.0
"""Seconds: far more than any of these answers takes, and far less than they took without a bound."""
ROOM = LONGEST_REQUEST_LINE - 200
FILLED = {"match_id": UNKNOWN_ID, "game_id": "cite-lumiere", "edition_id": "devir-2019", "ply": 1}
VALUES = {"player": UNKNOWN_ID, "tag": "league"}


def addresses(service: Service) -> Iterator[tuple[Rule, str]]:
    """Every address that is read, with an id that nobody has wherever it takes one."""
    with service.client.application.test_request_context() as context:
        adapter = context.url_adapter
        assert adapter is not None
        for rule in service.client.application.url_map.iter_rules():
            if "GET" in (rule.methods or set()) and not rule.rule.startswith("/static/"):
                values = {name: FILLED.get(name, UNKNOWN_ID) for name in rule.arguments}
                yield rule, adapter.build(rule.endpoint, values)


def lists(service: Service) -> dict[str, set[str]]:
    """The parameters that may be repeated, by the paths of the API document."""
    document = ok(service.get("/openapi.json"))
    return {
        path: {one["name"] for one in item["get"].get("parameters", ()) if one.get("schema", {}).get("type") == "array"}
        for path, item in document["paths"].items()
        if "get" in item
    }


def repeated(name: str, times: int | None = None) -> str:
    """A query that names different values of a parameter, as many as there is room for unless told."""
    values = [VALUES[name][:-3] + f"{number:03x}" for number in range(ROOM)]
    query = urlencode([(name, value) for value in values[: times or ROOM]])
    return query[:ROOM].rpartition("&")[0] if times is None else query


@pytest.mark.parametrize("name", sorted(VALUES))
def test_no_route_takes_a_list_without_end(service: Service, match: Match, name: str) -> None:
    taking = {path for path, names in lists(service).items() if name in names}
    found = set()
    for rule, address in addresses(service):
        began = perf_counter()
        answer = service.client.get(f"{address}?{repeated(name)}&a={match.id}&b={UNKNOWN_ID}")
        assert perf_counter() - began < SOON, rule.rule
        assert answer.status_code < 500, rule.rule
        if rule.rule.startswith("/api/"):
            assert answer.status_code in {404, 422}, rule.rule
        path = rule.rule.replace("<uuid:", "{").replace("<", "{").replace(">", "}")
        if path in taking:
            assert f"/{name}" in pointers(problem(answer, 422, "malformed")), rule.rule
            found.add(path)
    assert found == taking
    assert len(taking) >= 8


def test_every_list_in_a_query_is_one_that_these_tests_know(service: Service) -> None:
    assert set().union(*lists(service).values()) == set(VALUES)


@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_filter_may_be_repeated_eight_times(service: Service, match: Match, name: str) -> None:
    player_id = match.document()["players"][0]["player_id"]
    for path in (path for path, names in lists(service).items() if name in names):
        address = path.replace("{player_id}", player_id).replace("{game_id}", "cite-lumiere")
        pair = [seat["player_id"] for seat in match.document()["players"]]
        both = f"&a={pair[0]}&b={pair[1]}" if "head-to-head" in path else ""
        began = perf_counter()
        ok(service.client.get(f"{address}?{repeated(name, 8)}{both}"))
        assert perf_counter() - began < SOON, path
        problem(service.client.get(f"{address}?{repeated(name, 9)}{both}"), 422, "malformed")
