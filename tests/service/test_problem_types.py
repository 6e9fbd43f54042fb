"""The types of problem documents lead to what they mean, for programs and for people."""

import pytest
from werkzeug.test import TestResponse

from service.http.errors import TITLES
from service.openapi.help import HELP
from tests.service.harness import UNKNOWN_ID, Service, ok, problem

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def look(service: Service, address: str, **headers: str) -> TestResponse:
    return service.client.get(address, headers=headers)


def test_every_type_has_help() -> None:
    assert list(HELP) == list(TITLES)


@pytest.mark.unchanging
def test_the_type_of_a_problem_leads_to_what_to_do_about_it(service: Service) -> None:
    refused = problem(service.get(f"/matches/{UNKNOWN_ID}"), 404, "not-found")
    found = ok(look(service, refused["type"]))
    assert {name: found[name] for name in ("type", "title", "status")} == {
        name: refused[name] for name in ("type", "title", "status")
    }
    assert found["help"] == HELP["not-found"]


@pytest.mark.unchanging
@pytest.mark.parametrize("slug", TITLES)
def test_every_type_is_a_page_for_people(service: Service, slug: str) -> None:
    page = look(service, f"/problems/{slug}", **PAGE)
    assert (page.status_code, page.content_type) == (200, "text/html; charset=utf-8")
    assert f"<code>/problems/{slug}</code>" in page.text
    assert "Accept" in page.headers["Vary"].split(", ")


@pytest.mark.unchanging
def test_all_types_are_listed(service: Service) -> None:
    assert [each["type"] for each in ok(look(service, "/problems"))["items"]] == [
        f"/problems/{slug}" for slug in TITLES
    ]
    page = look(service, "/problems", **PAGE).text
    assert all(f'id="{slug}"' in page for slug in TITLES)
    assert 'href="/problems"' in look(service, "/api/v1/docs").text


def test_a_type_that_there_is_not_is_not_found(service: Service) -> None:
    problem(look(service, "/problems/bad-luck"), 404, "not-found")
