"""Handing on a match: who sees it, links with codes to scan, and the code that shows it inside the pages of others."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from playwright.sync_api import Page, expect

from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, Service, ok
from tests.service.serving import served
from tests.service.workers import wait_until
from tests.web.checks import check_axe
from tests.web.conftest import Watched
from tests.web.tables import open_match


@contextmanager
def elsewhere(page: Page, code: str) -> Iterator[None]:
    """Open a page of another site, which holds some markup."""
    site = Flask("elsewhere")
    site.add_url_rule(
        "/",
        view_func=lambda: f"<!doctype html><html lang=en><title>Elsewhere</title><link rel=icon href='data:,'>{code}",
    )
    with served(site) as address:
        page.goto(address.replace("127.0.0.1", "localhost"))
        yield


def test_a_match_is_handed_on_by_links_and_codes(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    open_match(phone, match, "?tool=share")
    expect(phone.get_by_role("img", name="Code to scan")).to_have_count(1)
    with phone.expect_response(lambda response: response.request.method == "PATCH"):
        phone.get_by_label("With a link").check()
    expect(phone.get_by_text("To embed it, make the match public")).to_be_visible()
    assert match.document()["visibility"] == "unlisted"
    refusal = {"status": 409, "content_type": "application/problem+json", "body": '{"detail": "Not now."}'}
    phone.route(
        f"**/matches/{match.id}/links",
        lambda route: route.fulfill(**refusal) if route.request.method == "POST" else route.continue_(),
    )
    with phone.expect_response("**/links?limit=200"):
        phone.get_by_role("button", name="Make a link to read").tap()
    expect(phone.get_by_role("alert")).to_have_text("Not now.")
    phone.unroute_all()
    for allows, name in (("read", "Make a link to read"), ("record", "Invite to record")):
        phone.get_by_role("button", name=name).tap()
        card = phone.locator(f'[data-allows="{allows}"]')
        expect(card.get_by_label("Address")).to_have_value(re.compile(rf"/matches/{match.id}\?key=."))
        expect(card.get_by_role("img", name="Code to scan")).to_be_visible()
    check_axe(phone)
    address = phone.locator('[data-allows="read"]').get_by_label("Address").input_value()
    assert "key=" + address.partition("key=")[2] in phone.get_by_label("Code to embed").input_value()
    phone.locator('[data-allows="record"]').get_by_role("button", name="Withdraw").tap()
    phone.get_by_role("dialog", name="Withdraw").get_by_role("button", name="Withdraw").tap()
    expect(phone.locator('[data-allows="record"]').get_by_label("Address")).to_have_count(0)
    assert [link["allows"] for link in ok(match.get("/links"))["items"]] == ["read"]


def test_date_venue_and_tags_are_changed_and_what_they_were_is_kept(new_match: NewMatch, phone: Page) -> None:
    match = new_match(played_at="2026-03-01T18:30:00Z", venue="At home")
    open_match(phone, match, "?tool=share")
    expect(phone.get_by_label("Date")).to_have_value("2026-03-01")
    match.record(*OPENING[:1])  # a move in between is no change of the details
    phone.get_by_label("Date").fill("2026-02-28")
    phone.get_by_label("Venue").fill("Café")
    phone.get_by_label("Tags").fill("league, spring")
    phone.get_by_role("button", name="Save the details").tap()
    expect(phone.get_by_text("The details are saved.")).to_be_visible()
    check_axe(phone)
    now = match.document()
    assert (now["played_at"][:10], now["venue"], now["tags"]) == ("2026-02-28", "Café", ["league", "spring"])
    assert [item["venue"] for item in ok(match.get("/details"))["items"]] == ["At home", "Café"]


def test_the_owner_decides_where_table_rulings_count(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    open_match(phone, match, "?tool=share")
    where = phone.get_by_role("group", name="Table rulings in statistics")
    expect(where.get_by_label("Wins and ratings")).to_be_checked()
    where.get_by_label("Everything").tap()
    expect(where.get_by_label("Everything")).to_be_checked()
    wait_until(lambda: match.document()["rulings_in_statistics"] == "include")


def test_details_that_somebody_else_changed_are_not_replaced_unseen(
    new_match: NewMatch, service: Service, phone: Page
) -> None:
    match = new_match(venue="At home")
    open_match(phone, match, "?tool=share")
    phone.get_by_label("Venue").fill("Café")
    ok(service.patch(f"/matches/{match.id}", {"venue": "In the club"}))
    save = phone.get_by_role("button", name="Save the details")
    save.tap()
    expect(phone.locator(".details").get_by_role("alert")).to_contain_text("In the club")
    expect(phone.get_by_label("Venue")).to_have_value("Café")
    assert match.document()["venue"] == "In the club"
    save.tap()
    expect(phone.get_by_text("The details are saved.")).to_be_visible()
    assert match.document()["venue"] == "Café"


def test_what_the_service_refuses_of_details_is_said_and_nothing_typed_is_lost(
    new_match: NewMatch, phone: Page
) -> None:
    match = new_match(venue="At home")
    open_match(phone, match, "?tool=share")
    phone.get_by_label("Date").fill("2999-01-01")
    phone.get_by_label("Venue").fill("Café")
    phone.get_by_role("button", name="Save the details").tap()
    expect(phone.locator(".details").get_by_role("alert")).to_have_text("lies more than a day ahead")
    expect(phone.get_by_label("Venue")).to_have_value("Café")
    assert match.document()["venue"] == "At home"


def test_the_code_to_embed_lets_a_match_be_played_through_on_another_site(new_match: NewMatch, desk: Page) -> None:
    match = new_match(visibility="public")
    match.record(*OPENING)
    open_match(desk, match, "?tool=share")
    with elsewhere(desk, desk.get_by_label("Code to embed").input_value()):
        inside = desk.frame_locator("iframe")
        expect(inside.locator("#now")).to_have_text("Move 6 of 6 Jan takes building I3 from the supply.")
        expect(inside.get_by_role("img", name="Board")).to_be_visible()
        inside.get_by_role("button", name="Back").click()
        expect(inside.locator("#now")).to_have_text(re.compile("^Move 5 of 6"))
        inside.get_by_role("slider").press("ArrowLeft")
        expect(inside.locator("#now")).to_have_text(re.compile("^Move 4 of 6"))


def test_what_is_embedded_stands_up_to_axe(new_match: NewMatch, phone: Page) -> None:
    match = new_match(visibility="public")
    match.record(*OPENING)
    phone.goto(f"/embed/matches/{match.id}?ply=3")
    expect(phone.get_by_role("slider")).to_have_value("3")
    check_axe(phone)


def test_a_match_that_is_not_open_to_all_is_not_shown_on_another_site(
    new_match: NewMatch, desk: Page, watched: Watched
) -> None:
    watched.expect("status of 404")
    match = new_match(visibility="club")
    open_match(desk, match, "?tool=share")
    expect(desk.get_by_label("Code to embed")).to_have_count(0)
    address = desk.url.removesuffix("?tool=share").replace("/matches/", "/embed/matches/")
    with elsewhere(desk, f'<iframe src="{address}" title="A match"></iframe>'):
        expect(desk.frame_locator("iframe").get_by_role("heading")).to_have_text("Not found")
