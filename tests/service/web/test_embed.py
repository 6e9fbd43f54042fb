"""A match inside the pages of others: what it shows, and that nothing but its address opens it."""

import re
from dataclasses import replace

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.app import create_app
from service.db.pool import Database
from tests.service.auth.people import Person, first_owner
from tests.service.conftest import CONFIG, NewMatch
from tests.service.harness import OPENING, Match, Service, ok
from tests.service.test_headers import policy

NAVIGATION = {"Accept": "text/html"}


def shown(app: Flask, address: str) -> TestResponse:
    return app.test_client().get(address, headers=NAVIGATION)


def links(page: TestResponse) -> dict[str, str]:
    """The addresses that a page leads to, by their `rel`."""
    found = re.findall(r'rel="(prev|next)" href="([^"]*)"', page.text)
    return {name: address.replace("&amp;", "&") for name, address in found}


@pytest.fixture
def match(new_match: NewMatch) -> Match:
    """A public match of Ana against Jan without moves."""
    return new_match(visibility="public")


def test_a_match_is_walked_through_ply_by_ply(app: Flask, match: Match) -> None:
    match.record(*OPENING[:2])
    address = f"/embed/matches/{match.id}"
    page = shown(app, address)
    assert page.status_code == 200
    assert "Move 2 of 2" in page.text
    assert match.frames()[2]["text"] == "Blue takes building L4 from the supply."
    assert all(said in page.text for said in ("Ana", "Jan takes building L4 from the supply."))
    total = match.frames()[2]["state"]["score"]["orange"]["total"]
    assert f'<span class="total">{total}</span>' in page.text.replace("\N{MINUS SIGN}", "-")
    assert set(links(page)) == {"prev"}
    first = shown(app, links(shown(app, links(page)["prev"]))["prev"])
    assert "Set-up" in first.text
    assert links(first) == {"next": f"{address}?ply=1"}
    [picture] = re.findall(r'<img[^>]*src="([^"]*)"', page.text)
    assert shown(app, picture).text == match.get("/replay/2/board.svg").text


def test_a_match_of_which_only_the_result_is_known_has_no_picture(app: Flask, new_match: NewMatch) -> None:
    match = new_match(setup={"result_only": True, "points": {"orange": 48, "blue": 57}}, visibility="public")
    page = shown(app, f"/embed/matches/{match.id}")
    assert '<span class="total">48</span>' in page.text
    assert '<span class="total">57</span>' in page.text
    assert "<img" not in page.text
    assert shown(app, f"/embed/matches/{match.id}/0.svg").status_code == 404


@pytest.mark.parametrize("ply", ["3", "-1", "x", "", "1e1", "²", "9" * 30])
def test_a_ply_that_is_not_there_is_said_so_in_a_page_of_its_own_kind(app: Flask, match: Match, ply: str) -> None:
    page = shown(app, f"/embed/matches/{match.id}?ply={ply}")
    assert page.status_code == 404
    assert page.mimetype == "text/html"
    assert "<form" not in page.text


def test_it_alone_may_be_framed_and_is_the_same_whatever_cookies_come(app: Flask, match: Match) -> None:
    client = app.test_client()
    client.set_cookie("carnet_lang", "pl")
    for path in (f"/embed/matches/{match.id}", f"/embed/matches/{match.id}?ply=9", "/embed/nothing"):
        page = client.get(path, headers=NAVIGATION)
        assert page.text == shown(app, path).text
        assert "X-Frame-Options" not in page.headers
        assert "frame-ancestors" not in policy(page.headers)
        assert "Set-Cookie" not in page.headers
        assert "Cookie" not in page.headers.get("Vary", "")
    assert client.get("/", headers=NAVIGATION).headers["X-Frame-Options"] == "DENY"


def test_it_speaks_the_language_of_the_browser(app: Flask, match: Match) -> None:
    page = app.test_client().get(f"/embed/matches/{match.id}", headers={**NAVIGATION, "Accept-Language": "cs"})
    assert '<html lang="cs">' in page.text
    assert "Příprava" in page.text


def test_without_sign_in_a_match_that_is_not_public_stays_closed_all_the_same(
    app: Flask, service: Service, match: Match
) -> None:
    for visibility in ("unlisted", "club", "private"):
        ok(service.patch(match.path, {"visibility": visibility}))
        assert shown(app, f"/embed/matches/{match.id}").status_code == 404


def test_an_owner_who_is_signed_in_sees_no_more_than_anybody(database: Database) -> None:
    app = create_app(replace(CONFIG, is_open=False), database)
    olga = first_owner(app)
    match = olga.begin(visibility="private")
    address = f"/embed/matches/{match['id']}"
    assert ok(olga.get(f"/matches/{match['id']}"))["visibility"] == "private"
    assert olga.client.get(address).status_code == 404
    headers = {"Authorization": f"Bearer {olga.token('read')['secret']}"}
    assert olga.client.get(address, headers=headers).status_code == 404
    app.extensions["carnet"].close()


def test_a_link_goes_along_to_all_that_the_page_leads_to(database: Database) -> None:
    app = create_app(replace(CONFIG, is_open=False), database)
    olga = first_owner(app)
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    match.record(*OPENING[:2])
    link = ok(match.post("/links", {"allows": "read"}), 201)
    page = shown(app, f"/embed/matches/{match.id}?key={link['secret']}&ply=1")
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert page.headers["Referrer-Policy"] == "same-origin"
    addresses = re.findall(r'(?:src|href)="(/(?:embed|matches)/[^"]*)"', page.text)
    assert len(addresses) == 4
    for address in addresses:
        assert f"key={link['secret']}" in address
        if address.startswith("/embed"):
            assert shown(app, address.replace("&amp;", "&")).status_code == 200
    assert Person(app).delete(f"/matches/{match.id}/links/{link['id']}").status_code == 404
    assert olga.delete(f"/matches/{match.id}/links/{link['id']}").status_code == 204
    assert shown(app, addresses[0].replace("&amp;", "&")).status_code == 404
    app.extensions["carnet"].close()
