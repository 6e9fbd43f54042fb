"""Declarations of routes: what they name is what the view gets."""

from typing import Any
from uuid import UUID

import pytest
from flask import Flask, Response

from service.http.fields import Paging
from service.http.preconditions import IfMatch
from service.http.request import Request
from service.http.responses import CSV, HTML, NDJSON, answer
from service.http.routing import Blueprint, MisdeclaredRoute, Route, routes_of
from service.permissions import Right
from tests.service.harness import API, Match, ok
from tests.service.test_headers import readable_addresses


@pytest.fixture
def blueprint() -> Blueprint:
    return Blueprint("things", __name__, url_prefix="/things/<uuid:thing_id>", description="Things.")


def test_a_view_takes_what_its_declaration_names(blueprint: Blueprint) -> None:
    @blueprint.get("/parts", Right.FREE, query=Paging)
    def list_parts(query: dict[str, Any], thing_id: UUID) -> Response:
        raise NotImplementedError

    assert blueprint.routes["list_parts"].rule == "/things/<uuid:thing_id>/parts"
    assert blueprint.routes["list_parts"].parts_read == {"query"}
    assert blueprint.rights == {"list_parts": Right.FREE}
    del list_parts


@pytest.mark.parametrize("declared", [{}, {"query": Paging, "body": Paging}, {"body": Paging}])
def test_a_view_that_takes_other_than_its_declaration_names_is_refused(
    blueprint: Blueprint, declared: dict[str, Any]
) -> None:
    def list_parts(query: dict[str, Any], thing_id: UUID) -> Response:
        raise NotImplementedError

    with pytest.raises(MisdeclaredRoute, match="list_parts"):
        blueprint.get("/parts", Right.FREE, **declared)(list_parts)


def declared(**options: Any) -> Route:
    return Route(rule="/things", method="POST", right=Right.FREE, name="make_thing", about="Make a thing.", **options)


def application() -> Flask:
    app = Flask(__name__)
    app.request_class = Request
    return app


def finished(route: Route, headers: dict[str, str] | None = None, **how: bool) -> Response:
    with application().test_request_context():
        return route.finish(answer({"id": 7}, headers), **{"is_dry": False, "is_replayed": False, **how})


def test_a_response_has_the_declared_status_and_location() -> None:
    route = declared(status=201, location="/things/{id}", idempotent=True)
    response = finished(route)
    assert (response.status_code, response.headers["Location"]) == (201, "/things/7")
    assert "Idempotent-Replayed" not in response.headers
    assert finished(route, is_replayed=True).headers["Idempotent-Replayed"] == "true"


def test_a_conditional_response_has_a_tag_and_is_sent_once() -> None:
    route = Route(rule="/things", method="GET", right=Right.FREE, name="list_things", about="List.", etag=True)
    tag = finished(route).headers["ETag"]
    with application().test_request_context(headers={"If-None-Match": tag}):
        assert route.finish(answer({"id": 7}), is_dry=False, is_replayed=False).status_code == 304


def test_a_dry_run_makes_nothing() -> None:
    assert finished(declared(status=201, dry_run=True), is_dry=True).status_code == 200


@pytest.mark.parametrize(
    ("options", "headers"),
    [
        ({}, {"ETag": '"1"'}),
        ({}, {"Location": "/things/7"}),
        ({"media_type": "text/plain"}, {}),
    ],
)
def test_a_response_beyond_the_declaration_is_refused(options: dict[str, Any], headers: dict[str, str]) -> None:
    with pytest.raises(MisdeclaredRoute, match="make_thing"):
        finished(declared(**options), headers)


def test_what_may_be_named_in_if_match_has_a_tag() -> None:
    assert "ETag" in finished(declared(if_match=IfMatch.VERSION), {"ETag": '"1"'}).headers


def test_every_declared_media_type_is_there(app: Flask, match: Match) -> None:
    tried = set()
    known = readable_addresses(app, match)
    a, b = (player["player_id"] for player in match.document()["players"])
    known["stats.get_head_to_head"] += f"?a={a}&b={b}"
    imported = match.service.raw("POST", "/matches/import", match.get("/export").data, "application/octet-stream")
    known["imports.list_import_items"] = f"{API}/imports/{ok(imported)['id']}/items"
    there = [(endpoint, route) for endpoint, route in routes_of(app) if "sign-in-off" not in route.problems]
    for endpoint, route in there:
        for media_type in route.media_types[1:]:
            # A file that is sent is that of the match itself.
            sent = match.get("/export").data if route.upload else None
            address = known.get(endpoint, route.rule)
            headers = {"Accept": media_type}
            with app.test_client().open(address, method=route.method, data=sent, headers=headers) as response:
                assert (response.status_code, response.mimetype) == (200, media_type), route.name
            tried.add(media_type)
    assert tried == {NDJSON, CSV, HTML}
